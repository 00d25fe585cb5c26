//! The pages about commands: those of the host, and those of each ruleset.

use host::content::Definition;
use host::game::Solo;
use host::script::syntax_lines;

use super::generated_page::GeneratedPage;
use super::markdown_text::{code, escaped, sentence, table};
use crate::commands::COMMANDS;

/// The collection of commands.
const COLLECTION: &str = "commands";

/// Returns the page about the commands of the host.
pub(super) fn host_commands_page() -> GeneratedPage {
    let sections = COMMANDS.iter().map(|command| {
        let lines: Vec<String> = command.syntax.iter().map(|line| code(line)).collect();
        let mut text = format!(
            "## `{}`\n\n{}\n\nLines: {}\n\n",
            command.id,
            escaped(&sentence(command.summary)),
            lines.join(" · ")
        );
        if !command.help.is_empty() {
            text.push_str(&format!("{}\n\n", escaped(&sentence(command.help))));
        }
        text
    });
    GeneratedPage::new(
        "reference/commands.md",
        "Commands of the host",
        "The commands that every game has, with every ruleset. `help WORD` shows the same text.",
        &sections.collect::<String>(),
    )
}

/// Returns the page about the commands of a ruleset.
pub(super) fn ruleset_page(solo: &Solo, ruleset: &str) -> GeneratedPage {
    let rules = solo.timeline().rules();
    let mut commands: Vec<&Definition> = rules
        .registry
        .iter()
        .map(AsRef::as_ref)
        .filter(|one| one.collection.as_ref() == COLLECTION)
        .collect();
    commands.sort_by(|one, other| one.id.cmp(&other.id));
    let rows = commands.into_iter().map(|command| {
        let text = |key: &str| {
            command
                .value
                .get(key)
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        let lines: Vec<String> = syntax_lines(command)
            .iter()
            .map(|line| code(line))
            .collect();
        let summary = escaped(&sentence(&text("summary")));
        vec![lines.join("<br>"), summary, escaped(&text("source"))]
    });
    let name = rules.ruleset.get("name");
    let name = name.as_str().unwrap_or(ruleset);
    let body = format!(
        "`help WORD` in a game says more about each. The commands of the host are [here](../../reference/commands.md).\n\n{}",
        table(&["line", "what it does", "source"], rows)
    );
    GeneratedPage::new(
        format!("rulesets/{ruleset}/commands.md"),
        &format!("Commands of {ruleset}"),
        &format!("Every line that people type in a game of {name}."),
        &body,
    )
}
