//! The output of the host: documents of blocks and spans, each with its audience, and their renderers.
//!
//! A [`Document`] is built in Rust with the functions of [`build`], or read from the plain tables that scripts write
//! ([`Document::from_value`]). [`for_viewer`] removes the parts that a viewer may not see. A renderer turns the rest
//! into text. All texts of authors and players pass the [`gate()`] on their way out. Another format needs one file in
//! `render/` with one function over the same nodes, and one line in [`Format`]. [`split_into_posts`] cuts documents
//! into posts. [`page()`] puts fragments of HTML into a page.
//!
//! # Documents as tables
//!
//! ```lua
//! act:say("public", {
//!   { heading = "Night 2", level = 2 },
//!   "The village sleeps.",
//!   { "Ann meets ", { strong = "Bo" }, { text = " (a spy)", audience = "gm" }, "." },
//!   { list = { "bread", { text = "tools", list = { "saw", "axe" } } } },
//!   { table = { { "Ann", 12 }, { "Bo", 9 } }, columns = { "Name", { title = "HP", align = "right" } } },
//! })
//! ```
//!
//! | document | meaning |
//! |---|---|
//! | a text | one paragraph for everybody |
//! | `{ BLOCK, BLOCK, ... }` | these blocks for everybody |
//! | `{ blocks = BLOCKS, kind = "ledger", audience = "gm", data = {...} }` | the whole form; every key may be missing |
//!
//! `kind` is the place of the document in a story: `story` (the default), `ledger`, `notice` or `result`. `tally = { of =
//! "Tea", by = "Ann", choice = "Bo" }` is the choice that it reports; without `choice` one is taken back.
//!
//! `read/block.rs` describes the blocks, `read/part.rs` their parts, and `docs/src/reference/blocks.md` shows both. Every
//! block takes `audience` too. `BLOCKS` is a list of blocks, or one block that is not a list.
//!
//! A document table with the key `blocks`, `kind` or `data` is the whole form; `{ audience = ..., blocks = ... }` inside
//! of blocks is a block. Any other table with keys is one block.
//!
//! `data` is for programs. It has the document's audience. An entry of a map in it is for one audience alone if its key
//! is `@` and that audience (`["@gm"] = {...}`).

pub(crate) mod audience;
mod audiences;
pub mod build;
mod document_table;
mod gated_map;
mod gated_rows;
pub(crate) mod hidden_character_gate;
mod layout;
pub(crate) mod limit;
mod log_line;
mod read;
mod render;
mod tree;
mod unmarked;
mod view;

#[cfg(test)]
mod tests;

pub use audience::{Audience, Viewer, may_see};
pub use gated_rows::{Piece, Row, audience_label};
pub use hidden_character_gate::{LINE_LIMIT, gate, gate_bytes, gate_mod_output, gate_single_line};
pub use limit::{DEPTH, SIZE};
pub use read::{BlockText, PartText, block_texts, part_texts};
pub use render::{
    Format, Forum, Limits, Link, Page, Screen, Section, bbcode, csv, discord, html, json, markdown,
    node, page, plain, provisional_json, rst, split_into_posts, terminal,
};
pub use tree::{
    Align, Bar, Bars, Block, Column, Document, Field, GridCell, GridMap, GridRow, Item, Kind, Line,
    Span, Style, Table, Tally,
};
pub use view::for_viewer;
