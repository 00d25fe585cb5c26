//! Reads a plain copy of a thread: text that somebody marked on the screen and pasted into a file.
//!
//! A post begins at a line with a known name, followed by a line with a date and time. It also begins at an unknown
//! name behind an empty line, so that the words of a stranger are not taken for those of the post above. A name and a
//! time in one line, as in `Ann, 2026-03-01 10:05:`, begin a post too.

use super::forum_words::VoteWords;
use super::people::Participants;
use super::post::{Line, Marks, Post, Run, Thread};
use super::shape::Shape;
use super::time::parse_time;
use super::{POST_BYTES, POSTS, ThreadFault};

/// Words that forums print around parts of a post.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PlainWords {
    /// Behind the name of a quoted author, if the quote has an end of its own.
    pub(super) said: Vec<String>,
    /// The end of such a quote.
    pub(super) expand: Vec<String>,
    /// Behind the name of a quoted author, if an empty line ends the quote.
    pub(super) wrote: Vec<String>,
    /// Heads of code.
    pub(super) code: Vec<String>,
    /// Heads of spoilers.
    pub(super) spoiler: Vec<String>,
}

impl PlainWords {
    /// Returns the words of the keys of a shape.
    pub(super) fn with(list: &dyn Fn(&str) -> Option<Vec<String>>) -> PlainWords {
        let words = |key: &str| list(key).unwrap_or_default();
        PlainWords {
            said: words("said"),
            expand: words("expand"),
            wrote: words("wrote"),
            code: words("code_heads"),
            spoiler: words("spoiler_heads"),
        }
    }
}

/// Most characters of a name.
const NAME: usize = 64;

/// Reads a plain copy by the words and times of a shape. `zone` is the zone of its times; unit: minutes east of UTC.
///
/// Errors: it has no post, or too many.
pub fn read_plain(
    text: &str,
    people: &Participants,
    shape: Option<&Shape>,
    zone: i32,
) -> Result<Thread, ThreadFault> {
    let no_words = PlainWords::default();
    let words = shape.map_or(&no_words, |shape| &shape.plain);
    let forms = shape.map_or(&[][..], |shape| &shape.times);
    let lines: Vec<&str> = text.lines().collect();
    let mut heads = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let is_free = at == 0 || lines[at - 1].trim().is_empty();
        match head_at(&lines, at, is_free, people, (forms, zone)) {
            Some((head, behind)) => {
                heads.push((head, at, behind));
                at = behind;
            }
            None => at += 1,
        }
        if heads.len() > POSTS {
            let message = format!("the text has more than {POSTS} posts");
            return Err(ThreadFault::new(
                "too-many-posts",
                message,
                "give fewer posts at once",
            ));
        }
    }
    if heads.is_empty() {
        return Err(ThreadFault::new(
            "no-posts",
            "the text has no post: a line with a name, and below it a line with a date and time",
            "copy the thread with names and times, or add missing forum names",
        ));
    }
    let ends: Vec<usize> = heads
        .iter()
        .skip(1)
        .map(|(_, from, _)| *from)
        .chain([lines.len()])
        .collect();
    let mut thread = Thread {
        posts: Vec::with_capacity(heads.len()),
        is_plain: true,
        is_numbered_by_place: true,
        words: shape.map_or_else(VoteWords::default, |shape| shape.votes.clone()),
        ..Thread::default()
    };
    for ((head, _, from), end) in heads.into_iter().zip(ends) {
        let (lines, is_cut) = marked_lines(&lines[from..end], people, words);
        thread.posts.push(Post {
            author: head.author,
            time: Some(head.time),
            lines,
            is_cut,
            ..Post::default()
        });
    }
    thread.number_by_place(1);
    Ok(thread)
}

struct Head {
    author: String,
    time: i64,
}

/// Returns the head of a post at a line, and the line behind the head.
fn head_at(
    lines: &[&str],
    at: usize,
    is_free: bool,
    people: &Participants,
    (forms, zone): (&[String], i32),
) -> Option<(Head, usize)> {
    let line = lines[at].trim();
    if line.is_empty() || line.chars().count() > 2 * NAME || line.starts_with('>') {
        return None;
    }
    let time_of = |text: &str| parse_time(text, forms, zone);
    if let Some((name, rest)) = line.split_once(", ")
        && let Some(time) = rest.strip_suffix(':').and_then(time_of)
        && (people.is_known(name) || is_free)
    {
        let author = name.trim().to_owned();
        return Some((Head { author, time }, at + 1));
    }
    if line.chars().count() > NAME || !(is_free || people.is_known(line)) {
        return None;
    }
    let time = time_of(lines.get(at + 1)?.trim())?;
    // A date is not a name, also where another date follows.
    if time_of(line).is_some() {
        return None;
    }
    let author = line.to_owned();
    Some((Head { author, time }, at + 2))
}

/// Returns the lines of a post with the marks that a plain copy shows, and whether the text is cut.
fn marked_lines(lines: &[&str], people: &Participants, words: &PlainWords) -> (Vec<Line>, bool) {
    let mut marked = Vec::with_capacity(lines.len());
    let mut reader = Reader::new(lines, words);
    let mut bytes = 0;
    for (at, line) in lines.iter().enumerate() {
        bytes += line.len() + 1;
        if bytes > POST_BYTES {
            return (marked, true);
        }
        let text: String = line
            .chars()
            .filter(|letter| !super::markup::is_invisible(*letter))
            .collect();
        let text = text.trim();
        let marks = reader.marks_of(text, at, people, words);
        marked.push(Line(vec![Run {
            text: text.to_owned(),
            marks,
        }]));
    }
    (marked, false)
}

struct Reader {
    /// The last line that ends a quote.
    last_end: Option<usize>,
    /// Open quotes with an end of their own.
    quotes: u32,
    /// Until the next empty line.
    block: Option<Marks>,
    signature: bool,
}

impl Reader {
    fn new(lines: &[&str], words: &PlainWords) -> Reader {
        let is_end = |line: &&str| is_one_of(line.trim(), &words.expand);
        Reader {
            last_end: lines.iter().rposition(is_end),
            quotes: 0,
            block: None,
            signature: false,
        }
    }

    fn marks_of(
        &mut self,
        text: &str,
        at: usize,
        people: &Participants,
        words: &PlainWords,
    ) -> Marks {
        let quoted = Marks {
            quotes: 1,
            ..Marks::default()
        };
        if self.signature || text.len() >= 3 && text.chars().all(|letter| letter == '_') {
            self.signature = true;
            return Marks {
                signature: true,
                ..Marks::default()
            };
        }
        if let Some(who) = name_before(text, &words.said) {
            // Without an end of its own it would hide the rest of the post.
            if self.last_end.is_some_and(|end| end > at) {
                self.quotes += 1;
                return quoted;
            }
            if people.is_known(who) {
                self.block = Some(quoted);
            }
        }
        if self.quotes > 0 {
            if is_one_of(text, &words.expand) {
                self.quotes -= 1;
            }
            return quoted;
        }
        if name_before(text, &words.wrote).is_some() {
            self.block = Some(quoted);
        } else if is_head(text, &words.code) {
            self.block = Some(Marks {
                code: true,
                ..Marks::default()
            });
        } else if is_head(text, &words.spoiler) {
            self.block = Some(Marks {
                spoiler: true,
                ..Marks::default()
            });
        }
        if text.is_empty() {
            self.block = None;
        }
        match self.block {
            Some(marks) => marks,
            None if text.starts_with('>') => quoted,
            None => Marks::default(),
        }
    }
}

fn is_one_of(text: &str, words: &[String]) -> bool {
    words.iter().any(|word| word == text)
}

/// Returns the name at the front of a line such as `Bo said:` or `Bo wrote: ↑ Sun Mar 01`.
fn name_before<'t>(text: &'t str, words: &[String]) -> Option<&'t str> {
    words.iter().find_map(|word| {
        let at = text.find(word.as_str())?;
        let (name, rest) = (text[..at].trim(), &text[at + word.len()..]);
        let rest = rest.trim_start();
        let is_end = rest.is_empty() || rest.starts_with('↑');
        let is_name = !name.is_empty() && name.chars().count() <= NAME;
        (is_end && is_name && text[..at].ends_with(' ')).then_some(name)
    })
}

/// Whether a line is a head such as `Spoiler`, `Code:` or `Spoiler: what I think`.
fn is_head(text: &str, heads: &[String]) -> bool {
    heads.iter().any(|head| {
        let front = text.get(..head.len());
        let rest = front.filter(|front| front.to_lowercase() == head.to_lowercase());
        rest.is_some_and(|_| text[head.len()..].is_empty() || text[head.len()..].starts_with(':'))
    })
}
