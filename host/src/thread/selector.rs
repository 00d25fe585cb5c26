//! Finds elements of a page by CSS selectors, as far as shapes of forums need them.
//!
//! A selector is a list of ways with commas between; a way is a chain of elements with a space (somewhere inside) or
//! `>` (directly inside) between. An element is a name or `*`, then any of `.class`, `#id`, `[attribute]` with `=`,
//! `~=`, `^=`, `$=` or `*=`, and `:first-child`. The time to match grows with the length of the selector times the
//! depth of the page, also for chains that nearly match everywhere.

use std::ops::Range;

use super::html_tree::{Element, HtmlTree};

/// A selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Selector(Vec<Vec<Link>>);

/// One element of a chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Link {
    /// Whether it must be directly inside the element before it.
    is_child: bool,
    name: Option<String>,
    tests: Vec<Test>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    Class(String),
    Attribute(String, Operator, String),
    FirstChild,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Exists,
    Equals,
    Word,
    Begins,
    Ends,
    Contains,
}

/// Most elements of a chain, and most chains.
const LINKS: usize = 16;

impl Selector {
    /// Reads a selector; nothing if it is not one.
    pub(super) fn parse(text: &str) -> Option<Selector> {
        let mut reader = Reader(text.trim_start());
        let mut chains = vec![reader.chain()?];
        while reader.take(',') {
            chains.push(reader.chain()?);
        }
        (reader.0.is_empty() && chains.len() <= LINKS).then_some(Selector(chains))
    }

    /// Whether it selects an element.
    pub(super) fn matches(&self, tree: &HtmlTree, at: usize) -> bool {
        self.0.iter().any(|chain| matches_chain(chain, tree, at))
    }

    /// Returns the elements of some nodes that it selects, in the order of the page.
    pub(super) fn all_of<'s>(
        &'s self,
        tree: &'s HtmlTree,
        nodes: Range<usize>,
    ) -> impl Iterator<Item = usize> + 's {
        nodes.filter(move |one| self.matches(tree, *one))
    }
}

/// Goes up from an element and keeps, for each front of the chain, whether an element above completes it.
fn matches_chain(chain: &[Link], tree: &HtmlTree, at: usize) -> bool {
    let Some((last, fronts)) = chain.split_last() else {
        return false;
    };
    if !last.matches(tree, at) {
        return false;
    }
    // The links that the next element above may complete, as bits: those that must be directly above, and the others.
    let (mut direct, mut later) = wanted(chain, fronts.len());
    if fronts.is_empty() {
        return true;
    }
    let mut one = at;
    while one != 0 {
        one = tree.node(one).parent;
        let asked = direct | later;
        direct = 0;
        for (number, link) in fronts.iter().enumerate() {
            if asked & (1 << number) == 0 || !link.matches(tree, one) {
                continue;
            }
            if number == 0 {
                return true;
            }
            let (next_direct, next_later) = wanted(chain, number);
            direct |= next_direct;
            later |= next_later;
        }
    }
    false
}

/// Returns the bit of the link before a link that was found: directly above it, or anywhere above it.
fn wanted(chain: &[Link], found: usize) -> (u32, u32) {
    match found.checked_sub(1) {
        None => (0, 0),
        Some(before) if chain[found].is_child => (1 << before, 0),
        Some(before) => (0, 1 << before),
    }
}

impl Link {
    fn matches(&self, tree: &HtmlTree, at: usize) -> bool {
        let Some(element) = tree.element(at) else {
            return false;
        };
        self.name.as_ref().is_none_or(|name| *name == element.name)
            && self.tests.iter().all(|test| match test {
                Test::FirstChild => tree.is_first_child(at),
                Test::Class(class) => has_word(element, "class", class),
                Test::Attribute(name, operator, wanted) => {
                    has_attribute(element, name, *operator, wanted)
                }
            })
    }
}

fn has_word(element: &Element, name: &str, word: &str) -> bool {
    let value = element.attribute(name);
    value.is_some_and(|value| value.split_ascii_whitespace().any(|one| one == word))
}

fn has_attribute(element: &Element, name: &str, operator: Operator, wanted: &str) -> bool {
    let Some(value) = element.attribute(name) else {
        return false;
    };
    match operator {
        Operator::Exists => true,
        Operator::Equals => value == wanted,
        Operator::Word => has_word(element, name, wanted),
        Operator::Begins => !wanted.is_empty() && value.starts_with(wanted),
        Operator::Ends => !wanted.is_empty() && value.ends_with(wanted),
        Operator::Contains => !wanted.is_empty() && value.contains(wanted),
    }
}

struct Reader<'t>(&'t str);

impl<'t> Reader<'t> {
    /// Reads a chain, and the spaces behind it.
    fn chain(&mut self) -> Option<Vec<Link>> {
        self.skip_blanks();
        let mut chain = vec![self.link(false)?];
        loop {
            let is_apart = self.skip_blanks();
            if self.0.is_empty() || self.0.starts_with(',') {
                break;
            }
            let is_child = self.take('>');
            if is_child {
                self.skip_blanks();
            } else if !is_apart {
                return None;
            }
            chain.push(self.link(is_child)?);
        }
        (chain.len() <= LINKS).then_some(chain)
    }

    fn link(&mut self, is_child: bool) -> Option<Link> {
        let before = self.0.len();
        let name = match self.take('*') {
            true => None,
            false => Some(self.word().to_ascii_lowercase()).filter(|name| !name.is_empty()),
        };
        let mut tests = Vec::new();
        loop {
            if self.take('.') {
                tests.push(Test::Class(self.some_word()?));
            } else if self.take('#') {
                let id = self.some_word()?;
                tests.push(Test::Attribute("id".to_owned(), Operator::Equals, id));
            } else if self.take('[') {
                tests.push(self.attribute()?);
            } else if self.take(':') {
                match self.word() {
                    "first-child" => tests.push(Test::FirstChild),
                    _ => return None,
                }
            } else {
                break;
            }
        }
        (self.0.len() < before).then_some(Link {
            is_child,
            name,
            tests,
        })
    }

    fn attribute(&mut self) -> Option<Test> {
        self.skip_blanks();
        let name = self.some_word()?.to_ascii_lowercase();
        self.skip_blanks();
        if self.take(']') {
            return Some(Test::Attribute(name, Operator::Exists, String::new()));
        }
        let operator = match self.0.chars().next()? {
            '=' => Operator::Equals,
            '~' => Operator::Word,
            '^' => Operator::Begins,
            '$' => Operator::Ends,
            '*' => Operator::Contains,
            _ => return None,
        };
        if operator != Operator::Equals {
            self.0 = &self.0[1..];
        }
        if !self.take('=') {
            return None;
        }
        self.skip_blanks();
        let value = self.value()?;
        self.skip_blanks();
        self.take(']')
            .then_some(Test::Attribute(name, operator, value))
    }

    fn value(&mut self) -> Option<String> {
        for quote in ['"', '\''] {
            if self.take(quote) {
                let (value, rest) = self.0.split_once(quote)?;
                self.0 = rest;
                return Some(value.to_owned());
            }
        }
        self.some_word()
    }

    fn some_word(&mut self) -> Option<String> {
        let word = self.word();
        (!word.is_empty()).then(|| word.to_owned())
    }

    fn word(&mut self) -> &'t str {
        let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let end = self.0.find(|c| !is_part(c)).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        word
    }

    fn take(&mut self, mark: char) -> bool {
        match self.0.strip_prefix(mark) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn skip_blanks(&mut self) -> bool {
        let before = self.0.len();
        self.0 = self.0.trim_start();
        self.0.len() < before
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PAGE: &str = "<div class='post a' id=p1><p class=author><a href='x?start=2'>Ann</a><i>i</i></p>\
        <div class=content>text</div></div><div class=post id=p2><p><span><a>Bo</a></span></p></div>";

    fn found(selector: &str) -> Vec<String> {
        let tree = HtmlTree::read(PAGE);
        let selector = Selector::parse(selector).unwrap();
        let all: Vec<String> = selector
            .all_of(&tree, tree.inside(0))
            .map(|at| tree.text(at, 100))
            .collect();
        all
    }

    #[test]
    fn elements_are_found_by_class_id_attribute_and_place() {
        let cases: [(&str, &[&str]); 13] = [
            ("a", &["Ann", "Bo"]),
            (".post p a", &["Ann", "Bo"]),
            (".post > p > a", &["Ann"]),
            (".post > a", &[]),
            (".post.a .author", &["Anni"]),
            ("#p2 a", &["Bo"]),
            ("div#p1 > div[class=content]", &["text"]),
            ("a[href*=\"start=\"], span", &["Ann", "Bo"]),
            ("[href^='x?']", &["Ann"]),
            ("[href$='=2']", &["Ann"]),
            ("[class~=a] > .content", &["text"]),
            ("p > :first-child", &["Ann", "Bo"]),
            ("html > div > p > i", &["i"]),
        ];
        for (selector, texts) in cases {
            assert_eq!(found(selector), texts, "{selector}");
        }
    }

    #[test]
    fn what_is_no_selector_is_nothing() {
        for text in [
            "", " ", ",", "a,", "a[", "a[b", "a[b=]", "..a", "a:hover", "a >", "> a", "a{}",
            "a[b!=c]",
        ] {
            assert_eq!(Selector::parse(text), None, "{text}");
        }
        assert!(Selector::parse(&"a ".repeat(17)).is_none());
    }

    #[test]
    fn a_chain_that_nearly_matches_everywhere_is_quick() {
        let tree = HtmlTree::read(&"<div>".repeat(100_000));
        let selector = Selector::parse(&("b ".to_owned() + &"div ".repeat(15))).unwrap();
        assert_eq!(selector.all_of(&tree, tree.inside(0)).count(), 0);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_not(text in "[a-c .#>,*:=\"'\\[\\]~^$-]{0,24}") {
            if let Some(selector) = Selector::parse(&text) {
                selector.matches(&HtmlTree::read(PAGE), 3);
            }
        }
    }
}
