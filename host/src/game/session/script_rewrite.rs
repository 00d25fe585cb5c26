//! Replaces text of a script in the middle of a tested game: the rules change as in a reload, and no file is written.

use crate::content::File;
use crate::diag::{Diagnostic, Source, near_hint, there_is_or_are_text};
use crate::game::rules::home::Files;
use crate::game::session::Session;
use crate::game::session::reload::ReloadResult;
use crate::script::Compiled;

/// A replacement of text in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// The script's path below the scripts of the ruleset.
    pub file: String,
    /// The old text, which the script must contain exactly once.
    pub old: String,
    /// The new text.
    pub new: String,
}

impl Session {
    /// Makes rules live in which text of a script is replaced, until the game begins again.
    ///
    /// Errors: there is no such script, it does not contain the text exactly once, or the new rules are broken.
    pub fn rewrite_script(&mut self, wanted: &Rewrite) -> Result<(), Diagnostic> {
        let first = self.generations.live().files().clone();
        let mut files = first.clone();
        let own = files.mods.last_mut().map(|one| &mut one.scripts);
        let scripts = own.expect("invariant: the files are those of a ruleset");
        let Some(script) = scripts.iter_mut().find(|one| one.path == wanted.file) else {
            return Err(unknown_script_refusal(&wanted.file, scripts));
        };
        *script = rewritten_script(script, wanted)?;
        files.update_hash();
        self.make_files_live(files)?;
        self.generations.note_unedited_files(first);
        Ok(())
    }

    /// Makes the rules live again that were live before text of scripts was replaced.
    pub(in crate::game) fn restore_unedited_scripts(&mut self) {
        if let Some(files) = self.generations.take_unedited_files() {
            let back = self.make_files_live(files);
            back.expect("invariant: these rules were live before");
        }
    }

    fn make_files_live(&mut self, files: Files) -> Result<(), Diagnostic> {
        match self.swap_rules(files, Compiled::default()) {
            ReloadResult::Kept { mut findings } => {
                self.generations.note_rejected_findings(Vec::new());
                Err(findings.swap_remove(0))
            }
            ReloadResult::Unchanged | ReloadResult::Mended | ReloadResult::Swapped { .. } => Ok(()),
        }
    }
}

fn rewritten_script(script: &File, wanted: &Rewrite) -> Result<File, Diagnostic> {
    let text = script.source.text();
    let places = text.matches(&wanted.old).count();
    if wanted.old.is_empty() || places != 1 {
        let Rewrite { file, old, .. } = wanted;
        let message = format!("\"{old}\" occurs {places} times in {file}, expected once");
        return Err(Diagnostic::error("test/rewrite", message));
    }
    let text = text.replacen(&wanted.old, &wanted.new, 1);
    Ok(File::new(
        &script.path,
        Source::new(script.source.name(), text),
    ))
}

fn unknown_script_refusal(file: &str, scripts: &[File]) -> Diagnostic {
    let known: Vec<String> = scripts.iter().map(|one| one.path.clone()).collect();
    let near = near_hint(file, known.iter().map(String::as_str));
    let listed = there_is_or_are_text(&known, "the ruleset has no scripts");
    let hint = if near.is_empty() { listed } else { near };
    Diagnostic::error("test/rewrite", format!("unknown script \"{file}\"")).hint(hint)
}
