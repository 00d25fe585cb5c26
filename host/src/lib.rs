//! This crate is the core of Arbiter: it gives rule scripts their primitives and knows no rules itself.
//!
//! The modules form layers, and uses go only downwards:
//! `game > script > words > {content, dice, text, doc, store, thread} > expr > value > diag`.

pub mod content;
pub mod diag;
pub mod dice;
pub mod doc;
pub mod expr;
pub mod game;
pub mod script;
pub mod store;
pub mod text;
pub mod thread;
pub mod value;
pub mod words;
