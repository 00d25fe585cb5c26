//! The slot types of the host, and the owners of templates.

use crate::content::{Definition, Origin};
use crate::diag::Span;
use crate::script::source::source_places;
use crate::text::SlotTypeText;

/// The collection of commands: the library's schema names it.
pub const COMMANDS: &str = "commands";

/// The slot type that has the commands of a game as templates.
pub const COMMAND: &str = "Command";

/// The slot type of every entity by name or id.
pub const ENTITY: &str = "Entity";

/// The slot type of every declared stat, and every field that an entity has.
pub const FIELD: &str = "Field";

/// The slot type of every seat that a player may take: those that `seats` of the ruleset finds.
pub const SEAT: &str = "Seat";

/// The slot type of every reader of a post: everybody, the game master, a seat, and for the game master also a group.
pub const READER: &str = "Reader";

/// The word of the slot type of readers for one reader after the other.
pub const EACH_READER: &str = "each";

/// The slot type of the posts that a ruleset writes, and the collection of their definitions.
pub const POST_TEMPLATE: &str = "PostTemplate";
pub(crate) const POST_TEMPLATES: &str = "posts";

/// The slot type of dice notation: the whole rest of the line.
pub const DICE: &str = "Dice";

/// The slot type of a file that the game master names: a path, in quotes if it contains spaces. The content of the file
/// is read when the line is given.
pub const FILE: &str = "File";

/// The slot type of every record by its id.
pub(crate) const RECORD: &str = "Record";

/// Returns the descriptions of the slot types that read names and lines of a game. The examples are those of a game with
/// a person Ann, played by a seat of this name.
pub fn game_slot_types() -> impl Iterator<Item = SlotTypeText> {
    let types: [(&str, &str, &str, &[&str]); 9] = [
        (ENTITY, "The name or id of an entity.", "the id", &["Ann"]),
        (
            FIELD,
            "The name of a declared stat, or of a field that an entity has.",
            "the name",
            &["mood"],
        ),
        (
            RECORD,
            "The id of a record. Only the game master has these names: they count the records of everybody.",
            "the id",
            &["charm#1"],
        ),
        (
            SEAT,
            "A player: a name that `seats` of the ruleset returns. A ruleset cannot declare this type.",
            "the name",
            &["Ann"],
        ),
        (
            READER,
            "A reader of a post: `public`, `gm`, `each`, a player, and for the game master a group.",
            "the audience as a text",
            &["public"],
        ),
        (
            POST_TEMPLATE,
            "A post that the ruleset writes, by its id, such as `morning`.",
            "the id",
            &[],
        ),
        (
            DICE,
            "Dice notation: all that is left of the line. `act:roll` and the other calls for dice read the notation.",
            "the text, for `act:roll`",
            &["2d6 + 1"],
        ),
        (
            FILE,
            "A file that the game master names: a path, in quotes if it has spaces.",
            "`{ name, data }` for JSON, YAML and Markdown, else `{ name, text }`",
            &["people.json"],
        ),
        (COMMAND, "A line of any command.", "a phrase", &["mood Ann"]),
    ];
    types
        .into_iter()
        .map(|(name, reads, value, examples)| SlotTypeText {
            name: name.to_owned(),
            reads,
            value,
            examples,
        })
}

/// Marks a template id as one of the host's own commands.
pub(crate) const HOST: &str = "host";

/// The owner of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A command of the host, by id.
    Host(String),
    /// A definition of a collection.
    Definition {
        /// The collection.
        collection: String,
        /// Its id.
        id: String,
        /// The number of its template line, from 1: first `syntax`, then `forms`.
        line: usize,
    },
}

/// Returns the owner of a template id of a game's grammar.
pub fn owner_of_template(template: &str) -> Option<Owner> {
    let (collection, rest) = template.split_once('/')?;
    if collection == HOST {
        return Some(Owner::Host(rest.to_owned()));
    }
    let (id, line) = rest.rsplit_once('#')?;
    Some(Owner::Definition {
        collection: collection.to_owned(),
        id: id.to_owned(),
        line: line.parse().ok()?,
    })
}

/// Returns the id of the definition that a template id of a game's grammar belongs to, and the number of its line.
pub(crate) fn definition_and_line_of_template(template: &str) -> Option<(&str, usize)> {
    let (collection, rest) = template.split_once('/')?;
    let (id, line) = rest.rsplit_once('#').filter(|_| collection != HOST)?;
    Some((id, line.parse().ok()?))
}

/// A template that the host itself adds to the grammar: its commands.
#[derive(Clone, Debug)]
pub struct HostPhrase {
    /// Id of the command.
    pub id: String,
    /// Its spellings.
    pub syntax: Vec<String>,
}

/// Returns the place of the value of a key. The machine keeps no places, so a script is read again.
pub(crate) fn span_of_key_value(definition: &Definition, key: &str) -> Span {
    find_key_value(definition, key).unwrap_or(definition.span)
}

/// Returns the place of the value of a key, if the file of the definition contains the key.
pub(crate) fn find_key_value(definition: &Definition, key: &str) -> Option<Span> {
    match definition.origin {
        Origin::Script => {
            let places = source_places::table_places(&definition.source);
            places.entries.get(key).map(|(_, value)| *value)
        }
        Origin::Content => definition.key_spans.get(key).copied(),
    }
}
