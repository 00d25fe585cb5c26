//! A phase, a round or a day as a story for one reader.

use crate::diag::{Diagnostic, near_hint};
use crate::doc::build::{heading, muted, paragraph};
use crate::doc::{Block, Document, Viewer, plain};
use crate::game::report::chronicle::{Corrections, chapters_of_game};
use crate::game::report::posts::line_numbers::numbers_in_posts;
use crate::game::report::posts::refusal::PostRefusal;
use crate::game::report::posts::shown_messages::ShownMessages;
use crate::game::report::story::chapters::{Passage, StoryChapter, story_chapters};
use crate::game::ruling::last_query::{Post, merged_document, viewer_in_words};
use crate::game::timeline::Timeline;

/// Returns a chapter of the story for a reader: the one with a title, or the last one that begins with it. Without a
/// title, it is the last chapter.
///
/// Errors: `post/unknown-phase`, `post/nothing-said`, `limit/interrupted`.
pub(super) fn phase_post(
    timeline: &Timeline,
    own: &Viewer,
    name: Option<&str>,
    to: &Viewer,
) -> Result<Post, PostRefusal> {
    let numbers = numbers_in_posts(timeline, own, to);
    let chapters = chapters_of_game(timeline, to, Corrections::LeftOut, Some(&numbers))
        .map_err(PostRefusal::for_all)?;
    let chapters = story_chapters(&chapters, &timeline.words());
    let found = match name {
        Some(name) => find_chapter(&chapters, name).ok_or_else(|| no_phase(&chapters, name)),
        None => chapters.last().ok_or_else(|| {
            let message = format!("there is no message for {} yet", viewer_in_words(to));
            Diagnostic::error("post/nothing-said", message)
        }),
    };
    let found = found.map_err(PostRefusal::for_reader)?;
    let shown = messages_of_chapter(found);
    Ok(Post {
        what: format!("{}, for {}", found.title, viewer_in_words(to)),
        documents: chapter_documents(found),
        is_query: false,
        lines: shown.lines(),
        parts: shown.parts(),
    })
}

/// Returns the messages that the text of a chapter shows. Lines that are folded into a sum are not shown.
fn messages_of_chapter(chapter: &StoryChapter) -> ShownMessages {
    let mut shown = ShownMessages::default();
    for passage in &chapter.passages {
        let entry = match passage {
            Passage::Text(entry) => entry,
            Passage::Ledger { summary, entries } => match &entries[..] {
                [only] if plain(&only.document) == *summary => only,
                _ => continue,
            },
        };
        if let Some(place) = entry.place {
            shown.add(entry.seq, place, entry.messages);
        }
    }
    shown
}

fn find_chapter<'a>(chapters: &'a [StoryChapter], name: &str) -> Option<&'a StoryChapter> {
    let wanted = name.to_lowercase();
    let is_named = |chapter: &&StoryChapter| chapter.title.to_lowercase() == wanted;
    let is_of_kind = |chapter: &&StoryChapter| {
        let title = chapter.title.to_lowercase();
        title.split(' ').next() == Some(wanted.as_str())
    };
    let named = chapters.iter().rev().find(is_named);
    named.or_else(|| chapters.iter().rev().find(is_of_kind))
}

fn no_phase(chapters: &[StoryChapter], name: &str) -> Diagnostic {
    let titles = || chapters.iter().map(|chapter| chapter.title.as_str());
    let finding = Diagnostic::error(
        "post/unknown-phase",
        format!("no part of the game with a message is named \"{name}\""),
    );
    let known: Vec<&str> = titles().collect();
    let known = match known.is_empty() {
        true => "no part of the game has a message yet".to_owned(),
        false => format!("the parts are {}", known.join(", ")),
    };
    finding.hint(near_hint(name, titles())).hint(known)
}

/// Returns the title of a chapter with its first text, then one document for each text. Votes and moves are one line.
fn chapter_documents(chapter: &StoryChapter) -> Vec<Document> {
    let texts = chapter.passages.iter().map(|passage| match passage {
        Passage::Text(entry) => below_title(merged_document(std::slice::from_ref(&entry.document))),
        Passage::Ledger { summary, .. } => Document::new([paragraph(muted(summary.as_str()))]),
    });
    let title = Document::new([heading(1, chapter.title.as_str())]);
    std::iter::once(title).chain(texts).collect()
}

/// Returns a text whose headings stand below the title of its chapter.
fn below_title(mut document: Document) -> Document {
    for block in &mut document.blocks {
        if let Block::Heading { level, .. } = block {
            *level = (*level + 1).min(6);
        }
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_is_found_by_its_name_or_its_kind() {
        let titles = ["Day 1", "Night 1", "Day 2", "2010-07-05"];
        let chapters = titles.map(|title| StoryChapter {
            title: title.to_owned(),
            ..StoryChapter::default()
        });
        let found = |name: &str| find_chapter(&chapters, name).map(|one| one.title.as_str());
        assert_eq!(found("day 1"), Some("Day 1"));
        assert_eq!(found("Day"), Some("Day 2"));
        assert_eq!(found("2010-07-05"), Some("2010-07-05"));
        assert_eq!(found("day 3"), None);
        let refusal = no_phase(&chapters, "nigt 1");
        assert_eq!(refusal.hints[0], "did you mean \"Night 1\"?");
        let known = "the parts are Day 1, Night 1, Day 2, 2010-07-05";
        assert_eq!(refusal.hints[1], known);
    }
}
