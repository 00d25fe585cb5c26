//! Puts fragments into a complete page of HTML that needs no other file.
//!
//! The stylesheet is part of the page. It follows the reader's choice of light or dark and prints on paper. A policy in
//! the head forbids scripts and all content from other places. Pages refer to each other by relative links only, so a
//! folder of pages can be opened from a disk.

use std::fmt::Write;

use super::escape_text;
use crate::doc::hidden_character_gate::gate_single_line;

const STYLE: &str = include_str!("style.css");

/// SHA-256 of the content of the element `style`, in base 64: the one style that the policy of a page allows.
const STYLE_HASH: &str = "8A8cpfsFVlawlSf2PFDyzZBNk6vzWEg1/dbt3P/hR/Q=";

/// The contents of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page<'a> {
    /// Its heading and the title of its window.
    pub title: &'a str,
    /// The language of its texts, as `en`; if empty, none is named.
    pub language: &'a str,
    /// Links to other pages or to sections of this one, shown above and below.
    pub links: &'a [Link<'a>],
    /// Its contents, in order.
    pub sections: &'a [Section<'a>],
}

/// A link to a page of the same folder or below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link<'a> {
    /// The shown text.
    pub text: &'a str,
    /// The file, relative to this page, as `rulings/day-2.html`; empty for this page.
    pub path: &'a str,
    /// The section to jump to: its [`Section::id`]; empty for the start of the page.
    pub section: &'a str,
    /// Whether it leads to the shown page: it is marked instead of linked.
    pub is_current: bool,
}

/// A fragment with its id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Section<'a> {
    /// Its id in links; only letters, digits, `-` and `_` of it count; may be empty.
    pub id: &'a str,
    /// The result of [`super::html`]: it is inserted unchanged.
    pub html: &'a str,
}

/// Returns a complete page, with a final line end.
///
/// The fragments must come from [`super::html`]; title and links may be any text.
pub fn page(page: &Page<'_>) -> String {
    let title = escape_text(&gate_single_line(page.title));
    let language = keep_id_characters(page.language);
    let language = if language.is_empty() {
        String::new()
    } else {
        format!(" lang=\"{language}\"")
    };
    let links = navigation_html(page.links);
    let sections: String = page.sections.iter().map(section_html).collect();
    format!(
        "<!DOCTYPE html>\n<html{language}>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{STYLE_HASH}'\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{title}</h1>\n{links}</header>\n<main>\n{sections}</main>\n\
         <footer>\n{links}</footer>\n</body>\n</html>\n"
    )
}

fn navigation_html(links: &[Link<'_>]) -> String {
    if links.is_empty() {
        return String::new();
    }
    let mut out = "<nav>\n<ul>\n".to_owned();
    for link in links {
        let text = escape_text(&gate_single_line(link.text));
        let target = escape_text(&link_address(link));
        let written = if link.is_current {
            writeln!(out, "<li><span aria-current=\"page\">{text}</span></li>")
        } else {
            writeln!(out, "<li><a href=\"{target}\">{text}</a></li>")
        };
        written.expect("invariant: writing to a String succeeds");
    }
    out + "</ul>\n</nav>\n"
}

fn section_html(section: &Section<'_>) -> String {
    let id = keep_id_characters(section.id);
    if id.is_empty() {
        format!("{}\n", section.html)
    } else {
        format!("<section id=\"{id}\">\n{}\n</section>\n", section.html)
    }
}

/// Returns an address that every reader treats as one inside the folder: no scheme, no root, no way up.
fn link_address(link: &Link<'_>) -> String {
    let parts = link.path.split(['/', '\\']);
    let parts = parts.filter(|part| !matches!(*part, "" | "." | ".."));
    let path: Vec<String> = parts.map(percent_encode).collect();
    let section = keep_id_characters(link.section);
    match (path.is_empty(), section.is_empty()) {
        (true, _) => format!("#{section}"),
        (false, true) => path.join("/"),
        (false, false) => format!("{}#{section}", path.join("/")),
    }
}

fn percent_encode(part: &str) -> String {
    let mut out = String::new();
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").expect("invariant: writing to a String succeeds");
        }
    }
    out
}

fn keep_id_characters(text: &str) -> String {
    let is_kept = |c: &char| c.is_ascii_alphanumeric() || *c == '-' || *c == '_';
    text.chars().filter(is_kept).collect()
}
