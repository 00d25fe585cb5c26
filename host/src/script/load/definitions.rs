//! Reads the definitions of a mod, from scripts and from content, and enters them into the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mlua::{Table, Value as LuaValue};

use super::loader::{Loader, ModFiles, chunk_name, file_stem};
use super::table_file::tree_with_places;
use crate::content::{
    Definition, File, Node, Origin, Registry, TreeLimits, check_references, read_tree,
    rename_former_keys,
};
use crate::diag::{Diagnostic, near_hint};
use crate::script::border::value_conversion;
use crate::script::declare::listener_rows::ListenerRows;
use crate::script::declare::schema::{Format, Schema};
use crate::script::declare::template_owner::COMMANDS;
use crate::script::host::read_only_tables::Sealing;
use crate::script::load::languages::is_language_file;
use crate::script::load::literal_checks;
use crate::script::rules::definition_cache::KeptDefinition;
use crate::script::run::event::{Event, handler_findings};
use crate::script::source::mod_files::{LIBRARY, MODULE_FOLDERS, is_module_folder, is_script};
use crate::words::LANGUAGES;

/// A definition until its references are checked.
pub(super) struct Read {
    pub(super) kept: KeptDefinition,
    pub(super) table: Table,
    /// The path of a text in a language of the ruleset. The table is its head until it is read.
    pub(super) path: Option<String>,
}

impl Read {
    /// Returns a definition that is read as it is.
    fn new(kept: KeptDefinition, table: Table) -> Read {
        Read {
            kept,
            table,
            path: None,
        }
    }
}

impl Loader<'_> {
    /// Notes the definitions of a mod that are events, before any of them is read: others may handle them.
    pub(super) fn note_defined_events(&mut self, files: &ModFiles) {
        let is_script = |file: &&File| is_script(&file.path);
        let scripts = files.scripts.iter().filter(is_script);
        for file in scripts.chain(&files.content) {
            let folder = file.path.split('/').next().unwrap_or_default();
            let schema = self.rules.schemas.get(folder);
            if let Some(settings) = schema.and_then(|one| one.events.as_ref()) {
                let id = file_stem(&file.path);
                self.events
                    .entry(id.to_owned())
                    .or_insert_with(|| Event::new(id, settings));
            }
        }
    }

    /// Runs the definition files of a mod.
    pub(super) fn read_definition_scripts(&mut self, files: &ModFiles) {
        let schemas = std::mem::take(&mut self.rules.schemas);
        for file in files.scripts.iter().filter(|file| is_script(&file.path)) {
            let Some((folder, _)) = file.path.split_once('/') else {
                continue;
            };
            if is_module_folder(folder) {
                continue;
            }
            match schemas.get(folder).filter(|one| one.format == Format::Luau) {
                Some(schema) => drop(self.read_definition_script(files, file, schema)),
                None => self.report_unknown_folder(file, folder, &schemas),
            }
        }
        self.rules.schemas = schemas;
    }

    fn read_definition_script(
        &mut self,
        files: &ModFiles,
        file: &File,
        schema: &Schema,
    ) -> Option<()> {
        let chunk = chunk_name(&files.name, file);
        let table = self.run_table_file(&chunk, file, &schema.name)?;
        if let Some(kept) = self.kept.kept_script(&chunk) {
            self.read.push(Read::new(kept, table));
            return Some(());
        }
        let mut node = self.table_tree(file, &table)?;
        let former = self.rename_keys_in_table(file, &schema.shape, &table, &mut node);
        let mut findings = Vec::new();
        if !self.engine.host.file_facts().has_clean_load() {
            findings = self.script_findings(schema, file, &node);
            if !findings.is_empty() {
                let placed = tree_with_places(&file.source, &table);
                findings = self.script_findings(schema, file, &placed);
            }
            findings.extend(self.record_literal_findings(file));
        }
        findings.extend(former);
        let kept = kept_definition(schema, files, file, node, Origin::Script);
        if findings.is_empty() {
            let required = self.modules.modules_required_by(&chunk);
            self.kept.keep_script(&chunk, kept.clone(), required);
        }
        self.add_definition(Read::new(kept, table), findings);
        Some(())
    }

    /// Returns the errors in the modifiers and ends that a definition writes as literals.
    fn record_literal_findings(&self, file: &File) -> Vec<Diagnostic> {
        let events: Vec<String> = self.events.keys().cloned().collect();
        literal_checks::record_literal_findings(
            &file.source,
            &self.rules,
            &events,
            &self.engine.host.names,
        )
    }

    fn script_findings(&self, schema: &Schema, file: &File, node: &Node) -> Vec<Diagnostic> {
        let mut findings = schema.check(file_stem(&file.path), node, &file.source);
        findings.extend(match schema.listener_rows {
            ListenerRows::None => Vec::new(),
            ListenerRows::Game | ListenerRows::Rows(_) => {
                handler_findings(&self.events, node, &file.source)
            }
        });
        findings
    }

    /// Reads the content files of a mod.
    pub(super) fn read_content_files(&mut self, files: &ModFiles) {
        let schemas = std::mem::take(&mut self.rules.schemas);
        let is_content = |file: &&File| {
            let endings = [".yaml", ".yml", ".json"];
            endings.iter().any(|ending| file.path.ends_with(ending))
        };
        let is_meant = |file: &&File| is_content(file) && !is_language_file(file);
        for file in files.content.iter().filter(is_meant) {
            let Some((folder, _)) = file.path.split_once('/') else {
                self.report_file_without_folder(file, &schemas);
                continue;
            };
            match schemas.get(folder).filter(|one| one.format == Format::Yaml) {
                Some(schema) => drop(self.read_content_file(files, file, schema)),
                None => self.report_unknown_folder(file, folder, &schemas),
            }
        }
        self.rules.schemas = schemas;
    }

    fn read_content_file(&mut self, files: &ModFiles, file: &File, schema: &Schema) -> Option<()> {
        let chunk = chunk_name(&files.name, file);
        if let Some(kept) = self.kept.kept_content(&chunk, &file.source) {
            let table = self.definition_table(&kept)?;
            self.read.push(Read::new(kept, table));
            return Some(());
        }
        let (mut node, mut findings) = read_tree(&file.source, TreeLimits::CONTENT);
        if let Some(node) = &mut node {
            let former = rename_former_keys(&schema.shape, node);
            findings.extend(former.iter().map(|key| key.to_warning(&file.source)));
            findings.extend(schema.check(file_stem(&file.path), node, &file.source));
        }
        let kept = node.map(|node| kept_definition(schema, files, file, node, Origin::Content));
        let table = kept.as_ref().and_then(|kept| self.definition_table(kept));
        let (Some(kept), Some(table)) = (kept, table) else {
            self.findings.extend(findings);
            return None;
        };
        if findings.is_empty() {
            self.kept.keep_content(&chunk, kept.clone());
        }
        self.add_definition(Read::new(kept, table), findings);
        Some(())
    }

    /// Returns the table that scripts use for a definition, if its file contains a map or a list.
    fn definition_table(&self, kept: &KeptDefinition) -> Option<Table> {
        match value_conversion::to_lua(&kept.definition.value, &self.engine.lua) {
            Ok(LuaValue::Table(table)) => Some(table),
            _ => None,
        }
    }

    /// Adds a definition. Of a definition with errors, only the id is known, so that references to it are not errors.
    pub(super) fn add_definition(&mut self, read: Read, findings: Vec<Diagnostic>) {
        let is_usable = !findings.iter().any(Diagnostic::is_error);
        self.findings.extend(findings);
        if is_usable {
            self.read.push(read);
        } else {
            self.broken.push(read);
        }
    }

    /// Enters the definitions that were read into the registry. Commands that are taken over give way. Errors: memory.
    pub(super) fn enter_definitions(&mut self, taken: &BTreeSet<String>) -> mlua::Result<()> {
        let sealing = Sealing::new(&self.engine.lua, &self.engine.host)?;
        let is_taken = |one: &Definition| {
            *one.collection == *COMMANDS && *one.mod_name == *LIBRARY && taken.contains(&*one.id)
        };
        self.read.retain(|read| !is_taken(&read.kept.definition));
        for Read { kept, table, path } in &self.read {
            let definition = &kept.definition;
            let noun = &self.rules.schemas[&*definition.collection].name;
            let added = Arc::clone(definition);
            if let Err(finding) = self.rules.registry.insert(added, noun) {
                self.findings.push(*finding);
                continue;
            }
            sealing.seal_definition(table, &definition.id)?;
            let key = (definition.collection.to_string(), definition.id.to_string());
            if path.is_none() {
                self.rules.trees.insert(key.clone(), Arc::clone(&kept.node));
            }
            self.rules.tables.insert(key, table.clone());
        }
        Ok(())
    }

    fn report_unknown_folder(
        &mut self,
        file: &File,
        folder: &str,
        schemas: &BTreeMap<String, Schema>,
    ) {
        let message = format!("no schema names the folder \"{folder}\", so this file is not read");
        let known = schemas.keys().map(String::as_str);
        let known = known.chain(MODULE_FOLDERS).chain([LANGUAGES]);
        let finding = Diagnostic::warning("schema/unknown-folder", message)
            .hint(near_hint(folder, known))
            .hint(format!("a schema for it has folder = \"{folder}\""));
        self.report_at_file(file, finding);
    }

    /// Reports a content file that is in no folder of a schema, with the folders that exist.
    fn report_file_without_folder(&mut self, file: &File, schemas: &BTreeMap<String, Schema>) {
        let message = "this file is not in the folder of a schema, so it is not read";
        let folders = schemas.values().filter(|one| one.format == Format::Yaml);
        let folders: Vec<&str> = folders.map(|one| one.collection.as_str()).collect();
        let hint = match folders.join(", ") {
            none if none.is_empty() => "no schema reads content files".to_owned(),
            folders => format!("move it into one of these folders: {folders}"),
        };
        let finding = Diagnostic::warning("schema/unknown-folder", message).hint(hint);
        self.report_at_file(file, finding);
    }

    /// Checks that definitions only name things that exist, also those with other errors.
    pub(super) fn check_definition_references(&mut self) {
        let broken = std::mem::take(&mut self.broken);
        let mut with_broken = None;
        for read in &broken {
            let known = with_broken.get_or_insert_with(|| self.rules.registry.clone());
            let noun = &self.rules.schemas[&*read.kept.definition.collection].name;
            let _ = known.insert(Arc::clone(&read.kept.definition), noun);
        }
        let known: &Registry = with_broken.as_ref().unwrap_or(&self.rules.registry);
        for Read { kept, table, .. } in self.read.iter().chain(&broken) {
            let definition = &kept.definition;
            let schema = &self.rules.schemas[&*definition.collection];
            let what = format!("the {} \"{}\"", schema.name, definition.id);
            let shape = &schema.shape;
            let check =
                |node: &Node| check_references(known, shape, node, &definition.source, &what);
            let mut found = check(&kept.node);
            if !found.is_empty() && definition.origin == Origin::Script {
                found = check(&tree_with_places(&definition.source, table));
            }
            self.findings.extend(found);
        }
    }
}

fn kept_definition(
    schema: &Schema,
    files: &ModFiles,
    file: &File,
    node: Node,
    origin: Origin,
) -> KeptDefinition {
    let key = (schema.collection.as_str(), file_stem(&file.path));
    let definition = Definition::from_node(key, &files.name, &file.source, &node, origin);
    KeptDefinition {
        definition: Arc::new(definition),
        node: Arc::new(node),
    }
}
