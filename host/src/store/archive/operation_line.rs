//! Exact conversion of an operation to JSON and back.
//!
//! Keys: `v seq slot by through command rules inputs changes causes documents state at`, and `kind` with its own
//! keys: `ruling` has none; `undo` and `redo` have `of`; `refused` has `code` and `message`. `revert` has `of`;
//! `replace` has `of` and `with`. Both have the ruling numbers that are `changed` and `refused`, and a `slot` if they
//! waited for answers. `posted` has `after`, and `to`, `lines` and `parts`, or `posts` with these for several readers;
//! `withdrawn` has `of`: notes, with a version of their own.
//!
//! A change is `[row, field, old, new]`. A key with an empty value or an empty list is left out. An operation that is
//! too large for a line is stored in `blobs/`, and its line is `{v, seq, blob, bytes}`.

use serde::ser::SerializeTuple;
use serde::{Deserialize, Serialize, Serializer};

use super::first_line::{NOTE_VERSION, VERSION};
use crate::store::{Change, Operation, Publication, StateHash, What};
use crate::value::{Exact, Names, ReadExact, Text, Value};

/// Bytes of a line, without its end.
pub const LINE_BYTES: usize = 1 << 20;

/// An operation and the real time when it was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The operation.
    pub operation: Operation,
    /// The real time, for people; rules cannot read it.
    pub at: Text,
    /// Whether further operations of the same command follow: without these the command is half written.
    pub more: bool,
}

/// Content of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The entry itself.
    Entry(Box<Entry>),
    /// The name of the separate file that contains it.
    Blob(Blob),
}

/// The line of an operation that is stored in a separate file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Blob {
    v: u32,
    /// Number of the operation.
    pub(super) seq: u64,
    /// The SHA-256 of the operation's JSON, which is the name of the file.
    pub(super) blob: String,
    /// Length of that JSON.
    pub(super) bytes: u64,
}

/// Written form of an operation.
#[derive(Serialize)]
struct Written<'a> {
    v: u32,
    seq: u64,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    with: Option<&'a str>,
    #[serde(skip_serializing_if = "<[u64]>::is_empty")]
    changed: &'a [u64],
    #[serde(skip_serializing_if = "<[u64]>::is_empty")]
    refused: &'a [u64],
    #[serde(flatten)]
    post: Option<WrittenPost<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    posts: Vec<WrittenPost<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slot: Option<u64>,
    by: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    through: Option<&'a str>,
    command: &'a str,
    rules: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<Exact<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<Cell<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    causes: Vec<Exact<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    documents: Vec<Exact<'a>>,
    state: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more: bool,
    at: &'a str,
}

/// Written form of what some readers could read.
#[derive(Serialize)]
struct WrittenPost<'a> {
    to: Vec<&'a str>,
    lines: &'a [(u64, u64)],
    #[serde(skip_serializing_if = "<[(u64, Vec<u64>)]>::is_empty")]
    parts: &'a [(u64, Vec<u64>)],
}

impl WrittenPost<'_> {
    fn of_publication(post: &Publication) -> WrittenPost<'_> {
        WrittenPost {
            to: post.to.iter().map(|to| &**to).collect(),
            lines: &post.lines,
            parts: &post.parts,
        }
    }
}

struct Cell<'a>(Text, Text, &'a Value, &'a Value);

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut parts = out.serialize_tuple(4)?;
        parts.serialize_element(&*self.0)?;
        parts.serialize_element(&*self.1)?;
        parts.serialize_element(&Exact(self.2))?;
        parts.serialize_element(&Exact(self.3))?;
        parts.end()
    }
}

/// Read form of an operation; keys of later versions are ignored.
#[derive(Deserialize)]
struct Read {
    v: u32,
    seq: u64,
    kind: String,
    of: Option<u64>,
    with: Option<String>,
    #[serde(default)]
    changed: Vec<u64>,
    #[serde(default)]
    refused: Vec<u64>,
    #[serde(default)]
    to: Vec<String>,
    #[serde(default)]
    lines: Vec<(u64, u64)>,
    #[serde(default)]
    parts: Vec<(u64, Vec<u64>)>,
    #[serde(default)]
    posts: Vec<ReadPost>,
    after: Option<u64>,
    code: Option<String>,
    message: Option<String>,
    slot: Option<u64>,
    by: String,
    through: Option<String>,
    command: String,
    rules: String,
    #[serde(default)]
    inputs: Vec<ReadExact>,
    #[serde(default)]
    changes: Vec<(String, String, ReadExact, ReadExact)>,
    #[serde(default)]
    causes: Vec<ReadExact>,
    #[serde(default)]
    documents: Vec<ReadExact>,
    state: String,
    #[serde(default)]
    more: bool,
    at: String,
}

/// Read form of what some readers could read.
#[derive(Clone, Deserialize)]
struct ReadPost {
    to: Vec<String>,
    #[serde(default)]
    lines: Vec<(u64, u64)>,
    #[serde(default)]
    parts: Vec<(u64, Vec<u64>)>,
}

impl ReadPost {
    fn into_publication(self) -> Publication {
        Publication {
            to: self.to.into_iter().map(Text::from).collect(),
            lines: self.lines,
            parts: self.parts,
        }
    }
}

/// Returns the JSON of an operation; `more` operations of the same command may follow.
pub(super) fn operation_json(
    names: &Names,
    operation: &Operation,
    (at, more): (&str, bool),
) -> Vec<u8> {
    let Kind {
        kind,
        of,
        with,
        refusal,
        again: (changed, refused),
        posted: (posts, after),
    } = Kind::of_operation(&operation.what);
    let (post, posts) = match posts {
        [] => (None, &[][..]),
        [one] => (Some(WrittenPost::of_publication(one)), &[][..]),
        several => (None, several),
    };
    let cell = |change: &'_ Change| change.row_and_field_texts(names);
    let changes = operation.changes.iter().map(|change| {
        let (row, field) = cell(change);
        Cell(row, field, &change.old, &change.new)
    });
    let written = Written {
        v: version_of_kind(&operation.what),
        seq: operation.seq,
        kind,
        of,
        with,
        changed,
        refused,
        post,
        posts: posts.iter().map(WrittenPost::of_publication).collect(),
        after,
        code: refusal.map(|(code, _)| code),
        message: refusal.map(|(_, message)| message),
        slot: operation.slot,
        by: &operation.by,
        through: operation.through.as_deref(),
        command: &operation.command,
        rules: &operation.rules,
        inputs: operation.inputs.iter().map(Exact).collect(),
        changes: changes.collect(),
        causes: operation.causes.iter().map(Exact).collect(),
        documents: operation.documents.iter().map(Exact).collect(),
        state: operation.state.to_string(),
        more,
        at,
    };
    serde_json::to_vec(&written).expect("invariant: an operation is plain data")
}

/// Values of a line that depend on the kind of its operation.
#[derive(Default)]
struct Kind<'a> {
    kind: &'static str,
    of: Option<u64>,
    with: Option<&'a str>,
    /// Code and message.
    refusal: Option<(&'a str, &'a str)>,
    /// The ruling numbers that are changed, and those that are refused.
    again: (&'a [u64], &'a [u64]),
    /// The published messages by reader, and the last operation before them.
    posted: (&'a [Publication], Option<u64>),
}

impl Kind<'_> {
    fn of_operation(what: &What) -> Kind<'_> {
        let plain = |kind, of| Kind {
            kind,
            of,
            ..Kind::default()
        };
        match what {
            What::Ruling => plain("ruling", None),
            What::Undo { of } => plain("undo", Some(*of)),
            What::Redo { of } => plain("redo", Some(*of)),
            What::Refused { code, message } => Kind {
                refusal: Some((code, message)),
                ..plain("refused", None)
            },
            What::Posted { posts, after } => Kind {
                posted: (posts, Some(*after)),
                ..plain("posted", None)
            },
            What::Withdrawn { of } => plain("withdrawn", Some(*of)),
            What::Revert {
                of,
                changed,
                refused,
            } => Kind {
                again: (changed, refused),
                ..plain("revert", Some(*of))
            },
            What::Replace {
                of,
                with,
                changed,
                refused,
            } => Kind {
                with: Some(with),
                again: (changed, refused),
                ..plain("replace", Some(*of))
            },
        }
    }
}

/// Returns the version of a line with an operation of a kind.
fn version_of_kind(what: &What) -> u32 {
    match what.is_note() {
        true => NOTE_VERSION,
        false => VERSION,
    }
}

/// Returns whether a value of an operation nests too deeply to be read again.
pub(super) fn is_too_deep(operation: &Operation) -> bool {
    let said = [&operation.inputs, &operation.causes, &operation.documents];
    let cells = operation.changes.iter();
    let cells = cells.flat_map(|change| [&change.old, &change.new]);
    let mut values = said.into_iter().flatten().chain(cells);
    values.any(|value| Exact(value).is_too_deep())
}

/// Returns the JSON of the line for an operation that is stored in a file.
pub(super) fn blob_line_json(seq: u64, blob: String, bytes: u64) -> Vec<u8> {
    let line = Blob {
        v: VERSION,
        seq,
        blob,
        bytes,
    };
    serde_json::to_vec(&line).expect("invariant: a line is plain data")
}

/// Reads the JSON of a journal line of some version. Errors: it is not such a line; the text is the reason.
pub(super) fn read_line(names: &Names, json: &[u8], version: u32) -> Result<Line, String> {
    // A blob is short, and no other line has its key.
    if json.len() < 256
        && let Ok(blob) = serde_json::from_slice::<Blob>(json)
    {
        return check_version(blob.v, version).map(|()| Line::Blob(blob));
    }
    read_entry(names, json, version).map(|entry| Line::Entry(Box::new(entry)))
}

/// Reads the JSON of an operation. Errors: it is not an operation; the text is the reason.
pub(super) fn read_entry(names: &Names, json: &[u8], version: u32) -> Result<Entry, String> {
    let read: Read = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    let what = read_operation_kind(&read)?;
    match what.is_note() && version == VERSION {
        true if read.v == NOTE_VERSION => {}
        true => return Err(format!("\"v\" of a note is {}, not {NOTE_VERSION}", read.v)),
        false => check_version(read.v, version)?,
    }
    let state = StateHash::parse(&read.state).ok_or("\"state\" is not a hash")?;
    let plain = |values: Vec<ReadExact>| values.into_iter().map(|value| value.0).collect();
    let change = |(row, field, old, new): (String, String, ReadExact, ReadExact)| Change {
        row: names.intern(&row),
        field: names.intern(&field),
        old: old.0,
        new: new.0,
    };
    let operation = Operation {
        seq: read.seq,
        slot: read.slot,
        by: read.by.into(),
        through: read.through.map(Text::from),
        command: read.command.into(),
        rules: read.rules.into(),
        inputs: plain(read.inputs),
        changes: read.changes.into_iter().map(change).collect(),
        causes: plain(read.causes),
        documents: plain(read.documents),
        state,
        what,
    };
    Ok(Entry {
        operation,
        at: read.at.into(),
        more: read.more,
    })
}

fn check_version(found: u32, version: u32) -> Result<(), String> {
    let differs = || format!("\"v\" is {found}, and the first line says {version}");
    (found == version).then_some(()).ok_or_else(differs)
}

fn read_operation_kind(read: &Read) -> Result<What, String> {
    let missing = |key: &str| format!("\"{key}\" is missing");
    let of = || read.of.ok_or_else(|| missing("of"));
    let text = |key: &str, text: &Option<String>| {
        text.as_deref().map(Text::from).ok_or_else(|| missing(key))
    };
    match read.kind.as_str() {
        "ruling" => Ok(What::Ruling),
        "undo" => Ok(What::Undo { of: of()? }),
        "redo" => Ok(What::Redo { of: of()? }),
        "posted" => Ok(What::Posted {
            posts: read_publications(read).ok_or_else(|| missing("to"))?,
            after: read.after.ok_or_else(|| missing("after"))?,
        }),
        "withdrawn" => Ok(What::Withdrawn { of: of()? }),
        "refused" => Ok(What::Refused {
            code: text("code", &read.code)?,
            message: text("message", &read.message)?,
        }),
        "revert" => Ok(What::Revert {
            of: of()?,
            changed: read.changed.clone(),
            refused: read.refused.clone(),
        }),
        "replace" => Ok(What::Replace {
            of: of()?,
            with: text("with", &read.with)?,
            changed: read.changed.clone(),
            refused: read.refused.clone(),
        }),
        other => {
            let shown: String = other.chars().take(40).collect();
            Err(format!(
                "\"{}\" is not a kind of entry",
                shown.escape_debug()
            ))
        }
    }
}

/// Returns the published messages by reader; nothing if a reader is missing.
fn read_publications(read: &Read) -> Option<Vec<Publication>> {
    let posts = match read.posts.is_empty() {
        true => vec![ReadPost {
            to: read.to.clone(),
            lines: read.lines.clone(),
            parts: read.parts.clone(),
        }],
        false => read.posts.clone(),
    };
    let is_whole = posts.iter().all(|post| !post.to.is_empty());
    is_whole.then(|| posts.into_iter().map(ReadPost::into_publication).collect())
}
