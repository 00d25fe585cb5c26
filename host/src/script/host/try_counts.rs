//! Counts the attempts that rules report, and how often an attempt failed, if the caller asks for it.
//!
//! In play nothing is counted, and no count is ever in the state.

use std::collections::BTreeMap;

use crate::diag::Diagnostic;
use crate::value::Text;

/// The counts of one attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tries {
    /// How often it was attempted.
    pub times: u64,
    /// How often it failed.
    pub failures: u64,
}

/// The attempts, by their owner and their name.
pub type TryCounts = BTreeMap<Text, BTreeMap<Text, Tries>>;

/// Names that are counted at most.
pub(crate) const MOST: usize = 50_000;

/// Letters of a name at most.
pub(crate) const LONGEST: usize = 400;

/// Counts a possible or made attempt. `success` is the outcome.
///
/// Errors: `limit/size` for a name that is too long, or one too many.
pub(crate) fn count_try(
    tried: &mut TryCounts,
    of: &str,
    name: Option<&str>,
    success: Option<bool>,
) -> Result<(), Box<Diagnostic>> {
    let too_much = |message: String| Box::new(Diagnostic::error("limit/size", message));
    if [Some(of), name]
        .into_iter()
        .flatten()
        .any(|text| text.len() > LONGEST && text.chars().count() > LONGEST)
    {
        return Err(too_much(format!(
            "a name that is counted has more than {LONGEST} letters"
        )));
    }
    if !tried.contains_key(of) || name.is_some_and(|name| !tried[of].contains_key(name)) {
        let known: usize = tried.values().map(|names| names.len() + 1).sum();
        if known >= MOST {
            return Err(too_much(format!("more than {MOST} names are counted")));
        }
    }
    let names = tried.entry(of.into()).or_default();
    if let Some(name) = name {
        let tries = names.entry(name.into()).or_default();
        tries.times += u64::from(success.is_some());
        tries.failures += u64::from(success == Some(false));
    }
    Ok(())
}

/// Adds counts to others.
pub fn add_tries(own: &mut TryCounts, other: TryCounts) {
    for (of, names) in other {
        let own = own.entry(of).or_default();
        for (name, tries) in names {
            let one = own.entry(name).or_default();
            one.times += tries.times;
            one.failures += tries.failures;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_tried_is_known_before_it_is_and_counts_add_up() {
        let mut tried = TryCounts::new();
        count_try(&mut tried, "mill", None, None).unwrap();
        count_try(&mut tried, "bell", Some("ring"), None).unwrap();
        assert_eq!(tried["bell"]["ring"], Tries::default());
        count_try(&mut tried, "bell", Some("ring"), Some(true)).unwrap();
        count_try(&mut tried, "bell", Some("ring"), Some(false)).unwrap();
        let twice = tried.clone();
        add_tries(&mut tried, twice);
        assert_eq!(
            tried["bell"]["ring"],
            Tries {
                times: 4,
                failures: 2
            }
        );
        assert!(tried["mill"].is_empty());
    }

    #[test]
    fn names_have_a_limit() {
        let mut tried = TryCounts::new();
        let refused = count_try(&mut tried, &"x".repeat(401), None, None).unwrap_err();
        assert_eq!(refused.code, "limit/size");
        assert!(tried.is_empty());
    }
}
