//! Runs a file that must return a table, and checks the table like a content file.

use mlua::{Table, Value as LuaValue};

use super::loader::Loader;
use crate::content::{File, FormerKey, Node, Shape, Step, check, rename_former_keys};
use crate::diag::{Diagnostic, Source};
use crate::script::border::type_in_words;
use crate::script::source::lua_table_to_node::{table_to_node, whole_file_place};
use crate::script::source::source_places;

impl Loader<'_> {
    /// Runs a file that must return a table.
    pub(super) fn run_table_file(&mut self, chunk: &str, file: &File, what: &str) -> Option<Table> {
        match self.modules.run_file_once(&self.engine.lua, chunk) {
            Ok(LuaValue::Table(table)) => Some(table),
            Ok(other) => {
                let found = type_in_words(other.type_name());
                let message = format!("the file returns {found} instead of its definition");
                let finding = Diagnostic::error("script/no-definition", message)
                    .hint(format!("end the file with: {}", return_line(what)));
                self.report_at_file(file, finding);
                None
            }
            Err(finding) => {
                self.findings.push(finding);
                None
            }
        }
    }

    /// Returns the tree of a table, without places.
    pub(super) fn table_tree(&mut self, file: &File, table: &Table) -> Option<Node> {
        let node = table_to_node(table, &whole_file_place(&file.source));
        if node.is_none() {
            let finding = Diagnostic::error("limit/size", "the definition is too large")
                .hint(
                    "it may have 50,000 values and 1 MiB of text, and no table may contain itself",
                )
                .hint("put long lists into content files");
            self.report_at_file(file, finding);
        }
        node
    }

    /// Runs a file that must return a table and checks it against a shape of the host.
    pub(super) fn run_and_check_table_file(
        &mut self,
        chunk: &str,
        file: &File,
        (shape, what): (&Shape, &str),
    ) -> Option<(Table, Node)> {
        let table = self.run_table_file(chunk, file, what)?;
        let mut node = self.table_tree(file, &table)?;
        let former = self.rename_keys_in_table(file, shape, &table, &mut node);
        self.findings.extend(former);
        if check(shape, &node, &file.source, what).is_empty() {
            return Some((table, node));
        }
        let mut node = tree_with_places(&file.source, &table);
        rename_former_keys(shape, &mut node);
        self.findings
            .extend(check(shape, &node, &file.source, what));
        Some((table, node))
    }

    /// Renames former keys of a definition to the present ones, in its table and its tree.
    pub(super) fn rename_keys_in_table(
        &self,
        file: &File,
        shape: &Shape,
        table: &Table,
        node: &mut Node,
    ) -> Vec<Diagnostic> {
        if rename_former_keys(shape, node).is_empty() {
            return Vec::new();
        }
        let former = rename_former_keys(shape, &mut tree_with_places(&file.source, table));
        for key in &former {
            let _ = rename_table_key(table, key);
        }
        let findings = former.iter().map(|key| key.to_warning(&file.source));
        findings.collect()
    }

    /// Reports a finding about a file as a whole.
    pub(super) fn report_at_file(&mut self, file: &File, finding: Diagnostic) {
        let first = file.source.line_span(1);
        self.findings.push(finding.at(&file.source, first));
    }
}

/// Returns the line that ends a file with a definition: `the ruleset` is the text for messages, `ruleset` the function.
fn return_line(what: &str) -> String {
    let function = what.strip_prefix("the ").unwrap_or(what);
    format!("return {function} {{ … }}")
}

/// Renames a key of a table in a table. Errors: the table cannot be changed.
fn rename_table_key(table: &Table, key: &FormerKey) -> mlua::Result<()> {
    let mut inner = table.clone();
    for step in &key.path {
        inner = match step {
            Step::Key(key) => inner.raw_get(&**key)?,
            Step::Index(index) => inner.raw_get(*index)?,
        };
    }
    let value: LuaValue = inner.raw_get(&*key.old)?;
    inner.raw_set(&*key.now, value)?;
    inner.raw_set(&*key.old, LuaValue::Nil)
}

/// Returns the tree of a table with the places of its keys.
pub(super) fn tree_with_places(source: &Source, table: &Table) -> Node {
    try_tree_with_places(source, table).expect("invariant: it was read without places before")
}

/// Does the same for a table that may have grown since it was read.
pub(super) fn try_tree_with_places(source: &Source, table: &Table) -> Option<Node> {
    let mut places = source_places::table_places(source);
    places.whole = places.whole.or(whole_file_place(source).whole);
    table_to_node(table, &places)
}
