//! Joins lines to commands: a chunk of Luau after `=` continues until it is complete.

use host::script::is_unfinished;

/// Maximum length of a command in bytes; a longer one is passed on as it is, and the session refuses it.
const LONGEST: usize = 8 << 10;

/// Lines that wait for the rest of their command.
#[derive(Debug, Default)]
pub(crate) struct Gatherer {
    waiting: String,
}

impl Gatherer {
    /// Takes a line and returns the command that it completes.
    ///
    /// Empty lines and lines that begin with `#` are not commands; after an unfinished chunk an empty line ends it.
    pub(crate) fn take_line(&mut self, line: &str) -> Option<String> {
        if self.waiting.is_empty() {
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') {
                return None;
            }
            line.clone_into(&mut self.waiting);
        } else if line.trim().is_empty() {
            return self.take_waiting_lines();
        } else {
            self.waiting.push('\n');
            self.waiting.push_str(line);
        }
        if is_unfinished_chunk(&self.waiting) {
            None
        } else {
            self.take_waiting_lines()
        }
    }

    /// Returns the waiting lines, complete or not.
    pub(crate) fn take_waiting_lines(&mut self) -> Option<String> {
        Some(std::mem::take(&mut self.waiting)).filter(|text| !text.is_empty())
    }

    /// Returns whether a command waits for more lines.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }
}

/// Returns the commands of a typed or pasted text.
pub(crate) fn split_into_commands(text: &str) -> Vec<String> {
    let mut gatherer = Gatherer::default();
    let mut commands: Vec<String> = text
        .split('\n')
        .filter_map(|line| gatherer.take_line(line))
        .collect();
    commands.extend(gatherer.take_waiting_lines());
    commands
}

/// Returns whether the last command of a text waits for more lines.
pub(crate) fn is_last_command_unfinished(text: &str) -> bool {
    let mut gatherer = Gatherer::default();
    for line in text.split('\n') {
        gatherer.take_line(line);
    }
    gatherer.is_waiting()
}

fn is_unfinished_chunk(command: &str) -> bool {
    let chunk = command.trim_start().strip_prefix('=').map(str::trim);
    chunk.is_some_and(|chunk| !chunk.is_empty() && command.len() <= LONGEST && is_unfinished(chunk))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_chunk_goes_on_in_the_next_line() {
        assert!(is_last_command_unfinished("= {1,"));
        assert!(!is_last_command_unfinished("= {1,\n2}"));
        assert!(!is_last_command_unfinished("charm Ann with {"));
        assert!(!is_last_command_unfinished("= 1 +)"));
        assert!(!is_last_command_unfinished("="));
    }

    #[test]
    fn a_blank_line_ends_a_chunk_that_never_gets_whole() {
        assert!(!is_last_command_unfinished("= f(\n"));
        assert_eq!(split_into_commands("= f(\n\nnext"), ["= f(", "next"]);
    }

    #[test]
    fn pasted_lines_are_commands_of_their_own() {
        let text = "# a comment\none\n\n  = for i = 1, 2 do\n  f(i)\nend\ntwo\n= {";
        assert_eq!(
            split_into_commands(text),
            ["one", "  = for i = 1, 2 do\n  f(i)\nend", "two", "= {"]
        );
    }
}
