//! Draws the first transcript of the README as a picture of a terminal.

use std::fmt::Write;

use crate::markdown_page::Page;
use crate::path_scope::README;

/// Sizes in pixels: of one character, of one line, and of the border.
const CHARACTER: f64 = 8.4;
const LINE: usize = 20;
const BORDER: usize = 16;

/// The style of the picture. It follows the reader's choice of light or dark.
const STYLE: &str = "text { font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre; fill: #1f2328 } \
                     rect { fill: #f6f8fa; stroke: #d0d7de } .typed { font-weight: bold } .gm { fill: #57606a } .edit { fill: #0a6640 } \
                     @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } rect { fill: #0d1117; stroke: #30363d } \
                     .gm { fill: #9da7b1 } .edit { fill: #56d364 } }";

/// A line of the terminal: the class of its text, and the text.
type Line = (&'static str, String);

/// Returns the first transcript of a page as an SVG; nothing if the page has none.
pub(super) fn picture_of_first_transcript(page: &str) -> Option<String> {
    let block = Page::read(README, page)
        .blocks
        .into_iter()
        .find(|block| block.words.first().is_some_and(|word| word == "transcript"))?;
    let prompt = block.words.get(1)?;
    let lines: Vec<Line> = block
        .text
        .lines()
        .filter_map(|line| terminal_line(prompt, line))
        .collect();
    Some(svg_of_lines(&lines))
}

/// Returns a line of a transcript as the terminal shows it. Titles and settings are not shown.
fn terminal_line(prompt: &str, line: &str) -> Option<Line> {
    let rest = |mark: &str| {
        line.strip_prefix(mark)
            .map(|rest| rest.strip_prefix(' ').unwrap_or(rest))
    };
    if let Some(command) = rest(">") {
        return Some(("typed", format!("{prompt}> {command}")));
    }
    if let Some(edit) = rest("<") {
        return Some(("edit", format!("(saved) {edit}")));
    }
    let said = rest("|")?;
    Some(match said.strip_prefix("gm: ") {
        Some(said) => ("gm", said.to_owned()),
        None => ("said", said.to_owned()),
    })
}

fn svg_of_lines(lines: &[Line]) -> String {
    let longest = lines.iter().map(|(_, text)| text.chars().count()).max();
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a line has a few hundred characters at most"
    )]
    let text_width = (longest.unwrap_or_default() as f64 * CHARACTER).ceil() as usize;
    let width = text_width + 2 * BORDER;
    let height = lines.len() * LINE + 2 * BORDER;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"A game in the terminal\">\n<style>{STYLE}</style>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n",
        width - 1,
        height - 1
    );
    for (number, (class, text)) in lines.iter().enumerate() {
        let y = BORDER + number * LINE + LINE * 3 / 4;
        let text = escaped_text(text);
        writeln!(
            svg,
            "<text class=\"{class}\" x=\"{BORDER}\" y=\"{y}\">{text}</text>"
        )
        .expect("invariant: a text can be extended");
    }
    svg + "</svg>\n"
}

fn escaped_text(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_transcript_is_drawn_line_by_line() {
        let page = "# A\n```sh\nls\n```\n```transcript mini\n--- title\n> mood Ann <x>\n| 4\n| gm: five\n< a.luau: 1 => 2\n```\n";
        let svg = picture_of_first_transcript(page).unwrap();
        for part in [
            "<text class=\"typed\" x=\"16\" y=\"31\">mini&gt; mood Ann &lt;x&gt;</text>",
            "<text class=\"said\" x=\"16\" y=\"51\">4</text>",
            "<text class=\"gm\" x=\"16\" y=\"71\">five</text>",
            "<text class=\"edit\" x=\"16\" y=\"91\">(saved) a.luau: 1 =&gt; 2</text>",
            "height=\"112\"",
        ] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
        assert!(!svg.contains("title"));
        assert_eq!(picture_of_first_transcript("# A\n"), None);
    }
}
