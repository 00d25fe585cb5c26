//! Finds errors that would otherwise appear only in play. These are undeclared names, and functions, methods and fields
//! that a table does not have. Further errors are lines that another line also matches, and words of lines that no
//! script reads.

use std::collections::BTreeSet;

use crate::content::{Definition, File};
use crate::diag::Diagnostic;
use crate::game::rules::home::Files;
use crate::script::{Engine, Visible, is_schema, same_line_findings, unseen_word_findings};

/// Returns the errors in names and lines of all scripts. Places with an earlier finding are left out.
pub(super) fn lint_all_scripts(
    engine: &Engine,
    files: &Files,
    findings: &[Diagnostic],
) -> Vec<Diagnostic> {
    lint_selected_scripts(engine, files, findings, |_, _| true)
}

/// Returns the errors in names and lines of changed scripts, and of scripts that require a changed script.
pub(super) fn lint_changed_scripts_and_dependents(
    engine: &Engine,
    (files, before): (&Files, &Files),
    findings: &[Diagnostic],
) -> Vec<Diagnostic> {
    let changed = new_or_changed_scripts(files, before);
    let modules: BTreeSet<&str> = changed
        .iter()
        .filter_map(|(_, path)| path.strip_suffix(".luau"))
        .collect();
    lint_selected_scripts(engine, files, findings, |mod_name, file| {
        let text = file.source.text();
        changed.contains(&(mod_name, &file.path))
            || modules.iter().any(|module| text.contains(module))
    })
}

/// Returns mods and paths of the scripts that are new or have a different text.
fn new_or_changed_scripts<'f>(files: &'f Files, before: &Files) -> BTreeSet<(&'f str, &'f str)> {
    let text_before = |mod_name: &str, path: &str| {
        let known = before.mods.iter().find(|one| one.name == mod_name)?;
        let file = known.scripts.iter().find(|file| file.path == path)?;
        Some(file.source.text())
    };
    let scripts = files
        .mods
        .iter()
        .flat_map(|one| one.scripts.iter().map(|file| (&*one.name, file)));
    scripts
        .filter(|(mod_name, file)| text_before(mod_name, &file.path) != Some(file.source.text()))
        .map(|(mod_name, file)| (mod_name, &*file.path))
        .collect()
}

fn lint_selected_scripts(
    engine: &Engine,
    files: &Files,
    findings: &[Diagnostic],
    is_wanted: impl Fn(&str, &File) -> bool,
) -> Vec<Diagnostic> {
    let visible = names_usable_by_scripts(engine, files);
    let mut found = Vec::new();
    for one in &files.mods {
        let scripts = one
            .scripts
            .iter()
            .filter(|file| file.path.ends_with(".luau"));
        for file in scripts.filter(|file| is_wanted(&one.name, file)) {
            let strange = engine.undeclared_name_findings(&one.name, &file.source, &visible);
            found.extend(
                strange
                    .into_iter()
                    .filter(|one| !has_finding_at_same_place(findings, one)),
            );
        }
    }
    let scripts = files.mods.iter().flat_map(|one| {
        let wanted = one.scripts.iter().filter(|file| is_wanted(&one.name, file));
        wanted.map(|file| file.source.name())
    });
    let scripts: BTreeSet<&str> = scripts.collect();
    let of_scripts = |one: &Definition| scripts.contains(one.source.name());
    found.extend(same_line_findings(&engine.rules(), of_scripts));
    found.extend(unseen_word_findings(&engine.rules(), of_scripts));
    found
}

/// Returns the names that every script can use. An unreadable schema is a finding of its own, and its definitions cause
/// no further ones.
fn names_usable_by_scripts(engine: &Engine, files: &Files) -> Visible {
    let mut visible = engine.names_visible_to_scripts();
    let scripts = files.mods.iter().flat_map(|one| &one.scripts);
    visible.names.extend(scripts.filter_map(|file| {
        let name = file
            .path
            .rsplit('/')
            .next()
            .filter(|_| is_schema(&file.path))?;
        Some(name.strip_suffix(".luau")?.to_owned())
    }));
    visible
}

/// Returns whether there is a finding already at the place of a finding.
fn has_finding_at_same_place(findings: &[Diagnostic], finding: &Diagnostic) -> bool {
    let start = |one: &Diagnostic| {
        let place = one.place.as_ref()?;
        Some((place.source.name().to_owned(), place.span.start))
    };
    findings.iter().any(|one| start(one) == start(finding))
}
