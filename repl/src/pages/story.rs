//! The pages of a story: an index with cast and result, a page for each chapter, and pages of tables; or all on one.

use std::collections::{BTreeMap, BTreeSet};

use host::doc::node::document_nodes;
use host::doc::{Audience, Document, audience_label};
use host::game::{CastMember, Fact, OpenPoll, Passage, Story, StoryChapter, StoryEntry};
use host::words::{Hole, Words};
use maud::{Markup, html};

use super::block::{Canvas, reader_label};
use super::frame::{Frame, Link, page};

/// The first page.
pub(crate) const INDEX: &str = "index.html";

/// Maximum number of passages on a page; a longer chapter gets more pages.
const PASSAGES: usize = 100;

/// A page below the index.
struct Leaf<'a> {
    file: String,
    title: String,
    content: Content<'a>,
}

enum Content<'a> {
    /// Passages, and corrections of what was published.
    Passages(&'a [Passage], &'a [String]),
    Table(&'a Document),
}

/// Returns a story as one page.
pub fn single_page(story: &Story) -> String {
    let leaves = leaves_of_story(story);
    let words = &story.words;
    let canvas = Canvas::below_heading(2, words);
    let mut lines = BTreeSet::new();
    let content = html! {
        (opening(story, &canvas))
        nav.contents aria-label=(words.text("story.contents")) {
            h2 { (words.text("story.contents")) }
            ol { @for (at, leaf) in leaves.iter().enumerate() {
                li { a href={ "#part-" (at + 1) } { (leaf.title) } }
            } }
        }
        @for (at, leaf) in leaves.iter().enumerate() {
            section.chapter id={ "part-" (at + 1) } {
                h2 { (leaf.title) }
                (leaf_content(&leaf.content, &canvas, &mut lines))
            }
        }
        (facts(&story.facts, words))
    };
    let (window, lead) = (window_title(story), lead(story));
    let frame = Frame {
        title: &story.title,
        window: &window,
        words,
        lead: &lead,
        links: &[],
    };
    page(&frame, &content)
}

/// Returns a story as pages: the name of each file with its text.
pub(crate) fn story_pages(story: &Story) -> BTreeMap<String, String> {
    let leaves = leaves_of_story(story);
    let mut pages = BTreeMap::from([(INDEX.to_owned(), index_page(story, &leaves))]);
    for at in 0..leaves.len() {
        pages.insert(leaves[at].file.clone(), leaf_page(story, &leaves, at));
    }
    pages
}

fn index_page(story: &Story, leaves: &[Leaf<'_>]) -> String {
    let words = &story.words;
    let canvas = Canvas::below_heading(2, words);
    let content = html! {
        (opening(story, &canvas))
        nav.contents aria-label=(words.text("story.contents")) {
            h2 { (words.text("story.contents")) }
            ol { @for leaf in leaves { li { a href=(leaf.file) { (leaf.title) } } } }
        }
        (facts(&story.facts, words))
    };
    let (window, lead) = (window_title(story), lead(story));
    let links: Vec<Link<'_>> = leaves.first().map(next_link).into_iter().collect();
    let frame = Frame {
        title: &story.title,
        window: &window,
        words,
        lead: &lead,
        links: &links,
    };
    page(&frame, &content)
}

fn leaf_page(story: &Story, leaves: &[Leaf<'_>], at: usize) -> String {
    let leaf = &leaves[at];
    let before = at.checked_sub(1).map(|before| Link {
        text: &leaves[before].title,
        file: &leaves[before].file,
        relation: Some("prev"),
    });
    let index = Link {
        text: &story.title,
        file: INDEX,
        relation: None,
    };
    let after = leaves.get(at + 1).map(next_link);
    let links: Vec<Link<'_>> = before.into_iter().chain([index]).chain(after).collect();
    let window = format!("{} – {}", leaf.title, window_title(story));
    let frame = Frame {
        title: &leaf.title,
        window: &window,
        words: &story.words,
        lead: "",
        links: &links,
    };
    let content = leaf_content(
        &leaf.content,
        &Canvas::below_heading(1, &story.words),
        &mut BTreeSet::new(),
    );
    page(&frame, &content)
}

fn next_link<'a>(leaf: &'a Leaf<'_>) -> Link<'a> {
    Link {
        text: &leaf.title,
        file: &leaf.file,
        relation: Some("next"),
    }
}

fn leaves_of_story(story: &Story) -> Vec<Leaf<'_>> {
    let parts = story.chapters.iter().flat_map(|chapter| {
        let count = chapter.passages.len().div_ceil(PASSAGES).max(1);
        (0..count).map(move |part| {
            let first = part * PASSAGES;
            let end = chapter.passages.len().min(first + PASSAGES);
            let corrections = match part + 1 == count {
                true => &chapter.corrections[..],
                false => &[],
            };
            let content = Content::Passages(&chapter.passages[first..end], corrections);
            (part_title(chapter, part, &story.words), content)
        })
    });
    let chapters = parts.enumerate().map(|(at, (title, content))| Leaf {
        file: format!("part-{}.html", at + 1),
        title,
        content,
    });
    let tables = story.tables.iter().map(|ledger| Leaf {
        file: format!("{}.html", ledger.id),
        title: ledger.title.clone(),
        content: Content::Table(&ledger.table),
    });
    chapters.chain(tables).collect()
}

fn part_title(chapter: &StoryChapter, part: usize, words: &Words) -> String {
    match part {
        0 => chapter.title.clone(),
        later => {
            let holes: [Hole<'_>; 2] = [("title", &chapter.title), ("part", &(later + 1))];
            words.fill("story.part", &holes)
        }
    }
}

fn window_title(story: &Story) -> String {
    let holes: [Hole<'_>; 2] = [("title", &story.title), ("reader", &story.reader)];
    story.words.fill("story.window", &holes)
}

pub(crate) fn lead(story: &Story) -> String {
    let now = story.now.join(", ");
    let holes: [Hole<'_>; 2] = [("reader", &story.reader), ("now", &now)];
    story.words.fill("story.lead", &holes)
}

/// Returns what stands above the chapters: the result, the cast, the board, and the open polls.
fn opening(story: &Story, canvas: &Canvas) -> Markup {
    let words = canvas.words();
    html! {
        @if !story.result.is_empty() {
            section.result aria-labelledby="result" {
                h2 #result { (words.text("story.result")) }
                @for document in &story.result { (canvas.document(document)) }
            }
        }
        @if !story.cast.is_empty() {
            section aria-labelledby="cast" { h2 #cast { (words.text("story.cast")) } ul.cast { @for one in &story.cast { (member(one, canvas)) } } }
        }
        @if let Some(board) = &story.board {
            section aria-labelledby="board" { h2 #board { (words.text("story.board")) } (canvas.document(board)) }
        }
        @if !story.polls.is_empty() {
            section aria-labelledby="polls" { h2 #polls { (words.text("story.polls")) } ul { @for one in &story.polls { (poll(one, words)) } } }
        }
    }
}

pub(super) fn member(member: &CastMember, canvas: &Canvas) -> Markup {
    let says = Document::new([host::doc::Block::Paragraph(member.says.clone())]);
    let says = document_nodes(&says);
    html! {
        li.out[member.is_out] {
            strong { (host::doc::gate_single_line(&member.name)) }
            @if says.is_empty() && member.is_out { p { (canvas.words().text("story.out")) } }
            (canvas.nodes(&says))
        }
    }
}

pub(super) fn poll(poll: &OpenPoll, words: &Words) -> Markup {
    let (voted, all) = &poll.voted;
    let until = poll.due.as_ref().map(|due| due.until.as_str());
    let key = match until {
        Some(_) => "story.voted_until",
        None => "story.voted",
    };
    let until = until.unwrap_or_default();
    let voted = words.count(key, *voted, &[("all", all), ("time", &until)]);
    html! {
        li { strong { (host::doc::gate_single_line(&poll.key)) } ": " (voted) }
    }
}

pub(super) fn facts(facts: &[Fact], words: &Words) -> Markup {
    html! {
        section.facts aria-labelledby="facts" {
            h2 #facts { (words.text("story.about")) }
            dl { @for fact in facts {
                div { dt { (host::doc::gate_single_line(&fact.label)) } dd { (host::doc::gate_single_line(&fact.value)) } }
            } }
        }
    }
}

/// Returns the content of a page. `lines` are the log lines that can be linked to already.
fn leaf_content(content: &Content<'_>, canvas: &Canvas, lines: &mut BTreeSet<u64>) -> Markup {
    match content {
        Content::Table(table) => canvas.document(table),
        Content::Passages(passages, corrections) => html! {
            @for passage in *passages { (passage_content(passage, canvas, lines)) }
            @for text in *corrections { p.fate { (host::doc::gate_single_line(text)) } }
        },
    }
}

pub(super) fn passage_content(
    passage: &Passage,
    canvas: &Canvas,
    lines: &mut BTreeSet<u64>,
) -> Markup {
    match passage {
        Passage::Text(entry) => entry_content(entry, "entry", canvas, lines),
        Passage::Ledger { entries, .. } if entries.len() == 1 => {
            entry_content(&entries[0], "entry ledger", canvas, lines)
        }
        Passage::Ledger { summary, entries } => html! {
            details.ledger {
                summary { (host::doc::gate_single_line(summary)) }
                @for entry in entries { (entry_content(entry, "entry", canvas, lines)) }
            }
        },
    }
}

fn entry_content(
    entry: &StoryEntry,
    class: &str,
    canvas: &Canvas,
    lines: &mut BTreeSet<u64>,
) -> Markup {
    let number = entry.number;
    let id = lines.insert(number).then(|| format!("line-{number}"));
    let reader = match &entry.document.audience {
        Audience::Public => None,
        some => Some(reader_label(&audience_label(some), canvas.words())),
    };
    let name = canvas.words().fill("story.line", &[("line", &number)]);
    html! {
        div class={ (class) @if reader.is_some() { " private" } } id=[id] {
            a.number href={ "#line-" (number) } aria-label=(name) { (number) }
            @if let Some(reader) = reader { p.reader { (reader) } }
            @if !entry.fate.is_empty() { p.fate { (host::doc::gate_single_line(&entry.fate)) } }
            @if entry.holds { (canvas.document(&entry.document)) }
            @else { del { (canvas.document(&entry.document)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use host::doc::Kind;
    use host::doc::build::paragraph;

    use super::*;

    fn entry(number: u64, text: &str) -> StoryEntry {
        StoryEntry {
            number,
            seq: number,
            place: Some(0),
            messages: 1,
            document: Document::new([paragraph(text)]),
            holds: true,
            fate: String::new(),
        }
    }

    fn story() -> Story {
        let mut gone = entry(3, "Bo leaves.");
        (gone.holds, gone.fate) = (false, "undone".into());
        let ledger = Passage::Ledger {
            summary: "Tea: 2 votes for <Bo>".into(),
            entries: vec![entry(1, "Ann votes."), entry(2, "Cy votes.")],
        };
        let chapter = |title: &str, passages: Vec<Passage>| StoryChapter {
            title: title.into(),
            passages,
            corrections: Vec::new(),
        };
        Story {
            title: "Harbour".into(),
            reader: "everybody".into(),
            words: Words::english(),
            facts: vec![Fact {
                key: "facts.ruleset",
                label: "ruleset".into(),
                value: "harbour".into(),
            }],
            now: vec!["day 1".into()],
            cast: vec![CastMember {
                name: "Bo".into(),
                is_out: true,
                says: "left".into(),
            }],
            result: vec![Document::new([paragraph("Ann wins.")]).of_kind(Kind::Result)],
            board: None,
            polls: Vec::new(),
            chapters: vec![
                chapter("Day 1", vec![ledger, Passage::Text(gone)]),
                chapter("Night 1", vec![Passage::Text(entry(4, "The end."))]),
            ],
            tables: Vec::new(),
        }
    }

    #[test]
    fn an_index_has_result_and_cast_and_pages_lead_to_their_neighbours() {
        let pages = story_pages(&story());
        assert_eq!(
            Vec::from_iter(pages.keys()),
            ["index.html", "part-1.html", "part-2.html"]
        );
        let index = &pages[INDEX];
        for part in [
            "Ann wins.",
            "<li class=\"out\"><strong>Bo</strong><p>left</p>",
            "href=\"part-2.html\">Night 1",
        ] {
            assert!(index.contains(part), "{part}: {index}");
        }
        let second = &pages["part-2.html"];
        assert!(second.contains("<h1>Night 1</h1>"), "{second}");
        assert!(
            second.contains("<a href=\"part-1.html\" rel=\"prev\">Day 1</a>"),
            "{second}"
        );
        assert!(!second.contains(" rel=\"next\">"), "{second}");
    }

    #[test]
    fn ledgers_fold_and_what_no_longer_holds_is_struck() {
        let text = single_page(&story());
        assert!(
            text.contains("<summary>Tea: 2 votes for &lt;Bo&gt;</summary>"),
            "{text}"
        );
        assert!(
            text.contains("<p class=\"fate\">undone</p><del><p>Bo leaves.</p></del>"),
            "{text}"
        );
        assert_eq!(text.matches("<h1>").count(), 1);
        assert_eq!(text.matches("id=\"line-1\"").count(), 1);
    }

    #[test]
    fn a_correction_stands_at_the_end_of_its_chapter() {
        let mut story = story();
        story.chapters[0].corrections = vec!["Correction: “<Bo> leaves.” no longer holds.".into()];
        let pages = story_pages(&story);
        let line = "<p class=\"fate\">Correction: “&lt;Bo&gt; leaves.” no longer holds.</p>";
        assert!(
            pages["part-1.html"].contains(line),
            "{}",
            pages["part-1.html"]
        );
        assert!(!pages["part-2.html"].contains("Correction"));
        story.chapters[0].passages.clear();
        assert!(single_page(&story).contains(line));
    }

    #[test]
    fn a_long_chapter_has_several_pages() {
        let mut story = story();
        story.chapters[1].passages = (1..=250)
            .map(|number| Passage::Text(entry(number, "x")))
            .collect();
        let pages = story_pages(&story);
        assert!(pages["part-3.html"].contains("<h1>Night 1, part 2</h1>"));
        assert_eq!(pages.len(), 5);
    }
}
