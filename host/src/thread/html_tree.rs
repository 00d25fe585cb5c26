//! Makes a tree of a page in time that grows with its length alone.
//!
//! The tokens are those of browsers. The tree is simpler than theirs: a browser copies open marks into each new
//! block, so that a small page can become a huge tree. Here an end tag closes all that is open inside its element, an
//! end tag without element is skipped, and what is nested deeper than a limit lies flat on the last level.

use std::ops::Range;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

/// Most levels of elements.
pub(crate) const DEPTH: usize = 256;

/// Elements without content.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Elements that end an open paragraph, and begin and end a line.
const BLOCKS: [&str; 32] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "html",
    "li",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "ul",
];

/// Elements that end an open element of some kinds, up to the element that holds them.
const SIBLINGS: [(&str, &[&str], &[&str]); 6] = [
    ("li", &["li"], &["ul", "ol"]),
    ("dt", &["dt", "dd"], &["dl"]),
    ("dd", &["dt", "dd"], &["dl"]),
    ("td", &["td", "th"], &["tr", "table"]),
    ("th", &["td", "th"], &["tr", "table"]),
    ("tr", &["tr", "td", "th"], &["table", "tbody"]),
];

/// A page as a tree. The nodes are in the order of the page, so that all that is inside a node follows it.
#[derive(Debug)]
pub(super) struct HtmlTree {
    nodes: Vec<HtmlNode>,
}

/// One node of a tree.
#[derive(Debug)]
pub(super) struct HtmlNode {
    /// The number of the element around it; the root is its own.
    pub(super) parent: usize,
    /// The number behind all that is inside it.
    end: usize,
    /// Whether it is the first element in the element around it.
    is_first: bool,
    /// Whether there is an element directly inside it.
    has_elements: bool,
    /// What it is.
    pub(super) kind: NodeKind,
}

/// What a node is.
#[derive(Debug)]
pub(super) enum NodeKind {
    /// An element with its attributes.
    Element(Element),
    /// Text.
    Text(String),
}

/// An element.
#[derive(Debug)]
pub(super) struct Element {
    /// Its name in lower case.
    pub(super) name: String,
    attributes: Vec<(String, String)>,
}

impl Element {
    /// Returns the value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Whether it begins and ends a line.
    pub(super) fn is_block(&self) -> bool {
        is_block(&self.name) || self.name == "tr"
    }
}

fn is_block(name: &str) -> bool {
    BLOCKS.contains(&name)
}

impl HtmlTree {
    /// Reads a page.
    pub(super) fn read(text: &str) -> HtmlTree {
        let mut emitter = DefaultEmitter::default();
        emitter.naively_switch_states(true);
        let mut builder = Builder::new();
        for token in Tokenizer::new_with_emitter(text, emitter) {
            let Ok(token) = token;
            match token {
                Token::StartTag(tag) => {
                    let attributes = tag.attributes.iter();
                    let attributes = attributes.map(|(name, value)| (utf8(name), utf8(value)));
                    builder.start(utf8(&tag.name), attributes.collect(), tag.self_closing);
                }
                Token::EndTag(tag) => builder.end(&utf8(&tag.name)),
                Token::String(text) => builder.text(utf8(&text)),
                Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
            }
        }
        builder.finish()
    }

    /// Returns a node.
    pub(super) fn node(&self, at: usize) -> &HtmlNode {
        &self.nodes[at]
    }

    /// Returns an element; nothing for a text.
    pub(super) fn element(&self, at: usize) -> Option<&Element> {
        match &self.nodes[at].kind {
            NodeKind::Element(element) => Some(element),
            NodeKind::Text(_) => None,
        }
    }

    /// Returns the numbers of all that is inside a node.
    pub(super) fn inside(&self, at: usize) -> Range<usize> {
        at + 1..self.nodes[at].end
    }

    /// Whether no element stands before an element in the element around it.
    pub(super) fn is_first_child(&self, at: usize) -> bool {
        self.nodes[at].is_first
    }

    /// Returns the text inside a node, at most so many bytes of it.
    pub(super) fn text(&self, at: usize, most: usize) -> String {
        let mut text = String::new();
        for one in self.inside(at) {
            if let NodeKind::Text(part) = &self.nodes[one].kind {
                text.push_str(part);
                if text.len() > most {
                    break;
                }
            }
        }
        text
    }
}

fn utf8(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

struct Builder {
    nodes: Vec<HtmlNode>,
    open: Vec<usize>,
    /// Start tags beyond the deepest level that are not ended yet.
    too_deep: usize,
}

impl Builder {
    fn new() -> Builder {
        let root = HtmlNode {
            parent: 0,
            end: 1,
            is_first: false,
            has_elements: false,
            kind: NodeKind::Element(Element {
                name: "html".to_owned(),
                attributes: Vec::new(),
            }),
        };
        Builder {
            nodes: vec![root],
            open: vec![0],
            too_deep: 0,
        }
    }

    fn name(&self, at: usize) -> &str {
        match &self.nodes[at].kind {
            NodeKind::Element(element) => &element.name,
            NodeKind::Text(_) => "",
        }
    }

    fn add(&mut self, kind: NodeKind) -> usize {
        let parent = self.open.last().copied().unwrap_or(0);
        let is_element = matches!(kind, NodeKind::Element(_));
        let around = &mut self.nodes[parent];
        let is_first = is_element && !around.has_elements;
        around.has_elements |= is_element;
        self.nodes.push(HtmlNode {
            parent,
            end: self.nodes.len() + 1,
            is_first,
            has_elements: false,
            kind,
        });
        self.nodes.len() - 1
    }

    fn start(&mut self, name: String, attributes: Vec<(String, String)>, closes_itself: bool) {
        if name == "html" {
            if let NodeKind::Element(root) = &mut self.nodes[0].kind
                && root.attributes.is_empty()
            {
                root.attributes = attributes;
            }
            return;
        }
        self.end_implied(&name);
        let is_empty = VOID.contains(&name.as_str()) || closes_itself;
        let at = self.add(NodeKind::Element(Element { name, attributes }));
        match (is_empty, self.open.len() < DEPTH) {
            (true, _) => {}
            (false, true) => self.open.push(at),
            (false, false) => self.too_deep += 1,
        }
    }

    /// Ends what a start tag ends without saying so.
    fn end_implied(&mut self, name: &str) {
        if let Some((_, ended, holders)) = SIBLINGS.iter().find(|(one, ..)| *one == name) {
            let is_either =
                |at: &usize| ended.contains(&self.name(*at)) || holders.contains(&self.name(*at));
            let last = self.open.iter().rposition(is_either);
            if let Some(at) = last.filter(|at| ended.contains(&self.name(self.open[*at]))) {
                self.open.truncate(at.max(1));
            }
        }
        if is_block(name) {
            let last = self.open.iter().rposition(|at| is_block(self.name(*at)));
            if let Some(at) = last.filter(|at| self.name(self.open[*at]) == "p") {
                self.open.truncate(at.max(1));
            }
        }
    }

    fn end(&mut self, name: &str) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let Some(at) = self.open.iter().rposition(|at| self.name(*at) == name) else {
            return;
        };
        // A mark that ends inside a block does not end the block.
        let mut inner = self.open[at + 1..].iter();
        let ends_a_block = inner.any(|at| is_block(self.name(*at)));
        if at > 0 && (is_block(name) || name.starts_with('t') || !ends_a_block) {
            self.open.truncate(at);
        }
    }

    fn text(&mut self, text: String) {
        if !text.is_empty() {
            self.add(NodeKind::Text(text));
        }
    }

    fn finish(mut self) -> HtmlTree {
        for at in (1..self.nodes.len()).rev() {
            let (parent, end) = (self.nodes[at].parent, self.nodes[at].end);
            self.nodes[parent].end = self.nodes[parent].end.max(end);
        }
        HtmlTree { nodes: self.nodes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thread::selector::Selector;

    fn texts(html: &str, selector: &str) -> Vec<String> {
        let tree = HtmlTree::read(html);
        let selector = Selector::parse(selector).unwrap();
        let found = selector.all_of(&tree, tree.inside(0));
        found.map(|at| tree.text(at, 1000)).collect()
    }

    #[test]
    fn broken_marks_end_with_their_block() {
        assert_eq!(texts("<div><b>a</div><div>b</div>", "div"), ["a", "b"]);
        assert_eq!(texts("<p>a<p>b", "p"), ["a", "b"]);
        assert_eq!(texts("<ul><li>a<li>b</ul>c", "li"), ["a", "b"]);
        assert_eq!(texts("<div><b>a<div>b</b>c</div></div>", "b"), ["abc"]);
        assert_eq!(
            texts("<i>a</b></div>&lt;b&gt; &eacute;</i><b>c", "i"),
            ["a<b> é"]
        );
        assert_eq!(texts("<script>'<b>x</b>'</script><b>y</b>", "b"), ["y"]);
        assert_eq!(texts("<b", "b"), Vec::<String>::new());
    }

    #[test]
    fn deep_and_tangled_pages_stay_small() {
        let deep = "<div>".repeat(100_000) + "<b>x</b>" + &"</div>".repeat(100_000);
        assert_eq!(texts(&deep, "b"), [""], "its text lies beside it");
        assert_eq!(texts(&deep, "html"), Vec::<String>::new());
        assert!(HtmlTree::read(&deep).text(0, 10).contains('x'));
        let marks: String = (0..20_000).map(|n| format!("<b id={n}>")).collect();
        let tangled = marks + &"<p>".repeat(20_000);
        assert!(HtmlTree::read(&tangled).nodes.len() < 50_000);
    }
}
