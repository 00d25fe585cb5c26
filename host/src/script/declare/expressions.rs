//! Reads the declarations of a ruleset about expressions: its names and functions, and the formulas of stats.
//!
//! In: the tree of `ruleset.luau`, already checked against its shape. Out: vocabulary, formulas, findings.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use crate::content::{Entry, Kind, Node};
use crate::diag::{Diagnostic, Source, Span};
use crate::expr::{ExprError, Signature};
use crate::store::{Expression, Role, Vocabulary};
use crate::value::{Names, Text};

/// The declarations of a ruleset about expressions.
#[derive(Default)]
pub(crate) struct DeclaredExpressions {
    pub(crate) vocabulary: Vocabulary,
    /// The formulas of stats that can be read, by stat.
    pub(crate) formulas: BTreeMap<Text, Rc<Expression>>,
    pub(crate) findings: Vec<Diagnostic>,
}

/// Reads the expressions of a ruleset.
pub(crate) fn read(node: &Node, source: &Arc<Source>, names: &Names) -> DeclaredExpressions {
    let mut spoken = DeclaredExpressions::default();
    spoken.collect_words(node, source);
    for stat in entries_under_key(Some(node), "stats") {
        if let Some(formula) = stat.node.get("formula")
            && let Kind::Text(text) = &formula.kind
        {
            spoken.check_formula(stat, formula, text, source, names);
        }
    }
    spoken.report_formula_cycles(node, source, names);
    spoken
}

fn entries_under_key<'a>(node: Option<&'a Node>, key: &str) -> &'a [Entry] {
    let node = node.and_then(|node| node.get(key));
    node.map(Node::entries).unwrap_or_default()
}

impl DeclaredExpressions {
    fn collect_words(&mut self, node: &Node, source: &Arc<Source>) {
        let expressions = node.get("expressions");
        for entry in entries_under_key(expressions, "variables") {
            if self.check_word_is_token(entry, source) {
                self.vocabulary.variables.insert(Text::clone(&entry.key));
            }
        }
        for entry in entries_under_key(expressions, "functions") {
            let number = |key: &str| entry.node.get(key).map(Node::to_value)?.as_i64();
            let signature = Signature {
                operands: number("operands")
                    .and_then(|n| u8::try_from(n).ok())
                    .unwrap_or(0),
                quotes: entry
                    .node
                    .get("quotes")
                    .is_some_and(|node| node.kind == Kind::Bool(true)),
            };
            if self.check_word_is_token(entry, source) {
                self.vocabulary
                    .functions
                    .insert(Text::clone(&entry.key), signature);
            }
        }
    }

    /// Returns whether a name can be a token with its own meaning. If not, adds a finding.
    fn check_word_is_token(&mut self, entry: &Entry, source: &Arc<Source>) -> bool {
        let word = &*entry.key;
        let starts = word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        let parted = |c: char| c.is_whitespace() || ",()\"'.".contains(c);
        let taken =
            Role::Record.row_names().contains(&word) || ["nil", "true", "false"].contains(&word);
        let message = if word.is_empty() || word.contains(parted) || (starts && word.len() > 1) {
            format!(
                "\"{word}\" cannot be a word of expressions: it would be read as something else"
            )
        } else if taken {
            format!("the word \"{word}\" of expressions belongs to the host")
        } else {
            return true;
        };
        let finding = Diagnostic::error("expr/word", message)
            .hint("use a word without spaces, commas, brackets, quotes and dots");
        self.findings.push(finding.at(source, entry.key_span));
        false
    }

    fn check_formula(
        &mut self,
        stat: &Entry,
        formula: &Node,
        text: &Text,
        source: &Arc<Source>,
        names: &Names,
    ) {
        if stat.node.get("base").is_some() {
            let message = format!("the stat \"{}\" has a formula and a base", stat.key);
            let finding = Diagnostic::warning("expr/formula-and-base", message)
                .hint("the formula computes the base; remove `base`");
            self.findings.push(finding.at(source, stat.key_span));
        }
        let expression = Expression::new(text, Role::Stat, &self.vocabulary, names);
        match expression.error() {
            None => {
                let key = Text::clone(&stat.key);
                self.formulas.insert(key, Rc::new(expression));
            }
            Some(error) => {
                let message = format!("in the formula of \"{}\": {error}", stat.key);
                let finding = Diagnostic::error(error.code.clone(), message).hint(&*error.hint);
                let finding = finding.at(source, token_span(formula, text, error, source));
                self.findings.push(finding);
            }
        }
    }

    /// Reports stats with formulas that lead back to the stat itself, each cycle once.
    fn report_formula_cycles(&mut self, node: &Node, source: &Arc<Source>, names: &Names) {
        let mut done = BTreeSet::new();
        for stat in self.formulas.keys().cloned().collect::<Vec<_>>() {
            let mut way = Vec::new();
            if let Some(cycle) = self.find_formula_cycle(&stat, &mut way, &mut done, names) {
                let message = format!(
                    "formulas depend on each other in a circle: {}",
                    cycle.join(" -> ")
                );
                let finding = Diagnostic::error("expr/cycle", message)
                    .hint("one of these stats needs a base without a formula");
                let first = node.get("stats").and_then(|stats| stats.entry(&cycle[0]));
                let first = first.and_then(|stat| stat.node.get("formula"));
                let span = first.map_or_else(Span::default, |formula| formula.span);
                self.findings.push(finding.at(source, span));
            }
        }
    }

    /// Returns the way from a stat back to itself, if a walk from here finds one.
    fn find_formula_cycle(
        &self,
        stat: &Text,
        way: &mut Vec<Text>,
        done: &mut BTreeSet<Text>,
        names: &Names,
    ) -> Option<Vec<String>> {
        if let Some(start) = way.iter().position(|other| other == stat) {
            let cycle = way[start..].iter().chain([stat]);
            return Some(cycle.map(|stat| stat.to_string()).collect());
        }
        let formula = self.formulas.get(stat).filter(|_| !done.contains(stat))?;
        way.push(Text::clone(stat));
        let next = formula.stats_read_of_self().map(|next| names.text(next));
        let found = next
            .into_iter()
            .find_map(|next| self.find_formula_cycle(&next, way, done, names));
        way.pop();
        done.insert(Text::clone(stat));
        found
    }
}

/// Returns the place of the token of an error, or the whole text if it is written with escapes.
fn token_span(node: &Node, text: &Text, error: &ExprError, source: &Source) -> Span {
    let inside = Span::new(node.span.start + 1, node.span.end.saturating_sub(1));
    let is_plain = inside.start < inside.end && source.slice(inside) == &**text;
    if is_plain {
        error.at.shifted(inside.start)
    } else {
        node.span
    }
}
