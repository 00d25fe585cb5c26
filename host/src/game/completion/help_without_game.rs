//! Help for words outside of any game: codes of diagnostics, commands of the host, the script API, dice, the glossary.

use crate::diag::{Diagnostic, did_you_mean_hint, near_hint};
use crate::doc::Document;
use crate::game::completion::completer::{
    api_help, api_section_help, api_table_hint, dice_help, help_words_of_host, meaning_of_term,
    unknown_code_refusal,
};
use crate::game::completion::diagnostic_entries::{
    Scope, codes, codes_without_area, entries_of_code,
};
use crate::game::completion::glossary::{term_of_words, term_page};
use crate::game::completion::help_pages::host_command_page;
use crate::game::ruling::host_command::{HostCommand, words_of_host_commands};

/// Returns the entries about a code: those of a ruleset and of the host, or, without a ruleset, those of the host and of
/// all rulesets; nothing if no entry has the code.
pub fn explain_code(ruleset: Option<&str>, code: &str) -> Option<Document> {
    entries_of_code(scope_of_ruleset(ruleset), code).map(Document::new)
}

/// Returns help for words that every game explains; `verbs` are further words that the program explains itself.
///
/// Errors: nothing explains the words. The hints name near words, for words like codes near codes.
pub fn help_without_game(
    commands: &[HostCommand],
    verbs: &[String],
    words: &str,
) -> Result<Document, Box<Diagnostic>> {
    let commands = words_of_host_commands(commands);
    let page = host_command_page(&commands, words)
        .map(|mut blocks| {
            blocks.extend(api_table_hint(words));
            blocks
        })
        .or_else(|| api_help(words))
        .or_else(|| api_section_help(words));
    let page = page.map(|mut blocks| {
        blocks.extend(meaning_of_term(words));
        blocks
    });
    let page = page
        .or_else(|| dice_help(words))
        .or_else(|| term_of_words(words).map(term_page));
    if let Some(blocks) = page {
        return Ok(Document::new(blocks));
    }
    if words.contains('/') {
        return Err(Box::new(unknown_code_refusal(Scope::All, words)));
    }
    let message = format!("unknown word \"{words}\"");
    let finding = Diagnostic::error("help/unknown-word", message);
    let without_area = codes_without_area(Scope::All, words);
    if !without_area.is_empty() {
        return Err(Box::new(finding.hint(did_you_mean_hint(&without_area))));
    }
    let ids = commands.iter().map(|command| command.id.to_owned());
    let codes = codes(Scope::All).map(str::to_owned);
    let known: Vec<String> = help_words_of_host()
        .chain(ids)
        .chain(codes)
        .chain(verbs.iter().cloned())
        .collect();
    let near = near_hint(words, known.iter().map(String::as_str));
    Err(Box::new(finding.hint(near)))
}

fn scope_of_ruleset(ruleset: Option<&str>) -> Scope<'_> {
    ruleset.map_or(Scope::All, Scope::Ruleset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help(words: &str) -> Result<String, String> {
        let verbs = ["simulate".to_owned()];
        match help_without_game(&[], &verbs, words) {
            Ok(document) => Ok(format!("{document:?}")),
            Err(refusal) => Err(format!(
                "{}: {}",
                refusal.message,
                refusal.hints.join(" | ")
            )),
        }
    }

    #[test]
    fn a_word_of_the_host_is_explained() {
        for (words, said) in [
            ("act:get", "Returns the shown value"),
            ("2d6", "odds 2d6"),
            ("stat store", "act:get"),
            ("rows", "entry of the stat store"),
        ] {
            let text = help(words).expect(words);
            assert!(text.contains(said), "{words}: {text}");
        }
    }

    #[test]
    fn an_unknown_word_gets_near_words_and_a_code_gets_near_codes() {
        let refusal = help("simulat").expect_err("a slip");
        assert!(refusal.contains("did you mean \"simulate\""), "{refusal}");
        let refusal = help("bad-name").expect_err("a code without its area");
        assert!(refusal.contains("\"store/bad-name\""), "{refusal}");
        let refusal = help("store/bad-nam").expect_err("a slip");
        assert!(refusal.contains("\"store/bad-name\""), "{refusal}");
    }

    #[test]
    fn a_code_is_explained_without_a_game() {
        assert!(explain_code(None, "store/bad-name").is_some());
        assert!(explain_code(Some(""), "store/bad-name").is_some());
        assert!(explain_code(None, "store").is_none());
    }
}
