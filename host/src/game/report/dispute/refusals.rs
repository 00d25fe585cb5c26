//! Refusals of invalid disputes.

use crate::diag::Diagnostic;
use crate::doc::Audience;
use crate::script::GM;

/// Maximum number of characters of a reason and of a ruling.
pub(crate) const LONGEST: usize = 1_000;

/// Returns a text of a user in one line; the syntax of the line lets no empty text through. Errors: it is longer than
/// the limit.
pub(super) fn check_dispute_text(text: &str, what: &str) -> Result<String, Box<Diagnostic>> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let count = text.chars().count();
    if count > LONGEST {
        let message =
            format!("the {what} has {count} characters, but at most {LONGEST} are allowed");
        return Err(Box::new(Diagnostic::error("limit/size", message)));
    }
    Ok(text)
}

/// Returns the refusal for a number that no post of the game master shows for a line of this log.
pub(super) fn not_posted_refusal(number: u64) -> Diagnostic {
    let message = format!("no post shows a line of your log under the number {number}");
    let hint = "type `dispute N WHY` with a line of the log; `log` lists them";
    Diagnostic::error("dispute/no-line", message).hint(hint)
}

/// Returns the refusal for a ruling that is named by its former number instead of its log line.
pub(super) fn name_by_line_refusal(by: &str) -> Diagnostic {
    let message = "in this game, the number of a ruling is its line in the log";
    let hint = match by {
        GM => "type `dispute N WHY` with that line; `log` lists the lines",
        _ => {
            "`dispute N WHY` means line N of your log, `dispute post N WHY` the line that a post shows as N"
        }
    };
    Diagnostic::error("dispute/number", message).hint(hint)
}

/// Returns the refusal for a user who is not the judge.
pub(super) fn not_judge_refusal(judges: Option<&Audience>) -> Diagnostic {
    let who = match judges {
        None | Some(Audience::Gm | Audience::Public) => "the game master".to_owned(),
        Some(Audience::Seat(name) | Audience::Group(name)) => format!("{name} or the game master"),
    };
    let message = format!("only {who} can settle disputes of others");
    Diagnostic::error("dispute/not-yours", message)
}

/// Returns the refusal for a number that names no dispute, with the open disputes.
pub(super) fn no_open_dispute_refusal(number: u64, open: &[String]) -> Diagnostic {
    let message = format!("no dispute has the number {number}");
    let hint = match open {
        [] => "there are no open disputes".to_owned(),
        open => {
            let lines = open.iter().map(|number| format!("settle {number} RULING"));
            format!("open: {}", lines.collect::<Vec<_>>().join(", "))
        }
    };
    Diagnostic::error("dispute/none", message).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_one_line_and_no_longer_than_is_kept() {
        assert_eq!(
            check_dispute_text(" it \n fell ", "reason").unwrap(),
            "it fell"
        );
        assert_eq!(
            check_dispute_text("é".repeat(1_000).as_str(), "reason")
                .unwrap()
                .len(),
            2_000
        );
        let refused = |text: &str| check_dispute_text(text, "reason").unwrap_err().message;
        assert_eq!(
            refused(&"é".repeat(1_001)),
            "the reason has 1001 characters, but at most 1000 are allowed"
        );
    }

    #[test]
    fn who_rules_is_named() {
        let named = |judges: Option<Audience>| not_judge_refusal(judges.as_ref()).message;
        let elders = Audience::Group("elders".to_owned());
        assert_eq!(
            named(Some(elders)),
            "only elders or the game master can settle disputes of others"
        );
        for nobody in [None, Some(Audience::Gm)] {
            assert_eq!(
                named(nobody),
                "only the game master can settle disputes of others"
            );
        }
    }
}
