//! Reads an HTML page by the shape of its forum.

use std::ops::Range;

use super::html_tree::HtmlTree;
use super::markup::read_body;
use super::post::{Edit, Post, State, Thread};
use super::selector::Selector;
use super::shape::{Form, Shape, values_between};
use super::time::parse_time;
use super::{POSTS, ThreadFault};

/// Reads a page by the first shape that fits. `zone` is the zone of printed times; unit: minutes east of UTC.
///
/// Errors: no shape fits, and the message names the selector that found nothing; or the page is too large.
pub fn read_page(text: &str, shapes: &[Shape], zone: i32) -> Result<Thread, ThreadFault> {
    let tree = HtmlTree::read(text);
    let mut misfits = Vec::new();
    for shape in shapes.iter().filter(|shape| shape.form == Form::Page) {
        match misfit(&tree, shape) {
            None => return read_posts(&tree, shape, zone),
            Some(why) => misfits.push(format!("{}: {why}", shape.name)),
        }
    }
    let message = match misfits.is_empty() {
        true => "there is no shape of a forum's pages".to_owned(),
        false => format!("no shape of a forum fits the page; {}", misfits.join("; ")),
    };
    Err(ThreadFault::new(
        "no-shape",
        message,
        "copy the content file of the nearest forum and write the selectors of this page in it",
    ))
}

/// Posts of a page that are looked at to see whether a shape fits.
const FIRST: usize = 20;

/// Returns why a shape does not fit a page: its selector that finds nothing.
fn misfit(tree: &HtmlTree, shape: &Shape) -> Option<String> {
    let nothing = |key: &str| {
        let written = shape.written.get(key).map_or("", String::as_str);
        Some(format!("`{key}: {written}` finds nothing"))
    };
    let is_page = |page: &Selector| {
        page.matches(tree, 0) || page.all_of(tree, tree.inside(0)).next().is_some()
    };
    if shape.page.as_ref().is_some_and(|page| !is_page(page)) {
        return nothing("page");
    }
    let Some(post) = &shape.post else {
        return nothing("post");
    };
    let posts: Vec<Region> = regions_of_posts(tree, post, FIRST);
    if posts.is_empty() {
        return nothing("post");
    }
    let has_author = |post: &Region| post.value(tree, shape, "author").is_some();
    if !posts.iter().any(has_author) {
        return nothing("author");
    }
    let body = shape.marks.get("body");
    let has_body =
        |post: &Region| body.is_some_and(|body| body.all_of(tree, post.inside()).next().is_some());
    match posts.iter().any(has_body) {
        true => None,
        false => nothing("body"),
    }
}

/// A post in a page: its element, and the number behind what belongs to it. In a broken page a post may lie inside the
/// post before it, and does not belong to it.
struct Region {
    at: usize,
    end: usize,
}

/// Returns the posts of a page, at most so many.
fn regions_of_posts(tree: &HtmlTree, selector: &Selector, most: usize) -> Vec<Region> {
    let found: Vec<usize> = selector
        .all_of(tree, tree.inside(0))
        .take(most + 1)
        .collect();
    let ends = found.iter().skip(1).copied().chain([usize::MAX]);
    let regions = found.iter().zip(ends).map(|(at, next)| Region {
        at: *at,
        end: next.min(tree.inside(*at).end),
    });
    regions.take(most).collect()
}

fn read_posts(tree: &HtmlTree, shape: &Shape, zone: i32) -> Result<Thread, ThreadFault> {
    let mut thread = Thread {
        words: shape.votes.clone(),
        ..Thread::default()
    };
    let Some(selector) = &shape.post else {
        return Ok(thread);
    };
    let posts = regions_of_posts(tree, selector, POSTS + 1);
    if posts.len() > POSTS {
        let message = format!("the page has more than {POSTS} posts");
        return Err(ThreadFault::new(
            "too-many-posts",
            message,
            "give fewer posts at once",
        ));
    }
    let posts = posts.iter();
    thread.posts = posts
        .map(|post| read_post(tree, post, shape, selector, zone))
        .collect();
    if !shape.places.contains_key("number") {
        thread.number_by_place(first_number(tree, shape));
        thread.is_numbered_by_place = !shape.places.contains_key("first");
    }
    Ok(thread)
}

/// Returns the number of the first post of a page whose posts are numbered by their places.
fn first_number(tree: &HtmlTree, shape: &Shape) -> u64 {
    let page = Region {
        at: 0,
        end: tree.inside(0).end,
    };
    let before = page.value(tree, shape, "first").and_then(|text| {
        let words = shape.words.get("first_words")?;
        let digits = values_between(words, &text).get("first")?.chars();
        let digits: String = digits.take_while(char::is_ascii_digit).take(12).collect();
        digits.parse::<u64>().ok()
    });
    before.map_or(1, |before| before + 1)
}

fn read_post(
    tree: &HtmlTree,
    post: &Region,
    shape: &Shape,
    selector: &Selector,
    zone: i32,
) -> Post {
    let value = |key| post.value(tree, shape, key);
    let time = |text: String| parse_time(&text, &shape.times, zone);
    let body = shape.marks.get("body");
    let body = body.and_then(|body| body.all_of(tree, post.inside()).next());
    let (lines, is_cut) = match body {
        Some(body) => read_body((tree, body), &shape.marks, Some(selector)),
        None => Default::default(),
    };
    Post {
        number: value("number").and_then(|text| number_in(&text)),
        id: value("post_id").unwrap_or_default(),
        author: value("author").unwrap_or_default(),
        time: value("time").and_then(time),
        edit: post.edit(tree, shape, zone),
        state: post.state(tree, shape, body),
        lines,
        is_cut,
    }
}

/// Returns the digits of a text as a number, such as 12 of `#12` and 1234 of `#1,234`.
fn number_in(text: &str) -> Option<u64> {
    let digits = text.chars().filter(char::is_ascii_digit).take(12);
    digits.collect::<String>().parse().ok()
}

impl Region {
    fn inside(&self) -> Range<usize> {
        self.at + 1..self.end
    }

    fn edit(&self, tree: &HtmlTree, shape: &Shape, zone: i32) -> Option<Edit> {
        let notice = self.value(tree, shape, "edit");
        let of_notice = |name: &str| {
            let words = shape.words.get("edit_words")?;
            let found = values_between(words, notice.as_deref()?);
            found.get(name).map(|text| (*text).to_owned())
        };
        let printed = self.value(tree, shape, "edit_time");
        let printed = printed.or_else(|| of_notice("time"));
        let editor = self.value(tree, shape, "editor");
        let editor = editor.or_else(|| of_notice("editor"));
        if notice.is_none() && printed.is_none() {
            return None;
        }
        Some(Edit {
            time: printed.and_then(|text| parse_time(&text, &shape.times, zone)),
            editor,
        })
    }

    fn state(&self, tree: &HtmlTree, shape: &Shape, body: Option<usize>) -> State {
        let is = |key: &str| {
            let Some(selector) = shape.marks.get(key) else {
                return false;
            };
            // What stands in the text of the post is said by its author.
            let said = body.map_or(0..0, |body| tree.inside(body));
            let mut found = selector.all_of(tree, self.at..self.end);
            found.any(|one| !said.contains(&one))
        };
        match (is("deleted"), is("hidden")) {
            (true, _) => State::Deleted,
            (false, true) => State::Hidden,
            (false, false) => State::Shown,
        }
    }

    /// Returns the value at a place; nothing if it is missing or empty.
    fn value(&self, tree: &HtmlTree, shape: &Shape, key: &str) -> Option<String> {
        let place = shape.places.get(key)?;
        let at = match &place.selector {
            Some(selector) => selector.all_of(tree, self.inside()).next()?,
            None => self.at,
        };
        let text = match &place.attribute {
            Some(name) => tree.element(at)?.attribute(name)?.to_owned(),
            None => tree.text(at, VALUE),
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let text: String = words.join(" ").chars().take(VALUE).collect();
        (!text.is_empty()).then_some(text)
    }
}

/// Most characters of a value.
const VALUE: usize = 400;
