//! This module turns the files of mods into one generation of rules: contracts, ruleset, definitions, grammar.
//!
//! Nothing stops it: every file that can be used is used, everything else is a finding, all in one pass.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Table, Value as LuaValue};

use super::compile::Compiled;
use super::contract::{Contract, Reads, contract_shape, ruleset_shape};
use super::convert;
use super::engine::{Engine, EngineOptions};
use super::expressions::{self, Spoken};
use super::listen::{self, Elements, Listeners, unknown_events};
use super::locate;
use super::module::{LIBRARY, MODULE_FOLDERS, Modules, is_script};
use super::node::{to_node, to_node_with_tables, whole};
use super::phrases::{self, COMMANDS};
use super::rules::{Rules, name_types};
use super::sandbox::seal;
use super::step::plan_findings;
use super::takeover::taken_over;
use crate::content::{
    Definition, File, Kind, Node, Origin, Registry, Shape, TreeLimits, check, check_references,
    read_tree,
};
use crate::diag::{Diagnostic, Source, Span, near_hint};
use crate::store::clock::Phases;
use crate::store::{Fold, Seen, StatDeclaration, Stats};
use crate::value::{Names, Value};

/// The files of one mod.
#[derive(Clone, Debug, Default)]
pub struct ModFiles {
    /// Its name.
    pub name: String,
    /// What lies below `scripts/NAME/`.
    pub scripts: Vec<File>,
    /// What lies below `content/NAME/`.
    pub content: Vec<File>,
}

/// A template that the host itself adds to the grammar: its commands.
#[derive(Clone, Debug)]
pub struct HostPhrase {
    /// Id of the command.
    pub id: String,
    /// Its spellings.
    pub syntax: Vec<String>,
}

/// Loads one generation of rules; the last mod is the ruleset, those before it are what it stands on.
///
/// Errors: only what keeps a machine from being built at all, which is memory.
pub fn load(
    mods: &[ModFiles],
    host_phrases: &[HostPhrase],
    options: &EngineOptions,
    compiled: Compiled,
) -> Result<(Engine, Vec<Diagnostic>), Diagnostic> {
    let engine = Engine::new(options, compiled).map_err(|error| no_machine(&error))?;
    let mut loader = Loader::new(&engine, mods, &options.names);
    engine.host.meter.begin_command();
    for files in mods {
        engine.host.meter.begin_command();
        loader.contracts(files);
        loader.open(files).map_err(|error| no_machine(&error))?;
        loader.ruleset(files);
        loader.scripts(files);
        loader.content(files);
        loader.modules(files);
    }
    let definitions = loader.read.iter().map(|read| &*read.definition);
    let taken = taken_over(definitions, host_phrases, &mut loader.findings);
    loader.enter(&taken);
    loader.references();
    *engine.modules.borrow_mut() = Some(Rc::clone(&loader.modules));
    let (mut rules, mut findings) = (loader.rules, loader.findings);
    let events = std::mem::take(&mut loader.events);
    rules.listeners = Rc::new(Listeners::of(&rules, events, &options.names));
    let mut known = engine.host.known_grammar();
    phrases::build(&mut rules, host_phrases, &taken, &mut known, &mut findings);
    drop(known);
    findings.extend(plan_findings(&rules));
    findings.sort_by_key(Diagnostic::sort_key);
    findings.dedup();
    *engine.modules.borrow_mut() = Some(loader.modules);
    *engine.host.rules.borrow_mut() = Rc::new(rules);
    Ok((engine, findings))
}

fn no_machine(error: &mlua::Error) -> Diagnostic {
    Diagnostic::error(
        "script/machine",
        format!("no machine for scripts can be made: {error}"),
    )
}

struct Loader<'a> {
    engine: &'a Engine,
    names: &'a Names,
    modules: Rc<Modules>,
    rules: Rules,
    findings: Vec<Diagnostic>,
    /// What was read, for checking references at the end.
    read: Vec<Read>,
    /// What is there, but not usable.
    broken: Vec<Definition>,
    /// The events of the ruleset and of the host.
    events: BTreeMap<String, listen::Event>,
}

/// A definition as its file gives it.
struct Written<'f> {
    id: String,
    mod_name: &'f str,
    file: &'f File,
    node: Node,
    origin: Origin,
    table: Held,
}

/// A definition until its references are checked.
struct Read {
    definition: Arc<Definition>,
    /// Its tree; that of a script has no places yet.
    node: Node,
    table: Held,
}

/// A table, with the tables inside it where all of them are known.
struct Held {
    table: Table,
    inner: Option<Vec<Table>>,
}

impl Held {
    fn seal(&self) {
        let Some(inner) = &self.inner else {
            let _ = seal(&self.table);
            return;
        };
        self.table.set_readonly(true);
        inner.iter().for_each(|table| table.set_readonly(true));
    }
}

impl<'a> Loader<'a> {
    fn new(engine: &'a Engine, mods: &[ModFiles], names: &'a Names) -> Loader<'a> {
        let files = mods
            .iter()
            .map(|one| (one.name.as_str(), one.scripts.as_slice()));
        let modules = Modules::new(&engine.host, engine.globals.clone(), files);
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
            events: listen::declared_events(&Node::new(Span::default(), Kind::Nil)),
        }
    }

    /// Reads the contracts of a mod; they are run before its environment knows their functions.
    fn contracts(&mut self, files: &ModFiles) {
        let function = self.returning_function();
        let own = [("contract".to_owned(), function)];
        if self
            .modules
            .environment(&self.engine.lua, &files.name, &own)
            .is_err()
        {
            return;
        }
        let shape = contract_shape();
        let paths = files
            .scripts
            .iter()
            .filter(|file| file.path.starts_with("contracts/") && is_script(&file.path));
        for file in paths {
            let Some((table, node)) = self.table(&files.name, file, Some(&shape), "the contract")
            else {
                continue;
            };
            let read =
                |node: &Node| Contract::read(stem(&file.path), &files.name, node, &file.source);
            let (contract, mut findings) = read(&node);
            if !findings.is_empty() {
                findings = read(&with_places(&file.source, &table.table)).1;
            }
            self.findings.extend(findings);
            let Some(contract) = contract else { continue };
            if let Some(other) = self.rules.contracts.get(&contract.collection) {
                let message = format!(
                    "the collection \"{}\" has a contract already",
                    contract.collection
                );
                let finding = Diagnostic::error("contract/duplicate", message)
                    .hint(format!("the other one is {}", other.source.name()));
                self.findings
                    .push(finding.at(&file.source, file.source.line_span(1)));
                continue;
            }
            self.modules.add_collection(&contract.collection);
            self.rules
                .contracts
                .insert(contract.collection.clone(), contract);
        }
    }

    /// Makes the environment of a mod: the functions of all contracts known so far.
    fn open(&mut self, files: &ModFiles) -> mlua::Result<()> {
        let mut own = vec![("ruleset".to_owned(), self.returning_function())];
        for contract in self
            .rules
            .contracts
            .values()
            .filter(|one| one.reads == Reads::Luau)
        {
            own.push((contract.name.clone(), self.returning_function()));
        }
        self.modules
            .environment(&self.engine.lua, &files.name, &own)
    }

    /// Definition functions only return their table; they exist for types and for reading.
    fn returning_function(&self) -> Function {
        let made = self.engine.lua.create_function(|_, table: Table| Ok(table));
        made.expect("invariant: a fresh machine has memory for a function")
    }

    fn ruleset(&mut self, files: &ModFiles) {
        let Some(file) = files
            .scripts
            .iter()
            .find(|file| file.path == "ruleset.luau")
        else {
            if files.name == self.rules.ruleset_id {
                let message = format!("the ruleset \"{}\" has no file ruleset.luau", files.name);
                let hint = format!(
                    "write scripts/{}/ruleset.luau, which returns ruleset {{ … }}",
                    files.name
                );
                self.findings
                    .push(Diagnostic::error("script/no-ruleset", message).hint(hint));
            }
            return;
        };
        let Some((table, node)) =
            self.table(&files.name, file, Some(&ruleset_shape()), "the ruleset")
        else {
            return;
        };
        table.seal();
        let table = table.table;
        self.rules.ruleset = node.to_value();
        self.events = listen::declared_events(&node);
        let mut spoken = expressions::read(&node, &file.source, self.names);
        if !spoken.findings.is_empty() {
            let placed = with_places(&file.source, &table);
            spoken = expressions::read(&placed, &file.source, self.names);
        }
        self.rules.stats = Rc::new(self.stats(&node, &spoken));
        self.findings.extend(spoken.findings);
        self.phases(file, &table, &node);
        self.rules.name_types.extend(name_types(&node));
        self.rules.ruleset_table = Some(table);
    }

    /// Reads the phases of a ruleset; those of a mod that it stands on hold where it has none of its own.
    fn phases(&mut self, file: &File, table: &Table, node: &Node) {
        let Some(clock) = node.get("clock") else {
            return;
        };
        let names = clock.get("phases").map(Node::items).unwrap_or_default();
        let names = names.iter().filter_map(Node::as_str).map(Into::into);
        let start = clock.get("start").and_then(Node::as_str).map(Into::into);
        match Phases::new(names.collect(), start) {
            Ok(phases) => self.rules.phases = Rc::new(phases),
            Err(finding) => {
                let placed = with_places(&file.source, table);
                let span = placed.entry("clock").map(|entry| entry.node.span);
                let span = span.unwrap_or_else(|| file.source.line_span(1));
                self.findings.push(finding.at(&file.source, span));
            }
        }
    }

    fn stats(&mut self, node: &Node, spoken: &Spoken) -> Stats {
        let mut stats = Stats::default();
        stats.speak(spoken.vocabulary.clone());
        for entry in node.get("stats").map(Node::entries).unwrap_or_default() {
            let summary = entry
                .node
                .get("summary")
                .and_then(Node::as_str)
                .unwrap_or_default();
            self.rules
                .stat_summaries
                .insert(entry.key.to_string(), summary.to_owned());
            let layers = entry.node.get("fold").map(Node::items).unwrap_or_default();
            let fold = match layers {
                [] => Fold::InOrder,
                names => Fold::Layers(
                    names
                        .iter()
                        .filter_map(|name| name.as_str())
                        .map(Into::into)
                        .collect(),
                ),
            };
            let base = entry.node.get("base").map_or(Value::Nil, Node::to_value);
            let seen = entry.node.get("seen").and_then(Node::as_str);
            let seen = seen.and_then(Seen::parse).unwrap_or_default();
            stats.declare(
                self.names.intern(&entry.key),
                StatDeclaration {
                    base,
                    fold,
                    seen,
                    formula: spoken.formulas.get(&entry.key).cloned(),
                },
            );
        }
        stats
    }

    /// Runs the definition files of a mod.
    fn scripts(&mut self, files: &ModFiles) {
        let contracts = std::mem::take(&mut self.rules.contracts);
        for file in files.scripts.iter().filter(|file| is_script(&file.path)) {
            let Some((folder, _)) = file.path.split_once('/') else {
                continue;
            };
            if MODULE_FOLDERS.contains(&folder) {
                continue;
            }
            match contracts.get(folder).filter(|one| one.reads == Reads::Luau) {
                Some(contract) => self.script(files, file, contract),
                None => self.unknown_folder(file, folder, &contracts),
            }
        }
        self.rules.contracts = contracts;
    }

    fn script(&mut self, files: &ModFiles, file: &File, contract: &Contract) {
        let id = stem(&file.path).to_owned();
        let Some((table, node)) = self.table(&files.name, file, None, &contract.name) else {
            return;
        };
        let check = |node: &Node| {
            let unknown = match contract.elements {
                Elements::None => Vec::new(),
                Elements::Game | Elements::Rows { .. } => {
                    unknown_events(&self.events, node, &file.source)
                }
            };
            let findings = contract.check(&id, node, &file.source).into_iter();
            findings.chain(unknown).collect::<Vec<Diagnostic>>()
        };
        let mut findings = check(&node);
        if !findings.is_empty() {
            findings = check(&with_places(&file.source, &table.table));
        }
        let origin = Origin::Script;
        self.define(
            contract,
            Written {
                id,
                mod_name: &files.name,
                file,
                node,
                origin,
                table,
            },
            findings,
        );
    }

    /// Reads the content files of a mod.
    fn content(&mut self, files: &ModFiles) {
        let contracts = std::mem::take(&mut self.rules.contracts);
        for file in &files.content {
            if !file.path.ends_with(".yaml")
                && !file.path.ends_with(".yml")
                && !file.path.ends_with(".json")
            {
                continue;
            }
            let folder = file.path.split('/').next().unwrap_or_default();
            match contracts.get(folder).filter(|one| one.reads == Reads::Yaml) {
                Some(contract) => self.content_file(files, file, contract),
                None => self.unknown_folder(file, folder, &contracts),
            }
        }
        self.rules.contracts = contracts;
    }

    fn content_file(&mut self, files: &ModFiles, file: &File, contract: &Contract) {
        let id = stem(&file.path).to_owned();
        let (node, findings) = read_tree(&file.source, TreeLimits::CONTENT);
        self.findings.extend(findings);
        let Some(node) = node else { return };
        let findings = contract.check(&id, &node, &file.source);
        let made = convert::to_lua(&node.to_value(), &self.engine.lua);
        let table = match made {
            Ok(LuaValue::Table(table)) => Held { table, inner: None },
            _ => return self.findings.extend(findings),
        };
        let origin = Origin::Content;
        self.define(
            contract,
            Written {
                id,
                mod_name: &files.name,
                file,
                node,
                origin,
                table,
            },
            findings,
        );
    }

    /// Keeps a definition; one with errors is only known by its id, so that references to it are none.
    fn define(&mut self, contract: &Contract, written: Written<'_>, findings: Vec<Diagnostic>) {
        let is_usable = !findings.iter().any(Diagnostic::is_error);
        self.findings.extend(findings);
        let Written {
            id,
            mod_name,
            file,
            node,
            origin,
            table,
        } = written;
        let key = (contract.collection.as_str(), id.as_str());
        let definition = Definition::from_node(key, mod_name, &file.source, &node, origin);
        if !is_usable {
            self.broken.push(definition);
            return;
        }
        self.read.push(Read {
            definition: Arc::new(definition),
            node,
            table,
        });
    }

    /// Enters what was read into the registry; what a command takes over gives way.
    fn enter(&mut self, taken: &BTreeSet<String>) {
        let is_taken = |one: &Definition| {
            *one.collection == *COMMANDS && *one.mod_name == *LIBRARY && taken.contains(&*one.id)
        };
        self.read.retain(|read| !is_taken(&read.definition));
        for read in &self.read {
            let definition = &read.definition;
            if let Err(finding) = self.rules.registry.insert(Arc::clone(definition)) {
                self.findings.push(*finding);
                continue;
            }
            let table = &read.table.table;
            let _ = table.raw_set("id", &*definition.id);
            read.table.seal();
            let key = (definition.collection.to_string(), definition.id.to_string());
            self.rules.tables.insert(key, table.clone());
        }
    }

    fn unknown_folder(
        &mut self,
        file: &File,
        folder: &str,
        contracts: &BTreeMap<String, Contract>,
    ) {
        let message =
            format!("no contract names the folder \"{folder}\", so this file is not read");
        let known = contracts.keys().map(String::as_str).chain(MODULE_FOLDERS);
        let finding = Diagnostic::warning("contract/unknown-folder", message)
            .hint(near_hint(folder, known))
            .hint(format!("a contract for it says folder = \"{folder}\""));
        self.findings
            .push(finding.at(&file.source, file.source.line_span(1)));
    }

    /// Runs the modules that nothing required, so that their mistakes show.
    fn modules(&mut self, files: &ModFiles) {
        for file in files.scripts.iter().filter(|file| is_script(&file.path)) {
            let folder = file.path.split_once('/').map_or("", |(folder, _)| folder);
            let is_module = MODULE_FOLDERS[1..].contains(&folder)
                || (folder.is_empty() && file.path != "ruleset.luau");
            if is_module
                && let Err(finding) = self
                    .modules
                    .run(&self.engine.lua, &chunk(&files.name, file))
            {
                self.findings.push(finding);
            }
        }
    }

    fn references(&mut self) {
        let mut with_broken = None;
        for definition in std::mem::take(&mut self.broken) {
            let known = with_broken.get_or_insert_with(|| self.rules.registry.clone());
            let _ = known.insert(definition);
        }
        let known: &Registry = with_broken.as_ref().unwrap_or(&self.rules.registry);
        for read in std::mem::take(&mut self.read) {
            let source = &read.definition.source;
            let contract = &self.rules.contracts[&*read.definition.collection];
            let what = format!("the {} \"{}\"", contract.name, read.definition.id);
            let check = |node: &Node| check_references(known, &contract.shape, node, source, &what);
            let mut found = check(&read.node);
            if !found.is_empty() && read.definition.origin == Origin::Script {
                found = check(&with_places(source, &read.table.table));
            }
            self.findings.extend(found);
        }
    }

    /// Runs a file that must return a table, and checks it against a shape of the host.
    fn table(
        &mut self,
        mod_name: &str,
        file: &File,
        shape: Option<&Shape>,
        what: &str,
    ) -> Option<(Held, Node)> {
        let value = match self.modules.run(&self.engine.lua, &chunk(mod_name, file)) {
            Ok(value) => value,
            Err(finding) => {
                self.findings.push(finding);
                return None;
            }
        };
        let LuaValue::Table(table) = value else {
            let found = match value.type_name() {
                "nil" => "nothing".to_owned(),
                other => format!("a {other}"),
            };
            let message = format!("the file returns {found} instead of its definition");
            let finding = Diagnostic::error("script/no-definition", message)
                .hint(format!("end the file with: return {what} {{ … }}"));
            self.findings
                .push(finding.at(&file.source, file.source.line_span(1)));
            return None;
        };
        let Some((node, inner)) = to_node_with_tables(&table, &whole(&file.source)) else {
            let finding = Diagnostic::error("limit/size", "the definition holds too much")
                .hint("50,000 values and 1 MiB of text fit, and no table may hold itself")
                .hint("long lists belong into content files");
            self.findings
                .push(finding.at(&file.source, file.source.line_span(1)));
            return None;
        };
        let table = Held { table, inner };
        let Some(shape) = shape else {
            return Some((table, node));
        };
        let findings = check(shape, &node, &file.source, what);
        if findings.is_empty() {
            return Some((table, node));
        }
        let node = with_places(&file.source, &table.table);
        let findings = check(shape, &node, &file.source, what);
        self.findings.extend(findings);
        Some((table, node))
    }
}

/// Returns the tree of a table with the places of its keys.
fn with_places(source: &Source, table: &Table) -> Node {
    let mut places = locate::places(source);
    places.whole = places.whole.or(whole(source).whole);
    to_node(table, &places).expect("invariant: it was read without places before")
}

/// Returns the file name without folders and ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn chunk(mod_name: &str, file: &File) -> String {
    format!("{mod_name}/{}", file.path)
}
