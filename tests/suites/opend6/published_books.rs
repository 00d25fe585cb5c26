//! Compares a published book of spells with its text in every format.

use arbiter_tests::assert_golden_file;

use super::super::export::FORMATS;
use super::super::program::{arbiter_in_project, project};

/// Returns the text that the program exports after some lines.
fn exported_text(format: &str, lines: &str) -> String {
    let mut command = arbiter_in_project();
    command.args(["run", "-", "--ruleset", "opend6", "--seed", "x"]);
    command.args(["--format", format]);
    let output = command.write_stdin(lines).output().unwrap();
    assert!(output.status.success(), "{format}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_book_is_published_in_every_format() {
    let folder = project().join("tests/opend6/book");
    let load = "load tests/opend6/book/quay_notes.yaml\n";
    for (format, ending) in FORMATS {
        let loaded = exported_text(format, load);
        let all = exported_text(format, &format!("{load}book show of Quay Notes\n"));
        let book = all.strip_prefix(&*loaded).unwrap();
        let file = folder.join(format!("quay_notes.{ending}"));
        assert_golden_file(&file, book.trim_start_matches(['\r', '\n']));
    }
}
