//! The ending `to FILE.svg` of a query of the rules: the charts of its answer are also drawn into that file.
//!
//! In: a line as it was typed. Out: the query and the place of the file, which only the program around the game can
//! write. A line whose beginning is not such a query keeps all its words.

use std::path::Path;

use crate::diag::{Diagnostic, only_near_name};
use crate::game::attempt::line_parser::{is_query_command, parse_command_line};
use crate::game::timeline::Timeline;
use crate::game::timeline::gm_only::gm_only_refusal;
use crate::script::{Owner, owner_of_template};

/// The ending of the name of a drawn file.
const ENDING: &str = "svg";
/// The endings of other pictures.
const OTHERS: [&str; 8] = ["bmp", "gif", "jpeg", "jpg", "pdf", "png", "svgz", "webp"];
/// The word before the place, and the one behind it that allows to overwrite any file.
const TO: &str = " to ";
const ANYWAY: &str = " anyway";

/// Returns the query and the place of a line that ends in `to FILE.svg`; nothing for other lines.
///
/// Errors: a seat gave the line; the ending is that of another picture, or nearly `svg`.
pub(super) fn split_drawn_line<'a>(
    timeline: &Timeline,
    by: &str,
    line: &'a str,
) -> Result<Option<(&'a str, &'a str)>, Box<Diagnostic>> {
    let Some(split) = split_picture_name(line) else {
        return Ok(None);
    };
    if !is_rules_query(timeline, by, split.line) {
        return Ok(None);
    }
    if !split.ending.eq_ignore_ascii_case(ENDING) {
        return Err(Box::new(ending_refusal(&split)));
    }
    match gm_only_refusal(by, "can use files on the disk") {
        Some(refusal) => Err(Box::new(refusal)),
        None => Ok(Some((split.line, split.place))),
    }
}

/// A line that ends in the name of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Split<'a> {
    line: &'a str,
    /// The typed place, with `anyway`.
    place: &'a str,
    ending: &'a str,
}

/// Returns the parts of a line that ends in the name of a picture.
fn split_picture_name(line: &str) -> Option<Split<'_>> {
    let line = line.trim();
    let named = line.strip_suffix(ANYWAY).unwrap_or(line).trim_end();
    let bare = named.trim_end_matches(['"', '\'']);
    let ending = Path::new(bare).extension()?.to_str()?;
    let mut known = OTHERS.iter().chain([&ENDING]);
    let is_known = known.any(|known| known.eq_ignore_ascii_case(ending));
    if !is_known && only_near_name(ending, [ENDING]).is_none() {
        return None;
    }
    // A name in quotes may contain the word.
    let quote = &named[bare.len()..];
    let before = format!("{TO}{quote}");
    let at = line.to_ascii_lowercase()[..bare.len()].rfind(&before)?;
    let split = Split {
        line: line[..at].trim_end(),
        place: line[at + TO.len()..].trim(),
        ending,
    };
    (!split.line.is_empty()).then_some(split)
}

fn is_rules_query(timeline: &Timeline, by: &str, line: &str) -> bool {
    let read = parse_command_line(timeline, by, line).ok();
    let owner = read.and_then(|(phrase, _)| owner_of_template(&phrase.template));
    match owner {
        Some(owner @ Owner::Definition { .. }) => is_query_command(timeline, &owner),
        Some(Owner::Host(_)) | None => false,
    }
}

/// Refuses the name of a picture that is not SVG.
fn ending_refusal(split: &Split<'_>) -> Diagnostic {
    let place = split.place.strip_suffix(ANYWAY).unwrap_or(split.place);
    let place = place.trim_end();
    let message = format!("charts are only drawn as SVG, and the ending of {place} is not svg");
    let bare = place.trim_end_matches(['"', '\'']);
    let (named, quote) = (
        &bare[..bare.len() - split.ending.len()],
        &place[bare.len()..],
    );
    let line = split.line;
    Diagnostic::error("picture/ending", message)
        .hint(format!("write `{line} to {named}{ENDING}{quote}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_behind_the_last_to_or_inside_of_quotes() {
        for (line, query, place, ending) in [
            ("odds d8 to a.svg", "odds d8", "a.svg", "svg"),
            (
                " odds d8 TO  b/a.SVG anyway ",
                "odds d8",
                "b/a.SVG anyway",
                "SVG",
            ),
            (
                "odds go to hell to a b.svg",
                "odds go to hell",
                "a b.svg",
                "svg",
            ),
            (
                "odds d8 to \"a to b.svg\"",
                "odds d8",
                "\"a to b.svg\"",
                "svg",
            ),
            ("odds d8 to a.png", "odds d8", "a.png", "png"),
            ("odds d8 to a.svq", "odds d8", "a.svq", "svq"),
        ] {
            let expected = Split {
                line: query,
                place,
                ending,
            };
            assert_eq!(split_picture_name(line), Some(expected), "{line}");
        }
        for line in [
            "",
            "odds d8",
            "odds d8 to a.md",
            "to a.svg",
            "odds a.svg",
            "odds d8 to svg",
            "go to é.é",
            "odds d8 to a.save",
        ] {
            assert_eq!(split_picture_name(line), None, "{line}");
        }
    }

    #[test]
    fn another_picture_is_refused_with_the_line_to_write() {
        for (line, hint) in [
            ("odds d8 to a.png anyway", "write `odds d8 to a.svg`"),
            ("odds d8 to \"a b.jpeg\"", "write `odds d8 to \"a b.svg\"`"),
        ] {
            let refusal = ending_refusal(&split_picture_name(line).unwrap());
            assert_eq!(refusal.hints, [hint]);
        }
    }
}
