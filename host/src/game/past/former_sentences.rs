//! Sentences of the host that older games recorded in other words. A message of the host is compared with its record in
//! present words, so that a game from before the change is still the same when it runs again.

use std::borrow::Cow;

use crate::value::Value;

/// The former words of a sentence, and the present ones.
const FORMER: [(&str, &str); 3] = [
    (" disputes operation ", " disputes log line "),
    (" about operation ", " about log line "),
    (
        "another seed: the README says how.",
        "another seed: the page Dice proofs of the book says how.",
    ),
];

/// Returns whether messages say the same, also if they were recorded in different words.
pub(in crate::game) fn is_same_messages(one: &[Value], other: &[Value]) -> bool {
    one == other || in_present_words(one) == in_present_words(other)
}

/// Returns messages in the present words of the host.
pub(in crate::game) fn in_present_words(messages: &[Value]) -> Vec<Value> {
    messages.iter().map(value_in_present_words).collect()
}

/// Returns a text in the present words of the host.
pub(in crate::game) fn text_in_present_words(text: &str) -> Cow<'_, str> {
    FORMER.iter().fold(Cow::Borrowed(text), |text, (old, now)| {
        if text.contains(old) {
            Cow::Owned(text.replace(old, now))
        } else {
            text
        }
    })
}

fn value_in_present_words(value: &Value) -> Value {
    match value {
        Value::Text(text) => Value::from(&*text_in_present_words(text)),
        Value::List(items) => Value::list(items.iter().map(value_in_present_words)),
        Value::Map(map) => Value::map(
            map.iter()
                .map(|(key, value)| (key.clone(), value_in_present_words(value))),
        ),
        Value::Nil | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_the_same_in_former_and_present_words() {
        let message = |text: &str| vec![Value::map([("blocks", Value::list([text.into()]))])];
        let former = message("Ann disputes operation 4 `roll`: why");
        let present = message("Ann disputes log line 4 `roll`: why");
        assert!(is_same_messages(&former, &present));
        assert_eq!(in_present_words(&former), present);
        assert!(!is_same_messages(
            &former,
            &message("Ann disputes log line 5 `roll`: why")
        ));
    }
}
