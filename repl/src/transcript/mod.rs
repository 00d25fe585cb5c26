//! Test transcripts: `name.test.txt`, commands and what they say, one case a sentence.

mod answers;
mod bless;
mod compare;
mod parse;
mod play;
mod spoken;

pub(crate) use bless::{Edit, bless_text};
pub(crate) use compare::line_difference;
pub(crate) use parse::{Case, Step, Transcript, parse_transcript};
pub(crate) use play::{Failure, Problem, play_case, replay_case};
