//! Examples of generated sections, played in a game: what the page shows is what the program says.

use host::doc::Block;
use host::game::Solo;

use crate::transcript::reply_lines;

/// A game in which the examples of pages are played.
pub(super) struct PlayedExamples<'a> {
    solo: &'a mut Solo,
    ruleset: &'a str,
}

impl<'a> PlayedExamples<'a> {
    pub(super) fn new(solo: &'a mut Solo, ruleset: &'a str) -> PlayedExamples<'a> {
        PlayedExamples { solo, ruleset }
    }

    /// Returns what a line of the game master prints, as a transcript has it.
    fn printed_lines(&mut self, line: &str) -> Vec<String> {
        reply_lines(&self.solo.submit("gm", line), self.ruleset)
    }

    /// Returns the blocks of the messages that a line of the game master sends.
    pub(super) fn blocks_of_line(&mut self, line: &str) -> Vec<Block> {
        let documents = self.solo.submit("gm", line).documents.into_iter();
        documents.flat_map(|document| document.blocks).collect()
    }

    /// Returns the value that `=` prints for an expression of Luau.
    pub(super) fn value(&mut self, luau: &str) -> String {
        let lines = self.printed_lines(&format!("= {luau}"));
        let lines = lines.iter().map(|line| line.trim_start_matches("gm: "));
        lines.collect::<Vec<&str>>().join("\n")
    }

    /// Returns a case of a transcript: its sentence, and lines with what they print.
    pub(super) fn case(&mut self, sentence: &str, lines: &[String]) -> String {
        let mut text = format!("--- {sentence}\n");
        for line in lines {
            text.push_str(&format!("> {line}\n"));
            for printed in self.printed_lines(line) {
                text.push_str(format!("| {printed}").trim_end());
                text.push('\n');
            }
        }
        text
    }

    /// Returns a block of a page with cases that `arbiter test` plays.
    pub(super) fn block(&self, cases: &[String]) -> String {
        format!("```transcript {}\n{}```", self.ruleset, cases.join("\n"))
    }
}
