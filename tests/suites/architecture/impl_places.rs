//! Tests that the methods of a type are in the folder of the type. Other code works on the type
//! with functions.

use std::collections::BTreeMap;

use super::source_files::{File, rust_files};

/// The crates of the program.
const PROGRAM_CRATES: [&str; 2] = ["host/src", "repl/src"];

#[test]
fn inherent_impls_stand_with_their_type() {
    for folder in PROGRAM_CRATES {
        assert_eq!(
            misplaced_inherent_impls(&rust_files(folder)),
            Vec::<String>::new()
        );
    }
}

/// Returns the inherent impls outside the folder of their type.
fn misplaced_inherent_impls(files: &[File]) -> Vec<String> {
    let mut types: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in files {
        for name in file.code.lines().filter_map(type_defined_by_line) {
            types.entry(name).or_default().push(&file.path);
        }
    }
    let mut found = Vec::new();
    for file in files {
        for name in file.code.lines().filter_map(type_implemented_by_line) {
            let known = types.get(name).into_iter().flatten();
            if !known.clone().any(|of| is_in_folder_of_type(of, &file.path)) && known.count() > 0 {
                found.push(format!("{} has an impl of {name}", file.path));
            }
        }
    }
    found
}

/// Returns whether a file is in the folder of another file, or below it.
fn is_in_folder_of_type(of: &str, path: &str) -> bool {
    let (folder, _) = of.rsplit_once('/').unwrap_or_default();
    path.starts_with(&format!("{folder}/"))
}

/// Returns the type that a line defines.
fn type_defined_by_line(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let rest = ["struct ", "enum ", "union "]
        .iter()
        .find_map(|kind| line.strip_prefix(kind))?;
    leading_identifier(rest)
}

/// Returns the type of the inherent impl that a line begins.
fn type_implemented_by_line(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?;
    let rest = match rest.strip_prefix('<') {
        Some(generics) => generics.split_once("> ")?.1,
        None => rest.strip_prefix(' ')?,
    };
    let is_inherent = !rest.contains(" for ");
    is_inherent.then(|| leading_identifier(rest)).flatten()
}

fn leading_identifier(text: &str) -> Option<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
}

#[test]
fn an_impl_in_another_room_is_found() {
    let file = |path: &str, code: &str| File {
        path: path.to_owned(),
        text: code.to_owned(),
        code: code.to_owned(),
    };
    let home = file(
        "a/low/one.rs",
        "pub(in crate::game) struct One<'a> {}\nstruct Two;\n",
    );
    for (path, code, wrong) in [
        ("a/low/other.rs", "impl One<'_> {\n}\n", 0),
        ("a/low/one/part.rs", "impl<'a> One<'a> {\n}\n", 0),
        ("a/high/three.rs", "impl<'a> One<'a> {\n}\n", 1),
        ("a/high/three.rs", "impl From<u8> for Two {\n}\n", 0),
        ("a/high/three.rs", "struct Two;\nimpl Two {\n}\n", 0),
        ("a/high/three.rs", "impl String {\n}\n", 0),
    ] {
        assert_eq!(
            misplaced_inherent_impls(&[file(&home.path, &home.code), file(path, code)]).len(),
            wrong,
            "{code}"
        );
    }
}
