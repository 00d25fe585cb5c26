//! Writes the present output of commands over the expected lines of a transcript.

use std::collections::{BTreeMap, BTreeSet};

/// Present output of one command; lines count from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edit {
    /// The line of the command.
    pub(crate) command: usize,
    /// The numbers of the expected lines.
    pub(crate) expected: Vec<usize>,
    /// The present output.
    pub(crate) actual: Vec<String>,
}

/// Returns the text with new expected lines: in place of those before, else below the command and the answers to its
/// questions. Comments stay.
pub(crate) fn bless_text(text: &str, edits: &[Edit]) -> String {
    let gone: BTreeSet<usize> = edits
        .iter()
        .flat_map(|edit| edit.expected.iter().copied())
        .collect();
    let answers = |command: usize| {
        let below = text.lines().skip(command);
        below.take_while(|line| line.starts_with('?')).count()
    };
    let below = |command: usize| command + answers(command);
    let place = |edit: &Edit| {
        let first = edit.expected.first();
        first.map_or_else(|| below(edit.command), |line| line - 1)
    };
    let new: BTreeMap<usize, &[String]> = edits
        .iter()
        .map(|edit| (place(edit), edit.actual.as_slice()))
        .collect();
    let mut out = String::with_capacity(text.len());
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if !gone.contains(&number) {
            out.push_str(line);
            out.push('\n');
        }
        for said in new.get(&number).copied().unwrap_or_default() {
            out.push_str(format!("| {said}").trim_end());
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(command: usize, expected: &[usize], actual: &[&str]) -> Edit {
        let actual = actual.iter().map(|line| (*line).to_owned()).collect();
        Edit {
            command,
            expected: expected.to_vec(),
            actual,
        }
    }

    #[test]
    fn only_the_lines_of_the_edits_change() {
        let text =
            "--- one\n> a\n| old\n| older\n> b\n| kept\n> c\n> d\n# wrong: why\n| x\n\nlast: 1";
        let edits = [
            edit(2, &[3, 4], &["new", ""]),
            edit(7, &[], &["said"]),
            edit(8, &[10], &["y"]),
        ];
        let expected =
            "--- one\n> a\n| new\n|\n> b\n| kept\n> c\n| said\n> d\n# wrong: why\n| y\n\nlast: 1\n";
        assert_eq!(bless_text(text, &edits), expected);
        assert_eq!(bless_text("> a\n| x\n", &[edit(1, &[2], &[])]), "> a\n");
    }

    #[test]
    fn answers_stay_right_below_their_command() {
        let text = "> a\n? one = yes\n? two = no\n> b\n? one = no\n| old\n";
        let edits = [edit(1, &[], &["said"]), edit(4, &[6], &["new"])];
        let expected = "> a\n? one = yes\n? two = no\n| said\n> b\n? one = no\n| new\n";
        assert_eq!(bless_text(text, &edits), expected);
    }
}
