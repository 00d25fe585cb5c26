//! Each link of the book leads to a file and an anchor.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use arbiter_tests::project;
use repl::markdown_page::Page;

use super::pages;

#[test]
fn each_link_leads_somewhere() {
    assert_eq!(dead_links(&pages()), Vec::<String>::new());
}

#[test]
fn a_dead_link_is_found_with_its_page_and_line() {
    let planted = [
        Page::read(
            "docs/src/a.md",
            "# A\n\n[b](b.md#there) [c](c.md)\n\n[b](b.md#gone)\n",
        ),
        Page::read(
            "docs/src/b.md",
            "# There\n\n[a](a.md) [here](#there) [no](#here)\n",
        ),
    ];
    assert_eq!(
        dead_links(&planted),
        [
            "docs/src/a.md:3: c.md",
            "docs/src/a.md:5: b.md#gone",
            "docs/src/b.md:3: #here"
        ]
    );
}

/// Returns the links that lead to no file or no anchor.
fn dead_links(pages: &[Page]) -> Vec<String> {
    let by_path: BTreeMap<&str, &Page> = pages.iter().map(|one| (one.path.as_str(), one)).collect();
    let mut dead = Vec::new();
    for page in pages {
        for link in &page.links {
            if !link.target.contains("://") && !is_target_there(page, &link.target, &by_path) {
                dead.push(format!("{}:{}: {}", page.path, link.line, link.target));
            }
        }
    }
    dead
}

fn is_target_there(page: &Page, target: &str, by_path: &BTreeMap<&str, &Page>) -> bool {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() {
        page.path.clone()
    } else {
        path_from(&page.path, file)
    };
    match by_path.get(path.as_str()) {
        Some(page) => anchor.is_empty() || page.anchors.contains(anchor),
        None => anchor.is_empty() && project().join(path).exists(),
    }
}

/// Returns the path that a relative path means in a file.
fn path_from(file: &str, relative: &str) -> String {
    let mut found = PathBuf::new();
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    for part in folder.join(relative).components() {
        match part {
            Component::ParentDir => {
                found.pop();
            }
            other => found.push(other),
        }
    }
    found.to_string_lossy().into_owned()
}
