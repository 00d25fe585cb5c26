//! Holds encounters of creatures with features to what is known of them: scenarios with every die, a new effect,
//! and whatever is wrong.

mod broken;
mod broken_rules;
mod dead;
mod new_effect;
mod new_words;
mod offered;
mod scenarios;
mod traits;
