//! Reads documents from plain tables. The forms are described at the top of [`super`].
//!
//! In: a value of a script or of a journal. Out: a document within its limits, or one finding that names the path of
//! the error: `document[2].table[3][1]: expected a text, found a bool`.

mod block;
mod part;
mod read_error;

use super::limit::too_deep_finding;
use super::{Audience, Document};
use crate::diag::Diagnostic;
use crate::value::Value;
use block::blocks_from_value;
pub use block::{BlockText, block_texts};
pub use part::{PartText, part_texts};
use part::{read_audience, read_kind, read_tally};
use read_error::{Read, Wrong, check_keys, read_optional_entry};

const KEYS: [&str; 5] = ["audience", "kind", "tally", "blocks", "data"];

impl Document {
    /// Reads a document from a table or text.
    ///
    /// Errors: `script/document` with the path of the error, `limit/depth`, `limit/output`.
    pub fn from_value(value: &Value) -> Result<Document, Box<Diagnostic>> {
        let document = read_document(value).map_err(|wrong| wrong.into_finding("document"))?;
        document.check_limits()?;
        Ok(document)
    }
}

fn read_document(value: &Value) -> Read<Document> {
    let Some(map) = value.as_map().filter(|_| is_document_table(value)) else {
        return Ok(Document {
            blocks: blocks_from_value(value, 1)?,
            ..Document::default()
        });
    };
    check_keys(map, &KEYS, "document")?;
    let data = value.get("data");
    check_audience_keys(data, 0).map_err(|wrong| wrong.under_key("data"))?;
    Ok(Document {
        audience: read_audience(value)?.unwrap_or_default(),
        kind: read_optional_entry(value, "kind", read_kind)?,
        tally: read_optional_entry(value, "tally", |tally| read_tally(tally).map(Some))?,
        blocks: read_optional_entry(value, "blocks", |inner| blocks_from_value(inner, 1))?,
        data: (!data.is_nil()).then(|| data.clone()),
    })
}

fn is_document_table(value: &Value) -> bool {
    ["blocks", "kind", "data"]
        .iter()
        .any(|key| !value.get(key).is_nil())
}

/// Checks for keys that begin with `@` and do not name an audience.
fn check_audience_keys(value: &Value, depth: usize) -> Read<()> {
    if depth > super::DEPTH {
        return Err(Wrong::about_whole(too_deep_finding()));
    }
    match value {
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) => Ok(()),
        Value::List(items) => {
            read_error::read_each(items, |item| check_audience_keys(item, depth + 1)).map(|_| ())
        }
        Value::Map(map) => {
            for (key, value) in map.iter() {
                if let Some(name) = key.strip_prefix('@') {
                    Audience::parse(name)
                        .map_err(|found| Wrong::from_finding(found).under_key(key))?;
                }
                check_audience_keys(value, depth + 1).map_err(|wrong| wrong.under_key(key))?;
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests;
