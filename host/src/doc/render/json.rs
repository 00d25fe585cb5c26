//! Writes a document as one JSON object on one line.

use serde_json::{Map, Value as Json, json as literal};

use super::plain::plain;
use crate::doc::Document;
use crate::doc::hidden_character_gate::is_hidden_character;
use crate::value::to_json;

/// Returns `{"op", "audience", "text", "data"}` on one line without a line end; missing parts are `null`.
///
/// Shape: `text` is the plain rendering, gated as on screen. `data` keeps its texts exactly. Hidden characters in
/// `data` are written as JSON escapes, so that the line is safe on a screen too.
pub fn json(document: &Document, op: Option<u64>) -> String {
    escape_hidden_characters(&Json::Object(document_object(document, op)).to_string())
}

/// Returns the object of a document that counts only after its ruling has ended: it has `"provisional": true` too.
pub fn provisional_json(document: &Document, op: Option<u64>) -> String {
    let mut object = document_object(document, op);
    object.insert("provisional".into(), literal!(true));
    escape_hidden_characters(&Json::Object(object).to_string())
}

fn document_object(document: &Document, op: Option<u64>) -> Map<String, Json> {
    let mut object = Map::new();
    object.insert("op".into(), literal!(op));
    object.insert("audience".into(), literal!(document.audience.to_string()));
    object.insert("text".into(), literal!(plain(document)));
    let data = document.data.as_ref().map_or(Json::Null, to_json);
    object.insert("data".into(), data);
    object
}

/// Escapes hidden characters. They occur only inside JSON texts, where `\uXXXX` means the same.
fn escape_hidden_characters(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden_character(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::doc::build::paragraph;
    use crate::value::Value;

    #[test]
    fn hidden_characters_of_data_are_escaped_and_kept() {
        let data = Value::map([("name", Value::from("a\u{202e}\u{e0041}\u{7f}\x1b"))]);
        let line = json(&Document::new([paragraph("hi")]).data(data), None);
        assert_eq!(
            line,
            r#"{"op":null,"audience":"public","text":"hi","data":{"name":"a\u202e\udb40\udc41\u007f\u001b"}}"#
        );
    }

    proptest! {
        #[test]
        fn data_comes_back_as_it_was(text: String, op: u64) {
            let document = Document::new([paragraph(text.as_str())]).data(Value::from(text.as_str()));
            let line = json(&document, Some(op));
            prop_assert!(!line.contains('\n') && !line.chars().any(is_hidden_character));
            let read: Json = serde_json::from_str(&line).unwrap();
            prop_assert_eq!(read["data"].as_str(), Some(text.as_str()));
            prop_assert_eq!(read["op"].as_u64(), Some(op));
        }
    }
}
