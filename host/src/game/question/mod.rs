//! Open questions of a game, as data of a line of the game: the questions, their numbers, their possible answers, and
//! permissions.

pub(in crate::game) mod open_questions;
pub(in crate::game) mod permission;
pub(in crate::game) mod possible_answers;
pub(in crate::game) mod question_numbers;
pub(in crate::game) mod question_wording;
pub(in crate::game) mod stale_rulings;
pub(in crate::game) mod standing_answer_keys;
pub(in crate::game) mod stored_standing_answers;
