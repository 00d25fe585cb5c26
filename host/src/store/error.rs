//! Errors of the store.

use std::fmt;

use crate::diag::{Diagnostic, near_hint};
use crate::value::Text;

/// Subject of the message for the limit of bytes per command.
pub(super) const A_COMMAND: &str = "a command may write";

/// Subject of the message for the limit of bytes per game.
pub(super) const A_GAME: &str = "a game may hold";

/// Size of the rows of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Number of rows.
    pub rows: usize,
    /// Bytes of all their cells.
    pub bytes: u64,
}

/// Reason why a write, a saved state or a recorded change is refused; the state is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// No row has this id.
    UnknownRow(Text),
    /// A row with this id is there already.
    RowExists(Text),
    /// The owner of a new record is not a row.
    UnknownOwner(Text),
    /// The id of a record must be its kind, `#` and a number that was given out and is above its owner's number.
    BadRecordId(Text),
    /// A row, kind or field cannot have this name.
    BadName(Text),
    /// A field that belongs to the store.
    ReservedField(Text),
    /// A new row names a field twice.
    FieldTwice(Text),
    /// Modifiers without the form `{stat, op, value, layer?}`; the text is the fault.
    BadModifiers(String),
    /// A modifier has an unknown operator.
    UnknownOperator {
        /// The stat.
        stat: Text,
        /// The operator named.
        word: Text,
        /// All operators.
        known: Vec<&'static str>,
    },
    /// Ends without the stored form; the text is the fault.
    BadEnds(String),
    /// A record cannot end with this row: no row has the id, or the row is the record itself.
    UnknownPartner(Text),
    /// A modifier names a layer that its stat does not have, or no layer although the stat needs one.
    UnknownLayer {
        /// The stat.
        stat: Text,
        /// The layer named, empty for none.
        layer: Text,
        /// The layers of the stat.
        known: Vec<Text>,
    },
    /// There is no room for one more item.
    TooMany {
        /// The things that would be too many.
        what: &'static str,
        /// The highest allowed number.
        limit: usize,
    },
    /// There is no room for this number of bytes.
    NoRoom {
        /// The subject of the limit, at the beginning of the message.
        what: &'static str,
        /// The highest allowed number of bytes.
        limit: u64,
        /// The kind with the largest rows in total.
        most: Option<(Text, Share)>,
    },
    /// A value is too large for one cell; the texts are row and field.
    TooLarge(Text, Text),
    /// A value nests too deeply; the texts are row and field.
    TooDeep(Text, Text),
    /// A modifier needs a number and its stat has none; the second text names the record.
    NotANumber(Text, Text),
    /// A modifier makes a number that an exact decimal cannot hold; the second text names the record.
    Overflow(Text, Text),
    /// Stats that need each other in a cycle; each is a row and a field, and the last one equals the first.
    Cycle(Vec<(Text, Text)>),
    /// Stats that need each other in a chain that is too long, without a cycle.
    LongWay(Vec<(Text, Text)>),
    /// An expression (first text) gives no value; the second text is the reason.
    Expression(Text, String),
    /// An expression calculates with a field that is a list or a map; the texts are row and field.
    NotPlain(Text, Text, &'static str),
    /// A name or function of the rules without an answer here.
    NoAnswer(Text),
    /// The expression `only_if` of a record fails.
    InRecord {
        /// The record.
        record: Text,
        /// The owner of the record.
        owner: Text,
        /// The error of the expression.
        why: Box<StoreError>,
    },
    /// Bytes or changes differ from the form that the store writes; the text is the fault.
    Malformed(&'static str),
    /// A recorded change does not fit the state: the cell (row and field) has another value than the recorded old
    /// value.
    OldDiffers(Text, Text),
}

impl StoreError {
    /// Returns the stable name of this error, `area/name`.
    pub fn code(&self) -> &'static str {
        match self {
            StoreError::UnknownRow(_) => "store/unknown-row",
            StoreError::RowExists(_) => "store/row-exists",
            StoreError::UnknownOwner(_) => "store/unknown-owner",
            StoreError::BadRecordId(_) => "store/bad-record-id",
            StoreError::BadName(_) => "store/bad-name",
            StoreError::ReservedField(_) => "store/reserved-field",
            StoreError::FieldTwice(_) => "store/field-twice",
            StoreError::BadModifiers(_) | StoreError::UnknownOperator { .. } => {
                "store/bad-modifiers"
            }
            StoreError::BadEnds(_) => "store/bad-ends",
            StoreError::UnknownPartner(_) => "store/unknown-partner",
            StoreError::UnknownLayer { .. } => "store/unknown-layer",
            StoreError::TooMany { .. } | StoreError::NoRoom { .. } | StoreError::TooLarge(..) => {
                "limit/size"
            }
            StoreError::TooDeep(..) => "limit/depth",
            StoreError::NotANumber(..) => "store/not-a-number",
            StoreError::Overflow(..) => "store/overflow",
            StoreError::Cycle(_) => "store/cycle",
            StoreError::LongWay(_) => "limit/depth",
            StoreError::Expression(..) | StoreError::NotPlain(..) => "store/expression",
            StoreError::NoAnswer(_) => "store/no-answer",
            StoreError::InRecord { why, .. } => why.code(),
            StoreError::Malformed(_) => "save/malformed",
            StoreError::OldDiffers(..) => "save/old-differs",
        }
    }

    /// Returns the error with the record that contains it; the innermost record stays.
    pub(super) fn within(self, (record, owner): (Text, Text)) -> StoreError {
        if let StoreError::InRecord { .. } = self {
            return self;
        }
        StoreError::InRecord {
            record,
            owner,
            why: Box::new(self),
        }
    }

    /// Returns the error as a finding, with a hint if one helps.
    pub fn to_diagnostic(&self) -> Diagnostic {
        let finding = Diagnostic::error(self.code(), self.to_string());
        if let StoreError::InRecord { record, .. } = self {
            let hint = format!("why {record} shows who attached it, remove {record} removes it");
            return Diagnostic {
                record: Some(record.to_string()),
                ..finding.hint(hint)
            };
        }
        if let StoreError::NoRoom { what, .. } = self {
            return finding.hint(match *what {
                A_COMMAND => "do it in several commands",
                _ => "remove what is no longer needed, and keep long texts in a document",
            });
        }
        if let StoreError::UnknownOperator { word, known, .. } = self {
            return finding.hint(near_hint(word, known.iter().copied()));
        }
        if let StoreError::UnknownLayer { layer, known, .. } = self {
            let near = near_hint(layer, known.iter().map(|name| &**name));
            return finding.hint(near).hint(match known.join(", ") {
                none if none.is_empty() => "remove the layer".to_owned(),
                layers => format!("its layers are {layers}"),
            });
        }
        finding
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::UnknownRow(row) => write!(out, "there is no row \"{row}\""),
            StoreError::RowExists(row) => write!(out, "the row \"{row}\" already exists"),
            StoreError::UnknownOwner(row) => {
                write!(
                    out,
                    "a record needs an owner, and there is no row \"{row}\""
                )
            }
            StoreError::BadRecordId(row) => write!(
                out,
                "\"{row}\" is not a record id of its kind with a number later than its owner's"
            ),
            StoreError::BadName(name) => write!(
                out,
                "\"{}\" is not a valid name: 1 to 200 characters, no control characters, no \"@\" in front, no \"#\" in ids",
                name.chars().take(200).collect::<String>().escape_debug()
            ),
            StoreError::ReservedField(field) => {
                write!(
                    out,
                    "the field \"{field}\" belongs to the store and cannot be set here"
                )
            }
            StoreError::FieldTwice(field) => {
                write!(out, "the new row has the field \"{field}\" twice")
            }
            StoreError::BadModifiers(reason) | StoreError::BadEnds(reason) => out.write_str(reason),
            StoreError::UnknownOperator { stat, word, known } => {
                let words = known.join(", ");
                write!(
                    out,
                    "unknown op \"{word}\" in a modifier of \"{stat}\"; use one of {words}"
                )
            }
            StoreError::UnknownPartner(row) => {
                write!(
                    out,
                    "an attribute cannot end with \"{row}\": it needs another row that exists"
                )
            }
            StoreError::UnknownLayer { stat, layer, .. } if layer.is_empty() => {
                write!(out, "a modifier of \"{stat}\" needs a layer")
            }
            StoreError::UnknownLayer { stat, layer, .. } => {
                write!(out, "the stat \"{stat}\" has no layer \"{layer}\"")
            }
            StoreError::TooMany { what, limit } => {
                write!(out, "there may be at most {limit} {what}")
            }
            StoreError::NoRoom { what, limit, most } => {
                write!(
                    out,
                    "{what} {}, and this would be more",
                    size_in_words(*limit)
                )?;
                let Some((kind, Share { rows, bytes })) = most else {
                    return Ok(());
                };
                let noun = if *rows == 1 { "row" } else { "rows" };
                let of = size_in_words(*bytes);
                write!(
                    out,
                    "; most is in {rows} {noun} of the kind \"{kind}\" ({of})"
                )
            }
            StoreError::TooLarge(row, field) => {
                write!(out, "the value of {row}.{field} is larger than 4 KiB")
            }
            StoreError::TooDeep(row, field) => {
                write!(
                    out,
                    "the value of {row}.{field} has lists and maps nested more than 16 levels deep"
                )
            }
            StoreError::NotANumber(stat, record) => {
                write!(
                    out,
                    "{record} calculates with the stat \"{stat}\", which is not a number"
                )
            }
            StoreError::Overflow(stat, record) => {
                write!(
                    out,
                    "{record} makes the stat \"{stat}\" longer than 28 digits"
                )
            }
            StoreError::Cycle(way) => {
                write!(
                    out,
                    "stats depend on each other in a circle: {}",
                    way_in_words(way)
                )
            }
            StoreError::LongWay(way) => {
                let start = &way[..way.len().min(4)];
                write!(
                    out,
                    "at most 64 stats may depend on each other in a chain, a longer one begins here: {}",
                    way_in_words(start)
                )
            }
            StoreError::Expression(text, reason) => {
                write!(out, "in the expression \"{text}\": {reason}")
            }
            StoreError::NotPlain(row, field, kind) => {
                write!(
                    out,
                    "an expression calculates with {row}.{field}, which is a {kind}"
                )
            }
            StoreError::InRecord { record, owner, why } => {
                write!(out, "the `only_if` of {record} on {owner} fails: {why}")
            }
            StoreError::NoAnswer(name) => {
                write!(out, "no function here gives the value of \"{name}\"")
            }
            StoreError::Malformed(reason) => out.write_str(reason),
            StoreError::OldDiffers(row, field) => {
                write!(
                    out,
                    "{row}.{field} is not what the recorded change replaces"
                )
            }
        }
    }
}

fn size_in_words(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..0x10_0000 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

fn way_in_words(way: &[(Text, Text)]) -> String {
    let steps: Vec<String> = way
        .iter()
        .map(|(row, field)| format!("{row}.{field}"))
        .collect();
    steps.join(" -> ")
}

impl std::error::Error for StoreError {}
