//! This module turns the files of mods into one generation of rules: contracts, ruleset, definitions, grammar.
//!
//! Nothing stops it: every file that can be used is used, everything else is a finding, all in one pass.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Table, Value as LuaValue};

use super::compile::Compiled;
use super::contract::{Contract, Reads, contract_shape, ruleset_shape};
use super::convert;
use super::engine::{Engine, EngineOptions};
use super::locate::{self, Places};
use super::module::{MODULE_FOLDERS, Modules, is_script};
use super::rules::{NameType, Rules};
use super::sandbox::seal;
use crate::content::{
    Definition, Entry, File, Kind, Node, Origin, Shape, TreeLimits, check, check_references,
    read_tree,
};
use crate::diag::{Diagnostic, Source, Span, near_hint};
use crate::store::{Fold, StatDeclaration, Stats};
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
    phrases: &[HostPhrase],
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
    loader.references();
    *engine.modules.borrow_mut() = Some(Rc::clone(&loader.modules));
    let (mut rules, mut findings) = (loader.rules, loader.findings);
    super::phrases::build(&mut rules, phrases, &mut findings);
    findings.sort_by_key(Diagnostic::sort_key);
    findings.dedup();
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
    read: Vec<(Shape, Node, Arc<Source>, String)>,
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
            let Some((_, node)) = self.table(&files.name, file, Some(&shape), "the contract")
            else {
                continue;
            };
            let name = stem(&file.path);
            let (contract, findings) = Contract::read(name, &files.name, &node, &file.source);
            self.findings.extend(self.placed(findings, file, &node));
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
        let _ = seal(&table);
        self.rules.ruleset = node.to_value();
        self.rules.stats = Rc::new(self.stats(&node));
        self.rules.name_types.extend(name_types(&node));
        self.rules.ruleset_table = Some(table);
    }

    fn stats(&mut self, node: &Node) -> Stats {
        let mut stats = Stats::default();
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
            stats.declare(
                self.names.intern(&entry.key),
                StatDeclaration { base, fold },
            );
        }
        stats
    }

    /// Runs the definition files of a mod.
    fn scripts(&mut self, files: &ModFiles) {
        for file in files.scripts.iter().filter(|file| is_script(&file.path)) {
            let Some((folder, _)) = file.path.split_once('/') else {
                continue;
            };
            if MODULE_FOLDERS.contains(&folder) {
                continue;
            }
            match self
                .rules
                .contracts
                .get(folder)
                .filter(|one| one.reads == Reads::Luau)
                .cloned()
            {
                Some(contract) => self.script(files, file, &contract),
                None => self.unknown_folder(file, folder),
            }
        }
    }

    fn script(&mut self, files: &ModFiles, file: &File, contract: &Contract) {
        let id = stem(&file.path).to_owned();
        let Some((table, node)) = self.table(&files.name, file, None, &contract.name) else {
            return;
        };
        let findings = contract.check(&id, &node, &file.source);
        let usable = findings.iter().all(|finding| !finding.is_error());
        let node = if findings.is_empty() {
            node
        } else {
            self.with_places(file, &table)
        };
        let findings = if findings.is_empty() {
            findings
        } else {
            contract.check(&id, &node, &file.source)
        };
        self.findings.extend(findings);
        if !usable {
            return;
        }
        let _ = table.raw_set("id", id.as_str());
        let _ = seal(&table);
        self.define(contract, &id, files, file, node, Origin::Script, table);
    }

    /// Reads the content files of a mod.
    fn content(&mut self, files: &ModFiles) {
        for file in &files.content {
            if !file.path.ends_with(".yaml")
                && !file.path.ends_with(".yml")
                && !file.path.ends_with(".json")
            {
                continue;
            }
            let folder = file.path.split('/').next().unwrap_or_default();
            match self
                .rules
                .contracts
                .get(folder)
                .filter(|one| one.reads == Reads::Yaml)
                .cloned()
            {
                Some(contract) => self.content_file(files, file, &contract),
                None => self.unknown_folder(file, folder),
            }
        }
    }

    fn content_file(&mut self, files: &ModFiles, file: &File, contract: &Contract) {
        let id = stem(&file.path).to_owned();
        let (node, findings) = read_tree(&file.source, TreeLimits::CONTENT);
        self.findings.extend(findings);
        let Some(node) = node else { return };
        let findings = contract.check(&id, &node, &file.source);
        let usable = findings.iter().all(|finding| !finding.is_error());
        self.findings.extend(findings);
        let made = convert::to_lua(&node.to_value(), &self.engine.lua);
        if let (true, Ok(LuaValue::Table(table))) = (usable, made) {
            let _ = table.raw_set("id", id.as_str());
            let _ = seal(&table);
            self.define(contract, &id, files, file, node, Origin::Content, table);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one definition")]
    fn define(
        &mut self,
        contract: &Contract,
        id: &str,
        files: &ModFiles,
        file: &File,
        node: Node,
        origin: Origin,
        table: Table,
    ) {
        let key = (contract.collection.as_str(), id);
        let definition = Definition::from_node(key, &files.name, &file.source, &node, origin);
        match self.rules.registry.insert(definition) {
            Ok(()) => {
                self.rules
                    .tables
                    .insert((contract.collection.clone(), id.to_owned()), table);
                let what = format!("the {} \"{id}\"", contract.name);
                self.read
                    .push((contract.shape.clone(), node, Arc::clone(&file.source), what));
            }
            Err(finding) => self.findings.push(*finding),
        }
    }

    fn unknown_folder(&mut self, file: &File, folder: &str) {
        let message =
            format!("no contract names the folder \"{folder}\", so this file is not read");
        let known = self
            .rules
            .contracts
            .keys()
            .map(String::as_str)
            .chain(MODULE_FOLDERS);
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
        for (shape, node, source, what) in std::mem::take(&mut self.read) {
            let found = check_references(&self.rules.registry, &shape, &node, &source, &what);
            if found.is_empty() {
                continue;
            }
            let file = File {
                path: String::new(),
                source: Arc::clone(&source),
                hash: [0; 32],
            };
            let placed = if source.name().ends_with(".luau") {
                self.placed(found, &file, &node)
            } else {
                found
            };
            self.findings.extend(placed);
        }
    }

    /// Runs a file that must return a table, and checks it against a shape of the host.
    fn table(
        &mut self,
        mod_name: &str,
        file: &File,
        shape: Option<&Shape>,
        what: &str,
    ) -> Option<(Table, Node)> {
        let value = match self.modules.run(&self.engine.lua, &chunk(mod_name, file)) {
            Ok(value) => value,
            Err(finding) => {
                self.findings.push(finding);
                return None;
            }
        };
        let LuaValue::Table(table) = value else {
            let message = format!(
                "the file returns a {} instead of its definition",
                value.type_name()
            );
            let finding = Diagnostic::error("script/no-definition", message)
                .hint(format!("end the file with: return {what} {{ … }}"));
            self.findings
                .push(finding.at(&file.source, file.source.line_span(1)));
            return None;
        };
        let node = to_node(&LuaValue::Table(table.clone()), "", &whole(&file.source), 0);
        let Some(shape) = shape else {
            return Some((table, node));
        };
        let findings = check(shape, &node, &file.source, what);
        if findings.is_empty() {
            return Some((table, node));
        }
        let node = self.with_places(file, &table);
        let findings = check(shape, &node, &file.source, what);
        let usable = findings.iter().all(|finding| !finding.is_error());
        self.findings.extend(findings);
        usable.then_some((table, node))
    }

    /// Returns the tree of a table with the places of its keys.
    fn with_places(&self, file: &File, table: &Table) -> Node {
        let mut places = locate::places(&file.source);
        places.whole = places.whole.or(whole(&file.source).whole);
        to_node(&LuaValue::Table(table.clone()), "", &places, 0)
    }

    /// Moves findings that were made without places to where their values stand.
    fn placed(&self, findings: Vec<Diagnostic>, file: &File, node: &Node) -> Vec<Diagnostic> {
        if findings.is_empty() {
            return findings;
        }
        let places = locate::places(&file.source);
        findings
            .into_iter()
            .map(|finding| place_by_text(finding, &places, node, &file.source))
            .collect()
    }
}

/// Finds the quoted words of a message among the values of a table.
fn place_by_text(
    finding: Diagnostic,
    places: &Places,
    node: &Node,
    source: &Arc<Source>,
) -> Diagnostic {
    let quoted: Vec<&str> = finding
        .message
        .split(['"', '`'])
        .skip(1)
        .step_by(2)
        .collect();
    let _ = node;
    let hit = places.entries.iter().find(|(path, (_, value))| {
        let text = source.slice(*value).trim_matches(['"', '\'']);
        quoted
            .iter()
            .any(|word| text == *word || path.as_str() == *word)
    });
    match hit {
        Some((_, (_, value))) => finding.at(source, *value),
        None => finding,
    }
}

fn whole(source: &Source) -> Places {
    let at = source.text().rfind("return").unwrap_or(0);
    Places {
        whole: Some(Span::new(at, source.text().len())),
        entries: BTreeMap::new(),
    }
}

/// Returns a Luau value as a tree; depth is bounded, what lies deeper is left out.
fn to_node(value: &LuaValue, path: &str, places: &Places, depth: usize) -> Node {
    let span = places
        .entries
        .get(path)
        .map(|(_, value)| *value)
        .or(places.whole)
        .unwrap_or_default();
    let kind = match value {
        LuaValue::Table(table) if depth < 16 => table_kind(table, path, places, depth),
        LuaValue::Function(_) => Kind::Function,
        LuaValue::String(text) => Kind::Text(text.to_string_lossy().into()),
        LuaValue::Boolean(value) => Kind::Bool(*value),
        other => match convert::from_lua(other.clone()) {
            Ok(Value::Number(number)) => Kind::Number(number, number.to_string().into()),
            _ => Kind::Nil,
        },
    };
    Node::new(span, kind)
}

fn table_kind(table: &Table, path: &str, places: &Places, depth: usize) -> Kind {
    let length = table.raw_len();
    if length > 0 {
        let items = (1..=length).map(|index| {
            let value = table.raw_get(index).unwrap_or(LuaValue::Nil);
            to_node(&value, &format!("{path}[{index}]"), places, depth + 1)
        });
        return Kind::List(items.collect());
    }
    let mut entries = BTreeMap::new();
    let _ = table.for_each(|key: LuaValue, value: LuaValue| {
        let key = key.to_string().unwrap_or_default();
        let inner = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        let node = to_node(&value, &inner, places, depth + 1);
        let key_span = places
            .entries
            .get(&inner)
            .map(|(key, _)| *key)
            .unwrap_or(node.span);
        entries.insert(
            key.clone(),
            Entry {
                key: key.into(),
                key_span,
                node,
            },
        );
        Ok(())
    });
    Kind::Map(entries.into_values().collect())
}

fn name_types(node: &Node) -> BTreeMap<String, NameType> {
    let types = node.get("types").map(Node::entries).unwrap_or_default();
    let found = types.iter().filter_map(|entry| {
        let text = |key: &str| {
            entry
                .node
                .get(key)
                .and_then(Node::as_str)
                .map(str::to_owned)
        };
        let kind = text("kind").map(NameType::Entities);
        let collection = text("collection").map(NameType::Definitions);
        let names = entry.node.get("names").map(|_| NameType::Found);
        Some((entry.key.to_string(), kind.or(collection).or(names)?))
    });
    found.collect()
}

/// Returns the file name without folders and ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn chunk(mod_name: &str, file: &File) -> String {
    format!("{mod_name}/{}", file.path)
}
