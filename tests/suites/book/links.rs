//! Each link of the book leads to a file and an anchor.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use arbiter_tests::project;
use repl::markdown_page::Page;

use super::pages;

#[test]
fn each_link_leads_somewhere() {
    let pages = pages();
    let by_path: BTreeMap<&str, &Page> = pages.iter().map(|one| (one.path.as_str(), one)).collect();
    let mut dead = Vec::new();
    for page in &pages {
        for link in &page.links {
            if !link.target.contains("://") && !is_target_there(page, &link.target, &by_path) {
                dead.push(format!("{}:{}: {}", page.path, link.line, link.target));
            }
        }
    }
    assert_eq!(dead, Vec::<String>::new());
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
