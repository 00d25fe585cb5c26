//! The pages about the script API: one for each table of functions, and one for each section of `act`.

use host::script::{Function, Group, declarations, host_definitions};

use super::generated_page::GeneratedPage;
use super::markdown_text::{code, escaped, table};

/// Returns the pages about the script API. A function and a type that differ in case share a page: `decimal`, `Decimal`.
pub(super) fn api_pages() -> Vec<GeneratedPage> {
    let mut pages: Vec<GeneratedPage> = Vec::new();
    for page in declarations().iter().flat_map(pages_of_group) {
        match pages.iter_mut().find(|one| one.path == page.path) {
            Some(first) => {
                let functions = page.text.find("\n## ").unwrap_or(page.text.len());
                first.text.push_str(&page.text[functions..]);
            }
            None => pages.push(page),
        }
    }
    pages
}

fn pages_of_group(group: &Group) -> Vec<GeneratedPage> {
    let name = match group.is_type {
        true => group.name.clone(),
        false => group.name.to_lowercase(),
    };
    let file = name.to_lowercase();
    if group.sections.is_empty() {
        let body = type_declaration(group) + &functions_text(group, &group.functions);
        let about = first_sentence(&group.text, &format!("The functions of {name}."));
        let rest = group.text.strip_prefix(about.as_str()).unwrap_or_default();
        let body = format!("{}\n\n{body}", escaped(rest.trim()));
        let path = format!("reference/api/{file}.md");
        return vec![GeneratedPage::new(
            path,
            &code(&name),
            &escaped(&about),
            body.trim_start(),
        )];
    }
    let pages = group.sections.iter().enumerate().map(|(number, section)| {
        let about = first_sentence(&section.text, &format!("Functions of `{file}`."));
        let rest = section
            .text
            .strip_prefix(about.as_str())
            .unwrap_or_default();
        let body = functions_text(group, group.functions_of(number));
        let body = format!("{}\n\n{body}", escaped(rest.trim()));
        let path = format!("reference/api/{file}-{}.md", slug(&section.title));
        let title = format!("`{file}`: {}", lower_first(&section.title));
        GeneratedPage::new(path, &title, &escaped(&about), body.trim_start())
    });
    pages.collect()
}

/// Returns the declaration of a type that has no functions.
fn type_declaration(group: &Group) -> String {
    let head = format!("export type {} = ", group.name);
    let declared = host_definitions();
    let line = declared.lines().find(|line| line.starts_with(&head));
    let line = line.filter(|_| group.functions.is_empty());
    line.map_or_else(String::new, |line| format!("```luau\n{line}\n```\n\n"))
}

/// Returns the first sentence of a text, or another one if there is no text.
fn first_sentence(text: &str, or: &str) -> String {
    match text.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None if text.trim().is_empty() => or.to_owned(),
        None => text.to_owned(),
    }
}

fn functions_text(group: &Group, functions: &[Function]) -> String {
    functions
        .iter()
        .map(|one| function_text(group, one))
        .collect()
}

fn function_text(group: &Group, function: &Function) -> String {
    let mut text = format!(
        "## `{}`\n\n{}\n\n```luau\n{}: {}\n```\n\n",
        crate::api::qualified_name(group, function),
        escaped(&function.text),
        function.name,
        function.signature
    );
    if !function.keys.is_empty() {
        text.push_str(&format!("{}\n", key_table(function)));
    }
    for (word, note) in &function.notes {
        text.push_str(&format!("- *{word}*: {}\n", escaped(note)));
    }
    if !function.notes.is_empty() {
        text.push('\n');
    }
    for example in &function.examples {
        text.push_str(&format!("```luau\n{example}\n```\n\n"));
    }
    text
}

/// Returns the table of the keys of the options of a function.
pub(super) fn key_table(function: &Function) -> String {
    let rows = function.keys.iter();
    let rows = rows.map(|(key, meaning)| vec![code(key), escaped(meaning)]);
    table(&["key", "meaning"], rows)
}

/// Returns a title as a part of a file name.
fn slug(title: &str) -> String {
    let title = title.split(',').next().unwrap_or(title).to_lowercase();
    let words = title.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words
        .filter(|word| !word.is_empty() && *word != "the")
        .collect();
    words.join("-")
}

fn lower_first(title: &str) -> String {
    let mut chars = title.chars();
    let first = chars.next().map(|c| c.to_lowercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_its_section_on_one_page() {
        let pages = api_pages();
        for group in declarations() {
            for function in &group.functions {
                let heading = format!("\n## `{}`\n", crate::api::qualified_name(&group, function));
                let found = pages.iter().filter(|page| page.text.contains(&heading));
                assert_eq!(found.count(), 1, "{heading}");
            }
        }
        for page in &pages {
            assert!(page.text.contains("```luau"), "{} says nothing", page.path);
        }
        let paths: Vec<&str> = pages.iter().map(|page| page.path.as_str()).collect();
        assert!(
            paths.contains(&"reference/api/act-stat-store.md"),
            "{paths:?}"
        );
        assert!(paths.contains(&"reference/api/dice.md"), "{paths:?}");
    }
}
