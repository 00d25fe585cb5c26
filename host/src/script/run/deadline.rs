//! Refuses deadlines that have passed already: of questions, prompts and polls alike.

use crate::diag::Diagnostic;
use crate::value::Value;

/// Checks the deadline of something that begins now. No value means no deadline.
///
/// Unit: seconds of game time. Errors: it is not a whole second after the present one.
pub(crate) fn check_deadline(
    what: &str,
    deadline: &Value,
    now: u64,
) -> Result<(), Box<Diagnostic>> {
    let second = deadline.as_i64();
    let second = second.and_then(|second| u64::try_from(second).ok());
    if deadline.is_nil() || second.is_some_and(|second| second > now) {
        return Ok(());
    }
    let found = match deadline {
        Value::Number(number) => number.to_string(),
        other => format!("a {}", other.kind()),
    };
    let message = format!(
        "the deadline of {what} must be a whole second later than now ({now}), found {found}"
    );
    let hint = format!(
        "`act:clock().time + 60` is a minute from now, {}",
        now.saturating_add(60)
    );
    Err(Box::new(
        Diagnostic::error("script/argument", message).hint(hint),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_a_whole_second_that_has_not_come() {
        for good in [Value::Nil, Value::from(61), Value::from(1_000_000)] {
            assert!(check_deadline("it", &good, 60).is_ok(), "{good}");
        }
        let half: Value = Value::Number("60.5".parse().unwrap());
        for bad in [
            Value::from(60),
            Value::from(0),
            Value::from(-1),
            half,
            "soon".into(),
        ] {
            let finding = check_deadline("the poll \"tea\"", &bad, 60).unwrap_err();
            assert_eq!(finding.code, "script/argument");
            assert!(finding.message.starts_with("the deadline of the poll \"tea\" must be a whole second later than now (60), found "), "{}", finding.message);
        }
    }
}
