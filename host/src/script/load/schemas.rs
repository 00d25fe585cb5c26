//! Reads schemas, and makes the environments in which the other files of a mod run.

use mlua::{Function, Table};

use super::loader::{Loader, ModFiles, chunk_name, file_stem};
use super::table_file::tree_with_places;
use crate::content::{File, Node};
use crate::diag::{Diagnostic, RENAMED};
use crate::script::declare::schema::{Format, Schema, schema_shape};
use crate::script::former_names;
use crate::script::run::handler_interpreter::Interpreter;
use crate::script::source::mod_files::{is_schema, is_script};
use crate::words::LANGUAGES;

/// Returns the warning that the folder of a file has another name now.
fn moved_folder_warning(file: &File) -> Diagnostic {
    let folder = file.path.split('/').next().unwrap_or_default();
    let now = former_names::present_folder(folder);
    let message = format!("the folder `{folder}` is called `{now}` now");
    Diagnostic::warning(RENAMED, message)
        .hint(format!("rename the folder, and write require(\"{now}/…\")"))
}

impl Loader<'_> {
    /// Reads the schemas of a mod. They are run before its environment knows their functions.
    pub(super) fn read_schemas(&mut self, files: &ModFiles) {
        let function = self.identity_function();
        let own = ["schema", former_names::SCHEMA].map(|name| (name.to_owned(), function.clone()));
        if self
            .modules
            .make_environment(&self.engine.lua, &files.name, &own)
            .is_err()
        {
            return;
        }
        let moved = files.scripts.iter().find(|file| {
            let folder = file.path.split('/').next().unwrap_or_default();
            is_schema(&file.path) && former_names::present_folder(folder) != folder
        });
        if let Some(file) = moved {
            self.report_at_file(file, moved_folder_warning(file));
        }
        let shape = schema_shape();
        let paths = files
            .scripts
            .iter()
            .filter(|file| is_schema(&file.path) && is_script(&file.path));
        for file in paths {
            let chunk = chunk_name(&files.name, file);
            let Some((table, node)) =
                self.run_and_check_table_file(&chunk, file, (&shape, "the schema"))
            else {
                continue;
            };
            let read =
                |node: &Node| Schema::read(file_stem(&file.path), &files.name, node, &file.source);
            let (schema, mut findings) = read(&node);
            if !findings.is_empty() {
                findings = read(&tree_with_places(&file.source, &table)).1;
            }
            self.findings.extend(findings);
            let Some(schema) = schema else { continue };
            if schema.collection == LANGUAGES {
                let message = "the collection \"languages\" is the host's own";
                let finding = Diagnostic::error("schema/duplicate", message)
                    .hint("give the folder another name; the host reads its texts from languages/");
                self.report_at_file(file, finding);
                continue;
            }
            if let Some(other) = self.rules.schemas.get(&schema.collection) {
                let message = format!(
                    "the collection \"{}\" has a schema already",
                    schema.collection
                );
                let finding = Diagnostic::error("schema/duplicate", message)
                    .hint(format!("the other one is {}", other.source.name()));
                self.report_at_file(file, finding);
                continue;
            }
            self.modules.add_collection(&schema.collection);
            if let Ok(check) = table.raw_get::<Function>("check") {
                self.checks.insert(schema.collection.clone(), check);
            }
            if let Ok(Some(interpreter)) = Interpreter::read(&self.engine.lua, &table) {
                let collection = schema.collection.clone();
                self.rules.interpreters.insert(collection, interpreter);
            }
            self.rules.schemas.insert(schema.collection.clone(), schema);
        }
    }

    /// Makes the environment of a mod: the functions of all schemas known so far. Its definitions may be events.
    pub(super) fn make_mod_environment(&mut self, files: &ModFiles) -> mlua::Result<()> {
        let mut own = vec![("ruleset".to_owned(), self.identity_function())];
        for schema in self
            .rules
            .schemas
            .values()
            .filter(|one| one.format == Format::Luau)
        {
            own.push((schema.name.clone(), self.identity_function()));
        }
        self.modules
            .make_environment(&self.engine.lua, &files.name, &own)
    }

    /// Returns a function that returns its table: definition functions exist only for types and for readers.
    fn identity_function(&self) -> Function {
        let made = self.engine.lua.create_function(|_, table: Table| Ok(table));
        made.expect("invariant: a fresh machine has memory for a function")
    }
}
