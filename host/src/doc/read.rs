//! Reads documents from plain tables; the forms stand at the top of [`super`].
//!
//! In: a value of a script or of a journal. Out: a document within its limits, or one finding that names
//! the path of what is wrong: `document[2].table[3][1]: expected a text, found a bool`.

mod block;
mod part;
mod wrong;

use super::limit::too_deep;
use super::{Audience, Document};
use crate::diag::Diagnostic;
use crate::value::Value;
use block::blocks;
use part::audience;
use wrong::{Read, Wrong, check_keys, option};

const KEYS: [&str; 3] = ["audience", "blocks", "data"];

impl Document {
    /// Reads a document from a table or text.
    ///
    /// Errors: `script/document` with the path of what is wrong, `limit/depth`, `limit/output`.
    pub fn from_value(value: &Value) -> Result<Document, Box<Diagnostic>> {
        let document = read_document(value).map_err(|wrong| wrong.finding("document"))?;
        document.check()?;
        Ok(document)
    }
}

fn read_document(value: &Value) -> Read<Document> {
    let Some(map) = value.as_map().filter(|_| is_whole(value)) else {
        return Ok(Document {
            blocks: blocks(value, 1)?,
            ..Document::default()
        });
    };
    check_keys(map, &KEYS, "document")?;
    let data = value.get("data");
    check_data(data, 0).map_err(|wrong| wrong.inside("data"))?;
    Ok(Document {
        audience: audience(value)?.unwrap_or_default(),
        blocks: option(value, "blocks", |inner| blocks(inner, 1))?,
        data: (!data.is_nil()).then(|| data.clone()),
    })
}

fn is_whole(value: &Value) -> bool {
    !value.get("blocks").is_nil() || !value.get("data").is_nil()
}

/// Looks for keys that begin with `@` and name no audience.
fn check_data(value: &Value, depth: usize) -> Read<()> {
    if depth > super::DEPTH {
        return Err(Wrong::limit(too_deep()));
    }
    match value {
        Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Text(_) => Ok(()),
        Value::List(items) => wrong::each(items, |item| check_data(item, depth + 1)).map(|_| ()),
        Value::Map(map) => {
            for (key, value) in map.iter() {
                if let Some(name) = key.strip_prefix('@') {
                    Audience::parse(name).map_err(|found| Wrong::found(found).inside(key))?;
                }
                check_data(value, depth + 1).map_err(|wrong| wrong.inside(key))?;
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests;
