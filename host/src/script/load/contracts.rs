//! Reads contracts, and makes the environments in which the other files of a mod run.

use mlua::{Function, Table};

use super::loader::{Loader, ModFiles, chunk, stem};
use super::table::with_places;
use crate::content::Node;
use crate::diag::Diagnostic;
use crate::script::declare::contract::{Contract, Reads, contract_shape};
use crate::script::run::interpreter::Interpreter;
use crate::script::source::mod_files::{CONTRACTS, is_script};

impl Loader<'_> {
    /// Reads the contracts of a mod; they are run before its environment knows their functions.
    pub(super) fn contracts(&mut self, files: &ModFiles) {
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
            .filter(|file| file.path.starts_with(CONTRACTS) && is_script(&file.path));
        for file in paths {
            let chunk = chunk(&files.name, file);
            let Some((table, node)) = self.checked(&chunk, file, (&shape, "the contract")) else {
                continue;
            };
            let read =
                |node: &Node| Contract::read(stem(&file.path), &files.name, node, &file.source);
            let (contract, mut findings) = read(&node);
            if !findings.is_empty() {
                findings = read(&with_places(&file.source, &table)).1;
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
                self.report(file, finding);
                continue;
            }
            self.modules.add_collection(&contract.collection);
            if let Ok(check) = table.raw_get::<Function>("check") {
                self.checks.insert(contract.collection.clone(), check);
            }
            if let Ok(Some(interpreter)) = Interpreter::read(&self.engine.lua, &table) {
                let collection = contract.collection.clone();
                self.rules.interpreters.insert(collection, interpreter);
            }
            self.rules
                .contracts
                .insert(contract.collection.clone(), contract);
        }
    }

    /// Makes the environment of a mod: the functions of all contracts known so far. Its definitions may be events.
    pub(super) fn open(&mut self, files: &ModFiles) -> mlua::Result<()> {
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
}
