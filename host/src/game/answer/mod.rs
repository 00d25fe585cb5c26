//! Answers to open questions: from people, from standing answers, from deadlines.

pub(in crate::game) mod auto_answer;
pub(crate) mod deadlines;
pub(in crate::game) mod new_questions;
pub(in crate::game) mod prompt_answer;
pub(in crate::game) mod ruling_resumption;
pub(in crate::game) mod standing_answer_command;
pub(in crate::game) mod typed_answer;
