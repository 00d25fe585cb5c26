//! This module is what waits for people: questions of rulings, prompts, who answers them, and what is answered without people.

pub(super) mod answer;
pub(super) mod at_once;
pub(super) mod due;
pub(super) mod halt;
pub(super) mod new_questions;
pub(super) mod numbering;
pub(super) mod options;
pub(super) mod orders;
pub(super) mod prompt;
pub(super) mod resume;
pub(super) mod rows;
pub(super) mod stale;
pub(super) mod wording;
