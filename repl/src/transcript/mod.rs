//! Test transcripts: `name.test.txt`, commands and their output, one case a sentence.

mod bless_edits;
mod case_player;
mod line_comparison;
mod line_kinds;
mod question_answers;
mod reply_lines;
mod transcript_parser;

pub(crate) use bless_edits::{Edit, bless_text};
pub(crate) use case_player::{Failure, Problem, play_case, replay_case};
pub(crate) use line_comparison::line_difference;
pub(crate) use line_kinds::LINE_KINDS;
pub(crate) use reply_lines::reply_lines;
pub(crate) use transcript_parser::{
    Case, Step, Transcript, parse_transcript, parse_transcripts_of_page,
};
