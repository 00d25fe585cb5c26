//! This module is what rulings that are ruled again may use beyond what each used itself.

use super::super::input::Input;

/// What rulings that are ruled again may use beyond what each used itself, and whether they did.
#[derive(Debug, Default)]
pub(super) struct Means {
    /// What is known to be drawn.
    pub(super) drawn: Vec<Input>,
    /// Whether it is only looked at: dice that are not drawn yet are others when it is done.
    pub(super) is_preview: bool,
    /// Whether such dice were shown.
    pub(super) has_previewed: bool,
}
