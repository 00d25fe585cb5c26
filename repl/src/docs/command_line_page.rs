//! The page about the command line: each verb with its arguments.

use clap::{Arg, Command, CommandFactory};

use super::generated_page::GeneratedPage;
use super::markdown_text::{code, escaped, sentence, table};
use crate::arguments::Arguments;

/// Returns the page about the command line.
pub(super) fn command_line_page() -> GeneratedPage {
    let program = Arguments::command();
    let exits = program.get_after_help().map(ToString::to_string);
    let global = program.get_arguments().filter(|one| one.is_global_set());
    let mut body = String::from("## Options of every verb\n\n");
    body.push_str(&argument_table(global));
    for verb in program.get_subcommands() {
        body.push_str(&verb_section(verb));
    }
    let exits = exits.unwrap_or_default();
    if let Some((_, codes)) = exits.split_once("Exit codes: ") {
        let rows = codes.trim_end_matches('.').split(", ").map(|one| {
            let (code, meaning) = one.split_once(' ').unwrap_or((one, ""));
            vec![code.to_owned(), sentence(meaning)]
        });
        body.push_str(&format!(
            "\n## Exit codes\n\n{}",
            table(&["code", "meaning"], rows)
        ));
    }
    GeneratedPage::new(
        "reference/cli.md",
        "Command line",
        "Every verb and option of the program `arbiter`.",
        &body,
    )
}

fn verb_section(verb: &Command) -> String {
    let about = verb.get_long_about().or(verb.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let own = || verb.get_arguments().filter(|one| !one.is_global_set());
    let usage: Vec<String> = own()
        .filter(|one| one.is_positional())
        .map(shown_name)
        .collect();
    let usage = [format!("arbiter {}", verb.get_name())]
        .into_iter()
        .chain(usage)
        .collect::<Vec<String>>()
        .join(" ");
    let mut text = format!(
        "\n## `arbiter {}`\n\n{}\n\nUsage: {}\n",
        verb.get_name(),
        escaped(&sentence(&about)),
        code(&usage)
    );
    if own().next().is_some() {
        text.push('\n');
        text.push_str(&argument_table(own()));
    }
    text
}

fn argument_table<'a>(arguments: impl Iterator<Item = &'a Arg>) -> String {
    let shown = arguments.filter(|one| !one.is_hide_set());
    table(&["argument", "meaning"], shown.map(argument_row))
}

fn argument_row(argument: &Arg) -> Vec<String> {
    let help = argument.get_long_help().or(argument.get_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    // Help texts give some defaults in brackets, as the terminal shows them.
    let (help, default) = match help.split_once(" [default: ") {
        Some((help, rest)) => (help.to_owned(), rest.split(']').next().map(str::to_owned)),
        None => (help, None),
    };
    let mut meaning = escaped(&sentence(&help));
    if let Some(default) = default {
        meaning.push_str(&format!(" Default: {}.", escaped(&default)));
    }
    let values: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set() && argument.get_action().takes_values())
        .map(|value| code(value.get_name()))
        .collect();
    if !values.is_empty() {
        meaning.push_str(&format!(" One of {}.", values.join(", ")));
    }
    let defaults: Vec<String> = argument
        .get_default_values()
        .iter()
        .filter(|_| argument.get_action().takes_values())
        .map(|value| code(&value.to_string_lossy()))
        .collect();
    if !defaults.is_empty() {
        meaning.push_str(&format!(" Default: {}.", defaults.join(", ")));
    }
    if let Some(variable) = argument.get_env() {
        meaning.push_str(&format!(
            " The environment variable {} sets it too.",
            code(&variable.to_string_lossy())
        ));
    }
    vec![code(&shown_name(argument)), meaning]
}

/// Returns an argument as people type it: `--seed TEXT`, `[PATH]...`.
fn shown_name(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    let values: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    let is_flag = !argument.get_action().takes_values();
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    let options: Vec<String> = short.into_iter().chain(long).collect();
    match (options.is_empty(), is_flag) {
        (false, true) => options.join(", "),
        (false, false) => format!("{} {}", options.join(", "), values.join(" ")),
        (true, _) => {
            let name = values.join(" ");
            let several = argument
                .get_num_args()
                .is_some_and(|some| some.max_values() > 1);
            let dots = if several { "..." } else { "" };
            match argument.is_required_set() {
                true => format!("{name}{dots}"),
                false => format!("[{name}]{dots}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_verb_has_its_section() {
        let page = command_line_page();
        for verb in Arguments::command().get_subcommands() {
            let heading = format!("\n## `arbiter {}`\n", verb.get_name());
            assert!(page.text.contains(&heading), "{heading}");
        }
        assert!(!page.text.contains("[default:"), "{}", page.text);
        assert!(page.text.contains("| `--seed TEXT` |"), "{}", page.text);
        assert!(page.text.contains("| 70 |"), "{}", page.text);
    }
}
