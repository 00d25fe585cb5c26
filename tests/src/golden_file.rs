//! Compares test results with files of the project that people read.

use std::fs;
use std::path::Path;

/// Compares a result with a file of the project, or writes that file if `BLESS` is set.
pub fn assert_golden_file(path: &Path, found: &str) {
    if std::env::var_os("BLESS").is_some() {
        return fs::write(path, found).expect("the project can be written");
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    let name = path.display();
    assert_eq!(found, expected, "{name}: look at it, then BLESS=1");
}
