//! Explains a word outside of a game: a command of the program, the code of a diagnostic, a word of the host, or a word
//! of a ruleset.

use clap::CommandFactory;
use host::diag::Diagnostic;
use host::doc::Document;
use host::game::{explain_code, help_for_words, help_without_game};

use crate::api::start_ruleset;
use crate::arguments::{Arguments, Common};
use crate::commands::COMMANDS;
use crate::exit_code::Exit;
use crate::home_lookup;
use crate::output::Output;
use crate::play;
use crate::reply_output;

/// The user for whom a ruleset explains its words.
const READER: &str = "gm";

/// Prints help for words; without words, the help of the program.
pub(crate) fn explain_words(common: &Common, words: &[String], output: &mut Output) -> Exit {
    let words = words.join(" ");
    let words = words.trim().trim_end_matches('?');
    if let Some(text) = program_help(words) {
        output.write_safe_text(&text);
        return Exit::Ok;
    }
    if let Some(document) = explain_code(common.ruleset.as_deref(), words) {
        return print_documents(&[document], output);
    }
    match &common.ruleset {
        Some(ruleset) => explain_word_of_ruleset(common, ruleset, words, output),
        None => match help_without_game(&COMMANDS, &verbs(), words) {
            Ok(document) => print_documents(&[document], output),
            Err(refusal) => {
                let hint = "with --ruleset NAME, help also explains the words of a ruleset";
                refuse(&refusal.hint(hint), output)
            }
        },
    }
}

/// Returns the help of the program, or of one of its verbs; nothing if the word is not a verb.
fn program_help(words: &str) -> Option<String> {
    let mut program = Arguments::command();
    program.build();
    let help = match words {
        "" => program.render_long_help(),
        verb => program.find_subcommand_mut(verb)?.render_long_help(),
    };
    Some(help.ansi().to_string())
}

/// Returns the verbs of the program.
fn verbs() -> Vec<String> {
    let program = Arguments::command();
    let verbs = program.get_subcommands();
    verbs.map(|verb| verb.get_name().to_owned()).collect()
}

/// Explains words as a game of a ruleset does. If the ruleset does not start, it explains the words of the host.
fn explain_word_of_ruleset(
    common: &Common,
    ruleset: &str,
    words: &str,
    output: &mut Output,
) -> Exit {
    let home = home_lookup::named_or_nearest_home(common, &home_lookup::current_folder());
    let started = home
        .map_err(|finding| vec![*finding])
        .and_then(|home| start_ruleset(home, ruleset));
    let solo = match started {
        Ok(solo) => solo,
        Err(findings) => {
            return match help_without_game(&COMMANDS, &verbs(), words) {
                Ok(document) => print_documents(&[document], output),
                Err(_) => play::report_not_started(&findings, output),
            };
        }
    };
    let reply = help_for_words(solo.timeline(), READER, words);
    match &reply.refusal {
        Some(refusal) => refuse(refusal, output),
        None => print_documents(&reply.documents, output),
    }
}

fn print_documents(documents: &[Document], output: &mut Output) -> Exit {
    let texts = documents.iter();
    let texts: Vec<String> = texts
        .map(|document| output.render_document(document, None))
        .collect();
    output.write_documents(&texts);
    Exit::Ok
}

fn refuse(refusal: &Diagnostic, output: &mut Output) -> Exit {
    reply_output::write_refusal(output, refusal);
    Exit::Usage
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_verb_has_help_of_its_own_and_other_words_have_none() {
        for verb in verbs() {
            let text = program_help(&verb).unwrap();
            assert!(text.contains(&format!("arbiter {verb}")), "{text}");
        }
        let text = program_help("").unwrap();
        assert!(verbs().iter().all(|verb| text.contains(verb)), "{text}");
        assert_eq!(program_help("store/bad-name"), None);
    }
}
