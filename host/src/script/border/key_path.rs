//! Reads paths of keys and indexes that scripts write, and returns the keys at their end.

use std::sync::Arc;

use crate::content::{Kind, Node, Step};
use crate::value::{Text, Value};

/// Reads a path. Nil is the empty path. Errors: the kind of an invalid value, in words.
pub(crate) fn read_path(said: &Value) -> Result<Vec<Step>, String> {
    let steps = match said {
        Value::Nil => &[],
        Value::List(items) => items.as_slice(),
        other => {
            let kind = other.kind();
            return Err(format!("is a {kind} instead of a list of keys and indexes"));
        }
    };
    let step = |one: &Value| match one {
        Value::Text(key) => Ok(Step::Key(Arc::clone(key))),
        one => {
            let index = one.as_i64().and_then(|index| usize::try_from(index).ok());
            let index = index.ok_or("contains an item that is neither a key nor an index");
            Ok(Step::Index(index?))
        }
    };
    steps.iter().map(step).collect()
}

/// Returns the keys of the map at the end of a path, in the order of the tree. Also returns the number of entries that
/// were read.
pub(crate) fn keys_at_path_in_tree(node: &Node, path: &[Step]) -> (Option<Vec<Text>>, usize) {
    let reached = node.follow_path(path);
    let (Kind::Map(entries), true) = (&reached.node.kind, reached.is_end) else {
        return (None, reached.work);
    };
    let keys = entries.iter().map(|entry| Arc::clone(&entry.key));
    (Some(keys.collect()), reached.work + entries.len())
}

/// Does the same for plain data, with its keys in alphabetical order.
pub(crate) fn keys_at_path_in_value(value: &Value, path: &[Step]) -> (Option<Vec<Text>>, usize) {
    let mut value = value;
    for step in path {
        value = match (step, value) {
            (Step::Index(index), Value::List(items)) => {
                items.get(index.wrapping_sub(1)).unwrap_or(&Value::Nil)
            }
            (Step::Index(index), _) => value.get(&index.to_string()),
            (Step::Key(key), _) => value.get(key),
        };
    }
    let keys = match value {
        Value::Map(entries) => Some(entries.keys().cloned().collect()),
        Value::List(items) if items.is_empty() => Some(Vec::new()),
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => None,
    };
    let work = path.len() + keys.as_ref().map_or(0, Vec::len);
    (keys, work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{TreeLimits, read_tree};
    use crate::diag::Source;

    const TEXT: &str = "b: 1\na: [{z: 1, y: {}, '2': {d: 1, c: 1}}]\n";

    fn keys(path: Value) -> [Option<String>; 2] {
        let source = Source::new("a.yaml", TEXT);
        let node = read_tree(&source, TreeLimits::CONTENT).0.unwrap();
        let path = read_path(&path).unwrap();
        let of_tree = keys_at_path_in_tree(&node, &path).0;
        let of_value = keys_at_path_in_value(&node.to_value(), &path).0;
        [of_tree, of_value].map(|keys| keys.map(|keys| keys.join(" ")))
    }

    #[test]
    fn keys_stand_in_order_where_there_is_one_and_sorted_elsewhere() {
        let path = |steps: &[Value]| Value::list(steps.iter().cloned());
        let a = Value::from("a");
        let cases = [
            (Value::Nil, Some(("b a", "a b"))),
            (path(&[a.clone(), 1.into()]), Some(("z y 2", "2 y z"))),
            (path(&[a.clone(), 1.into(), 2.into()]), Some(("d c", "c d"))),
            (path(&[a.clone(), 1.into(), "y".into()]), Some(("", ""))),
            (path(&["b".into()]), None),
            (path(std::slice::from_ref(&a)), None),
            (path(&[a.clone(), 0.into()]), None),
            (path(&[a, 9.into(), "x".into()]), None),
        ];
        for (path, expected) in cases {
            let shown = path.to_string();
            let [tree, value] = expected.map_or([None, None], |(tree, value)| {
                [Some(tree.to_owned()), Some(value.to_owned())]
            });
            assert_eq!(keys(path), [tree, value], "{shown}");
        }
    }

    #[test]
    fn what_is_no_path_says_why() {
        for wrong in [
            Value::from("a"),
            Value::list([Value::from(-1)]),
            Value::list([Value::Nil]),
        ] {
            assert!(read_path(&wrong).is_err(), "{wrong}");
        }
    }
}
