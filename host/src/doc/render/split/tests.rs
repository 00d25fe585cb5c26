//! Tests the places of cuts. A common test for all formats checks that every post is complete.

use super::*;
use crate::doc::Block;
use crate::doc::build::{
    blocks_for, code, fields, heading, item, line, list, numbered_list, paragraph, quote, strong,
    table, text,
};
use crate::doc::{Audience, Item};

const LIMIT: usize = Limits::SHORTEST;

fn cut(blocks: impl IntoIterator<Item = Block>, forum: Forum) -> Vec<String> {
    let limits = Limits {
        length: Some(LIMIT),
        numbered: false,
    };
    split_into_posts(&[Document::new(blocks)], forum, &limits)
}

/// A sentence of 60 signs, with a number.
fn sentence(number: usize) -> String {
    let text = format!("Sentence {number} goes on ");
    format!("{text}{}.", "x".repeat(59 - text.len()))
}

fn sentences(count: usize) -> String {
    let all: Vec<String> = (1..=count).map(sentence).collect();
    all.join(" ")
}

#[test]
fn short_documents_are_one_post_and_nothing_is_none() {
    let both = [
        Document::new([paragraph("a")]),
        Document::new([paragraph("b")]),
    ];
    assert_eq!(
        split_into_posts(&both, Forum::Discord, &Limits::default()),
        ["a\n\nb"]
    );
    assert_eq!(cut([paragraph("")], Forum::Bbcode), Vec::<String>::new());
}

#[test]
fn posts_end_between_blocks_and_a_heading_stays_with_its_text() {
    let blocks = [
        paragraph(sentences(2)),
        heading(2, "Next"),
        paragraph(sentences(2)),
    ];
    let posts = cut(blocks, Forum::Discord);
    assert_eq!(
        posts,
        [sentences(2), format!("## Next\n\n{}", sentences(2))]
    );
}

#[test]
fn a_document_that_fits_into_a_post_of_its_own_is_not_cut_behind_a_half_full_one() {
    let document = |sentences: &[usize]| {
        let texts = sentences.iter().map(|number| paragraph(sentence(*number)));
        Document::new(texts)
    };
    let limits = Limits {
        length: Some(LIMIT),
        numbered: false,
    };
    let split = |documents: &[Document]| split_into_posts(documents, Forum::Discord, &limits);
    let joined = |numbers: &[usize]| {
        let texts: Vec<String> = numbers.iter().map(|number| sentence(*number)).collect();
        texts.join("\n\n")
    };
    // Two sentences are more than half of a post, and a third one would still fit.
    assert_eq!(
        split(&[document(&[1, 2]), document(&[3, 4])]),
        [joined(&[1, 2]), joined(&[3, 4])]
    );
    // One sentence is less than half, so the next document begins behind it.
    assert_eq!(
        split(&[document(&[1]), document(&[2, 3, 4])]),
        [joined(&[1, 2, 3]), joined(&[4])]
    );
    assert_eq!(
        split(&[document(&[1]), document(&[2]), document(&[3])]),
        [joined(&[1, 2, 3])]
    );
}

#[test]
fn a_long_paragraph_is_cut_between_sentences() {
    let posts = cut([paragraph(sentences(5))], Forum::Bbcode);
    assert_eq!(posts.len(), 2);
    assert_eq!(posts[0], sentences(3));
    assert!(posts[1].starts_with("Sentence 4") && posts[1].ends_with('.'));
}

#[test]
fn a_long_sentence_is_cut_between_words_and_a_long_word_somewhere() {
    let words = vec!["word"; 60].join(" ");
    let posts = cut([paragraph(words.as_str())], Forum::Markdown);
    assert_eq!(posts.join(" "), words);
    assert!(posts[0].len() > LIMIT - 6, "{posts:?}");
    let posts = cut([paragraph("漢".repeat(450))], Forum::Markdown);
    let lengths: Vec<usize> = posts.iter().map(|post| post.chars().count()).collect();
    assert_eq!(lengths, [200, 200, 50]);
    let marks = cut([paragraph("e\u{301}".repeat(150))], Forum::Discord);
    assert!(marks.iter().all(|post| post.starts_with('e')), "{marks:?}");
}

#[test]
fn a_word_is_not_cut_behind_headings_that_leave_little_of_the_post() {
    for long in LIMIT - 12..=LIMIT {
        let above = "x".repeat(long - "# ".len());
        let blocks = [heading(1, above.as_str()), heading(2, "Harbour gates")];
        let posts = cut(blocks, Forum::Discord);
        assert!(posts.concat().contains("Harbour"), "{posts:?}");
    }
}

#[test]
fn pictographs_beyond_the_first_plane_count_twice() {
    let posts = cut([paragraph("🎲".repeat(150))], Forum::Discord);
    let lengths: Vec<usize> = posts.iter().map(|post| post.chars().count()).collect();
    assert_eq!(lengths, [100, 50]);
}

#[test]
fn a_style_that_is_cut_is_closed_and_opened_again() {
    let long = line([text("Ann: "), strong(vec!["word"; 60].join(" "))]);
    for post in &cut([paragraph(long)], Forum::Bbcode)[1..] {
        assert!(
            post.starts_with("[b]word") && post.ends_with("word[/b]"),
            "{post}"
        );
    }
}

#[test]
fn rows_of_a_table_have_its_titles_above_them_and_the_caption_once() {
    let mut rows = table(["Name", "HP"]).caption("All");
    for number in 0..60 {
        rows = rows.row([format!("Ann {number}"), "7".to_owned()]);
    }
    let posts = cut([rows.into()], Forum::Discord);
    assert!(posts.len() > 2);
    for (at, post) in posts.iter().enumerate() {
        assert_eq!(post.contains("**All**"), at == 0);
        assert!(post.contains("Name") && post.contains("```\nName") && post.ends_with("```"));
    }
}

#[test]
fn items_keep_their_numbers_and_a_cut_item_has_one_in_both_posts() {
    let items: Vec<Item> = (1..=4)
        .map(|at| item(sentences(2), [paragraph(format!("end {at}"))]))
        .collect();
    let posts = cut([numbered_list(items)], Forum::Discord);
    let starts: Vec<&str> = posts.iter().map(|post| &post[..3]).collect();
    assert_eq!(starts, ["1. ", "2. ", "3. ", "4. "]);
    let posts = cut(
        [numbered_list(["short".into(), item(sentences(6), [])])],
        Forum::Discord,
    );
    assert!(
        posts.len() > 2 && posts[1..].iter().all(|post| post.starts_with("2. ")),
        "{posts:?}"
    );
    let posts = cut(
        [numbered_list([
            "a".into(),
            item(sentences(3), []),
            "b".into(),
        ])],
        Forum::Bbcode,
    );
    assert!(posts[1].starts_with("[list]\n[*]2. Sentence"), "{posts:?}");
}

#[test]
fn a_quotation_and_code_go_on_as_such() {
    let posts = cut([quote([paragraph(sentences(5))])], Forum::Discord);
    assert!(
        posts.len() > 1 && posts.iter().all(|post| post.starts_with("> Sentence")),
        "{posts:?}"
    );
    let secret = blocks_for(Audience::Gm, [paragraph(sentences(5))]);
    let posts = cut([secret], Forum::Bbcode);
    assert!(
        posts
            .iter()
            .all(|post| post.starts_with("[quote]\n[b](gm)[/b]")),
        "{posts:?}"
    );
    let lines: Vec<String> = (0..30).map(|at| format!("print({at})")).collect();
    let posts = cut([code("luau", lines.join("\n"))], Forum::Discord);
    assert!(
        posts
            .iter()
            .all(|post| post.starts_with("```luau\nprint(") && post.ends_with("\n```"))
    );
}

/// Label and language leave 13 signs of a post for the code.
#[test]
fn code_is_not_cut_inside_words_behind_marks_that_leave_little_of_the_post() {
    let words: Vec<String> = (1..=6)
        .map(|at| format!("incomprehensibility{at}"))
        .collect();
    let language = "x".repeat(20);
    let inner = code(language, words.join(" "));
    let secret = blocks_for(Audience::Seat("n".repeat(60)), [inner]);
    let posts = cut([secret], Forum::Html);
    for word in words {
        assert!(
            posts.iter().any(|post| post.contains(&word)),
            "{word} in {posts:?}"
        );
    }
}

#[test]
fn what_fits_nowhere_becomes_plain() {
    let wide = table([sentences(5), "b".to_owned()]).row(["one", "two"]);
    let posts = cut([wide.into()], Forum::Discord);
    assert!(posts[0].starts_with("Sentence 1"), "{posts:?}");
    let last = posts.last().unwrap();
    assert!(last.ends_with("x.\n\nb\n\n```\none  two\n```"), "{last}");
    let posts = cut(
        [fields([
            ("HP", sentences(5)),
            ("AC".to_owned().leak(), "1".into()),
        ])],
        Forum::Bbcode,
    );
    assert!(posts[0].starts_with("[b]HP:[/b] Sentence 1"), "{posts:?}");
    assert!(posts.last().unwrap().ends_with("[b]AC:[/b] 1"));
    let mut deep = paragraph(sentences(4));
    for _ in 0..14 {
        deep = blocks_for(Audience::Seat("n".repeat(60)), [deep]);
    }
    let posts = cut([deep], Forum::Bbcode);
    assert!(posts.iter().all(|post| post.len() <= LIMIT));
    assert!(posts.concat().contains("Sentence 4"));
}

#[test]
fn several_posts_may_be_numbered() {
    let limits = Limits {
        length: Some(LIMIT),
        numbered: true,
    };
    let long = [Document::new([paragraph(sentences(40))])];
    let posts = split_into_posts(&long, Forum::Discord, &limits);
    assert!(posts.len() > 9);
    for (at, post) in posts.iter().enumerate() {
        let mark = format!("({}/{})\nSentence", at + 1, posts.len());
        assert!(post.starts_with(&mark) && post.len() <= LIMIT, "{post}");
    }
    let short = [Document::new([list(["a"])])];
    assert_eq!(split_into_posts(&short, Forum::Markdown, &limits), ["- a"]);
}
