//! Test transcripts: `name.test.txt`, commands and what they say, one case a sentence.

mod answers;
mod bless;
mod compare;
mod parse;
mod play;
mod spoken;

pub(crate) use bless::{Edit, blessed};
pub(crate) use compare::difference;
pub(crate) use parse::{Case, Step, Transcript, parse};
pub(crate) use play::{Failure, Problem, hold, play};
