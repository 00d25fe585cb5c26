//! Paths into plain data: keys and numbers of list items from 1, with points between them.

use super::Value;

/// Returns the value at a path; `Nil` if there is none.
pub fn value_at_path<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(value, |value, key| {
        let place = key
            .parse::<usize>()
            .ok()
            .filter(|_| value.as_map().is_none());
        match place.and_then(|place| place.checked_sub(1)) {
            Some(place) => value.items().get(place).unwrap_or(&Value::Nil),
            None => value.get(key),
        }
    })
}

/// Returns the first key of a path, and the rest of the path.
pub fn split_first_key(path: &str) -> (&str, Option<&str>) {
    match path.split_once('.') {
        Some((first, rest)) => (first, Some(rest)),
        None => (path, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_goes_through_maps_by_key_and_through_lists_by_number() {
        let list = Value::list([
            "ann".into(),
            Value::map([("of", "bo")].map(|(k, v)| (k, Value::from(v)))),
        ]);
        let event = Value::map([("who", list)]);
        let at = |path: &str| value_at_path(&event, path).clone();
        assert_eq!(at("who.1"), "ann".into());
        assert_eq!(at("who.2.of"), "bo".into());
        for nothing in ["who.0", "who.3", "who.1.of", "whom", "who.of", ""] {
            assert_eq!(at(nothing), Value::Nil, "{nothing}");
        }
        assert_eq!(split_first_key("who.2.of"), ("who", Some("2.of")));
        assert_eq!(split_first_key("who"), ("who", None));
    }
}
