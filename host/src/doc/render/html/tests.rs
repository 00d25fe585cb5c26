//! Tests fragments and pages. A common test for all formats checks that no text breaks out of a fragment.

use proptest::prelude::*;

use super::*;
use crate::doc::build::{code, heading, item, list, numbered_list, paragraph, table};
use crate::doc::{Block, Column};

fn html_of_blocks(blocks: impl IntoIterator<Item = Block>) -> String {
    let text = html(&Document::new(blocks));
    let inner = text.strip_prefix("<article>\n").unwrap_or_default();
    inner
        .strip_suffix("\n</article>")
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn texts_are_escaped_everywhere() {
    let shown = html_of_blocks([paragraph("<b> & \"c\" 'd'")]);
    assert_eq!(shown, "<p>&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;</p>");
    let shown = html_of_blocks([code("x\" onload=\"y", "</pre>")]);
    assert_eq!(
        shown,
        "<pre><code class=\"language-xonloady\">&lt;/pre&gt;</code></pre>"
    );
}

#[test]
fn the_page_has_the_first_heading() {
    assert_eq!(
        html_of_blocks([heading(1, "a"), heading(6, "b")]),
        "<h2>a</h2>\n<h6>b</h6>"
    );
}

#[test]
fn cells_say_what_they_are() {
    let column = Column {
        align: Align::Center,
        ..Column::from("a")
    };
    let shown = html_of_blocks([table([column]).row(["b"]).into()]);
    assert_eq!(
        shown,
        "<table>\n<thead><tr><th scope=\"col\" class=\"center\">a</th></tr></thead>\n<tbody>\n\
         <tr><td class=\"center\">b</td></tr>\n</tbody>\n</table>"
    );
    let shown = html_of_blocks([list([item("a\nb", [numbered_list(["c"])])])]);
    assert_eq!(
        shown,
        "<ul>\n<li>a<br>b\n<ol>\n<li>c</li>\n</ol>\n</li>\n</ul>"
    );
}

#[test]
fn a_page_is_whole() {
    let fragment = html(&Document::new([paragraph("Hello.")]));
    let links = [
        Link {
            text: "Start",
            path: "index.html",
            ..Link::default()
        },
        Link {
            text: "Day 2",
            path: "days/2.html",
            section: "op-7",
            is_current: false,
        },
        Link {
            text: "Here",
            is_current: true,
            ..Link::default()
        },
    ];
    let sections = [Section {
        id: "op-1",
        html: &fragment,
    }];
    let shown = page(&Page {
        title: "Ann & Bo",
        language: "en",
        links: &links,
        sections: &sections,
    });
    let (head, body) = shown.split_once("<body>").unwrap();
    assert!(
        head.starts_with("<!DOCTYPE html>\n<html lang=\"en\">")
            && head.contains("<title>Ann &amp; Bo</title>")
    );
    assert!(head.contains("default-src 'none'") && head.contains("@media print"));
    let nav = "<nav>\n<ul>\n<li><a href=\"index.html\">Start</a></li>\n\
               <li><a href=\"days/2.html#op-7\">Day 2</a></li>\n\
               <li><span aria-current=\"page\">Here</span></li>\n</ul>\n</nav>\n";
    assert_eq!(
        body,
        format!(
            "\n<header>\n<h1>Ann &amp; Bo</h1>\n{nav}</header>\n<main>\n<section id=\"op-1\">\n\
             <article>\n<p>Hello.</p>\n</article>\n</section>\n</main>\n<footer>\n{nav}</footer>\n</body>\n</html>\n"
        )
    );
}

/// A separate implementation: six bits for each sign.
fn base64(bytes: &[u8]) -> String {
    let signs: Vec<char> = ('A'..='Z')
        .chain('a'..='z')
        .chain('0'..='9')
        .chain(['+', '/'])
        .collect();
    let bits: Vec<u8> = bytes
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1))
        .collect();
    let sign = |bits: &[u8]| {
        let value = (0..6).fold(0, |sum, at| {
            sum << 1 | bits.get(at).copied().unwrap_or_default()
        });
        signs[usize::from(value)]
    };
    let mut out: String = bits.chunks(6).map(sign).collect();
    out.push_str(&"=".repeat((3 - bytes.len() % 3) % 3));
    out
}

#[test]
fn the_policy_allows_the_style_of_the_page() {
    use sha2::{Digest, Sha256};

    assert_eq!(base64(b"ab"), "YWI=");
    let shown = page(&Page::default());
    let (_, style) = shown.split_once("<style>").unwrap();
    let (style, _) = style.split_once("</style>").unwrap();
    let hash = base64(&Sha256::digest(style.as_bytes()));
    assert!(
        shown.contains(&format!("style-src 'sha256-{hash}'")),
        "{hash}"
    );
}

fn linked(path: &str) -> String {
    let links = [Link {
        text: "x",
        path,
        ..Link::default()
    }];
    let shown = page(&Page {
        links: &links,
        ..Page::default()
    });
    let (_, rest) = shown.split_once("href=\"").unwrap();
    rest.split_once('"').unwrap().0.to_owned()
}

#[test]
fn links_stay_in_the_folder() {
    assert_eq!(linked("javascript:alert(1)"), "javascript%3Aalert%281%29");
    assert_eq!(linked("//x.y/../z"), "x.y/z");
    assert_eq!(linked("C:\\a\\..\\b.html"), "C%3A/a/b.html");
    assert_eq!(linked("tag 2/größe.html"), "tag%202/gr%C3%B6%C3%9Fe.html");
}

proptest! {
    #[test]
    fn no_address_leads_out(path in "[a-z:/\\\\.?#\"<& ]{0,12}|\\PC{0,8}") {
        let address = linked(&path);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.~%/#".contains(c);
        prop_assert!(address.chars().all(is_plain), "{address}");
        prop_assert!(!address.starts_with('/') && address.split('/').all(|part| part != ".."));
    }

    #[test]
    fn titles_and_links_break_nothing(title: String, text: String, id: String) {
        let links = [Link { text: &text, section: &id, ..Link::default() }];
        let sections = [Section { id: &id, html: "<p>x</p>" }];
        let shown = page(&Page { title: &title, language: &id, links: &links, sections: &sections });
        let links = [Link { text: "x", ..links[0] }];
        let harmless = page(&Page { title: "x", language: &id, links: &links, sections: &sections });
        for part in ["<", ">", "\"", "'"] {
            prop_assert_eq!(shown.matches(part).count(), harmless.matches(part).count(), "{}", part);
        }
    }
}
