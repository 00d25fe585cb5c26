//! The frame of a page: its head, its heading, its links, and the one style that its policy allows.

use host::words::Words;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style of all pages.
const STYLE: &str = include_str!("style.css");

/// SHA-256 of the style, in base 64: the policy of a page allows this style and nothing else.
const STYLE_HASH: &str = "2AYOPSuBpx39ILLYahgrv+8U68mvYj6PEiiKOuON1c8=";

/// A script with the style of its controls, for the pages that need one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extra {
    /// The style, in addition to the style of all pages.
    pub(super) style: &'static str,
    /// SHA-256 of the style, in base 64.
    pub(super) style_hash: &'static str,
    /// The script; it runs at the end of the page.
    pub(super) script: &'static str,
    /// SHA-256 of the script, in base 64.
    pub(super) script_hash: &'static str,
}

/// A page: what stands around its content.
#[derive(Clone, Debug)]
pub(super) struct Frame<'a> {
    /// The heading.
    pub(super) title: &'a str,
    /// The title of the window; it names the game too.
    pub(super) window: &'a str,
    /// The words around its texts, and their language.
    pub(super) words: &'a Words,
    /// One line below the heading; may be empty.
    pub(super) lead: &'a str,
    /// The page before, the index and the page after, as they are shown above and below.
    pub(super) links: &'a [Link<'a>],
}

/// A link to another page of the folder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<'a> {
    /// The text.
    pub(super) text: &'a str,
    /// The file.
    pub(super) file: &'a str,
    /// The relation of that page: `prev`, `next`, or nothing.
    pub(super) relation: Option<&'a str>,
}

/// Returns a complete page with a final line end.
pub(super) fn page(frame: &Frame<'_>, content: &Markup) -> String {
    page_with_extra(frame, content, None)
}

/// Returns a complete page with a script, if it needs one, and with a final line end.
pub(super) fn page_with_extra(
    frame: &Frame<'_>,
    content: &Markup,
    extra: Option<&Extra>,
) -> String {
    let mut policy = format!("default-src 'none'; style-src 'sha256-{STYLE_HASH}'");
    if let Some(extra) = extra {
        let (style, script) = (extra.style_hash, extra.script_hash);
        policy.push_str(&format!(" 'sha256-{style}'; script-src 'sha256-{script}'"));
    }
    let words = frame.words;
    let language = language_tag(words.tag());
    let page = html! {
        (DOCTYPE)
        html lang=(language) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="referrer" content="no-referrer";
                title { (frame.window) }
                style { (PreEscaped(STYLE)) }
                @if let Some(extra) = extra { style { (PreEscaped(extra.style)) } }
            }
            body {
                header {
                    h1 { (frame.title) }
                    @if !frame.lead.is_empty() { p.lead { (frame.lead) } }
                    (navigation(frame.links, &words.text("story.pages")))
                }
                main { (content) }
                @if !frame.links.is_empty() {
                    footer { (navigation(frame.links, &words.text("story.pages_below"))) }
                }
                @if let Some(extra) = extra { script { (PreEscaped(extra.script)) } }
            }
        }
    };
    page.into_string() + "\n"
}

fn navigation(links: &[Link<'_>], label: &str) -> Markup {
    html! {
        @if !links.is_empty() {
            nav aria-label=(label) {
                ul.pages {
                    @for link in links {
                        li { a href=(link.file) rel=[link.relation] { (link.text) } }
                    }
                }
            }
        }
    }
}

/// Returns a language that is safe to name: English if it is empty or has other characters.
fn language_tag(language: &str) -> &str {
    let is_tag = |c: char| c.is_ascii_alphanumeric() || c == '-';
    match !language.is_empty() && language.len() <= 35 && language.chars().all(is_tag) {
        true => language,
        false => "en",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_links_are_escaped_and_the_policy_has_one_style() {
        let links = [Link {
            text: "a<b",
            file: "x.html",
            relation: Some("next"),
        }];
        let frame = Frame {
            title: "<script>1</script>",
            window: "\"q\" & 'r'",
            words: &host::words::choose_words(Some("\" onload=x"), &[]).words,
            lead: "",
            links: &links,
        };
        let text = page(&frame, &html! { p { "hi" } });
        assert!(
            !text.contains("<script") && text.contains("&lt;script&gt;"),
            "{text}"
        );
        assert!(text.contains("<html lang=\"en\">"), "{text}");
        assert!(
            text.contains("<a href=\"x.html\" rel=\"next\">a&lt;b</a>"),
            "{text}"
        );
        assert_eq!(text.matches("style-src 'sha256-").count(), 1);
    }
}
