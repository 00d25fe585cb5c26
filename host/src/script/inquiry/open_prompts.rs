//! Open prompts: questions that do not stop the game, kept as records with their continuation.

use crate::diag::{Diagnostic, near_hint};
use crate::script::rules::Rules;
use crate::script::run::question::Question;
use crate::script::run::question_numbers::{self, OwnNumbers};
use crate::store::list_fields::{read_list, replace_list, split_into_fields};
use crate::store::{State, StoreError, Write};
use crate::value::{Name, Value};

/// The kind of a prompt.
pub const PROMPT: &str = "prompt";
/// The row that owns all prompts, and its kind.
const PROMPTS: &str = "@prompts";
/// Most prompts that may be open at once.
pub(crate) const MOST: usize = 1_000;

/// The continuation of an answered prompt: a definition with a function `run(act, values, answer)`.
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
    pub fn find_continuation(rules: &Rules, run: &str) -> Result<Continuation, Box<Diagnostic>> {
        let refused = |message: String| {
            let known = rules.registry.iter();
            let known: Vec<String> = known
                .map(|one| format!("{}/{}", one.collection, one.id))
                .collect();
            let finding = Diagnostic::error("ask/no-continuation", message);
            // A definition that exists has no function; other names do not help.
            let is_known = known.iter().any(|one| one == run);
            Err(Box::new(match is_known {
                true => finding,
                false => finding.hint(near_hint(run, known.iter().map(String::as_str))),
            }))
        };
        let Some((collection, id)) = run.split_once('/') else {
            return refused(format!(
                "\"{run}\" is not the \"collection/id\" of a definition"
            ));
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

/// Prefix of the fields with the numbers of a prompt for the seats that it asks.
const NUMBERS: &str = "numbers";

/// Adds a prompt and returns its id.
///
/// Errors: the limit of open prompts is reached, or the errors of the store.
pub(crate) fn add_prompt(
    state: &mut State,
    question: &Question,
    next: &Continuation,
    values: &Value,
    cause: &Value,
) -> Result<String, Box<Diagnostic>> {
    let names = std::rc::Rc::clone(state.names());
    let (owner, kind) = (names.intern(PROMPTS), names.intern(PROMPT));
    if state.records_of(owner).count() >= MOST {
        let message = format!("{MOST} prompts are open, which is the limit");
        return Err(Box::new(Diagnostic::error("limit/size", message)));
    }
    let refused = |error: StoreError| Box::new(error.to_diagnostic());
    let own = question_numbers::take_next_numbers(state, &question.members).map_err(refused)?;
    state.ensure_host_row(owner).map_err(refused)?;
    let row = state.take_record_id(kind).map_err(refused)?;
    let mut fields = prompt_fields(state, question, (next, values), &own);
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

/// Returns the question of a prompt and the continuation of its answer, as fields.
fn prompt_fields(
    state: &State,
    question: &Question,
    (next, values): (&Continuation, &Value),
    own: &OwnNumbers,
) -> Vec<(Name, Value)> {
    let asked = question.to_value();
    let asked = asked.as_map().into_iter().flatten();
    let asked = asked.map(|(key, value)| (&**key, value.clone()));
    let more = [
        ("run", Value::from(next.name())),
        ("hash", Value::from(next.hash.as_str())),
        ("values", values.clone()),
    ];
    let fields = asked
        .chain(more)
        .map(|(key, value)| (key.to_owned(), value));
    fields
        .chain(split_into_fields(
            NUMBERS,
            question_numbers::numbers_to_values(own),
        ))
        .map(|(key, value)| (state.names().intern(&key), value))
        .collect()
}

/// Returns the numbers of a prompt for the seats that it asks.
pub fn seat_numbers_of_prompt(state: &State, prompt: Name) -> OwnNumbers {
    question_numbers::numbers_from_values(&read_list(state, prompt, NUMBERS))
}

/// Gives a prompt other numbers for the seats that it asks. Errors: an error of the store.
pub fn renumber_prompt(
    state: &mut State,
    prompt: Name,
    own: &OwnNumbers,
) -> Result<(), StoreError> {
    replace_list(
        state,
        prompt,
        (NUMBERS, question_numbers::numbers_to_values(own)),
    )
}

/// Returns the open prompts in the order in which they were made.
pub fn open_prompts(state: &State) -> Vec<Name> {
    let owner = state.names().find(PROMPTS);
    owner.map_or_else(Vec::new, |owner| state.records_of(owner).collect())
}
