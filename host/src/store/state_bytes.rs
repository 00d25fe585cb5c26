//! Writes a state as bytes, the same bytes for the same cells, and reads exactly these bytes back.
//!
//! Form: a version byte; the number of rows; each row in the order of ids: id, number of cells; each
//! cell in the order of field names: name, value. Lengths, texts and values as in `value`.

use std::rc::Rc;

use super::fields::Fields;
use super::row::Row;
use super::{Reserved, State, Stats, StoreError, row_check};
use crate::diag::planted_mistakes::{self, Mistake};
use crate::value::{CanonicalError, Name, Names, Reader, write_length, write_text, write_value};

const VERSION: u8 = 1;

impl State {
    /// Returns the canonical bytes of all cells.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows = self.rows.iter().filter(|(_, page)| page.fields.len() > 0);
        let rows = self.sort_by_text(rows.map(|(row, _)| row).collect());
        let kept = rows.len() - usize::from(planted_mistakes::is_planted(Mistake::RowLost));
        let rows = &rows[..kept];
        let mut out = vec![VERSION];
        write_length(&mut out, rows.len());
        for &row in rows {
            let page = self
                .rows
                .get(row)
                .expect("invariant: a listed row is there");
            let fields = page.fields.iter().map(|(field, _)| field).collect();
            write_text(&mut out, &self.names.text(row));
            write_length(&mut out, page.fields.len());
            for field in self.sort_by_text(fields) {
                write_text(&mut out, &self.names.text(field));
                write_value(&mut out, self.cell(row, field));
            }
        }
        out
    }

    /// Returns the state that [`State::to_bytes`] wrote, with no stat declared.
    ///
    /// Errors: for all other bytes, `Malformed` or an error of cells that do not form valid rows.
    pub fn from_bytes(bytes: &[u8], names: Rc<Names>) -> Result<State, StoreError> {
        let reserved = Reserved::new(&names);
        let rest = bytes.strip_prefix(&[VERSION]);
        let rest = rest.ok_or(StoreError::Malformed("the state is of another version"))?;
        let mut reader = Reader::new(rest);
        let (mut own, mut rows) = (Row::default(), Vec::new());
        let mut last: Option<&str> = None;
        for _ in 0..reader.read_length().map_err(malformed_error)? {
            let id = read_next_in_order(&mut reader, &mut last)?;
            let row = names.intern(id);
            let fields = read_fields(&mut reader, &names)?;
            if row == reserved.state {
                own = row_check::make_state_row(&reserved, fields)?;
            } else {
                rows.push((
                    row,
                    row_check::make_checked_row(&names, &reserved, &Stats::default(), row, fields)?,
                ));
            }
        }
        if !reader.is_at_end() {
            return Err(StoreError::Malformed("there are bytes after the state"));
        }
        State::from_checked_rows(names, own, rows)
    }
}

fn read_fields(reader: &mut Reader<'_>, names: &Names) -> Result<Fields, StoreError> {
    let count = reader.read_length().map_err(malformed_error)?;
    row_check::check_cell_count(count)?;
    let mut fields = Fields::default();
    let mut last: Option<&str> = None;
    for _ in 0..count {
        let field: Name = names.intern(read_next_in_order(reader, &mut last)?);
        let value = reader.read_value().map_err(malformed_error)?;
        if value.is_nil() {
            return Err(StoreError::Malformed("a cell has a value"));
        }
        fields.replace(field, value);
    }
    if count == 0 {
        return Err(StoreError::Malformed("a row has cells"));
    }
    Ok(fields)
}

fn read_next_in_order<'a>(
    reader: &mut Reader<'a>,
    last: &mut Option<&'a str>,
) -> Result<&'a str, StoreError> {
    let text = reader.read_text().map_err(malformed_error)?;
    if last.is_some_and(|last| last >= text) {
        return Err(StoreError::Malformed(
            "rows and fields are in order, each once",
        ));
    }
    *last = Some(text);
    Ok(text)
}

fn malformed_error(error: CanonicalError) -> StoreError {
    StoreError::Malformed(match error {
        CanonicalError::Short => "the bytes of the state end too early",
        CanonicalError::Malformed => "the bytes of the state are not in canonical form",
    })
}
