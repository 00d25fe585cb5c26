//! The pages about commands: those of the host, and those of each ruleset.

use host::content::Definition;
use host::game::{HostCommand, Solo, rules_cited_by_source};
use host::script::{LIBRARY, syntax_lines};

use super::generated_page::GeneratedPage;
use super::markdown_text::{code, escaped, sentence, table};
use crate::commands::COMMANDS;

/// The collection of commands.
const COLLECTION: &str = "commands";

/// Returns the page about the commands of every game: those of the host, and those of the library.
pub(super) fn host_commands_page(solo: &Solo) -> GeneratedPage {
    let mut commands: Vec<&HostCommand> = COMMANDS.iter().collect();
    commands.sort_by_key(|command| command.id);
    let sections = commands.into_iter().map(|command| {
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
    let body = format!(
        "{}## Commands of the library\n\nScripts that every ruleset has. A ruleset can replace them.\n\n{}",
        sections.collect::<String>(),
        command_table(solo, |mod_name| mod_name == LIBRARY)
    );
    GeneratedPage::new(
        "reference/commands.md",
        "Commands of every game",
        "The commands that every game has, with every ruleset. `help WORD` shows the same text.",
        &body,
    )
}

/// Returns the page about the commands of a ruleset.
pub(super) fn ruleset_page(solo: &Solo, ruleset: &str) -> GeneratedPage {
    let rules = solo.timeline().rules();
    let name = rules.ruleset.get("name");
    let name = name.as_str().unwrap_or(ruleset);
    let body = format!(
        "`help WORD` in a game says more about each. [Commands of every game](../../reference/commands.md) are on their \
         own page.\n\n{}",
        command_table(solo, |mod_name| mod_name != LIBRARY)
    );
    GeneratedPage::new(
        format!("rulesets/{ruleset}/commands.md"),
        &format!("Commands of {ruleset}"),
        &format!("The lines that people type in a game of {name}, besides those of every game."),
        &body,
    )
}

/// Returns a table of the commands of some mods.
fn command_table(solo: &Solo, is_meant: impl Fn(&str) -> bool) -> String {
    let rules = solo.timeline().rules();
    let mut commands: Vec<&Definition> = rules
        .registry
        .iter()
        .map(AsRef::as_ref)
        .filter(|one| one.collection.as_ref() == COLLECTION && is_meant(&one.mod_name))
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
        vec![lines.join("<br>"), summary, linked_source(&text("source"))]
    });
    table(&["line", "what it does", "source"], rows)
}

/// Returns a source with a link to each rule page that it cites, from a page in the folder of a ruleset.
fn linked_source(source: &str) -> String {
    let mut pages: Vec<String> = rules_cited_by_source(source)
        .into_iter()
        .filter_map(|rule| Some(format!("../../{}", rule.page()?.strip_prefix("docs/src/")?)))
        .collect();
    pages.dedup();
    let links = pages.iter().enumerate();
    let links = links.map(|(number, page)| format!(" [{}]({page})", number + 1));
    escaped(source) + &links.collect::<String>()
}
