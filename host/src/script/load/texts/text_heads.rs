//! Asks for the definition of each text: `head` of `texts` of `ruleset.luau`.
//!
//! In: the files of a mod that are texts. Out: definitions with only their heads known, or findings at their files.

use std::collections::BTreeMap;
use std::sync::Arc;

use mlua::{Table, Value as LuaValue};

use super::edit_trials::Budget;
use super::{Functions, ID, edit_search, file_table, ruleset_source, unread_texts_finding};
use crate::content::{Definition, File, Kind, Node, Shape};
use crate::diag::{Diagnostic, Severity, Source, near_hint};
use crate::script::border::type_in_words;
use crate::script::declare::schema::Format;
use crate::script::load::definition_calls::{About, Calls, Passes};
use crate::script::load::definitions::Read;
use crate::script::load::loader::{Loader, ModFiles};
use crate::script::load::script_report::Report;
use crate::script::rules::definition_cache::KeptDefinition;
use crate::script::source::lua_table_to_node::table_to_node;
use crate::script::source::mod_files::is_text;
use crate::script::source::source_places::Places;

/// The key of a head that names its collection.
const COLLECTION: &str = "collection";

impl Loader<'_> {
    /// Asks for the heads of the texts of a mod, in order of path. Errors: memory.
    pub(in super::super) fn read_text_heads(&mut self, files: &ModFiles) -> mlua::Result<()> {
        let Some(functions) = Functions::of(&self.rules) else {
            return Ok(());
        };
        let mut own: Vec<&File> = files
            .content
            .iter()
            .filter(|file| is_text(&file.path))
            .collect();
        own.sort_by(|one, other| one.path.cmp(&other.path));
        let script = ruleset_source(&self.rules);
        let calls = Calls::new(self.engine, &self.rules.sources, &self.rules.ruleset_id)?;
        let mut passes = Passes::default();
        let mut prose = Vec::new();
        let budget = Budget::new();
        for (at, file) in own.iter().enumerate() {
            let given = file_table(&self.engine.lua, &file.path, &file.source)?;
            match calls.call::<(LuaValue, LuaValue)>(&functions.head, given).0 {
                Ok((LuaValue::Boolean(false), _)) => prose.push(file.path.as_str()),
                Ok((LuaValue::Nil, fault @ LuaValue::Table(_))) => {
                    let read = |text: &str| {
                        let changed = Source::new(file.path.as_str(), text);
                        let given = file_table(&self.engine.lua, &file.path, &changed).ok()?;
                        let called = calls.call::<Option<Table>>(&functions.head, given);
                        called.0.ok().flatten()
                    };
                    let finding = match Report::read(fault, &self.rules.ruleset_id) {
                        Ok(mut report) => {
                            edit_search::suggest_head_edit(
                                &self.rules,
                                &budget,
                                &file.source,
                                &mut report,
                                read,
                            );
                            report.finding_in_text(&file.source)
                        }
                        Err(error) => no_head_finding(&error.to_string())
                            .at(&file.source, file.source.line_span(1)),
                    };
                    self.findings.push(finding);
                }
                Ok(answer) => self.take_head_answer(files, file, answer),
                Err(failed) => {
                    let limit = failed.limit;
                    let about = About {
                        what: "`head` of `texts`".to_owned(),
                        function: &functions.head,
                        holder: ("`head` of the ruleset", &script),
                        place: (&file.source, file.source.line_span(1)),
                    };
                    self.findings.push(failed.failure_finding(&about));
                    let left = own.len() - at - 1;
                    if left > 0 && passes.count_limit_and_should_stop(limit) {
                        self.findings
                            .push(unread_texts_finding("head", left, &script));
                        break;
                    }
                }
            }
        }
        self.findings.extend(skipped_files_note(&prose));
        Ok(())
    }

    /// Takes the answer of `head` about a file.
    fn take_head_answer(&mut self, files: &ModFiles, file: &File, answer: (LuaValue, LuaValue)) {
        match answer {
            (LuaValue::Table(head), _) => {
                self.define_by_head(files, file, head);
            }
            (LuaValue::Nil, _) => self.report_at_file(file, no_head_finding("found nothing")),
            (other, _) => {
                let found = format!("found {}", type_in_words(other.type_name()));
                self.report_at_file(file, no_head_finding(&found));
            }
        }
    }

    /// Takes the head of a definition.
    fn define_by_head(&mut self, files: &ModFiles, file: &File, table: Table) -> Option<()> {
        let node = table_to_node(&table, &first_line_place(&file.source));
        let Some(node) = node else {
            let finding = Diagnostic::error("limit/size", "the head is too large");
            self.report_at_file(file, finding);
            return None;
        };
        let text = |key: &str| node.get(key).and_then(Node::as_str);
        let collection = text(COLLECTION).unwrap_or_default();
        let schema = self.rules.schemas.get(collection);
        let Some(schema) = schema.filter(|one| one.format == Format::Text) else {
            let known = self.rules.schemas.values();
            let known = known
                .filter(|one| one.format == Format::Text)
                .map(|one| one.collection.as_str());
            let message = format!(
                "`head` of `texts` names {collection:?}, which is not a collection of texts"
            );
            let finding =
                Diagnostic::error("schema/texts", message).hint(near_hint(collection, known));
            self.report_at_file(file, finding.hint("its schema must have format = \"text\""));
            return None;
        };
        let Some(id) = text(ID) else {
            self.report_at_file(file, no_head_finding("it has no `id`"));
            return None;
        };
        let kept = head_without_place(&node, &schema.shape);
        let findings = schema.check(id, &kept, &file.source);
        let definition = Definition::of_text((collection, id), &files.name, &file.source, &kept);
        let kept = KeptDefinition {
            definition: Arc::new(definition),
            node: Arc::new(kept),
        };
        let read = Read {
            kept,
            table,
            path: Some(file.path.clone()),
        };
        self.add_definition(read, findings);
        Some(())
    }

    /// Finds collections of texts that the ruleset cannot read.
    pub(in super::super) fn report_unreadable_texts(&mut self) {
        if self.rules.is_ruleset_lost || Functions::of(&self.rules).is_some() {
            return;
        }
        for schema in self
            .rules
            .schemas
            .values()
            .filter(|one| one.format == Format::Text)
        {
            let message = format!(
                "{} are read from texts, and the ruleset has no `texts`",
                schema.collection
            );
            let finding = Diagnostic::error("schema/texts", message)
                .hint("write texts = { head = function(file) … end, begin = function() … end, read = function(shared, file, head, report) … end } in ruleset.luau");
            self.findings
                .push(finding.at(&schema.source, schema.source.line_span(1)));
        }
    }
}

fn first_line_place(source: &Source) -> Places {
    Places {
        whole: Some(source.line_span(1)),
        ..Places::default()
    }
}

/// Returns a head without the keys that name its place. An id that the schema requires stays.
fn head_without_place(node: &Node, shape: &Shape) -> Node {
    let has_id = matches!(shape, Shape::Record(record) if record.field(ID).is_some());
    let is_data = |key: &str| key != COLLECTION && (key != ID || has_id);
    let kind = match &node.kind {
        Kind::Map(entries) => {
            let entries = entries.iter().filter(|entry| is_data(&entry.key));
            Kind::Map(entries.cloned().collect())
        }
        other => other.clone(),
    };
    Node::new(node.span, kind)
}

/// Returns the note about files that are not texts of the ruleset, by their folders. Returns nothing if there are none.
fn skipped_files_note(paths: &[&str]) -> Option<Diagnostic> {
    let mut by_folder: BTreeMap<&str, usize> = BTreeMap::new();
    for path in paths {
        let folder = path
            .split_once('/')
            .map_or("the folder itself", |(first, _)| first);
        *by_folder.entry(folder).or_default() += 1;
    }
    let told: Vec<String> = by_folder
        .iter()
        .map(|(folder, count)| format!("{folder} ({count})"))
        .collect();
    let what = match paths.len() {
        0 => return None,
        1 => "1 file is not a text of the ruleset and is not read".to_owned(),
        count => format!("{count} files are not texts of the ruleset and are not read"),
    };
    let message = format!("{what}: in {}", told.join(", "));
    Some(Diagnostic {
        severity: Severity::Note,
        ..Diagnostic::warning("content/prose", message)
    })
}

fn no_head_finding(why: &str) -> Diagnostic {
    let message = format!("`head` of `texts` does not say what the file is: {why}");
    Diagnostic::error("script/no-definition", message).hint(
        "return { collection = \"…\", id = \"…\", name = \"…\" }, or nil and { code = \"…\", message = \"…\" }, or false for a file that is not a text of the ruleset",
    )
}
