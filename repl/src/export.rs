//! Exports a whole game: one document, or a folder of pages.
//!
//! Other code decides which parts each reader may see. This file decides place and format only. A file is written
//! beside its place and moved there when it is complete. Pages replace earlier pages and nothing else.

mod file_writer;
mod html_pages;
mod story_document;

pub(crate) use file_writer::write_whole_file;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use host::diag::{Diagnostic, near_hint};
use host::doc::{Document, Format, Kind, Screen, Viewer, csv};
use host::game::{self, Chronicle, Corrections, Replay, Solo, Story, Timeline};
use host::words::Words;
use serde_json::{Value as Json, json};

use crate::arguments::{Common, ExportStyle, RulesOf};
use crate::exit_code::Exit;
use crate::finding_format;
use crate::game_folder::{self, Folder};
use crate::game_thread::open_session;
use crate::home_lookup;
use crate::output::Output;
use crate::pages;
use crate::reply_output;
use crate::save_pack_open;
use crate::typed_path;

/// Content and reader of an export.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    /// `public`, `gm`, or the name of a seat.
    pub(crate) whom: &'a str,
    /// The file; `None` for the standard output.
    pub(crate) out: Option<&'a Path>,
    /// Whether a file may be overwritten that this program did not write.
    pub(crate) anyway: bool,
    /// The folder of pages.
    pub(crate) pages: Option<&'a Path>,
    /// Whether rulings that were taken back are included.
    pub(crate) corrections: Corrections,
    /// The style; nothing for the style of the format.
    pub(crate) style: Option<ExportStyle>,
}

/// A game as one reader may know it.
struct Source<'a> {
    timeline: &'a Timeline,
    viewer: Viewer,
    corrections: Corrections,
    style: Option<ExportStyle>,
}

/// Returns whether rulings that were taken back are included, as requested.
pub(crate) fn corrections_for_flag(are_asked_for: bool) -> Corrections {
    match are_asked_for {
        true => Corrections::Told,
        false => Corrections::LeftOut,
    }
}

/// Exports a saved game.
pub(crate) fn export_saved_game(
    common: &Common,
    game: Option<&Path>,
    wanted: Wanted<'_>,
    output: &mut Output,
) -> Exit {
    let solo = match open_game_read_only(common, game, output) {
        Ok(solo) => solo,
        Err((refusal, exit)) => {
            reply_output::write_refusal(output, &refusal);
            return exit;
        }
    };
    let named = common.format.is_some().then(|| common.format());
    let done = viewer_named(solo.timeline(), wanted.whom).and_then(|viewer| {
        let source = Source {
            timeline: solo.timeline(),
            viewer,
            corrections: wanted.corrections,
            style: wanted.style,
        };
        match (wanted.pages, wanted.out) {
            (Some(folder), _) => write_pages(&source.pages()?, folder, wanted.anyway)
                .map(|told| output.write_stderr_unless_quiet(&told)),
            (None, Some(file)) => {
                let format = named.map_or_else(|| format_of_file_name(file), Ok)?;
                let text = source.text(format, &Screen::default())?;
                write_export_file(file, &text, wanted.anyway)
                    .map(|told| output.write_stderr_unless_quiet(&told))
            }
            (None, None) => {
                let format = match source.style {
                    Some(ExportStyle::Replay) => named.unwrap_or(Format::Html),
                    Some(ExportStyle::Story | ExportStyle::Log) | None => output.format,
                };
                output.write_safe_text(&source.text(format, output.screen())?);
                Ok(())
            }
        }
    });
    match done {
        Ok(()) => Exit::Ok,
        Err(refusal) => {
            reply_output::write_refusal(output, &refusal);
            Exit::of_refusal(&refusal)
        }
    }
}

/// Exports the current game as requested in the REPL: reader, format, and typed place.
///
/// Errors: there is no such reader; the place cannot be used; a user interrupts the export, and nothing is written.
pub(crate) fn export_current_game(
    solo: &Solo,
    (whom, format, corrections): (&str, &str, Corrections),
    said: &str,
) -> Result<Vec<String>, Box<Diagnostic>> {
    let (named, style) = match format {
        // The log and the replay are styles of the format that an export has without a name.
        LOG => (Some(Format::Html), Some(ExportStyle::Log)),
        REPLAY => (Some(Format::Html), Some(ExportStyle::Replay)),
        other => (Format::parse(other), None),
    };
    let source = Source {
        timeline: solo.timeline(),
        viewer: viewer_named(solo.timeline(), whom)?,
        corrections,
        style,
    };
    let (said, anyway) = match said.trim_end().strip_suffix(" anyway") {
        Some(place) => (place, true),
        None => (said, false),
    };
    let place = typed_path::expanded_path(said);
    if said.trim_end().ends_with(['/', '\\']) || place.is_dir() {
        return match named {
            None | Some(Format::Html) => {
                let pages = source.pages()?;
                game::check_not_interrupted(solo.timeline())?;
                Ok(vec![write_pages(&pages, &place, anyway)?])
            }
            Some(other) => {
                let message = format!("pages can only be HTML, not {}", other.as_str());
                let finding = Diagnostic::error("export/pages", message);
                Err(Box::new(
                    finding.hint("name a file, or leave out the format"),
                ))
            }
        };
    }
    let (place, format) = match (said.trim(), named) {
        ("", named) => {
            let format = named.unwrap_or(Format::Html);
            let part = match style {
                Some(ExportStyle::Replay) => "-replay",
                Some(ExportStyle::Story | ExportStyle::Log) | None => "",
            };
            (default_export_path(solo, (whom, part), format), format)
        }
        (_, Some(format)) => (place, format),
        (_, None) => {
            let format = format_of_file_name(&place)?;
            (place, format)
        }
    };
    let text = source.text(format, &Screen::default())?;
    game::check_not_interrupted(solo.timeline())?;
    Ok(vec![write_export_file(&place, &text, anyway)?])
}

/// The word of the REPL for the log as HTML.
const LOG: &str = "log";

/// The word of the REPL for the replay.
const REPLAY: &str = "replay";

impl Source<'_> {
    /// Returns the style: the one that was asked for, else the one of the format.
    fn style_of_format(&self, format: Format) -> ExportStyle {
        self.style.unwrap_or(match format {
            Format::Html => ExportStyle::Story,
            Format::Terminal
            | Format::Markdown
            | Format::Bbcode
            | Format::Discord
            | Format::Rst
            | Format::Csv
            | Format::Json => ExportStyle::Log,
        })
    }

    fn chronicle(&self) -> Result<Chronicle, Box<Diagnostic>> {
        game::chronicle_for_viewer(self.timeline, &self.viewer, self.corrections)
    }

    fn story(&self) -> Result<Story, Box<Diagnostic>> {
        game::story_for_viewer(self.timeline, &self.viewer, self.corrections)
    }

    /// Returns the replay of the game. Errors: `export/style`, it is asked for a player or with corrections; the game
    /// cannot be read.
    fn replay(&self) -> Result<Replay, Box<Diagnostic>> {
        let refused = |message: &str, hint: &str| {
            Err(Box::new(
                Diagnostic::error("export/style", message).hint(hint),
            ))
        };
        match (&self.viewer, self.corrections) {
            (Viewer::Seat { .. }, _) => refused(
                "a replay is for everybody or for the game master, and not for one player",
                "leave out the player, or leave out the style: a player gets a story",
            ),
            (_, Corrections::Told) => refused(
                "a replay has only what is valid, and no corrections",
                "leave out the corrections, or leave out the style: a story can show them",
            ),
            (Viewer::Public | Viewer::Gm, Corrections::LeftOut) => {
                game::replay_for_viewer(self.timeline, &self.viewer)
            }
        }
    }

    /// Returns the whole game as one text. Errors: `export/style`; the game cannot be read.
    fn text(&self, format: Format, screen: &Screen) -> Result<String, Box<Diagnostic>> {
        match (self.style_of_format(format), format) {
            (ExportStyle::Log, _) => Ok(chronicle_text(&self.chronicle()?, format, screen)),
            (ExportStyle::Story, Format::Html) => Ok(pages::single_page(&self.story()?)),
            (ExportStyle::Replay, Format::Html) => Ok(pages::replay_page(&self.replay()?)),
            (ExportStyle::Replay, other) => {
                let message = format!("a replay can only be HTML, not {}", other.as_str());
                let finding = Diagnostic::error("export/style", message);
                Err(Box::new(finding.hint(
                    "leave out the format, or name a file that ends in .html",
                )))
            }
            (ExportStyle::Story, Format::Csv | Format::Json) => {
                let message = format!(
                    "a story is for people, and {} for programs",
                    format.as_str()
                );
                let finding = Diagnostic::error("export/style", message);
                Err(Box::new(
                    finding.hint("leave out `--style story`, or name another format"),
                ))
            }
            (
                ExportStyle::Story,
                Format::Terminal
                | Format::Markdown
                | Format::Bbcode
                | Format::Discord
                | Format::Rst,
            ) => {
                let document = story_document::story_as_document(&self.story()?);
                Ok(format.render(&document, None, screen) + "\n")
            }
        }
    }

    /// Returns the whole game as pages: the name of each file with its text.
    fn pages(&self) -> Result<BTreeMap<String, String>, Box<Diagnostic>> {
        match self.style_of_format(Format::Html) {
            ExportStyle::Story => Ok(pages::story_pages(&self.story()?)),
            ExportStyle::Log => Ok(html_pages::linked_pages(&self.chronicle()?)),
            ExportStyle::Replay => {
                let finding = Diagnostic::error("export/style", "a replay is one file, not pages");
                Err(Box::new(finding.hint("name a file that ends in .html")))
            }
        }
    }
}

/// File endings, each with its format.
const ENDINGS: [(&str, Format); 9] = [
    ("html", Format::Html),
    ("htm", Format::Html),
    ("md", Format::Markdown),
    ("bbcode", Format::Bbcode),
    ("discord", Format::Discord),
    ("rst", Format::Rst),
    ("csv", Format::Csv),
    ("json", Format::Json),
    ("txt", Format::Terminal),
];

/// Returns the format of a file name. Errors: its ending has no format.
pub(crate) fn format_of_file_name(place: &Path) -> Result<Format, Box<Diagnostic>> {
    let ending = place.extension().unwrap_or_default().to_string_lossy();
    let found = ENDINGS
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(&ending));
    found.map(|(_, format)| *format).ok_or_else(|| {
        let message = format!("unknown format: the ending of {} does not name one", place.display());
        let endings = ENDINGS.map(|(ending, _)| ending);
        let finding = Diagnostic::error("export/ending", message).hint(near_hint(&ending, endings));
        let endings = format!("the endings are {}", endings.join(", "));
        Box::new(finding.hint(endings).hint(
            "or name the format: `as markdown` in the game, `--format markdown` on the command line",
        ))
    })
}

/// Returns the file ending of a format.
pub(crate) fn ending_of_format(format: Format) -> &'static str {
    let ending = ENDINGS.iter().find(|(_, known)| *known == format);
    ending.map_or("txt", |(ending, _)| *ending)
}

/// Returns a file that is named after its reader, beside the folder of the game or in the current folder.
fn default_export_path(solo: &Solo, (whom, part): (&str, &str), format: Format) -> PathBuf {
    let ending = ending_of_format(format);
    let whom: String = whom
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .collect();
    let folder = solo.folder().map(Path::to_owned);
    let folder = folder.unwrap_or_else(|| solo.session.options().ruleset.clone().into());
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!("{name}-{whom}{part}.{ending}"))
}

/// Opens a game read-only under its recorded rules: they decide who is in which group.
fn open_game_read_only(
    common: &Common,
    game: Option<&Path>,
    output: &mut Output,
) -> Result<Solo, (Diagnostic, Exit)> {
    let games = game_folder::games_folder(common);
    let usage = |refusal: Diagnostic| (refusal, Exit::Usage);
    let named = game.or(common.game.as_deref());
    let Some(named) = named else {
        let finding =
            Diagnostic::error("save/no-game", "the name of the game to export is missing");
        let inside: Vec<String> = game_folder::games_in_folder(&games)
            .iter()
            .map(|game| game.display().to_string())
            .collect();
        let hint = match inside.is_empty() {
            true => "type `arbiter export FOLDER`".to_owned(),
            false => format!("type `arbiter export FOLDER`; games: {}", inside.join(", ")),
        };
        return Err(usage(finding.hint(hint)));
    };
    let folder = match game_folder::find_game_by_path_or_name(&games, named) {
        Folder::Kept(folder) => folder,
        Folder::Packed(file) => {
            let message = format!("{} is a file, not the folder of a game", file.display());
            let finding = Diagnostic::error("save/no-game", message);
            let hint = format!("`arbiter play {}` unpacks it", file.display());
            return Err(usage(finding.hint(hint)));
        }
        Folder::New(path) => return Err(usage(game_folder::no_game_refusal(&games, &path))),
        Folder::Nowhere => return Err(usage(game_folder::no_game_refusal(&games, Path::new("")))),
    };
    let common = Common {
        rules: RulesOf::Recorded,
        read_only: true,
        ..common.clone()
    };
    let home = home_lookup::home_for_game(&common, None).map_err(|refusal| usage(*refusal))?;
    let start = home_lookup::saved_game_start(&common, home, folder);
    match open_session(start, std::sync::Arc::default()) {
        Ok((solo, _)) => Ok(solo),
        Err(findings) => {
            let mut findings = findings.into_iter();
            let first = findings.next();
            for found in findings {
                output.write_finding_to_stderr(&found);
            }
            let first = first.expect("invariant: a game that does not open says why");
            let exit = Exit::of_refusal(&first);
            Err((first, exit))
        }
    }
}

/// Returns the reader: the public, the game master, a seat, or the members of `group:NAME`.
///
/// Errors: there is no such seat; nobody is in the group.
pub(crate) fn viewer_named(timeline: &Timeline, whom: &str) -> Result<Viewer, Box<Diagnostic>> {
    match whom.trim() {
        word if word.eq_ignore_ascii_case("public") => Ok(Viewer::Public),
        word if word.eq_ignore_ascii_case("gm") => Ok(Viewer::Gm),
        name if let Some(group) = name.strip_prefix("group:") => {
            let seats = game::seats_in_play_or_error(timeline)?;
            seats.recorded_addressee(name)?;
            Ok(Viewer::group(group))
        }
        name => {
            let name = name.strip_prefix("seat:").unwrap_or(name);
            let seat = game::seats_in_play_or_error(timeline)?
                .seat_by_name(name)
                .map_err(|refusal| {
                    Box::new(refusal.hint("public means everybody, gm the game master"))
                })?;
            Ok(game::viewer_of_seat(timeline, &seat))
        }
    }
}

/// Returns a whole game as one text of a format.
pub(crate) fn chronicle_text(chronicle: &Chronicle, format: Format, screen: &Screen) -> String {
    match format {
        Format::Html => html_pages::single_page(chronicle),
        Format::Csv => csv(&chronicle.ledger_tables()),
        Format::Json => json_lines(chronicle),
        Format::Terminal | Format::Markdown | Format::Bbcode | Format::Discord | Format::Rst => {
            let text = format.render(&chronicle.document(), None, screen);
            text + "\n"
        }
    }
}

/// Returns a game for programs: an object with the facts, one for each event, one for each ledger.
fn json_lines(chronicle: &Chronicle) -> String {
    // Programs find the same keys in every language.
    let english = Words::english();
    let facts = chronicle.facts.iter();
    let facts: serde_json::Map<String, Json> = facts
        .map(|fact| (english.text(fact.key), json!(fact.value)))
        .collect();
    let mut lines = vec![json!({ "title": chronicle.title, "facts": facts })];
    for chapter in &chronicle.chapters {
        for event in &chapter.events {
            let documents: Vec<Json> = event.documents.iter().map(document_json).collect();
            let mut line = json!({
                "line": event.number, "chapter": chapter.title, "by": event.by, "command": event.command,
                "fate": event.fate, "holds": event.holds, "documents": documents,
            });
            if let Some(through) = &event.through {
                line["through"] = json!(through);
            }
            lines.push(line);
        }
    }
    for ledger in &chronicle.ledgers {
        let title = english.text(&format!("log.{}", ledger.id));
        let rows = ledger.table.data.as_ref().map(host::value::to_json);
        lines.push(json!({ "ledger": title, "rows": rows }));
    }
    let lines = lines
        .iter()
        .map(|line| finding_format::json_line(line) + "\n");
    lines.collect()
}

fn document_json(document: &Document) -> Json {
    let mut object = json!({
        "audience": document.audience.to_string(), "text": host::doc::plain(document),
        "data": document.data.as_ref().map(host::value::to_json),
    });
    if document.kind != Kind::Story {
        object["kind"] = json!(document.kind.table_key());
    }
    object
}

/// Writes pages and reports the written files. Errors: they cannot be written.
fn write_pages(
    pages: &BTreeMap<String, String>,
    folder: &Path,
    anyway: bool,
) -> Result<String, Box<Diagnostic>> {
    file_writer::write_page_folder(folder, pages, anyway)?;
    let first = folder.join(pages::INDEX);
    let first = first.display();
    Ok(match pages.len() {
        1 => format!("wrote 1 page: {first}"),
        count => format!("wrote {count} pages; the first is {first}"),
    })
}

/// Refuses to write a file that this program did not write. Errors: its path is wrong; the file is not ours.
pub(crate) fn check_file_is_ours(file: &Path, anyway: bool) -> Result<(), Box<Diagnostic>> {
    file_writer::check_named_file(file, anyway)
}

/// Writes a file. It replaces a file that this program wrote, and with `anyway` any other. Out: a report.
///
/// Errors: the file is not ours; it cannot be written.
pub(crate) fn write_export_file(
    file: &Path,
    text: &str,
    anyway: bool,
) -> Result<String, Box<Diagnostic>> {
    file_writer::write_named_file(file, text, anyway)?;
    let size = save_pack_open::size_text(text.len() as u64);
    Ok(format!("wrote {}: {size}", file.display()))
}
