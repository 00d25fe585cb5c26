//! This module is what every finding is made of: sources, spans, diagnostics, their rendering and nearest names.

mod diagnostic;
mod near;
mod render;
mod source;

pub use diagnostic::{Diagnostic, Place, Severity};
pub use near::{near_hint, nearest};
pub use render::render;
pub use source::{Position, Source, Span};
