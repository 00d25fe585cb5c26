//! Reads `ruleset.luau`: its data, its stats, its phases, its events.

use std::rc::Rc;

use mlua::Table;

use super::loader::{Loader, ModFiles, chunk_name};
use super::table_file::tree_with_places;
use crate::content::{File, Node};
use crate::diag::{Diagnostic, Span};
use crate::script::declare::expressions::{self, DeclaredExpressions};
use crate::script::declare::name_type::name_types;
use crate::script::declare::schema::ruleset_shape;
use crate::script::host::read_only_tables::seal_deeply;
use crate::script::run::event::declared_events;
use crate::script::source::mod_files::RULESET;
use crate::script::source::token_table;
use crate::store::clock::Phases;
use crate::store::{Stacking, StatDeclaration, StatVisibility, Stats};
use crate::value::{Text, Value};

/// The key of the settings for all stats without a declaration of their own.
const OTHERS: &str = "*";

impl Loader<'_> {
    pub(super) fn read_ruleset_file(&mut self, files: &ModFiles) {
        let Some(file) = files.scripts.iter().find(|file| file.path == RULESET) else {
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
        let (chunk, shape) = (chunk_name(&files.name, file), ruleset_shape());
        let Some((table, node)) =
            self.run_and_check_table_file(&chunk, file, (&shape, "the ruleset"))
        else {
            self.rules.is_ruleset_lost = true;
            return;
        };
        let _ = seal_deeply(&table);
        self.rules.ruleset = node.to_value();
        self.events.extend(declared_events(&node));
        if !token_table::check_tokens(&node, &file.source).is_empty() {
            let placed = tree_with_places(&file.source, &table);
            self.findings
                .extend(token_table::check_tokens(&placed, &file.source));
        }
        let mut spoken = expressions::read(&node, &file.source, self.names);
        if !spoken.findings.is_empty() {
            let placed = tree_with_places(&file.source, &table);
            spoken = expressions::read(&placed, &file.source, self.names);
        }
        self.rules.stats = Rc::new(self.read_stats(&node, &spoken));
        self.findings.extend(spoken.findings);
        self.read_phases(file, &table, &node);
        let queues = node.get("queues").map(Node::entries).unwrap_or_default();
        let transient = queues.iter().filter(|queue| {
            let said = queue.node.get("transient").map(Node::to_value);
            said == Some(Value::Bool(true))
        });
        self.rules.transient = transient
            .map(|queue| self.names.intern(&queue.key))
            .collect();
        self.rules.name_types.extend(name_types(&node));
        self.rules.ruleset_table = Some(table);
    }

    /// Reads the phases of a ruleset. If it has none, it uses the phases of a mod that it builds on.
    fn read_phases(&mut self, file: &File, table: &Table, node: &Node) {
        let Some(clock) = node.get("clock") else {
            return;
        };
        let names = clock.get("phases").map(Node::items).unwrap_or_default();
        let names = names.iter().filter_map(Node::as_str).map(Into::into);
        let start = clock.get("start").and_then(Node::as_str).map(Into::into);
        match Phases::new(names.collect(), start) {
            Ok(mut phases) => {
                let findings = read_first_phase_numbers(&mut phases, clock);
                if !findings.is_empty() {
                    let placed = tree_with_places(&file.source, table);
                    let first = placed.get("clock").and_then(|clock| clock.get("first"));
                    for (key, finding) in findings {
                        let entry = first.and_then(|first| first.entry(&key));
                        let span = entry.map(|entry| entry.key_span);
                        self.report_wrong_clock(file, span, finding);
                    }
                }
                self.rules.phases = Rc::new(phases);
            }
            Err(finding) => {
                let placed = tree_with_places(&file.source, table);
                let span = placed.entry("clock").map(|entry| entry.node.span);
                self.report_wrong_clock(file, span, *finding);
            }
        }
    }

    fn report_wrong_clock(&mut self, file: &File, span: Option<Span>, finding: Diagnostic) {
        let span = span.unwrap_or_else(|| file.source.line_span(1));
        self.findings.push(finding.at(&file.source, span));
    }

    fn read_stats(&mut self, node: &Node, spoken: &DeclaredExpressions) -> Stats {
        let mut stats = Stats::default();
        stats.set_vocabulary(spoken.vocabulary.clone());
        for entry in node.get("stats").map(Node::entries).unwrap_or_default() {
            let summary = entry
                .node
                .get("summary")
                .and_then(Node::as_str)
                .unwrap_or_default();
            if &*entry.key != OTHERS {
                let summaries = &mut self.rules.stat_summaries;
                summaries.insert(entry.key.to_string(), summary.to_owned());
            }
            let layers = entry
                .node
                .get("stacking")
                .map(Node::items)
                .unwrap_or_default();
            let fold = match layers {
                [] => Stacking::InOrder,
                names => Stacking::Layers(
                    names
                        .iter()
                        .filter_map(|name| name.as_str())
                        .map(Into::into)
                        .collect(),
                ),
            };
            let base = entry.node.get("base").map_or(Value::Nil, Node::to_value);
            let seen = entry.node.get("visible_to").and_then(Node::as_str);
            let seen = seen.and_then(StatVisibility::parse).unwrap_or_default();
            let declaration = StatDeclaration {
                base,
                fold,
                seen,
                formula: spoken.formulas.get(&entry.key).cloned(),
            };
            if &*entry.key == OTHERS {
                stats.declare_other_stats(declaration);
            } else {
                stats.declare_stat(self.names.intern(&entry.key), declaration);
            }
        }
        stats
    }
}

/// Reads the first numbers of phases, and returns their errors by key.
fn read_first_phase_numbers(phases: &mut Phases, clock: &Node) -> Vec<(Text, Diagnostic)> {
    let first = clock.get("first").map(Node::entries).unwrap_or_default();
    let wrong = first.iter().filter_map(|entry| {
        let number = entry.node.to_value().as_i64()?;
        let number = u64::try_from(number).ok()?;
        let finding = phases.count_phase_from(&entry.key, number).err()?;
        Some((Text::clone(&entry.key), *finding))
    });
    wrong.collect()
}
