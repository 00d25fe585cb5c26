//! The command `salt`: sets a player's text that the dice depend on too.

use host::doc::Document;
use host::doc::build::{list, paragraph};
use host::game;
use host::game::{Call, CommandKind, HostCommand, Reply, Timeline, salts};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "salt",
    syntax: &["salt {text: Rest}", "salt"],
    formerly: &[],
    summary: "adds a text of yours to the source of the dice: salt TEXT",
    help: "From the next phase on (without phases, from the next ruling on), the dice come from the seed and all \
           salts together. So a person who chose the seed cannot know the dice. `salt` alone lists the salts.",
    kind: CommandKind::Note(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    // The exact text matters, so it comes from the typed line and not from the parsed slot.
    let text = call
        .ruling
        .line
        .trim()
        .get("salt".len()..)
        .unwrap_or_default();
    if text.is_empty() {
        return Reply::document(salts_document(timeline));
    }
    game::add_salt(timeline, call.ruling, text.trim())
}

fn salts_document(timeline: &Timeline) -> Document {
    let salts = salts(timeline.state());
    if salts.is_empty() {
        return Document::new([paragraph("there are no salts")]);
    }
    let lines = salts
        .iter()
        .map(|salt| format!("{}: {}", salt.by, salt.text));
    Document::new([list(lines)])
}
