//! The shape of a forum's pages: where posts, authors, times and marks are.
//!
//! In: named texts of a content file. Out: a shape with selectors that are ready. A place in a page is written as
//! `SELECTOR` for its text, `SELECTOR @ATTRIBUTE` for an attribute, and `@ATTRIBUTE` for one of the post itself. Words
//! around values are written as they stand, with the values in braces: `on {time}, edited`.

use std::collections::BTreeMap;

use super::ThreadFault;
use super::forum_words::VoteWords;
use super::plain::PlainWords;
use super::post::Thread;
use super::selector::Selector;

/// How the text of a thread is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// HTML pages.
    Page,
    /// The JSON file of a topic, as Discourse writes it.
    Topic,
    /// Text that was copied from the screen.
    Plain,
}

/// The shape of a forum.
#[derive(Debug)]
pub struct Shape {
    /// Its name for people.
    pub name: String,
    /// How its threads are stored.
    pub form: Form,
    /// Forms of printed times.
    pub times: Vec<String>,
    /// Words of votes and counts.
    pub votes: VoteWords,
    /// Words of a plain copy.
    pub(super) plain: PlainWords,
    pub(super) page: Option<Selector>,
    pub(super) post: Option<Selector>,
    pub(super) places: BTreeMap<&'static str, Place>,
    pub(super) marks: BTreeMap<&'static str, Selector>,
    pub(super) words: BTreeMap<&'static str, String>,
    /// The selectors as they were written.
    pub(super) written: BTreeMap<&'static str, String>,
}

/// Where a value is in a page.
#[derive(Debug)]
pub(super) struct Place {
    /// Nothing means the post itself.
    pub(super) selector: Option<Selector>,
    /// Nothing means the text.
    pub(super) attribute: Option<String>,
}

/// Why a shape cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeFault {
    /// The key that is wrong.
    pub key: String,
    /// One sentence.
    pub message: String,
}

/// Keys with a place.
const PLACES: [&str; 8] = [
    "number",
    "post_id",
    "author",
    "time",
    "edit",
    "edit_time",
    "editor",
    "first",
];
/// Keys with a selector of parts of a post.
const MARKS: [&str; 11] = [
    "deleted",
    "hidden",
    "body",
    "bold",
    "code",
    "spoiler",
    "struck",
    "quote",
    "signature",
    "vote",
    "ignore",
];
/// Keys with words around values.
const WORDS: [&str; 2] = ["edit_words", "first_words"];
/// Keys that a page cannot do without.
const NEEDED: [&str; 3] = ["post", "author", "body"];

/// Marks that are the same in every forum unless its shape says otherwise.
const USUAL: [(&str, &str); 4] = [
    ("bold", "b, strong"),
    ("code", "pre, code"),
    ("struck", "s, del, strike"),
    ("quote", "blockquote"),
];

impl Shape {
    /// Reads a shape from its keys. `lists` has the keys that are lists of texts.
    ///
    /// Errors: a selector cannot be read, or a needed key is missing.
    pub fn read(
        name: &str,
        form: Form,
        keys: &BTreeMap<String, String>,
        lists: &BTreeMap<String, Vec<String>>,
    ) -> Result<Shape, ShapeFault> {
        let list = |key: &str| lists.get(key).cloned();
        let mut shape = Shape {
            name: name.to_owned(),
            form,
            times: list("times").unwrap_or_default(),
            votes: VoteWords::with(&list),
            plain: PlainWords::with(&list),
            page: None,
            post: None,
            places: BTreeMap::new(),
            marks: BTreeMap::new(),
            words: BTreeMap::new(),
            written: BTreeMap::new(),
        };
        if form == Form::Page {
            for key in NEEDED {
                if !keys.contains_key(key) {
                    return Err(fault(
                        key,
                        format!("a shape of pages needs the key `{key}`"),
                    ));
                }
            }
        }
        if let Some(text) = keys.get("page") {
            shape.page = Some(selector("page", text)?);
            shape.written.insert("page", text.clone());
        }
        if let Some(text) = keys.get("post") {
            shape.post = Some(selector("post", text)?);
            shape.written.insert("post", text.clone());
        }
        for key in PLACES {
            let Some(text) = keys.get(key) else { continue };
            shape.places.insert(key, place(key, text)?);
            shape.written.insert(key, text.clone());
        }
        for key in MARKS {
            let usual = USUAL.iter().find(|(one, _)| *one == key);
            let text = keys.get(key).map(String::as_str);
            let Some(text) = text.or(usual.map(|(_, text)| *text)) else {
                continue;
            };
            shape.marks.insert(key, selector(key, text)?);
            shape.written.insert(key, text.to_owned());
        }
        for key in WORDS {
            if let Some(text) = keys.get(key) {
                shape.words.insert(key, text.clone());
            }
        }
        Ok(shape)
    }
}

/// Reads a text by the first shape of a form that finds a post; without a shape of the form by none. If none finds
/// a post, returns what the first says.
///
/// Errors: those of the reader.
pub fn read_by_fitting_shape(
    shapes: &[Shape],
    form: Form,
    read: &dyn Fn(Option<&Shape>) -> Result<Thread, ThreadFault>,
) -> Result<Thread, ThreadFault> {
    let mut of_form = shapes.iter().filter(|shape| shape.form == form);
    let first = read(of_form.next());
    if first.as_ref().is_ok_and(|thread| !thread.posts.is_empty()) {
        return first;
    }
    let found = of_form.filter_map(|shape| read(Some(shape)).ok());
    let mut found = found.filter(|thread| !thread.posts.is_empty());
    found.next().map_or(first, Ok)
}

fn fault(key: &str, message: String) -> ShapeFault {
    ShapeFault {
        key: key.to_owned(),
        message,
    }
}

fn selector(key: &str, text: &str) -> Result<Selector, ShapeFault> {
    match selector_fault(text) {
        None => Selector::parse(text).ok_or_else(|| fault(key, unread(text))),
        Some(message) => Err(fault(key, message)),
    }
}

/// Most characters of a selector.
const LONGEST: usize = 400;

fn unread(text: &str) -> String {
    format!("\"{text}\" is not a CSS selector")
}

/// Returns why a text is not a selector; nothing if it is one.
#[must_use]
pub fn selector_fault(text: &str) -> Option<String> {
    if text.chars().count() > LONGEST {
        return Some(format!("a selector may have {LONGEST} characters at most"));
    }
    Selector::parse(text).is_none().then(|| unread(text))
}

fn place(key: &str, text: &str) -> Result<Place, ShapeFault> {
    let (front, attribute) = match text.rsplit_once('@') {
        Some((front, name)) if is_attribute(name.trim()) => (front.trim(), Some(name.trim())),
        _ => (text.trim(), None),
    };
    let selector = match front {
        "" => None,
        front => Some(selector(key, front)?),
    };
    Ok(Place {
        selector,
        attribute: attribute.map(str::to_owned),
    })
}

fn is_attribute(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

/// Returns the values in braces of words as they stand in a text. The first place where all words stand in order
/// counts.
pub(super) fn values_between<'t>(words: &str, text: &'t str) -> BTreeMap<String, &'t str> {
    let mut found = BTreeMap::new();
    let mut parts = words.split('{');
    let lead = parts.next().unwrap_or_default().trim_start();
    let Some(at) = text.find(lead) else {
        return found;
    };
    let mut rest = &text[at + lead.len()..];
    for part in parts {
        let Some((name, after)) = part.split_once('}') else {
            return BTreeMap::new();
        };
        let Some(end) = (if after.is_empty() {
            Some(rest.len())
        } else {
            rest.find(after)
        }) else {
            return BTreeMap::new();
        };
        found.insert(name.to_owned(), rest[..end].trim());
        rest = &rest[end + after.len()..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        let pairs = pairs.iter();
        pairs
            .map(|(key, text)| ((*key).to_owned(), (*text).to_owned()))
            .collect()
    }

    #[test]
    fn a_wrong_selector_is_named_with_its_key() {
        let all = keys(&[("post", ".post"), ("author", "a[["), ("body", ".x")]);
        let fault = Shape::read("A", Form::Page, &all, &BTreeMap::new()).unwrap_err();
        assert_eq!(
            (fault.key.as_str(), fault.message.as_str()),
            ("author", "\"a[[\" is not a CSS selector")
        );
        let few = keys(&[("post", ".post"), ("author", "a")]);
        let fault = Shape::read("A", Form::Page, &few, &BTreeMap::new()).unwrap_err();
        assert_eq!(fault.message, "a shape of pages needs the key `body`");
    }

    #[test]
    fn a_place_is_a_selector_and_an_attribute() {
        let one = place("time", "time[datetime] @datetime").unwrap();
        assert!(one.selector.is_some());
        assert_eq!(one.attribute.as_deref(), Some("datetime"));
        let own = place("id", "@data-id").unwrap();
        assert!(own.selector.is_none());
        assert_eq!(place("x", "a.b").unwrap().attribute, None);
    }

    #[test]
    fn values_stand_between_words() {
        let words = "Last edited by {editor} on {time}, edited {count} time";
        let text = "x Last edited by Mia on Sun Mar 01, 2026 10:05 am, edited 1 time in total.";
        let found = values_between(words, text);
        assert_eq!(found.get("editor"), Some(&"Mia"));
        // The first comma is in the time, so the words around it decide.
        assert_eq!(found.get("time"), Some(&"Sun Mar 01, 2026 10:05 am"));
        assert_eq!(
            values_between("start={first}", "?t=1&start=40").get("first"),
            Some(&"40")
        );
        let simon = values_between(words, "Last edited by Simon on 1, edited 2 times");
        assert_eq!(simon.get("editor"), Some(&"Simon"));
        assert!(values_between(words, "nothing").is_empty());
    }
}
