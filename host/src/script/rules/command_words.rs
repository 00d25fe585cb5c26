//! The names that people use for rules: the first words of command lines, and the texts that a schema declares as words
//! for its definitions.

use super::Rules;
use crate::content::Definition;
use crate::script::declare::name_type::NameType;
use crate::script::declare::schema::{ID, Schema, syntax_texts, texts_of_definition};
use crate::script::declare::template_owner::COMMANDS;

/// Returns the words that stand for themselves at the begin of a line of `syntax`, without the colon that may follow them.
pub fn leading_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for piece in line.split_whitespace() {
        let word = piece.split(['[', '{']).next().unwrap_or_default();
        let bare = word.trim_end_matches(':');
        words.extend((!bare.is_empty()).then(|| bare.to_owned()));
        if word.len() < piece.len() || bare.len() < word.len() {
            break;
        }
    }
    words
}

/// Returns the words that the lines of a command begin with, line by line. A line without leading words has the id.
pub fn leading_words_by_line(command: &Definition) -> Vec<Vec<String>> {
    let lines = syntax_texts(command).map(|line| leading_words(line));
    let or_id = |words: Vec<String>| match words.is_empty() {
        true => vec![command.id.to_string()],
        false => words,
    };
    lines.map(or_id).collect()
}

/// Returns the names of a definition besides its id: the texts under the keys that its schema lists as `called`,
/// without one its name. The names of a command are the words of its lines, see [`leading_words_by_line`].
pub fn names_of_definition(rules: &Rules, definition: &Definition) -> Vec<String> {
    let keys = schema_of(rules, definition).map_or(&[][..], |one| one.name_keys.as_slice());
    let texts = keys
        .iter()
        .flat_map(|key| texts_of_definition(definition, key));
    let texts: Vec<String> = texts.map(|text| text.to_string()).collect();
    match texts.is_empty() {
        true => vec![definition.name().to_owned()],
        false => texts,
    }
}

/// Returns the command line that prints a complete description of a definition: the `page` of its schema, filled with
/// its texts. Returns nothing if a text is missing.
pub fn description_command_line(rules: &Rules, definition: &Definition) -> Option<String> {
    let page = schema_of(rules, definition)?.page.as_deref()?;
    line_with_texts(page, definition)
}

/// Returns the command line that puts a definition into a running game: the `joins` of its schema, filled with its
/// texts. Returns nothing if its rows are not made when a game begins, or a text is missing.
pub fn joining_command_line(rules: &Rules, definition: &Definition) -> Option<String> {
    let joins = schema_of(rules, definition)?.joins.as_deref()?;
    line_with_texts(joins, definition)
}

/// Fills the places `{key}` of a line with the texts of a definition.
fn line_with_texts(line: &str, definition: &Definition) -> Option<String> {
    let mut parts = line.split('{');
    let mut line = parts.next()?.to_owned();
    for part in parts {
        let (key, behind) = part.split_once('}')?;
        let text = match key {
            ID => &*definition.id,
            key => definition.value.get(key).as_str()?,
        };
        line.push_str(text);
        line.push_str(behind);
    }
    Some(line)
}

/// Returns the commands with a slot for definitions of a collection in their lines, in order of ids.
pub fn commands_taking_definitions<'r>(rules: &'r Rules, collection: &str) -> Vec<&'r Definition> {
    let takes = |slot_type: &str| {
        let from = rules.name_types.get(slot_type);
        matches!(from, Some(NameType::Definitions(of)) if of == collection)
    };
    let has_slot = |line: &str| {
        let slots = line.split('{').skip(1);
        let kinds = slots.filter_map(|slot| slot.split('}').next()?.split_once(':'));
        let mut kinds = kinds.flat_map(|(_, kinds)| kinds.split('|'));
        kinds.any(|kind| takes(kind.trim().trim_end_matches('.')))
    };
    let commands = rules.registry.of_collection(COMMANDS).map(AsRef::as_ref);
    let takes_it = |one: &&Definition| syntax_texts(one).any(|line| has_slot(line));
    commands.filter(takes_it).collect()
}

fn schema_of<'r>(rules: &'r Rules, definition: &Definition) -> Option<&'r Schema> {
    rules.schemas.get(&*definition.collection)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_with_the_words_before_their_first_slot() {
        let cases = [
            ("note set {whom: Person} to {mood: Integer}", "note set"),
            ("note", "note"),
            ("note: {what: Rest}", "note"),
            ("note [all]", "note"),
            ("note of{whom: Person} more", "note of"),
            ("[softly] note", ""),
            ("{whom: Person} goes", ""),
        ];
        for (line, words) in cases {
            assert_eq!(leading_words(line).join(" "), words, "{line}");
        }
    }
}
