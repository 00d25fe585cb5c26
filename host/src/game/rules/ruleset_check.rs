//! Finds all errors in a ruleset without playing it.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::content::{File, trailing_space_warnings};
use crate::diag::Diagnostic;
use crate::game::rules::canonical_content::{content_of_ruleset, is_yaml_path};
use crate::game::rules::generation::Builder;
use crate::game::rules::home::{Files, Home};
use crate::game::rules::lint::lint_all_scripts;
use crate::game::rules::structure::Structure;
use crate::script::{
    Compiled, Engine, EngineOptions, HostPhrase, kept_state_findings, literal_findings,
    text_structures,
};
use crate::value::Value;

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct RulesetCheck {
    /// All findings, in reading order.
    pub findings: Vec<Diagnostic>,
    /// The number of files that were read.
    pub files: usize,
    /// The structure of the loaded rules.
    pub structure: Structure,
    /// The result of `structure` of `texts` for each text of the ruleset, by its path below the ruleset's folder. None
    /// if it was not requested, or if the ruleset has no such function.
    pub texts: Option<BTreeMap<String, Value>>,
}

/// Checks one ruleset with the library that it uses: reading, schemas, references, phrases, undeclared names, names
/// that a table does not have, data about records that scripts write out, kept state.
///
/// Errors: the ruleset does not exist, or no machine for scripts can be built.
pub fn check_ruleset(
    home: &Home,
    ruleset: &str,
    commands: &[HostPhrase],
) -> Result<RulesetCheck, Vec<Diagnostic>> {
    check_and_load_ruleset(home, ruleset, commands).map(|(_, _, checked)| checked)
}

/// Checks a ruleset in the same way, and asks the ruleset for the structure of its texts.
///
/// Errors: the errors of `check_ruleset`.
pub fn check_ruleset_with_texts(
    home: &Home,
    ruleset: &str,
    commands: &[HostPhrase],
) -> Result<RulesetCheck, Vec<Diagnostic>> {
    let (engine, content, mut checked) = check_and_load_ruleset(home, ruleset, commands)?;
    let structures = text_structures(&engine, &content);
    checked.texts = structures.map_err(|finding| vec![finding])?.map(|forms| {
        checked.findings.extend(forms.findings);
        forms.by_path
    });
    checked.findings.sort_by_key(Diagnostic::sort_key);
    Ok(checked)
}

/// Checks a ruleset, and also returns its rules and its own content.
fn check_and_load_ruleset(
    home: &Home,
    ruleset: &str,
    commands: &[HostPhrase],
) -> Result<(Engine, Vec<File>, RulesetCheck), Vec<Diagnostic>> {
    let files = home
        .read_ruleset(ruleset)
        .map_err(|finding| vec![finding])?;
    let count = files
        .mods
        .iter()
        .map(|one| one.scripts.len() + one.content.len())
        .sum();
    let scripts: Vec<_> = files
        .mods
        .iter()
        .flat_map(|one| one.scripts.clone())
        .collect();
    let untidy: Vec<Diagnostic> = files
        .mods
        .iter()
        .flat_map(|one| &one.content)
        .filter(|file| is_yaml_path(&file.path))
        .flat_map(|file| trailing_space_warnings(&file.source))
        .collect();
    let content = content_of_ruleset(&files).to_vec();
    let (engine, mut findings) = load_ruleset(commands, files.clone())?;
    findings.extend(untidy);
    let strange = lint_all_scripts(&engine, &files, &findings);
    findings.extend(strange);
    let sources: Vec<_> = scripts
        .iter()
        .filter(|file| file.path.ends_with(".luau"))
        .map(|file| file.source.clone())
        .collect();
    findings.extend(literal_findings(&engine, &sources));
    let kept = scripts
        .iter()
        .filter(|file| file.path.ends_with(".luau"))
        .flat_map(|file| kept_state_findings(&file.source));
    findings.extend(kept);
    findings.sort_by_key(Diagnostic::sort_key);
    findings.dedup();
    let checked = RulesetCheck {
        findings,
        files: count,
        structure: Structure::of(&engine.rules()),
        texts: None,
    };
    Ok((engine, content, checked))
}

/// Loads a ruleset that is not played. Errors: no machine for scripts can be built.
pub(super) fn load_ruleset(
    commands: &[HostPhrase],
    files: Files,
) -> Result<(Engine, Vec<Diagnostic>), Vec<Diagnostic>> {
    let names = Rc::default();
    let builder = Builder::new(&EngineOptions::default(), names, commands.to_vec());
    builder.build_machine(&files, Compiled::default())
}
