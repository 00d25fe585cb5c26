//! Converts relative ends, as rules write them, into the absolute form that records keep.
//!
//! In: an end or a list of ends, and the present clock. Out: the value for `@ends`, or its first fault.

use super::{Edge, EndCondition, Form, stored_form, stored_value};
use crate::diag::{Diagnostic, near_hint};
use crate::expr::ExprError;
use crate::store::clock::{Clock, Phases};
use crate::store::{State, limits};
use crate::value::{Name, Text, Value};

/// Checks the name of an event and the paths of its wanted values.
pub type CheckEvent<'a> = dyn Fn(&str, &[&str]) -> Result<(), Box<Diagnostic>> + 'a;

/// Data for converting and checking ends.
pub struct Setting<'a> {
    /// The state in which the record begins.
    pub state: &'a State,
    /// The phases of the game.
    pub phases: &'a Phases,
    /// The id of the record: `@self` in `where`.
    pub record: Name,
    /// The owner of the record; the row at its top is `@bearer` in `where`.
    pub owner: Name,
    /// Checks the name of an event, and the paths of its wanted values.
    pub check_event: &'a CheckEvent<'a>,
    /// Returns the reason why an expression cannot be read.
    pub unreadable: &'a dyn Fn(&str) -> Option<ExprError>,
    /// Returns whether the ruleset answers the questions of its own texts.
    pub is_answered: &'a dyn Fn() -> bool,
}

/// Hint for a ruleset without an answer function.
const ANSWERED: &str = "write it in ruleset.luau: expressions = { test = function(act, text, bound, record, event) … end }; or remove `bound` to use an expression of the host";

type Resolved<T> = Result<T, Box<Diagnostic>>;

/// Returns the value for `@ends`, `Nil` for a record that lasts.
///
/// Errors: `store/bad-ends` for every value that cannot be an end, with the nearest names.
pub fn resolve_duration(given: &Value, setting: &Setting<'_>) -> Resolved<Value> {
    let single = std::slice::from_ref(given);
    let items = match given {
        Value::Nil => return Ok(Value::Nil),
        Value::Map(_) => single,
        Value::List(items) => items.as_slice(),
        other => return bad_duration_error(format!("ends are a table, not a {}", other.kind())),
    };
    let clock = Clock::from_state(setting.state, setting.phases);
    let ends = items
        .iter()
        .map(|item| setting.resolve_condition(item, &clock));
    let ends = ends.collect::<Resolved<Vec<EndCondition>>>()?;
    if ends.is_empty() {
        return Ok(Value::Nil);
    }
    Ok(stored_value(&ends, setting.state.names()))
}

impl Setting<'_> {
    fn resolve_condition(&self, item: &Value, clock: &Clock) -> Resolved<EndCondition> {
        match form_of_item(item)? {
            Form::Phase => self.resolve_phase_end(item.get("phase"), clock),
            Form::Turn => self.resolve_turn_end(item, clock),
            Form::Rounds => Ok(EndCondition::Rounds {
                number: read_later_count(clock.rounds_ended, item, "rounds")?,
            }),
            Form::Time => Ok(EndCondition::Time {
                seconds: read_later_count(clock.time, item, "time")?,
            }),
            Form::Uses => {
                let of = read_whole_number(item, "uses", 1)?;
                Ok(EndCondition::Uses { left: of, of })
            }
            Form::With => Ok(EndCondition::With {
                row: self.find_row(item, "with")?,
            }),
            Form::Event => self.resolve_event_end(item),
            Form::When => self.resolve_expression_end(item),
        }
    }

    fn resolve_phase_end(&self, wanted: &Value, clock: &Clock) -> Resolved<EndCondition> {
        let Some(word) = wanted.as_str() else {
            return bad_duration_error(format!(
                "\"phase\" of an end is this, next or the name of a phase, not a {}",
                wanted.kind()
            ));
        };
        if clock.phase.is_none() {
            return Err(Box::new(
                Diagnostic::error(
                    "store/bad-ends",
                    "this game has no phases for an attribute to end with",
                )
                .hint("declare them in ruleset.luau: clock = { phases = { … } }"),
            ));
        }
        // A phase may have one of the two words as its name; then the word wins.
        match word {
            "this" => Ok(EndCondition::Phase {
                serial: clock.serial,
            }),
            "next" => Ok(EndCondition::Phase {
                serial: clock.serial + 1,
            }),
            kind => {
                let phase = self.phases.find_phase(kind, ["this", "next"])?;
                let number = clock.phases_begun(&phase) + 1;
                Ok(EndCondition::PhaseOf { phase, number })
            }
        }
    }

    fn resolve_turn_end(&self, item: &Value, clock: &Clock) -> Resolved<EndCondition> {
        let word = item.get("turn").as_str();
        let Some(edge) = word.and_then(Edge::parse) else {
            let hint = near_hint(word.unwrap_or_default(), ["start", "end"]);
            let message = "\"turn\" of an end is \"start\" or \"end\"";
            return Err(Box::new(
                Diagnostic::error("store/bad-ends", message).hint(hint),
            ));
        };
        let of = self.find_row(item, "of")?;
        let nth = match item.get("nth") {
            Value::Nil => 1,
            _ => read_whole_number(item, "nth", 0)?,
        };
        let id = self.state.names().text(of);
        let turn = clock.turn.as_ref().filter(|turn| turn.row == id);
        let number = match (nth, edge, turn) {
            (0, Edge::End, Some(turn)) => turn.number,
            (0, Edge::End, None) => {
                return bad_duration_error(format!("it is not the turn of \"{id}\" now"));
            }
            (0, Edge::Start, _) => {
                return bad_duration_error(
                    "this turn has already begun: only its end can still come".to_owned(),
                );
            }
            (nth, ..) => self.state.turns_begun(of).unwrap_or(0) + nth,
        };
        Ok(EndCondition::Turn { edge, of, number })
    }

    fn resolve_event_end(&self, item: &Value) -> Resolved<EndCondition> {
        let kind = read_text(item, "event")?;
        let given = match item.get("where") {
            Value::Nil => None,
            Value::List(items) if items.is_empty() => None,
            Value::Map(fields) => Some(fields),
            other => {
                return bad_duration_error(format!(
                    "\"where\" of an end is a table of fields, not a {}",
                    other.kind()
                ));
            }
        };
        let given: Vec<_> = given.into_iter().flat_map(|fields| fields.iter()).collect();
        let paths: Vec<&str> = given.iter().map(|(path, _)| path.as_ref()).collect();
        (self.check_event)(kind, &paths)?;
        let filters = given.into_iter().map(|(path, wanted)| {
            check_one_of_list(path, wanted)?;
            Ok((Text::clone(path), self.replace_own_words(wanted)))
        });
        let filters = filters.collect::<Resolved<Vec<_>>>()?;
        let bound = stored_form::bound_value(item);
        let test = match item.get("test") {
            Value::Nil => None,
            Value::Text(test) => Some(Text::clone(test)),
            other => {
                return bad_duration_error(format!(
                    "\"test\" of an end is a text, not a {}",
                    other.kind()
                ));
            }
        };
        if let Some(test) = &test {
            self.check_question_answerable("test", test, bound.as_ref())?;
        }
        Ok(EndCondition::Event {
            kind: self.state.names().intern(kind),
            filters,
            test,
            bound,
        })
    }

    fn resolve_expression_end(&self, item: &Value) -> Resolved<EndCondition> {
        let expression = read_text(item, "when")?;
        let bound = stored_form::bound_value(item);
        self.check_question_answerable("when", expression, bound.as_ref())?;
        Ok(EndCondition::When {
            expression: expression.into(),
            bound,
        })
    }

    /// Returns a wanted value of an event, with the record and its bearer in place of their words.
    fn replace_own_words(&self, value: &Value) -> Value {
        let names = self.state.names();
        match value.as_str() {
            Some("@self") => Value::Text(names.text(self.record)),
            Some("@bearer") => Value::Text(names.text(self.state.bearer(self.owner))),
            _ => value.clone(),
        }
    }

    /// Checks that the question of an end can be answered: by the ruleset if something is bound, else by the host.
    fn check_question_answerable(
        &self,
        key: &str,
        text: &str,
        bound: Option<&Value>,
    ) -> Resolved<()> {
        if bound.is_some() {
            return match (self.is_answered)() {
                true => Ok(()),
                false => Err(Box::new(unanswered_test_finding(key, text))),
            };
        }
        let Some(error) = (self.unreadable)(text) else {
            return Ok(());
        };
        let message = format!("in the \"{key}\" of an end, \"{text}\": {error}");
        let finding = Diagnostic::error("store/bad-ends", message);
        Err(Box::new(finding.hint(&*error.hint)))
    }

    fn find_row(&self, item: &Value, key: &str) -> Resolved<Name> {
        let id = read_text(item, key)?;
        let known = self.state.names().find(id);
        if let Some(row) =
            known.filter(|row| self.state.exists(*row) && !self.state.is_host_row(*row))
        {
            return Ok(row);
        }
        let rows = self.state.rows().into_iter();
        let ids: Vec<_> = rows.map(|row| self.state.names().text(row)).collect();
        let shown: String = id.chars().take(limits::NAME_CHARACTERS).collect();
        let message = format!("\"{key}\" of an end names no row: there is no \"{shown}\"");
        let hint = near_hint(&shown, ids.iter().map(AsRef::as_ref));
        Err(Box::new(
            Diagnostic::error("store/bad-ends", message).hint(hint),
        ))
    }
}

/// Returns the finding for a text of the ruleset that has no answer function.
fn unanswered_test_finding(key: &str, text: &str) -> Diagnostic {
    let message = format!(
        "\"{text}\", the \"{key}\" of an end with \"bound\", needs `expressions.test`, which the ruleset does not have"
    );
    Diagnostic::error("store/bad-ends", message).hint(ANSWERED)
}

/// Errors: the value of `one_of` for a field is not a list.
fn check_one_of_list(path: &str, wanted: &Value) -> Resolved<()> {
    let several = wanted.as_map().and_then(|map| map.get("one_of"));
    match several.filter(|several| !matches!(several, Value::List(_))) {
        None => Ok(()),
        Some(other) => bad_duration_error(format!(
            "\"one_of\" for \"{path}\" in the \"where\" of an end is a list, not a {}",
            other.kind()
        )),
    }
}

fn read_later_count(now: u64, item: &Value, key: &str) -> Resolved<u64> {
    let sum = now + read_whole_number(item, key, 1)?;
    if sum > limits::RECORD_NUMBER.cast_unsigned() {
        return bad_duration_error(format!("\"{key}\" of an end is too far away"));
    }
    Ok(sum)
}

/// Returns the form of an item. Errors: it has none, or a foreign key.
fn form_of_item(item: &Value) -> Resolved<Form> {
    if item.items().is_empty() && matches!(item, Value::List(_)) {
        let finding = Diagnostic::error("store/bad-ends", "an end is an empty table");
        return Err(Box::new(finding.hint(
            "a key with the value nil does not exist: check where its value comes from, for example `row` in { with = row }",
        )));
    }
    let Some(entries) = item.as_map() else {
        return bad_duration_error(format!("an end is a table, not a {}", item.kind()));
    };
    let heads = Form::all().map(Form::as_str).collect::<Vec<_>>();
    let Some(form) = Form::named_by(item) else {
        let near = entries
            .keys()
            .map(|key| near_hint(key, heads.iter().copied()));
        let hint = near.max_by_key(|hint| !hint.is_empty()).unwrap_or_default();
        let message = format!("an end has one of the keys {}", heads.join(", "));
        return Err(Box::new(
            Diagnostic::error("store/bad-ends", message).hint(hint),
        ));
    };
    match entries.keys().find(|key| !form_has_key(form, key)) {
        None => Ok(form),
        Some(key) => Err(Box::new(foreign_key_finding(form, key))),
    }
}

/// Returns the finding for a key that a form does not have.
fn foreign_key_finding(form: Form, key: &str) -> Diagnostic {
    let message = format!("an end with \"{}\" has no \"{key}\"", form.as_str());
    let finding = Diagnostic::error("store/bad-ends", message);
    if Form::all().any(|form| form.as_str() == key) {
        return finding
            .hint("write each end as its own table: the first that comes ends the attribute");
    }
    let others = Form::all().filter(|other| form_has_key(*other, key));
    let others: Vec<String> = others
        .map(|other| format!("\"{}\"", other.as_str()))
        .collect();
    match others.is_empty() {
        true => finding.hint(near_hint(key, form.keys())),
        false => finding.hint(format!("\"{key}\" belongs to {}", others.join(" or "))),
    }
}

fn form_has_key(form: Form, key: &str) -> bool {
    form.keys().any(|own| own == key)
}

fn read_whole_number(item: &Value, key: &str, least: u64) -> Resolved<u64> {
    let number = item.get(key).as_i64().and_then(|n| u64::try_from(n).ok());
    match number.filter(|number| *number >= least) {
        Some(number) => Ok(number),
        None => bad_duration_error(format!(
            "\"{key}\" of an end is a whole number, {least} or more and below 2^53"
        )),
    }
}

fn read_text<'v>(item: &'v Value, key: &str) -> Resolved<&'v str> {
    match item.get(key).as_str().filter(|text| !text.is_empty()) {
        Some(text) => Ok(text),
        None => bad_duration_error(format!("\"{key}\" of an end is a text")),
    }
}

fn bad_duration_error<T>(message: String) -> Resolved<T> {
    Err(Box::new(Diagnostic::error("store/bad-ends", message)))
}
