//! Sets rows into a width: wrapping of words and grids of cells.

mod grid;
mod wrap;

pub(super) use grid::{Grid, grid};
pub(super) use wrap::{Long, pad, width, wrap};
