//! The parts of every finding: sources, spans, diagnostics, fixes, rendering and nearest names.

mod diagnostic;
pub(crate) mod error_text;
mod fix;
mod near_names;
pub(crate) mod planted_mistakes;
pub(crate) mod render;
mod shell_word;
mod source;

pub use diagnostic::{Diagnostic, Place, RENAMED, Severity};
pub use error_text::shorten_error_text;
pub use fix::{Fix, apply_fixes};
pub use near_names::{
    did_you_mean_hint, near_hint, nearest_names, only_near_name, there_is_or_are_text,
};
pub use render::render;
pub use shell_word::shell_word;
pub use source::{Position, Source, Span};
