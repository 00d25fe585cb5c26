//! Runs script files: each mod in its own environment, with a `require` of its own.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use mlua::chunk::ChunkMode;
use mlua::{Lua, Table, Value};

use super::Host;
use super::error_findings::{HostError, find_quoted_word};
use super::read_only_tables::seal_deeply;
use crate::content::File;
use crate::diag::{Diagnostic, Source, near_hint};
use crate::script::border::type_in_words;
use crate::script::former_names;
use crate::script::fuel::Limit;
use crate::script::source::mod_files::{LIBRARY, is_module_folder, is_script};
use crate::script::source::source_places;
use crate::script::source::sources::Sources;
use crate::script::source::unknown_name::text_keys;

/// The script files of all mods of one generation, run at most once each.
pub(crate) struct Modules {
    host: Rc<Host>,
    globals: Table,
    files: BTreeMap<String, Arc<Source>>,
    collections: RefCell<BTreeSet<String>>,
    environments: RefCell<BTreeMap<String, Table>>,
    values: RefCell<BTreeMap<String, Value>>,
    running: RefCell<Vec<String>>,
    failed: RefCell<BTreeMap<String, Diagnostic>>,
    /// The modules that each file required itself while it ran.
    required: RefCell<BTreeMap<String, BTreeSet<String>>>,
    /// The files that required a module that is not available.
    refused: RefCell<BTreeSet<String>>,
}

impl Modules {
    /// Returns the modules of some mods: pairs of mod name and script files.
    pub(crate) fn new<'a>(
        host: &Rc<Host>,
        globals: Table,
        mods: impl Iterator<Item = (&'a str, &'a [File])>,
    ) -> Rc<Modules> {
        let files = mods.flat_map(|(name, files)| {
            files
                .iter()
                .filter(|file| is_script(&file.path))
                .map(move |file| (format!("{name}/{}", file.path), Arc::clone(&file.source)))
        });
        Rc::new(Modules {
            host: Rc::clone(host),
            globals,
            files: files.collect(),
            collections: RefCell::default(),
            environments: RefCell::default(),
            values: RefCell::default(),
            running: RefCell::default(),
            failed: RefCell::default(),
            required: RefCell::default(),
            refused: RefCell::default(),
        })
    }

    /// Returns the sources by chunk name.
    pub(crate) fn sources(&self) -> Sources {
        self.files.clone()
    }

    /// Remembers the folder of a collection: its files are definitions, and no file requires them.
    pub(crate) fn add_collection(&self, folder: &str) {
        self.collections.borrow_mut().insert(folder.to_owned());
    }

    /// Makes the environment of a mod, with functions that only this mod sees. The environment must not exist yet.
    pub(crate) fn make_environment(
        self: &Rc<Self>,
        lua: &Lua,
        mod_name: &str,
        own: &[(String, mlua::Function)],
    ) -> mlua::Result<()> {
        let visible = lua.create_table()?;
        for (name, function) in own {
            visible.set(name.as_str(), function)?;
        }
        let (modules, name) = (Rc::downgrade(self), mod_name.to_owned());
        let require = lua.create_function(move |lua, wanted: Value| {
            let Some(wanted) = wanted.as_string().and_then(|text| text.to_str().ok()) else {
                return Err(no_path_error(&wanted));
            };
            let modules = modules.upgrade().ok_or_else(dead_machine_error)?;
            modules.require(lua, &name, &wanted)
        })?;
        visible.set("require", require)?;
        let above = lua.create_table()?;
        above.set("__index", &self.globals)?;
        visible.set_metatable(Some(above))?;
        visible.set_readonly(true);
        let environment = lua.create_table()?;
        environment.set_metatable(Some(read_only_metatable(lua, visible)?))?;
        // Nothing ever changes in it, so the machine may treat the names of scripts as constants.
        environment.set_readonly(true);
        environment.set_safeenv(true);
        self.environments
            .borrow_mut()
            .insert(mod_name.to_owned(), environment);
        Ok(())
    }

    /// Runs a file once and returns its result.
    ///
    /// Errors: the finding. It is kept, because a failed file is not run again.
    pub(crate) fn run_file_once(&self, lua: &Lua, chunk: &str) -> Result<Value, Diagnostic> {
        if let Some(value) = self.values.borrow().get(chunk) {
            return Ok(value.clone());
        }
        if let Some(finding) = self.failed.borrow().get(chunk) {
            return Err(finding.clone());
        }
        if self.running.borrow().is_empty() {
            self.host.meter.clear_limit_for_next_file();
        }
        self.running.borrow_mut().push(chunk.to_owned());
        let result = self.run_uncached_file(lua, chunk);
        self.running.borrow_mut().pop();
        match result {
            Ok(value) => {
                self.values
                    .borrow_mut()
                    .insert(chunk.to_owned(), value.clone());
                Ok(value)
            }
            Err(finding) => {
                self.failed
                    .borrow_mut()
                    .insert(chunk.to_owned(), finding.clone());
                Err(finding)
            }
        }
    }

    fn run_uncached_file(&self, lua: &Lua, chunk: &str) -> Result<Value, Diagnostic> {
        self.run_source(lua, chunk, &self.files[chunk])
    }

    /// Runs a text in the environment of the mod that the chunk name begins with. Errors: the finding.
    pub(crate) fn run_source(
        &self,
        lua: &Lua,
        chunk: &str,
        source: &Arc<Source>,
    ) -> Result<Value, Diagnostic> {
        let limit = self.host.meter.limits().source;
        if source.text().len() > limit {
            let message = format!(
                "the file has {} bytes, a script may have {limit}",
                source.text().len()
            );
            return Err(Diagnostic::error("limit/size", message).at(source, source.line_span(1)));
        }
        let mod_name = chunk.split('/').next().unwrap_or_default();
        let environment = self.environments.borrow().get(mod_name).cloned();
        let environment =
            environment.expect("invariant: a mod has its environment before its files run");
        let bytecode = self
            .host
            .compiled_bytecode(source.text())
            .map_err(|error| syntax_finding(&error, source))?;
        let scope = self
            .host
            .meter
            .enter_script_call()
            .map_err(|limit| Diagnostic::error(limit.code(), limit.to_string()))?;
        let is_first = self.running.borrow().len() <= 1;
        let result: mlua::Result<Value> =
            load_chunk(lua, chunk, &bytecode, environment).and_then(|function| match is_first {
                true => self.host.call_reporting_errors(lua, &function, ()),
                false => function.call(()),
            });
        drop(scope);
        let value = result.map_err(|error| {
            self.host.meter.note_if_out_of_memory(&error);
            if self.host.passed_limit() == Some(Limit::Memory) {
                let _ = lua.gc_collect();
            }
            let finding = self.host.diagnose(&error, &self.files);
            match finding.place {
                Some(_) => finding,
                None => finding.at(source, source.line_span(1)),
            }
        })?;
        if let Value::Table(table) = &value
            && !is_definition_chunk(chunk)
        {
            let _ = seal_deeply(table);
        }
        Ok(value)
    }

    /// Returns all modules that a file required while it ran, and their modules. Returns nothing if one was not
    /// available.
    pub(crate) fn modules_required_by(&self, chunk: &str) -> Option<BTreeSet<String>> {
        let (required, refused) = (self.required.borrow(), self.refused.borrow());
        let (mut found, mut open) = (BTreeSet::new(), vec![chunk]);
        while let Some(chunk) = open.pop() {
            if refused.contains(chunk) {
                return None;
            }
            let more = required.get(chunk).into_iter().flatten();
            open.extend(
                more.filter(|one| found.insert((*one).clone()))
                    .map(String::as_str),
            );
        }
        Some(found)
    }

    fn require(&self, lua: &Lua, mod_name: &str, wanted: &str) -> mlua::Result<Value> {
        let by = self.running.borrow().last().cloned();
        let result = self.require_module(lua, mod_name, wanted);
        if let Some(by) = by {
            match &result {
                Ok((chunk, _)) => {
                    let mut required = self.required.borrow_mut();
                    required.entry(by).or_default().insert(chunk.clone());
                }
                Err(_) => drop(self.refused.borrow_mut().insert(by)),
            }
        }
        result.map(|(_, value)| value)
    }

    /// Returns the members of a module that was run already, as files of a mod require it. Returns nothing if the
    /// module is not a table, or if its content is not all that it has.
    pub(crate) fn module_members(&self, mod_name: &str, wanted: &str) -> Option<BTreeSet<String>> {
        let values = self.values.borrow();
        let value = match values.get(&self.module_chunk(mod_name, wanted)?)? {
            Value::Table(table) if table.metatable().is_none() => table.clone(),
            _ => return None,
        };
        Some(text_keys(&value).into_iter().collect())
    }

    /// Returns the file that a mod means by the path of a module, if there may be one.
    fn module_chunk(&self, mod_name: &str, wanted: &str) -> Option<String> {
        match wanted.split_once('/') {
            Some((LIBRARY, rest)) => Some(format!("{LIBRARY}/{rest}.luau")),
            Some((folder, _)) if is_module_folder(folder) => {
                Some(format!("{mod_name}/{wanted}.luau"))
            }
            _ => None,
        }
    }

    fn require_module(
        &self,
        lua: &Lua,
        mod_name: &str,
        wanted: &str,
    ) -> mlua::Result<(String, Value)> {
        let Some(chunk) = self.module_chunk(mod_name, wanted) else {
            return Err(self.unknown_module_error(mod_name, wanted));
        };
        if !self.files.contains_key(&chunk) || self.is_in_collection(&chunk) {
            return Err(self.unknown_module_error(mod_name, wanted));
        }
        if let Some(at) = self
            .running
            .borrow()
            .iter()
            .position(|running| *running == chunk)
        {
            let mut chain: Vec<String> = self.running.borrow()[at..].to_vec();
            chain.push(chunk);
            let message = format!(
                "modules require each other in a circle: {}",
                chain.join(" -> ")
            );
            let finding = Diagnostic::error("script/require-cycle", message)
                .hint("move what they share into another module");
            return Err(HostError::error_of_finding(finding));
        }
        let value = self
            .run_file_once(lua, &chunk)
            .map_err(HostError::error_of_finding)?;
        Ok((chunk, value))
    }

    /// Returns whether a file is in the folder of a collection.
    fn is_in_collection(&self, chunk: &str) -> bool {
        let mut parts = chunk.split('/').skip(1);
        let (folder, file) = (parts.next(), parts.next());
        file.is_some() && folder.is_some_and(|folder| self.collections.borrow().contains(folder))
    }

    fn unknown_module_error(&self, mod_name: &str, wanted: &str) -> mlua::Error {
        let known: Vec<String> = self
            .files
            .keys()
            .filter(|chunk| !self.is_in_collection(chunk))
            .filter_map(|chunk| {
                let (owner, path) = chunk.split_once('/')?;
                let path = path.strip_suffix(".luau")?;
                let folder = path.split('/').next()?;
                match owner {
                    LIBRARY => Some(format!("{LIBRARY}/{path}")),
                    _ if owner == mod_name && is_module_folder(folder) => Some(path.to_owned()),
                    _ => None,
                }
            })
            .collect();
        let message = format!("there is no module \"{wanted}\"");
        let finding = Diagnostic::error("script/no-module", message)
            .hint(near_hint(wanted, known.iter().map(String::as_str)))
            .hint(
                "require finds library/…, and pipeline/…, schemas/…, views/… of the same ruleset",
            );
        let moved = wanted
            .split_once('/')
            .map(|(folder, path)| (former_names::present_folder(folder), path));
        let moved = moved.map(|(folder, path)| format!("{folder}/{path}"));
        let is_moved = |path: &String| path != wanted && known.contains(path);
        let renamed = former_names::present_library_module(wanted).map(str::to_owned);
        let hint = renamed
            .or(moved)
            .filter(is_moved)
            .map(|path| format!("it is \"{path}\" now"));
        HostError::error_of_finding(finding.hint(hint.unwrap_or_default()))
    }
}

/// Returns whether a file is a definition. Definitions become read-only only after they have an id.
fn is_definition_chunk(chunk: &str) -> bool {
    let folder = chunk.split('/').nth(1).unwrap_or_default();
    chunk.matches('/').count() > 1 && !is_module_folder(folder)
}

/// Loads a file into an environment. The machine looks up the names of a file when it loads the file, in its own
/// globals. These are replaced by the environment meanwhile.
fn load_chunk(
    lua: &Lua,
    chunk: &str,
    bytecode: &[u8],
    environment: Table,
) -> mlua::Result<mlua::Function> {
    let own = lua.globals();
    lua.set_globals(environment.clone())?;
    let function = lua
        .load(bytecode)
        .set_mode(ChunkMode::Binary)
        .set_name(format!("={chunk}"))
        .set_environment(environment)
        .into_function();
    lua.set_globals(own)?;
    function
}

/// Returns the metatable of the environment of a mod: globals can be read and never set.
fn read_only_metatable(lua: &Lua, visible: Table) -> mlua::Result<Table> {
    let metatable = lua.create_table()?;
    metatable.set("__index", visible)?;
    metatable.set("__metatable", "globals")?;
    metatable.set(
        "__newindex",
        lua.create_function(|_, (_, name, _): (Value, Value, Value)| {
            let name = name.as_string().map_or_else(
                || type_in_words(name.type_name()),
                |text| text.to_string_lossy(),
            );
            let finding = Diagnostic::error(
                "script/global",
                format!("`{name}` is a global, and globals cannot be set"),
            )
            .hint(format!(
                "write `local {name} = …`; put a value that must outlive the run into the store with act:set"
            ));
            Err::<(), _>(HostError::error_of_finding(finding))
        })?,
    )?;
    metatable.set_readonly(true);
    Ok(metatable)
}

fn no_path_error(found: &Value) -> mlua::Error {
    let message = format!(
        "`require` expects the path of a module, found {}",
        type_in_words(found.type_name())
    );
    HostError::error_of_finding(Diagnostic::error("script/argument", message))
}

fn dead_machine_error() -> mlua::Error {
    HostError::error_of_finding(Diagnostic::error(
        "script/old-generation",
        "this script belongs to rules that were replaced",
    ))
}

/// Returns the syntax error of the compiler, with the column of the finding parser where it has one.
fn syntax_finding(error: &mlua::Error, source: &Arc<Source>) -> Diagnostic {
    let text = match error {
        mlua::Error::SyntaxError { message, .. } => message.clone(),
        other => other.to_string(),
    };
    let (line, message) = source_places::line_and_message(&text);
    let finding = Diagnostic::error("script/syntax", message.trim().to_owned());
    let located = || {
        let found = source_places::syntax_errors(source).into_iter();
        found
            .filter_map(|found| found.place.map(|place| place.span))
            .find(|span| source.position(span.start).line == line)
    };
    let span = find_quoted_word(source, line, message).or_else(located);
    finding.at(source, span.unwrap_or_else(|| source.line_span(line)))
}
