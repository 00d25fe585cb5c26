//! The command `export`.

use host::diag::Diagnostic;
use host::game;
use host::game::{
    Call, CommandKind, HostCommand, PrintedPost, PrintedPosts, ProgramRequest, Reply, Timeline,
    gm_only_refusal,
};
use host::script::EACH_READER;

use super::only_by_game_master;
use crate::export::viewer_named;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "export",
    syntax: &[
        "export [for {reader: Reader}] [as {format: terminal|markdown|bbcode|discord|html|rst|csv|json|log|replay}] [with corrections] [to {place: Rest}]",
        "export [for {reader: Reader}] {then: done|published} [up to {line: Integer}]",
    ],
    formerly: &[],
    summary: "writes the whole game into a file or a folder of pages, for everybody or one reader",
    help: "The export contains only what its reader is allowed to know. HTML is a story: result, cast, and chapters \
           by phase, round or day; runs of votes and moves are folded. Other formats are a log: commands and \
           messages by chapter, and tables of dice and changes; `export as log` writes the log as HTML. `export as \
           replay` writes one HTML page to step through, phase by phase, with what was known then. Readers see the \
           game as it is valid now; `with corrections` also shows what was undone or left out. A log for the game \
           master always shows everything. `export` alone writes one HTML page for everybody, beside the folder of \
           the game. `export for WHO` writes it for one reader, `export as FORMAT` writes another format, `export to \
           PLACE` writes into a file or a folder. A place such as site/ becomes a folder of pages. The ending of a \
           file name also selects the format: .md, .bbcode, .rst, .csv, .json. `export done` notes that the last \
           export was published, `export done up to 57` one that you wrote elsewhere: later corrections of it are a \
           line of the story. On the command line: arbiter export FOLDER --for Ann.",
    kind: CommandKind::Publication(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    let done = match call.text("then").is_empty() {
        true => export_reply(timeline, call),
        false => noted_reply(timeline, call),
    };
    done.unwrap_or_else(|refusal| Reply::refused(*refusal))
}

fn export_reply(timeline: &Timeline, call: &Call<'_>) -> Result<Reply, Box<Diagnostic>> {
    let whom = reader_of_call(call)?;
    let (format, place) = (call.text("format"), call.text("place"));
    let corrections = asks_for_corrections(call.ruling.line, &place);
    let reply = only_by_game_master(call, || {
        Reply::program_request(ProgramRequest::Export {
            whom: whom.clone(),
            format,
            place,
            corrections,
        })
    });
    let last = timeline.history().operations().len() as u64;
    let printed = whole_game(timeline, &whom, last).filter(|_| reply.refusal.is_none());
    Ok(Reply {
        printed_posts: printed,
        ..reply
    })
}

/// Notes that the last export for a reader was published, or one that was written up to a log line.
///
/// Errors: `export/nothing-written`, `post/unknown-line`; a seat asks for it.
fn noted_reply(timeline: &mut Timeline, call: &Call<'_>) -> Result<Reply, Box<Diagnostic>> {
    if let Some(refusal) = gm_only_refusal(call.by(), "can note what was published") {
        return Err(Box::new(refusal));
    }
    let whom = reader_of_call(call)?;
    let to = viewer_named(timeline, &whom)?.audience();
    let printed = match call.text("line").is_empty() {
        true => call
            .client()
            .last_export()
            .filter(|printed| printed.posts.iter().any(|post| post.to == [to.clone()]))
            .cloned()
            .ok_or_else(|| nothing_written_refusal(&whom))?,
        false => {
            let line =
                super::line_number_in_slot(call, "line", ("post/unknown-line", super::NUMBERS))?;
            let is_known = (1..=timeline.history().operations().len() as u64).contains(&line);
            let printed = whole_game(timeline, &whom, line).filter(|_| is_known);
            printed.ok_or_else(|| {
                let message = format!("the log has no line {line}");
                let finding = Diagnostic::error("post/unknown-line", message);
                Box::new(finding.hint(super::NUMBERS))
            })?
        }
    };
    let reply = game::note_posts(timeline, call, &printed);
    Ok(game::reply_with_posts_to_correct(
        timeline,
        call.by(),
        reply,
    ))
}

/// Returns an export of all lines up to one, as it is published; nothing if the reader is not known.
fn whole_game(timeline: &Timeline, whom: &str, last: u64) -> Option<PrintedPosts> {
    let to = viewer_named(timeline, whom).ok()?.audience();
    let post = PrintedPost {
        to: vec![to],
        lines: vec![(1, last)],
        parts: Vec::new(),
    };
    Some(PrintedPosts {
        posts: vec![post],
        after: last,
        is_export: true,
    })
}

/// Returns the reader of a line. Errors: `export/reader`, it names each reader.
fn reader_of_call(call: &Call<'_>) -> Result<String, Box<Diagnostic>> {
    match call.text("reader").as_str() {
        "" => Ok("public".to_owned()),
        EACH_READER => {
            let message = "an export has one reader";
            let hint = "type `export for NAME` for each of them";
            Err(Box::new(
                Diagnostic::error("export/reader", message).hint(hint),
            ))
        }
        named => Ok(named.to_owned()),
    }
}

fn nothing_written_refusal(whom: &str) -> Box<Diagnostic> {
    let (message, word) = match whom {
        "public" => (
            "no export for everybody was written in this session".to_owned(),
            String::new(),
        ),
        whom => (
            format!("no export for {whom} was written in this session"),
            format!(" for {whom}"),
        ),
    };
    let hint = format!("`export{word} done up to 57` notes one that shows the game up to line 57");
    Box::new(Diagnostic::error("export/nothing-written", message).hint(hint))
}

/// Returns whether a line asks for corrections before its place.
fn asks_for_corrections(line: &str, place: &str) -> bool {
    let before = line.trim_end().strip_suffix(place.trim()).unwrap_or(line);
    let words = before.split_whitespace();
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    words.windows(2).any(|two| *two == ["with", "corrections"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_are_asked_for_before_the_place_and_not_in_it() {
        for (line, place, is_asked) in [
            ("export with corrections", "", true),
            (
                "export for Ann as csv With  Corrections to a.csv",
                "a.csv",
                true,
            ),
            (
                "export to game with corrections.md",
                "game with corrections.md",
                false,
            ),
            ("export", "", false),
        ] {
            assert_eq!(asks_for_corrections(line, place), is_asked, "{line}");
        }
    }
}
