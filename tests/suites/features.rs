//! Tests encounters of creatures with features: scenarios with every die, a new effect, and invalid
//! input.

mod bad_rule_input;
mod broken_rules;
mod dead_creature_cost;
mod invalid_encounters;
mod new_effect;
mod new_words;
mod scenarios;
mod srd_traits;
mod tab_suggestions;
