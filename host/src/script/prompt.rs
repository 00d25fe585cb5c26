//! This module is open prompts: questions that do not stop the world, kept as records with what goes on afterwards.

use super::question::Question;
use super::rules::Rules;
use crate::diag::{Diagnostic, near_hint};
use crate::store::{State, Write};
use crate::value::{Name, Value};

/// The kind of a prompt.
pub const PROMPT: &str = "prompt";
/// The row that owns all prompts, and its kind.
const PROMPTS: &str = "@prompts";
/// Prompts that may be open at once.
const MOST: usize = 1_000;

/// What goes on when a prompt is answered: a definition with a function `run(act, values, answer)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The collection of the definition.
    pub collection: String,
    /// Its id.
    pub id: String,
    /// The hash of its text.
    pub hash: String,
}

impl Continuation {
    /// Returns the definition of a text `collection/id`.
    ///
    /// Errors: `ask/no-continuation` if there is none, or it has no function `run`.
    pub fn find(rules: &Rules, run: &str) -> Result<Continuation, Box<Diagnostic>> {
        let known: Vec<String> = rules
            .registry
            .iter()
            .map(|one| format!("{}/{}", one.collection, one.id))
            .collect();
        let refused = |message: String| {
            let near = near_hint(run, known.iter().map(String::as_str));
            Err(Box::new(
                Diagnostic::error("ask/no-continuation", message).hint(near),
            ))
        };
        let Some((collection, id)) = run.split_once('/') else {
            return refused(format!("\"{run}\" is no \"collection/id\" of a definition"));
        };
        let Some(definition) = rules.registry.get(collection, id) else {
            return refused(format!("there is no definition \"{run}\""));
        };
        let key = (collection.to_owned(), id.to_owned());
        let function = rules.tables.get(&key);
        let function = function.and_then(|table| table.raw_get::<mlua::Function>("run").ok());
        if function.is_none() {
            return refused(format!("the definition \"{run}\" has no function `run`"));
        }
        let hash = blake3::hash(definition.source.text().as_bytes()).to_hex();
        Ok(Continuation {
            collection: collection.to_owned(),
            id: id.to_owned(),
            hash: hash[..16].to_owned(),
        })
    }

    /// Returns the text `collection/id`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.collection, self.id)
    }
}

/// The field with the number of a prompt for those whom it asks.
const OWN_NUMBER: &str = "ordinal";

/// Adds a prompt and returns its id.
///
/// Errors: there are as many as there may be, or those of the store.
pub(super) fn put(
    state: &mut State,
    question: &Question,
    next: &Continuation,
    values: &Value,
    cause: &Value,
) -> Result<String, Box<Diagnostic>> {
    let names = std::rc::Rc::clone(state.names());
    let (owner, kind) = (names.intern(PROMPTS), names.intern(PROMPT));
    if state.records(owner).count() >= MOST {
        let message = format!("{MOST} prompts are open, no more may be");
        return Err(Box::new(Diagnostic::error("limit/size", message)));
    }
    let refused = |error: crate::store::StoreError| Box::new(error.to_diagnostic());
    state.put_bare(owner).map_err(refused)?;
    let row = state.next_record_id(kind).map_err(refused)?;
    let mut fields = fields(state, question, next, values);
    fields.push((state.reserved().cause, cause.clone()));
    let owner = Some(owner);
    state
        .apply(Write::Put {
            row,
            kind,
            owner,
            fields,
        })
        .map_err(refused)?;
    Ok(names.text(row).to_string())
}

/// Returns the question of a prompt and what goes on with its answer, as fields.
fn fields(
    state: &State,
    question: &Question,
    next: &Continuation,
    values: &Value,
) -> Vec<(Name, Value)> {
    let asked = question.to_value();
    let asked = asked.as_map().into_iter().flatten();
    let asked = asked.map(|(key, value)| (&**key, value.clone()));
    let more = [
        ("run", Value::from(next.name())),
        ("hash", Value::from(next.hash.as_str())),
        ("values", values.clone()),
        (OWN_NUMBER, next_number(state, &question.to).into()),
    ];
    let fields = asked.chain(more);
    fields
        .map(|(key, value)| (state.names().intern(key), value))
        .collect()
}

/// Returns a number that no open prompt has which a seat may see beside one for the same addressee.
fn next_number(state: &State, to: &str) -> i64 {
    let is_group = |to: &str| to.starts_with("group:");
    let field = |row: Name, name: &str| {
        let field = state.names().find(name);
        field.map_or(&Value::Nil, |field| state.get(row, field))
    };
    let beside = prompts(state).into_iter().filter(|row| {
        let other = field(*row, "to").as_str().unwrap_or_default();
        other == to || is_group(other) || is_group(to)
    });
    let numbers = beside.filter_map(|row| field(row, OWN_NUMBER).as_i64());
    numbers.max().unwrap_or(0) + 1
}

/// Returns the number of a prompt for those whom it asks: that of the record would count what others have.
pub fn own_number(state: &State, prompt: Name) -> Option<String> {
    let field = state.names().find(OWN_NUMBER)?;
    Some(state.get(prompt, field).as_i64()?.to_string())
}

/// Returns the open prompts in the order in which they were made.
pub fn prompts(state: &State) -> Vec<Name> {
    let owner = state.names().find(PROMPTS);
    owner.map_or_else(Vec::new, |owner| state.records(owner).collect())
}
