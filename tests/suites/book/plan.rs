//! The README and the book have the parts that their readers expect, in their order and each of one kind.

use arbiter_tests::project;
use repl::markdown_page::Page;

use super::{chapters, pages};

/// The headings of the README, in order.
const README_PARTS: [&str; 9] = [
    "Arbiter",
    "Sixty seconds",
    "What ships",
    "Install",
    "Five first commands",
    "Write a rule",
    "Guarantees",
    "Documentation",
    "Status, contributing, licence",
];

/// The shipped rulesets.
const RULESETS: [&str; 5] = ["fortune", "dungeon", "opend6", "wwrf", "features"];

/// The pages that each ruleset has, with their kinds.
const OF_RULESETS: [(&str, &str); 5] = [
    ("first-hour", "Tutorial"),
    ("tasks", "How-to"),
    ("commands", "Reference"),
    ("definitions", "Reference"),
    ("diagnostics", "Reference"),
];

/// The kinds of the pages of each folder.
const KINDS_OF_FOLDERS: [(&str, &str); 6] = [
    ("game-masters/", "How-to"),
    ("moderators/", "How-to"),
    ("write-rules/", "How-to"),
    ("reference/", "Reference"),
    ("concepts/", "Explanation"),
    ("rules/", "Reference"),
];

/// Pages of another kind than their folder, and pages in no such folder.
const KINDS_OF_PAGES: [(&str, &str); 10] = [
    ("index", "Tutorial"),
    ("install", "How-to"),
    ("first-game", "Tutorial"),
    ("write-rules/first-ruleset", "Tutorial"),
    ("moderators/forum-votes", "Reference"),
    ("contribute/architecture", "Explanation"),
    ("contribute/adding", "How-to"),
    ("contribute/style", "Reference"),
    ("contribute/profiling", "How-to"),
    ("contribute/releasing", "How-to"),
];

/// The pages of the book besides those of rulesets, by folder.
const PAGES: [(&str, &[&str]); 7] = [
    ("", &["index", "install", "first-game"]),
    (
        "game-masters/",
        &["running", "mistakes", "disputes", "questions", "saving"],
    ),
    ("moderators/", &["posts", "threads", "export", "secrets"]),
    (
        "write-rules/",
        &[
            "first-ruleset",
            "extend",
            "stats-and-rows",
            "attributes",
            "events",
            "queues",
            "questions",
            "phases-and-plans",
            "polls",
            "dice",
            "yaml-content",
            "text-content",
            "secrets",
            "tests",
            "simulate",
            "editor",
        ],
    ),
    (
        "reference/",
        &[
            "constructors",
            "slot-types",
            "blocks",
            "events",
            "durations",
            "expressions",
            "cli",
            "commands",
            "diagnostics",
            "limits",
            "test-files",
            "journal",
            "glossary",
        ],
    ),
    (
        "concepts/",
        &[
            "rulings",
            "history",
            "dice-proofs",
            "secrets",
            "broken-rules",
        ],
    ),
    (
        "contribute/",
        &["architecture", "adding", "style", "profiling", "releasing"],
    ),
];

/// The parts of the list of pages, by their readers, in order.
const AUDIENCES: [&str; 9] = [
    "Summary",
    "Start",
    "Game masters",
    "Forum moderators",
    "Rulesets",
    "Write rules",
    "Reference",
    "Concepts",
    "Contribute",
];

/// What every game has: each is the title of a section of the reference.
const SECTIONS: [&str; 4] = [
    "dice and chance",
    "the stat store",
    "attributes and their durations",
    "queues, for example a killing queue",
];

fn readme() -> Page {
    let text = std::fs::read_to_string(project().join("README.md")).unwrap();
    Page::read("README.md", &text)
}

/// Returns the headings of a page.
fn titles(page: &Page) -> Vec<&str> {
    page.headings.iter().map(|(_, title)| &**title).collect()
}

#[test]
fn the_readme_has_its_parts_in_their_order() {
    let page = readme();
    assert_eq!(titles(&page), README_PARTS);
    let line_of = |title: &str| {
        let found = page.headings.iter().find(|(_, one)| one == title);
        found.map(|(line, _)| *line).unwrap()
    };
    let picture = page
        .links
        .iter()
        .find(|link| link.target.ends_with("terminal.svg"));
    let picture = picture.expect("the README has the picture").line;
    assert!(picture < line_of("Sixty seconds"), "README.md:{picture}");
    let first = page
        .text
        .lines()
        .find(|line| line.starts_with("**Arbiter**"));
    assert!(first.is_some(), "README.md says first what Arbiter is");
}

#[test]
fn the_readme_leads_to_each_ruleset_and_proves_each_guarantee() {
    let page = readme();
    let links_from = |line: usize| page.links.iter().any(|link| link.line == line);
    for ruleset in RULESETS {
        let row = page.rows.iter().find(|row| {
            let first = row.cells.first();
            first.is_some_and(|cell| *cell == format!("`{ruleset}`"))
        });
        let row = row.unwrap_or_else(|| panic!("README.md has no row about {ruleset}"));
        assert!(links_from(row.line), "README.md:{} has no link", row.line);
    }
    let part = page.text.split("\n## Guarantees\n").nth(1).unwrap();
    let part = part.split("\n## ").next().unwrap();
    let guarantees: Vec<&str> = part.split("\n- ").skip(1).collect();
    for word in ["Undo", "Why", "Dice proof", "Secrets"] {
        let own = guarantees
            .iter()
            .find(|one| one.starts_with(&format!("**{word}.**")));
        let own = own.unwrap_or_else(|| panic!("README.md does not guarantee: {word}"));
        assert!(own.contains("](docs/src/"), "README.md: {own}");
    }
}

/// Returns the kind that a page must have: the path is that in the book, without `.md`.
fn expected_kind(path: &str) -> Option<&'static str> {
    let exact = KINDS_OF_PAGES.iter().find(|(page, _)| *page == path);
    let of_ruleset = || {
        let (_, page) = path.strip_prefix("rulesets/")?.split_once('/')?;
        OF_RULESETS.iter().find(|(one, _)| *one == page)
    };
    let of_folder = || {
        let inside = path
            .strip_prefix("rulesets/")
            .and_then(|rest| rest.split_once('/'));
        let path = inside.map_or(path, |(_, rest)| rest);
        let mut folders = KINDS_OF_FOLDERS.iter();
        folders.find(|(folder, _)| path.starts_with(folder))
    };
    let found = exact.or_else(of_ruleset).or_else(of_folder);
    found.map(|(_, kind)| *kind)
}

/// Returns the pages of another kind than their place in the book has.
fn pages_of_another_kind(pages: &[Page]) -> Vec<String> {
    let mut wrong = Vec::new();
    for page in pages {
        let path = page.path.trim_start_matches("docs/src/");
        let path = path.trim_end_matches(".md");
        let opening = page.text.lines().enumerate().find(|(_, line)| {
            let is_comment = line.starts_with('<');
            !line.is_empty() && !line.starts_with('#') && !is_comment
        });
        let (line, opening) = opening.unwrap_or_default();
        match expected_kind(path) {
            None => wrong.push(format!("{}:1: its folder has no kind", page.path)),
            Some(kind) if !opening.starts_with(&format!("*{kind}.*")) => {
                wrong.push(format!("{}:{}: no *{kind}.*", page.path, line + 1));
            }
            Some(_) => {}
        }
    }
    wrong
}

#[test]
fn each_page_is_of_the_kind_of_its_place() {
    assert_eq!(pages_of_another_kind(&chapters()), Vec::<String>::new());
    let page = |path: &str, text: &str| Page::read(path, text);
    let planted = [
        page(
            "docs/src/concepts/rulings.md",
            "# R\n\n*How-to.* You read.\n",
        ),
        page("docs/src/elsewhere/a.md", "# A\n\n*How-to.* You read.\n"),
        page(
            "docs/src/rulesets/wwrf/tasks.md",
            "# T\n\n*How-to.* You read.\n",
        ),
    ];
    assert_eq!(
        pages_of_another_kind(&planted),
        [
            "docs/src/concepts/rulings.md:3: no *Explanation.*",
            "docs/src/elsewhere/a.md:1: its folder has no kind"
        ]
    );
}

#[test]
fn each_page_of_the_plan_is_there() {
    let chapters = chapters();
    let paths: Vec<&str> = chapters.iter().map(|page| page.path.as_str()).collect();
    let of_book = PAGES.iter().flat_map(|(folder, pages)| {
        let path = |page: &&str| format!("docs/src/{folder}{page}.md");
        pages.iter().map(path).collect::<Vec<_>>()
    });
    let of_rulesets = RULESETS.iter().flat_map(|ruleset| {
        OF_RULESETS.map(|(page, _)| format!("docs/src/rulesets/{ruleset}/{page}.md"))
    });
    let missing = of_book.chain(of_rulesets);
    let missing: Vec<String> = missing
        .filter(|path| !paths.contains(&path.as_str()))
        .collect();
    assert_eq!(missing, Vec::<String>::new());
    for ruleset in RULESETS {
        let folder = format!("docs/src/rulesets/{ruleset}/rules/");
        assert!(
            paths.iter().any(|path| path.starts_with(&folder)),
            "{folder}"
        );
    }
}

#[test]
fn the_list_of_pages_is_ordered_by_readers_and_names_what_every_game_has() {
    let summary = pages()
        .into_iter()
        .find(|page| page.path == super::SUMMARY)
        .unwrap();
    assert_eq!(titles(&summary), AUDIENCES);
    for section in SECTIONS {
        let line = format!("- [`act`: {section}](");
        assert!(summary.text.contains(&line), "{}: {line}", summary.path);
    }
}

/// The letter before the numbers of the rulings of a ruleset, empty where they are numbers of a chapter.
const RULINGS: [(&str, &str); 5] = [
    ("fortune", "ruling-f"),
    ("dungeon", "ruling-d"),
    ("opend6", "r12-"),
    ("wwrf", "ruling-r"),
    ("features", "ruling-a"),
];

/// The number of rulings of each ruleset. A ruling that is gone would leave its number free for another one.
const COUNTS: [usize; 5] = [12, 31, 38, 67, 66];

#[test]
fn each_numbered_ruling_has_its_anchor() {
    for ((ruleset, head), count) in RULINGS.into_iter().zip(COUNTS) {
        let folder = format!("docs/src/rulesets/{ruleset}/rules/");
        let of_rules = chapters()
            .into_iter()
            .filter(|page| page.path.starts_with(&folder));
        let anchors = of_rules.flat_map(|page| page.anchors);
        let mut numbers: Vec<usize> = anchors
            .filter_map(|anchor| anchor.strip_prefix(head)?.parse().ok())
            .collect();
        numbers.sort_unstable();
        let expected: Vec<usize> = (1..=count).collect();
        assert_eq!(numbers, expected, "{ruleset}");
    }
}

/// The head of the tables of keys.
const KEY_HEAD: [&str; 4] = ["key", "value", "default", "meaning"];

/// Returns the rows about keys without a meaning.
fn keys_without_meaning(page: &Page) -> Vec<String> {
    let (mut is_key_table, mut found) = (false, Vec::new());
    for row in &page.rows {
        if row.is_head {
            is_key_table = row.cells == KEY_HEAD;
        } else if is_key_table && row.cells.last().is_none_or(String::is_empty) {
            let key = row.cells.first().map_or("", String::as_str);
            found.push(format!("{}:{}: {key}", page.path, row.line));
        }
    }
    found
}

#[test]
fn each_key_of_a_definition_has_a_meaning() {
    let (mut found, mut count) = (Vec::new(), 0);
    for page in chapters() {
        count += page.rows.iter().filter(|row| row.cells == KEY_HEAD).count();
        found.extend(keys_without_meaning(&page));
    }
    // The text is the comment above the key, in its schema.
    assert_eq!(found, Vec::<String>::new());
    assert!(count > 60, "{count}");
    let table = "| key | value | default | meaning |\n|---|---|---|---|\n| `a` | a text | | |\n";
    let planted = Page::read("docs/src/a.md", table);
    assert_eq!(keys_without_meaning(&planted), ["docs/src/a.md:3: `a`"]);
}
