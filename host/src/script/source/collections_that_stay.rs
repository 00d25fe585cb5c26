//! Finds the collections that belong to the rules, in the texts of schemas that have not run. Content that is kept
//! elsewhere is added to these collections, and replaces all others.

use crate::content::File;
use crate::diag::Source;
use crate::script::source::mod_files::is_schema;
use crate::script::source::record_literals::returned_literals;
use crate::value::Value;

/// Returns the folders of the collections with `stays = true` in their schemas, in the order of the schemas.
pub(crate) fn collections_that_stay(scripts: &[File]) -> Vec<String> {
    let schemas = scripts
        .iter()
        .filter(|file| is_schema(&file.path) && !file.path.contains(".test."));
    schemas
        .filter(|file| file.source.text().contains("stays"))
        .filter_map(|file| folder_that_stays(&file.source))
        .collect()
}

/// Returns the folder of a schema if it stays. A text that cannot be read has other findings.
fn folder_that_stays(schema: &Source) -> Option<String> {
    let said = returned_literals(schema);
    let value = |wanted: &str| said.iter().find(|(key, _)| key == wanted);
    match (value("stays")?, value("folder")?) {
        ((_, Value::Bool(true)), (_, Value::Text(folder))) => Some(folder.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn staying_of(text: &str) -> Vec<String> {
        let file = |path: &str| File::of_bytes(path, path, text.as_bytes()).unwrap();
        collections_that_stay(&[file("schemas/a.luau"), file("pipeline/b.luau")])
    }

    #[test]
    fn a_schema_that_says_so_stays() {
        let said = [
            "return schema { folder = \"a\", stays = true }",
            "return schema({ stays = true, folder = 'a' })",
            "--!strict\nreturn { [\"folder\"] = \"a\", stays = true }",
        ];
        for text in said {
            assert_eq!(staying_of(text), ["a"], "{text}");
        }
    }

    #[test]
    fn all_others_do_not() {
        let said = [
            "return schema { folder = \"a\" }",
            "return schema { folder = \"a\", stays = false }",
            "return schema { folder = \"a\", keys = { stays = true } }",
            "return schema { folder = \"a\" } -- stays = true",
            "return schema { stays = true }",
            "return schema { folder = \"a\", stays = true",
            "stays = true",
        ];
        for text in said {
            assert!(staying_of(text).is_empty(), "{text}");
        }
    }
}
