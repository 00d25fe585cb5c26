//! The record of the figures: a text of the repository, with a line for each path.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::count_conditions::Conditions;

/// Beginning of the file.
const HEAD: &str = "# Instructions of key paths, counted under valgrind in a build of the profile `ci`; written by `counts --bless SENTENCE`.\n";

/// The last blessed figures, their conditions, and the reasons of all changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    /// The conditions of the figures.
    pub(crate) conditions: Conditions,
    /// Instructions of each path.
    pub(crate) counts: BTreeMap<String, u64>,
    reasons: Vec<String>,
}

impl Record {
    /// Reads the record; without a file it is empty. Errors: a line does not belong there.
    pub(crate) fn read_file() -> Result<Record, String> {
        fs::read_to_string(record_path())
            .map_or_else(|_| Ok(Record::default()), |text| Record::parse(&text))
    }

    fn parse(text: &str) -> Result<Record, String> {
        let mut record = Record::default();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        for line in lines.filter(|line| !line.is_empty()) {
            let wrong = || format!("tests/counts/recorded.txt: {line}");
            let (head, rest) = line.split_once(": ").ok_or_else(wrong)?;
            match head {
                "toolchain" => record.conditions.toolchain = rest.to_owned(),
                "valgrind" => record.conditions.valgrind = rest.to_owned(),
                "processor" => record.conditions.processor = rest.to_owned(),
                "because" => record.reasons.push(rest.to_owned()),
                path => {
                    let count = rest.trim().parse().map_err(|_| wrong())?;
                    record.counts.insert(path.to_owned(), count);
                }
            }
        }
        Ok(record)
    }

    /// Returns the record with other figures, and one more reason.
    pub(crate) fn with_blessed_counts(
        mut self,
        counts: BTreeMap<String, u64>,
        conditions: Conditions,
        why: &str,
    ) -> Record {
        self.reasons.push(why.to_owned());
        Record {
            conditions,
            counts,
            ..self
        }
    }

    /// Writes the record to its file. Errors: those of the disk.
    pub(crate) fn write_file(&self) -> Result<(), String> {
        fs::write(record_path(), self.file_text()).map_err(|error| error.to_string())
    }

    fn file_text(&self) -> String {
        let mut text = HEAD.to_owned();
        let Conditions {
            toolchain,
            valgrind,
            processor,
        } = &self.conditions;
        let said = [
            ("toolchain", toolchain),
            ("valgrind", valgrind),
            ("processor", processor),
        ];
        let said = said.into_iter();
        let said = said.chain(self.reasons.iter().map(|reason| ("because", reason)));
        for (head, rest) in said {
            writeln!(text, "{head}: {rest}").expect("a text grows");
        }
        text.push('\n');
        for (path, count) in &self.counts {
            writeln!(text, "{path}: {count}").expect("a text grows");
        }
        text
    }
}

fn record_path() -> PathBuf {
    arbiter_tests::project().join("tests/counts/recorded.txt")
}
