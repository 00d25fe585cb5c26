//! The naive store that random tests compare with: one ordered map of texts.

use std::collections::BTreeMap;

use crate::store::StateHash;
use crate::value::{Value, write_length, write_text, write_value};

#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Model {
    pub(super) cells: BTreeMap<(String, String), Value>,
}

impl Model {
    pub(super) fn get(&self, row: &str, field: &str) -> Value {
        let cell = (row.to_owned(), field.to_owned());
        self.cells.get(&cell).cloned().unwrap_or_default()
    }

    pub(super) fn write(&mut self, row: &str, field: &str, value: Value) {
        let cell = (row.to_owned(), field.to_owned());
        if value.is_nil() {
            self.cells.remove(&cell);
        } else {
            self.cells.insert(cell, value);
        }
    }

    pub(super) fn exists(&self, row: &str) -> bool {
        !self.get(row, "@kind").is_nil()
    }

    pub(super) fn rows(&self) -> Vec<String> {
        self.rows_where("@kind", None)
    }

    pub(super) fn of_kind(&self, kind: &str) -> Vec<String> {
        self.sorted_by_number(self.rows_where("@kind", Some(kind)))
    }

    pub(super) fn records(&self, owner: &str) -> Vec<String> {
        self.sorted_by_number(self.rows_where("@owner", Some(owner)))
    }

    pub(super) fn next(&mut self) -> i64 {
        let number = self.get("@state", "@next").as_i64().unwrap_or(1);
        self.write("@state", "@next", Value::from(number + 1));
        number
    }

    pub(super) fn remove(&mut self, row: &str) {
        for record in self.records(row) {
            self.remove(&record);
        }
        self.cells.retain(|(other, _), _| other != row);
    }

    /// Returns the shown value of a stat: modifiers are stacked in order of application, without layers.
    pub(super) fn shown(&self, row: &str, stat: &str) -> Option<Value> {
        let mut value = self.get(row, stat);
        for record in self.records(row) {
            let list = self.get(&record, "@modifiers");
            for one in list
                .items()
                .iter()
                .filter(|one| one.get("stat").as_str() == Some(stat))
            {
                let before = value.as_i64().unwrap_or(0);
                let operand = one.get("value").as_i64()?;
                value = Value::from(match one.get("op").as_str()? {
                    "add" => before + operand,
                    "multiply" => before * operand,
                    "set" => operand,
                    "at_least" => before.max(operand),
                    _ => before.min(operand),
                });
            }
        }
        Some(value)
    }

    pub(super) fn hash(&self) -> StateHash {
        let mut hash = StateHash::default();
        for ((row, field), value) in &self.cells {
            hash += StateHash::of_cell(row, field, value);
        }
        hash
    }

    pub(super) fn bytes_of_cells(&self) -> u64 {
        let mut out = Vec::new();
        for ((row, field), value) in &self.cells {
            write_text(&mut out, row);
            write_text(&mut out, field);
            write_value(&mut out, value);
        }
        out.len() as u64
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut rows: BTreeMap<&str, Vec<(&str, &Value)>> = BTreeMap::new();
        for ((row, field), value) in &self.cells {
            rows.entry(row).or_default().push((field, value));
        }
        let mut out = vec![1];
        write_length(&mut out, rows.len());
        for (row, cells) in rows {
            write_text(&mut out, row);
            write_length(&mut out, cells.len());
            for (field, value) in cells {
                write_text(&mut out, field);
                write_value(&mut out, value);
            }
        }
        out
    }

    /// Lists the cells that differ as (row, field, old, new).
    pub(super) fn changes_from(&self, old: &Model) -> Vec<(String, String, Value, Value)> {
        let mut both: Vec<_> = self.cells.keys().chain(old.cells.keys()).collect();
        both.sort();
        both.dedup();
        let all = both.into_iter().map(|(row, field)| {
            let (was, is) = (old.get(row, field), self.get(row, field));
            (row.clone(), field.clone(), was, is)
        });
        all.filter(|(_, _, was, is)| was != is).collect()
    }

    fn rows_where(&self, field: &str, value: Option<&str>) -> Vec<String> {
        let cells = self.cells.iter().filter(|((_, name), _)| name == field);
        let cells = cells.filter(|(_, is)| value.is_none_or(|value| is.as_str() == Some(value)));
        cells.map(|((row, _), _)| row.clone()).collect()
    }

    fn sorted_by_number(&self, mut rows: Vec<String>) -> Vec<String> {
        rows.sort_by_key(|row| (self.get(row, "@number").as_i64(), row.clone()));
        rows
    }
}
