//! Takes as much from the front of a document as fits into one post.
//!
//! Order of places: between blocks; between items, rows, lines and fields; between sentences; between words. A block
//! that fits into a post of its own is not cut, and a heading stays with the text that follows it. The cost of a post
//! depends on its length and not on the length of the rest: the rest is not copied or written.

use std::collections::VecDeque;

use super::plainer_blocks::plainer_blocks;
use super::row_cut::{self, Finest};
use super::weight;
use crate::doc::Style;
use crate::doc::gated_rows::Row;
use crate::doc::render::node::{Chart, Grid, Node, host_row, plain_text};

/// Checks whether blocks fit into the rest of the post.
type Fits<'a> = &'a dyn Fn(&[Node]) -> bool;

/// Takes a part that fits from the front. The part is not empty unless everything is.
///
/// Shape: `fits` accepts a paragraph of one sign, and a line across.
pub(super) fn take_post(left: &mut VecDeque<Node>, room: usize, fits: Fits<'_>) -> Vec<Node> {
    let cutter = Cutter { room };
    loop {
        if let Some(part) = cutter.take_front(left, Finest::Sign, fits) {
            return part;
        }
        let Some(first) = left.pop_front() else {
            return Vec::new();
        };
        if matches!(first, Node::Paragraph(_) | Node::Rule) {
            return vec![first];
        }
        for node in plainer_blocks(first).into_iter().rev() {
            left.push_front(node);
        }
    }
}

/// Returns the largest number up to `count` that meets a condition. The condition must hold for every smaller number
/// too.
///
/// The steps are doubled first, so that the condition is checked for few numbers above the answer.
pub(super) fn largest_that_holds(count: usize, holds: &dyn Fn(usize) -> bool) -> usize {
    let mut low = 0;
    let mut step = 1;
    while low < count && holds((low + step).min(count)) {
        low = (low + step).min(count);
        step *= 2;
    }
    let mut high = (low + step).min(count + 1);
    while low + 1 < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

struct Cutter {
    /// The length of a whole post.
    room: usize,
}

/// Functions that take a part out of a block. If they return nothing, the block is unchanged.
impl Cutter {
    /// Takes the blocks and parts of blocks that fit, from the front; nothing if no part of the first block fits.
    fn take_front(
        &self,
        left: &mut VecDeque<Node>,
        finest: Finest,
        fits: Fits<'_>,
    ) -> Option<Vec<Node>> {
        let all = &*left.make_contiguous();
        let mut count = largest_that_holds(all.len(), &|count| fits(&all[..count]));
        let headings = all[..count].iter().rev();
        let headings = headings
            .take_while(|node| matches!(node, Node::Heading { .. }))
            .count();
        let only_headings = headings == count;
        if let Some(next) = all.get(count) {
            let mut part = all[..count].to_vec();
            if (only_headings || !fits(std::slice::from_ref(next)))
                && let Some(start) = self.take_part_after(&part, &mut left[count], finest, fits)
            {
                left.drain(..count);
                part.push(start);
                return Some(part);
            }
            if !only_headings {
                count -= headings;
            }
        }
        (count > 0).then(|| left.drain(..count).collect())
    }

    /// Takes a part of a block that fits after others. It cuts in a sentence only if the others are headings, and in a
    /// word only if they leave much of the post.
    fn take_part_after(
        &self,
        above: &[Node],
        next: &mut Node,
        finest: Finest,
        fits: Fits<'_>,
    ) -> Option<Node> {
        let is_text = |node: &Node| !matches!(node, Node::Heading { .. });
        let has_room = || fits(&[above, &[self.sample_text()]].concat());
        let finest = if above.iter().any(is_text) {
            Finest::Sentence
        } else if finest == Finest::Sign && !has_room() {
            Finest::Word
        } else {
            finest
        };
        self.cut_block(next, finest, &|start| {
            let mut part = above.to_vec();
            part.push(start);
            fits(&part)
        })
    }

    /// Takes a part that fits out of a block.
    fn cut_block(
        &self,
        node: &mut Node,
        finest: Finest,
        fits: &dyn Fn(Node) -> bool,
    ) -> Option<Node> {
        match node {
            Node::Heading { level, row } => {
                let level = *level;
                let make = |row: &Row| Node::Heading {
                    level,
                    row: row.clone(),
                };
                let (start, rest) = row_cut::cut_row(row, finest, &|row| fits(make(row)))?;
                *row = rest;
                Some(make(&start))
            }
            Node::Paragraph(rows) => cut_paragraph(rows, finest, fits),
            Node::List { start, items } => self.cut_list(start, items, finest, fits),
            Node::Table(table) => self.cut_table(table, fits),
            Node::Chart(Chart { caption, bars }) => {
                let make = |bars| {
                    let caption = caption.clone();
                    Node::Chart(Chart { caption, bars })
                };
                let start = self.take_rows(bars, &make, fits)?;
                *caption = Row::new();
                Some(start)
            }
            Node::Code {
                language,
                lines,
                picture,
            } => {
                // A part of a map has its marks only.
                *picture = None;
                self.cut_code(language, lines, finest, fits)
            }
            Node::Quote { label, nodes } => {
                let make = |nodes| Node::Quote {
                    label: label.clone(),
                    nodes,
                };
                let start = self
                    .take_part_inside(nodes, finest, &|inner| fits(make(inner.to_vec().into())))?;
                Some(make(start.into()))
            }
            Node::Fields(fields) => self.take_rows(fields, &Node::Fields, fits),
            Node::Rule => None,
        }
    }

    /// Takes from the front of blocks inside of another. Returns nothing if the marks leave little room, because then
    /// most of every post would be marks.
    fn take_part_inside(
        &self,
        nodes: &mut VecDeque<Node>,
        finest: Finest,
        fits: Fits<'_>,
    ) -> Option<Vec<Node>> {
        if !fits(&[self.sample_text()]) {
            return None;
        }
        let part = self.take_front(nodes, finest, &|part| {
            !weight::nodes_exceed(part, self.room) && fits(part)
        })?;
        if nodes.is_empty() {
            nodes.extend(part);
            return None;
        }
        Some(part)
    }

    /// Returns a text that fills a good part of a post.
    fn sample_text(&self) -> Node {
        Node::Paragraph(vec![host_row(&self.sample_letters(), Style::Plain)])
    }

    fn sample_letters(&self) -> String {
        "x".repeat(self.room / 4)
    }

    /// Takes items; a cut item is one item in both posts, with the same number.
    fn cut_list(
        &self,
        start: &mut Option<usize>,
        items: &mut VecDeque<Vec<Node>>,
        finest: Finest,
        fits: &dyn Fn(Node) -> bool,
    ) -> Option<Node> {
        let first = *start;
        let make = |items| Node::List {
            start: first,
            items,
        };
        let count = items.len();
        if let Some(taken) = self.take_rows(items, &make, fits) {
            *start = first.map(|number| number + count - items.len());
            return Some(taken);
        }
        let mut item = VecDeque::from(items.pop_front()?);
        let part = self.take_part_inside(&mut item, finest, &|inner| {
            fits(make(VecDeque::from([inner.to_vec()])))
        });
        items.push_front(item.into());
        Some(make(VecDeque::from([part?])))
    }

    /// Takes rows; the titles are repeated above the rest, the caption is not.
    fn cut_table(&self, table: &mut Grid, fits: &dyn Fn(Node) -> bool) -> Option<Node> {
        let titles = table.head.iter().flatten();
        if weight::cells_exceed(titles, self.room / 2) {
            return None;
        }
        let mut all = std::mem::take(&mut table.rows);
        let make = |rows| {
            let frame = table.clone();
            Node::Table(Grid { rows, ..frame })
        };
        let start = self.take_rows(&mut all, &make, fits);
        table.rows = all;
        if start.is_some() {
            table.caption = Row::new();
        }
        start
    }

    /// Takes lines, or the start of the first one.
    fn cut_code(
        &self,
        language: &str,
        lines: &mut VecDeque<String>,
        finest: Finest,
        fits: &dyn Fn(Node) -> bool,
    ) -> Option<Node> {
        let make = |lines| Node::Code {
            language: language.to_owned(),
            lines,
            picture: None,
        };
        if let Some(start) = self.take_rows(lines, &make, fits) {
            return Some(start);
        }
        // Its marks may leave less room than those of a paragraph.
        let has_room = || fits(make(VecDeque::from([self.sample_letters()])));
        let finest = if finest == Finest::Sign && !has_room() {
            Finest::Word
        } else {
            finest
        };
        let one = |line: &Row| make(VecDeque::from([plain_text(line)]));
        let line = host_row(lines.front()?, Style::Plain);
        let (start, rest) = row_cut::cut_row(&line, finest, &|row| fits(one(row)))?;
        lines[0] = plain_text(&rest);
        Some(one(&start))
    }

    /// Takes as many rows as fit; nothing if none or all of them fit.
    fn take_rows<T: Clone>(
        &self,
        all: &mut VecDeque<T>,
        make: &dyn Fn(VecDeque<T>) -> Node,
        fits: &dyn Fn(Node) -> bool,
    ) -> Option<Node> {
        let slice = &*all.make_contiguous();
        // Every row is written as one sign at least.
        let count = largest_that_holds(slice.len().min(self.room), &|count| {
            fits(make(slice[..count].iter().cloned().collect()))
        });
        (count > 0 && count < all.len()).then(|| make(all.drain(..count).collect()))
    }
}

/// Takes lines, or the start of the first one.
fn cut_paragraph(rows: &mut Vec<Row>, finest: Finest, fits: &dyn Fn(Node) -> bool) -> Option<Node> {
    let count = largest_that_holds(rows.len(), &|count| {
        fits(Node::Paragraph(rows[..count].to_vec()))
    });
    if count > 0 {
        return (count < rows.len()).then(|| Node::Paragraph(rows.drain(..count).collect()));
    }
    let one = |row: &Row| Node::Paragraph(vec![row.clone()]);
    let (start, rest) = row_cut::cut_row(rows.first()?, finest, &|row| fits(one(row)))?;
    rows[0] = rest;
    Some(one(&start))
}
