//! Reads the language files of mods, and chooses the words of the host. No schema declares them.

use super::loader::{Loader, ModFiles, file_stem};
use crate::content::File;
use crate::diag::Diagnostic;
use crate::script::source::mod_files::RULESET;
use crate::script::source::source_places;
use crate::words::{LANGUAGES, Language, LanguageFile, choose_words, read_language};

/// The key of the ruleset for its language.
const LANGUAGE: &str = "language";

impl Loader<'_> {
    /// Reads the language files of all mods. The texts of the ruleset come first, so that those of mods count.
    pub(super) fn read_languages(&mut self, mods: &[ModFiles]) {
        let own = mods.last().into_iter();
        let others = &mods[..mods.len().saturating_sub(1)];
        let files = own.chain(others).flat_map(|one| &one.content);
        let mut languages: Vec<Language> = Vec::new();
        for file in files.filter(|file| is_language_file(file)) {
            let (language, findings) = read_language(&LanguageFile {
                id: file_stem(&file.path).to_owned(),
                source: file.source.clone(),
            });
            self.findings.extend(findings);
            languages.extend(language);
        }
        let chosen = choose_words(self.rules.ruleset.get(LANGUAGE).as_str(), &languages);
        self.findings.extend(chosen.findings);
        if let Some(finding) = chosen.of_ruleset {
            let finding = self.at_language_of_ruleset(finding, mods);
            self.findings.push(finding);
        }
        self.rules.words = chosen.words;
    }

    fn at_language_of_ruleset(&self, finding: Diagnostic, mods: &[ModFiles]) -> Diagnostic {
        let scripts = mods.last().map_or(&[][..], |one| &one.scripts);
        match scripts.iter().find(|file| file.path == RULESET) {
            Some(file) => {
                let places = source_places::table_places(&file.source);
                let span = places.entries.get(LANGUAGE).map(|(_, value)| *value);
                finding.at(&file.source, span.unwrap_or(file.source.line_span(1)))
            }
            None => finding,
        }
    }
}

/// Returns whether a content file is a language file.
pub(super) fn is_language_file(file: &File) -> bool {
    let is_tree = [".yaml", ".yml", ".json"]
        .iter()
        .any(|ending| file.path.ends_with(ending));
    is_tree
        && file
            .path
            .split_once('/')
            .is_some_and(|(folder, _)| folder == LANGUAGES)
}
