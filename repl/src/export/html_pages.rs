//! Writes a whole game as linked pages of HTML.

use std::collections::BTreeMap;

use host::doc::{Document, Link, Page, Section, html, page};
use host::game::{Chapter, Chronicle};
use host::words::{ENGLISH, Hole, Words};

use crate::pages::INDEX;

/// Maximum number of events on a page; a longer chapter gets more pages.
const EVENTS: usize = 200;

/// One page without links: its file, its title, its sections with their ids.
struct Leaf {
    file: String,
    title: String,
    sections: Vec<(String, String)>,
}

/// Returns a game as one page.
pub(super) fn single_page(chronicle: &Chronicle) -> String {
    let leaves = leaf_pages(chronicle);
    let head = html(&chronicle.head());
    let titled = leaves.iter().enumerate().map(|(at, leaf)| {
        let title = Document::new([host::doc::build::heading(1, leaf.title.as_str())]);
        (format!("part-{}", at + 1), html(&title))
    });
    let titled: Vec<(String, String)> = titled.collect();
    let mut sections = vec![Section {
        id: "",
        html: &head,
    }];
    for (leaf, (id, title)) in leaves.iter().zip(&titled) {
        sections.push(Section { id, html: title });
        sections.extend(leaf.sections.iter().map(|(id, html)| Section { id, html }));
    }
    let links = leaves.iter().zip(&titled);
    let links: Vec<Link<'_>> = links
        .map(|(leaf, (id, _))| Link {
            text: &leaf.title,
            path: "",
            section: id,
            is_current: false,
        })
        .collect();
    page(&Page {
        title: &chronicle.title,
        language: language(chronicle),
        links: &links,
        sections: &sections,
    })
}

/// Returns a game as pages: the name of each file with its text.
pub(super) fn linked_pages(chronicle: &Chronicle) -> BTreeMap<String, String> {
    let mut leaves = leaf_pages(chronicle);
    let head = ("facts".to_owned(), html(&chronicle.head()));
    leaves.insert(
        0,
        Leaf {
            file: INDEX.to_owned(),
            title: chronicle.title.clone(),
            sections: vec![head],
        },
    );
    let written = leaves.iter().map(|leaf| {
        let links: Vec<Link<'_>> = leaves
            .iter()
            .map(|other| Link {
                text: &other.title,
                path: &other.file,
                section: "",
                is_current: other.file == leaf.file,
            })
            .collect();
        let sections = leaf.sections.iter();
        let sections: Vec<Section<'_>> = sections.map(|(id, html)| Section { id, html }).collect();
        let text = page(&Page {
            title: &leaf.title,
            language: language(chronicle),
            links: &links,
            sections: &sections,
        });
        (leaf.file.clone(), text)
    });
    written.collect()
}

fn leaf_pages(chronicle: &Chronicle) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    for chapter in &chronicle.chapters {
        leaves.extend(
            chapter
                .events
                .chunks(EVENTS)
                .enumerate()
                .map(|(part, events)| {
                    let sections = events.iter();
                    let sections = sections.map(|event| {
                        (
                            format!("line-{}", event.number),
                            html(&event.document(&chronicle.words)),
                        )
                    });
                    (
                        chapter_title(chapter, part, &chronicle.words),
                        sections.collect(),
                    )
                }),
        );
    }
    let numbered = leaves.into_iter().enumerate();
    let mut leaves: Vec<Leaf> = numbered
        .map(|(at, (title, sections))| Leaf {
            file: format!("part-{}.html", at + 1),
            title,
            sections,
        })
        .collect();
    leaves.extend(chronicle.ledgers.iter().map(|ledger| Leaf {
        file: format!("{}.html", ledger.id),
        title: ledger.title.clone(),
        sections: vec![(String::new(), html(&ledger.table))],
    }));
    leaves
}

fn chapter_title(chapter: &Chapter, part: usize, words: &Words) -> String {
    match part {
        0 => chapter.title.clone(),
        later => {
            let holes: [Hole<'_>; 2] = [("title", &chapter.title), ("part", &(later + 1))];
            words.fill("story.part", &holes)
        }
    }
}

/// Returns the language of a log; English needs no name.
fn language(chronicle: &Chronicle) -> &str {
    match chronicle.words.tag() {
        ENGLISH => "",
        tag => tag,
    }
}
