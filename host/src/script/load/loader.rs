//! The data that a load has read so far, and the names of the files of mods in it.

use std::collections::BTreeMap;
use std::rc::Rc;

use mlua::Function;

use super::definitions::Read;
use crate::content::{File, Kind, Node};
use crate::diag::{Diagnostic, Span};
use crate::script::engine::Engine;
use crate::script::host::modules::Modules;
use crate::script::rules::Rules;
use crate::script::rules::definition_cache::DefinitionCache;
use crate::script::run::event::{Event, declared_events};
use crate::script::source::mod_files::{RULESET, is_module_folder, is_schema, is_script};
use crate::value::Names;

/// The files of one mod.
#[derive(Clone, Debug, Default)]
pub struct ModFiles {
    /// Its name.
    pub name: String,
    /// The files below `scripts/NAME/`.
    pub scripts: Vec<File>,
    /// The files below `content/NAME/`.
    pub content: Vec<File>,
}

/// Returns the finding that a machine could not be made.
pub(super) fn no_machine_finding(error: &mlua::Error) -> Diagnostic {
    Diagnostic::error(
        "script/machine",
        format!("the script engine cannot start: {error}"),
    )
}

/// The data that a load has read so far.
pub(super) struct Loader<'a> {
    pub(super) engine: &'a Engine,
    pub(super) names: &'a Names,
    pub(super) modules: Rc<Modules>,
    pub(super) rules: Rules,
    pub(super) findings: Vec<Diagnostic>,
    /// The definitions that were read, for checking references at the end.
    pub(super) read: Vec<Read>,
    /// The definitions that exist, but are not usable.
    pub(super) broken: Vec<Read>,
    /// The events of the ruleset and of the host.
    pub(super) events: BTreeMap<String, Event>,
    /// The definitions that the last generation read.
    pub(super) kept: DefinitionCache,
    /// The checks of schemas besides their shapes, by collection.
    pub(super) checks: BTreeMap<String, Function>,
}

impl<'a> Loader<'a> {
    /// Begins to read some mods.
    pub(super) fn new(engine: &'a Engine, mods: &[ModFiles], names: &'a Names) -> Loader<'a> {
        let files = mods
            .iter()
            .map(|one| (one.name.as_str(), one.scripts.as_slice()));
        let modules = Modules::new(&engine.host, engine.globals.clone(), files);
        let mut kept = std::mem::take(&mut *engine.host.definition_cache());
        let names_of_mods = mods.iter().map(|one| one.name.clone()).collect();
        kept.begin_generation(names_of_mods, &modules.sources());
        let ruleset_id = mods.last().map(|one| one.name.clone()).unwrap_or_default();
        let rules = Rules {
            ruleset_id,
            sources: modules.sources(),
            ..Rules::default()
        };
        Loader {
            engine,
            names,
            modules,
            rules,
            findings: Vec::new(),
            read: Vec::new(),
            broken: Vec::new(),
            events: declared_events(&Node::new(Span::default(), Kind::Nil)),
            kept,
            checks: BTreeMap::new(),
        }
    }

    /// Runs the modules that no file required, so that their mistakes are found.
    pub(super) fn run_unrequired_modules(&mut self, files: &ModFiles) {
        for file in files.scripts.iter().filter(|file| is_script(&file.path)) {
            let folder = file.path.split_once('/').map_or("", |(folder, _)| folder);
            let is_module = (is_module_folder(folder) && !is_schema(&file.path))
                || (folder.is_empty() && file.path != RULESET);
            if is_module
                && let Err(finding) = self
                    .modules
                    .run_file_once(&self.engine.lua, &chunk_name(&files.name, file))
            {
                self.findings.push(finding);
            }
        }
    }
}

/// Returns the file name without folders and ending.
pub(super) fn file_stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Returns the name of the chunk that a file is.
pub(super) fn chunk_name(mod_name: &str, file: &File) -> String {
    format!("{mod_name}/{}", file.path)
}
