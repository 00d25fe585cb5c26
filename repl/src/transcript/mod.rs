//! Test transcripts: `name.test.txt`, commands and what they say, one case a sentence.

mod question_answers;
mod bless_edits;
mod line_comparison;
mod transcript_parser;
mod case_player;
mod reply_lines;

pub(crate) use bless_edits::{Edit, bless_text};
pub(crate) use line_comparison::line_difference;
pub(crate) use transcript_parser::{Case, Step, Transcript, parse_transcript};
pub(crate) use case_player::{Failure, Problem, play_case, replay_case};
