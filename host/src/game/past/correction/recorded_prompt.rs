//! Finds the prompt that a line of the past answered or gave up.
//!
//! A prompt is identified by the person who is asked, the rule, the key and the ruling. The row of the prompt may be
//! another one now. Among several equal prompts, those with the same text come first; then their order decides.

use crate::game::past::correction::recorded_ruling::RecordedRuling;
use crate::game::past::replay::rule_of_operation;
use crate::game::timeline::Timeline;
use crate::script::{PROMPT, Question, open_prompts};
use crate::store::{Change, State};
use crate::value::{Name, Value};

/// Fields that identify a prompt.
const FIELDS: [&str; 4] = ["to", "key", "who", "run"];

/// A prompt of the past that a line answered or gave up.
pub(super) struct RecordedPrompt {
    /// The state before that line.
    before: State,
    row: Name,
}

/// Returns the prompt that a line answered, found by the rule that ran, or that the line gave up.
pub(super) fn prompt_of_past_line(
    timeline: &Timeline,
    one: &RecordedRuling,
) -> Option<RecordedPrompt> {
    let row = match rule_of_operation(&one.operation) {
        // The name of a row that a rule made is its kind and a number. Otherwise a definition runs.
        Some(rule) if rule.contains('#') => timeline.state.names().find(rule)?,
        Some(_) => return None,
        None => given_up_prompt(&one.operation.changes, &timeline.state)?,
    };
    let before = timeline.history.state_before(one.seq).ok()?;
    let is_prompt = open_prompts(&before).contains(&row);
    is_prompt.then_some(RecordedPrompt { before, row })
}

/// Returns the prompt that the changes remove completely, if they change nothing else.
fn given_up_prompt(changes: &[Change], state: &State) -> Option<Name> {
    let kind = state.reserved().kind;
    let row = changes.first()?.row;
    let is_gone = |change: &Change| {
        change.field == kind && change.old.as_str() == Some(PROMPT) && change.new.is_nil()
    };
    let is_alone = changes.iter().all(|change| change.row == row);
    (is_alone && changes.iter().any(is_gone)).then_some(row)
}

impl RecordedPrompt {
    /// Returns the question.
    pub(super) fn question(&self) -> Option<Question> {
        question_of_prompt(&self.before, self.row)
    }

    /// Returns the prompt in another state, except prompts that belong to other answers.
    pub(super) fn prompt_in_state(&self, state: &State, taken: &[Name]) -> Option<Name> {
        let text = field_value(&self.before, self.row, "text");
        let mut found = self.same_identity_prompts(state);
        found.retain(|row| !taken.contains(row));
        let is_said = found
            .iter()
            .any(|row| field_value(state, *row, "text") == text);
        let said_alike =
            |state: &State, row: &Name| !is_said || field_value(state, *row, "text") == text;
        found.retain(|row| said_alike(state, row));
        if found.len() < 2 {
            return found.pop();
        }
        let mut then = self.same_identity_prompts(&self.before);
        then.retain(|row| said_alike(&self.before, row));
        let place = then.iter().position(|row| *row == self.row)?;
        found.get(place).or(found.last()).copied()
    }

    /// Returns the open prompts of a state with the same identity.
    fn same_identity_prompts(&self, state: &State) -> Vec<Name> {
        let own = prompt_identity(&self.before, self.row);
        let mut found = open_prompts(state);
        found.retain(|row| prompt_identity(state, *row) == own);
        found
    }
}

/// Returns the question of a prompt.
pub(super) fn question_of_prompt(state: &State, row: Name) -> Option<Question> {
    let fields = state.field_names_of_row(row).into_iter();
    let fields = fields.map(|field| (state.names().text(field), state.get(row, field).clone()));
    Question::from_value(&Value::map(fields))
}

/// Returns the identity of a prompt: the fields that identify it and the ruling that asks.
fn prompt_identity(state: &State, row: Name) -> [Value; 5] {
    let cause = state.get(row, state.reserved().cause);
    let [to, key, who, run] = FIELDS.map(|name| field_value(state, row, name));
    [to, key, who, run, cause.get("ruling").clone()]
}

fn field_value(state: &State, row: Name, name: &str) -> Value {
    let field = state.names().find(name);
    field.map_or(Value::Nil, |field| state.get(row, field).clone())
}
