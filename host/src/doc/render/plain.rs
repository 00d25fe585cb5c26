//! Writes a document as plain text: the screen without colours, the same on every machine.

use super::terminal::{Screen, terminal};
use crate::doc::Document;

/// Returns the document as text without colour, 100 columns wide and without a final line end.
pub fn plain(document: &Document) -> String {
    terminal(document, &Screen::default())
}
