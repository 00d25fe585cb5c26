//! Ends records: removes them with all dependent rows and returns their last values.

use std::collections::BTreeMap;

use crate::store::end_conditions::{self, Due, EndCondition, Ended, Form, How, end_reason};
use crate::store::{State, StoreError, Write};
use crate::value::Name;

/// Result of one use of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// Uses that are left; `None` for a record with unlimited uses.
    pub left: Option<u64>,
    /// The reason for the record to end now, if this use was the last one.
    pub due: Option<Due>,
}

impl State {
    /// Removes rows with all dependent rows and returns the removed records in order of application.
    ///
    /// Errors: `UnknownRow`; then nothing changes.
    pub fn end_rows(&mut self, due: Vec<Due>) -> Result<Vec<Ended>, StoreError> {
        if let Some(unknown) = due.iter().find(|due| !self.exists(due.record)) {
            return Err(StoreError::UnknownRow(self.names.text(unknown.record)));
        }
        let roots: Vec<Name> = due.iter().map(|due| due.record).collect();
        let going = self.records_removed_with(&roots);
        let with = going.into_iter().map(|(record, row)| {
            let reason = end_reason::ended_with_text(&self.names.text(row));
            Due {
                record,
                how: How::By(Form::With),
                reason,
            }
        });
        let ended = due.into_iter().chain(with).collect::<Vec<_>>().into_iter();
        let ended = ended.filter_map(|due| self.ended_record_data(due));
        let ended: BTreeMap<u64, Ended> = ended.map(|ended| (ended.number, ended)).collect();
        for row in roots {
            if self.exists(row) {
                self.apply(Write::Remove { row })?;
            }
        }
        Ok(ended.into_values().collect())
    }

    /// Counts one use of a record.
    ///
    /// Errors: `UnknownRow`.
    pub fn use_record_once(&mut self, record: Name) -> Result<Used, StoreError> {
        if !self.exists(record) {
            return Err(StoreError::UnknownRow(self.names.text(record)));
        }
        let (mut rest, mut spent) = (Vec::new(), None);
        for end in self.end_conditions_of_record(record) {
            rest.push(match end {
                EndCondition::Uses { left: 1, of } => {
                    spent = spent.or(Some(*of));
                    continue;
                }
                EndCondition::Uses { left, of } => EndCondition::Uses {
                    left: left - 1,
                    of: *of,
                },
                other => other.clone(),
            });
        }
        if let Some(uses) = spent {
            let reason = end_reason::uses_spent_text(uses);
            let due = Some(Due {
                record,
                how: How::By(Form::Uses),
                reason,
            });
            return Ok(Used { left: Some(0), due });
        }
        let left = rest.iter().filter_map(|end| match end {
            EndCondition::Uses { left, .. } => Some(*left),
            _ => None,
        });
        let left = left.min();
        if left.is_some() {
            let value = end_conditions::stored_value(&rest, &self.names);
            self.set(record, self.reserved.ends, value)?;
        }
        Ok(Used { left, due: None })
    }
}
