//! Fits rows into a width: wrapping of words and grids of cells.

mod grid;
mod wrap;

pub(super) use grid::{Grid, grid_rows};
pub(super) use wrap::{Long, pad_row, row_width, wrap_row};
