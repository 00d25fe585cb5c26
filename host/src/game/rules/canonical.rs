//! This module finds how the content of a ruleset looks in its canonical form.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::check::loaded;
use super::home::Home;
use crate::content::{File, untidy};
use crate::diag::{Diagnostic, Fix, Source, applied};
use crate::game::command::HostCommand;

/// What was found of the content of a ruleset.
#[derive(Clone, Debug, Default)]
pub struct Canonical {
    /// Everything that was found while it was read.
    pub findings: Vec<Diagnostic>,
    /// The files that have a canonical form, in order of path.
    pub files: Vec<CanonicalFile>,
}

/// A content file and how it should look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalFile {
    /// The file as it was read.
    pub source: Arc<Source>,
    /// Its canonical form; none if it has errors.
    pub text: Option<String>,
}

/// Returns how the content of a ruleset, and of the library it stands on, looks in its canonical form.
///
/// Errors: there is no such ruleset, or no machine for scripts can be made.
pub fn canonical(
    home: &Home,
    ruleset: &str,
    commands: &'static [HostCommand],
) -> Result<Canonical, Vec<Diagnostic>> {
    let files = home.read(ruleset).map_err(|finding| vec![finding])?;
    let content = files.mods.iter().flat_map(|one| one.content.clone());
    let content: Vec<File> = content.filter(|file| is_yaml(&file.path)).collect();
    let (_engine, findings) = loaded(home, ruleset, commands, files)?;
    let errors = findings.iter().filter(|found| found.is_error());
    let places = errors.filter_map(|found| found.place.as_ref());
    let broken: BTreeSet<&str> = places.map(|place| place.source.name()).collect();
    let is_sound = |source: &Source| !broken.contains(source.name());
    let files = content.into_iter().map(|file| CanonicalFile {
        text: is_sound(&file.source).then(|| tidied(&file.source)),
        source: file.source,
    });
    let files = files.collect();
    Ok(Canonical { findings, files })
}

/// Returns whether a content file is YAML.
pub(super) fn is_yaml(path: &str) -> bool {
    path.ends_with(".yaml") || path.ends_with(".yml")
}

fn tidied(source: &Arc<Source>) -> String {
    let fixes: Vec<Fix> = untidy(source)
        .into_iter()
        .filter_map(|one| one.fix)
        .collect();
    applied(source.text(), &fixes).0
}
