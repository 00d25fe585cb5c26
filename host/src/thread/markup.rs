//! Turns the body of a post into lines of marked text.

use std::collections::BTreeMap;

use super::POST_BYTES;
use super::html_tree::{HtmlTree, NodeKind};
use super::post::{Line, Marks, Run};
use super::selector::Selector;

/// Selectors by the name of their mark.
type MarkSelectors = BTreeMap<&'static str, Selector>;

/// Reads a body, a node of a tree. Elements that match `skipped` are left out, such as another post inside a broken
/// one. Returns the lines, and whether the text was longer than a post may be.
pub(super) fn read_body(
    (tree, body): (&HtmlTree, usize),
    marks: &MarkSelectors,
    skipped: Option<&Selector>,
) -> (Vec<Line>, bool) {
    let mut reader = Reader {
        lines: vec![Line::default()],
        bytes: 0,
        votes: 0,
    };
    // The elements around the present node: their numbers, their marks, and whether their text is kept.
    let mut open = vec![(body, Marks::default())];
    let mut inside = tree.inside(body);
    while let Some(at) = inside.next() {
        let node = tree.node(at);
        while open.len() > 1 && open.last().is_some_and(|(one, _)| *one != node.parent) {
            reader.end_element(tree, open.pop());
        }
        let above = open.last().map(|(_, marks)| *marks).unwrap_or_default();
        match &node.kind {
            NodeKind::Text(text) => {
                let is_pre = tree
                    .element(node.parent)
                    .is_some_and(|one| one.name == "pre");
                if !reader.add_text(text, above, above.code || is_pre) {
                    return (reader.lines, true);
                }
            }
            NodeKind::Element(element) => {
                let is = |by: Option<&Selector>| by.is_some_and(|by| by.matches(tree, at));
                if is_unread(&element.name) || is(skipped) || is(marks.get("ignore")) {
                    let behind = tree.inside(at).end;
                    inside = behind..inside.end;
                    continue;
                }
                if element.name == "br" || element.is_block() {
                    reader.end_line();
                }
                open.push((at, reader.marks_of((tree, at), above, marks)));
            }
        }
    }
    (reader.lines, false)
}

fn is_unread(name: &str) -> bool {
    let names = [
        "script", "style", "template", "textarea", "title", "noscript", "button",
    ];
    names.contains(&name)
}

struct Reader {
    lines: Vec<Line>,
    bytes: usize,
    votes: u32,
}

impl Reader {
    fn end_element(&mut self, tree: &HtmlTree, ended: Option<(usize, Marks)>) {
        let element = ended.and_then(|(at, _)| tree.element(at));
        if element.is_some_and(super::html_tree::Element::is_block) {
            self.end_line();
        }
    }

    fn marks_of(
        &mut self,
        (tree, at): (&HtmlTree, usize),
        above: Marks,
        marks: &MarkSelectors,
    ) -> Marks {
        let is = |key: &str| marks.get(key).is_some_and(|by| by.matches(tree, at));
        let vote = match is("vote") && above.vote == 0 {
            true => {
                self.votes += 1;
                self.votes
            }
            false => above.vote,
        };
        Marks {
            bold: above.bold || is("bold"),
            code: above.code || is("code"),
            spoiler: above.spoiler || is("spoiler"),
            struck: above.struck || is("struck"),
            signature: above.signature || is("signature"),
            quotes: above.quotes + u32::from(is("quote")),
            vote,
        }
    }

    fn end_line(&mut self) {
        if self.lines.last().is_some_and(|line| !line.0.is_empty()) {
            self.lines.push(Line::default());
        }
    }

    /// Adds text. Returns false if the post is too long.
    fn add_text(&mut self, text: &str, marks: Marks, keeps_lines: bool) -> bool {
        self.bytes += text.len();
        if self.bytes > POST_BYTES {
            return false;
        }
        if keeps_lines {
            for (number, line) in text.split('\n').enumerate() {
                if number > 0 {
                    self.end_line();
                }
                self.add_run(line, marks);
            }
        } else {
            self.add_run(text, marks);
        }
        true
    }

    fn add_run(&mut self, text: &str, marks: Marks) {
        let Some(line) = self.lines.last_mut() else {
            return;
        };
        let is_begun = !line.0.is_empty();
        let mut blank = false;
        let mut plain = String::with_capacity(text.len());
        for letter in text.chars() {
            if letter.is_whitespace() {
                blank = true;
                continue;
            }
            if is_invisible(letter) {
                continue;
            }
            if blank && (is_begun || !plain.is_empty()) {
                plain.push(' ');
            }
            blank = false;
            plain.push(letter);
        }
        if blank && (is_begun || !plain.is_empty()) {
            plain.push(' ');
        }
        if plain.is_empty() {
            return;
        }
        match line.0.last_mut() {
            Some(run) if run.marks == marks => run.text.push_str(&plain),
            _ => line.0.push(Run { text: plain, marks }),
        }
    }
}

/// Characters that nobody sees, which people paste by accident.
pub(super) fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}
