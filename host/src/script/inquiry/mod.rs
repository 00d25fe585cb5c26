//! Questions to rules and people while a ruling runs, and the reading of their answers.

pub(crate) mod answer_reader;
pub(crate) mod audiences;
pub(crate) mod end_test;
pub(crate) mod expression_callbacks;
pub(crate) mod game_names;
pub(crate) mod open_prompts;
pub(crate) mod questions;
pub(crate) mod seats;
pub(crate) mod viewers;
