//! What every finding is made of: sources, spans, diagnostics, fixes, their rendering and nearest names.

mod diagnostic;
mod fix;
mod near;
pub(crate) mod planted;
mod render;
mod shell;
mod shortened;
mod source;

pub use diagnostic::{Diagnostic, Place, RENAMED, Severity};
pub use fix::{Fix, applied};
pub use near::{did_you_mean, near_hint, nearest, only_near, there_is};
pub use render::render;
pub use shell::shell_word;
pub use shortened::shortened;
pub use source::{Position, Source, Span};
