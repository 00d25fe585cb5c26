//! Tests that posts together contain the whole document once, and that each post is a complete text of its format.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::any::any_document;
use super::hostile::{any_hostile_text, with_changed_texts};
use super::readers::{self, Mark, Read, seen_marks};
use crate::doc::*;

/// Returns a document of any shape with many words. Each marked word occurs once.
fn any_wordy_document() -> impl Strategy<Value = Document> {
    let words = prop::collection::vec((1usize..20, any_hostile_text()), 1..8);
    (any_document(), words).prop_map(|(shape, words)| {
        let mut number = 0;
        let mut next = words.iter().cycle();
        with_changed_texts(&shape, &mut |_| {
            let Some((count, between)) = next.next() else {
                return String::new();
            };
            let words = (0..*count).map(|_| {
                number += 1;
                format!("q{number}z {between}")
            });
            // Spaces at the ends separate the words of two texts. Narrow columns would break joined words.
            format!(" {} ", words.collect::<Vec<_>>().join(" "))
        })
    })
}

/// Returns the marked words of a read text, in order.
fn marked_words(read: Read) -> Result<Vec<String>, String> {
    let marks = seen_marks(read, str::to_owned)?;
    let text: String = marks
        .into_iter()
        .filter_map(|mark| match mark {
            Mark::Text(text) => Some(text),
            Mark::Open(_) | Mark::Close(_) => None,
        })
        .collect();
    // The text before the first `q` has no mark.
    let parts = text.split('q').skip(1);
    let parts = parts.filter_map(|part| part.split_once('z'));
    let numbers = parts.map(|(number, _)| number);
    let numbers = numbers
        .filter(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
    Ok(numbers.map(str::to_owned).collect())
}

/// Returns the texts that may occur in several posts: titles of tables and names of audiences.
fn texts_repeated_in_posts(all: &[Block]) -> Vec<String> {
    let of = |block: &Block| match block {
        Block::Table(table) => {
            let spans = table.columns.iter().flat_map(|column| &column.title.0);
            let whom = |span: &Span| span.audience.as_ref().map(ToString::to_string);
            spans
                .flat_map(|span| [span.text.clone(), whom(span).unwrap_or_default()])
                .collect()
        }
        Block::For { audience, blocks } => {
            let mut texts = texts_repeated_in_posts(blocks);
            texts.push(audience.to_string());
            texts
        }
        Block::Quote(blocks) => texts_repeated_in_posts(blocks),
        Block::List { items, .. } => items
            .iter()
            .flat_map(|item| texts_repeated_in_posts(&item.blocks))
            .collect(),
        Block::Heading { .. }
        | Block::Paragraph(_)
        | Block::Bars(_)
        | Block::Grid(_)
        | Block::Code { .. }
        | Block::Fields(_)
        | Block::Rule => Vec::new(),
    };
    all.iter().flat_map(of).collect()
}

fn check_words_written_once(
    document: &Document,
    forum: Forum,
    limits: &Limits,
    read: fn(&str) -> Read,
) -> Result<(), TestCaseError> {
    let posts = split_into_posts(std::slice::from_ref(document), forum, limits);
    let whole = split_into_posts(
        std::slice::from_ref(document),
        forum,
        &Limits {
            length: Some(usize::MAX),
            numbered: false,
        },
    );
    let mut said = Vec::new();
    for post in &posts {
        let length = post.encode_utf16().count();
        prop_assert!(length <= limits.length.unwrap(), "{length}:\n{post}");
        let found = marked_words(read(post));
        prop_assert!(found.is_ok(), "{found:?} in\n{post}");
        said.extend(found.unwrap());
    }
    let texts = texts_repeated_in_posts(&document.blocks)
        .into_iter()
        .map(Mark::Text);
    let repeated: BTreeSet<String> = marked_words(Ok(texts.collect()))
        .unwrap()
        .into_iter()
        .collect();
    said.retain(|word| !repeated.contains(word));
    let mut expected = marked_words(read(&whole.concat())).unwrap();
    expected.retain(|word| !repeated.contains(word));
    said.sort_unstable();
    expected.sort_unstable();
    prop_assert_eq!(said, expected, "{}", posts.join("\n=======\n"));
    Ok(())
}

fn any_limits() -> impl Strategy<Value = Limits> {
    (Limits::SHORTEST..1200, any::<bool>()).prop_map(|(length, numbered)| Limits {
        length: Some(length),
        numbered,
    })
}

#[test]
fn a_number_at_the_start_of_a_post_is_no_marked_word() {
    let words = marked_words(Ok(vec![Mark::Text("0z[b] q17z 0z".to_owned())]));
    assert_eq!(words, Ok(vec!["17".to_owned()]));
}

proptest! {
    #[test]
    fn posts_of_bbcode_say_everything_once(document in any_wordy_document(), limits in any_limits()) {
        check_words_written_once(&document, Forum::Bbcode, &limits, readers::bbcode)?;
    }

    #[test]
    fn posts_of_discord_say_everything_once(document in any_wordy_document(), limits in any_limits()) {
        check_words_written_once(&document, Forum::Discord, &limits, readers::discord)?;
    }

    #[test]
    fn posts_of_html_say_everything_once(document in any_wordy_document(), limits in any_limits()) {
        check_words_written_once(&document, Forum::Html, &limits, readers::html)?;
    }

    #[test]
    fn posts_of_markdown_say_everything_once(document in any_wordy_document(), limits in any_limits()) {
        check_words_written_once(&document, Forum::Markdown, &limits, readers::markdown)?;
    }
}
