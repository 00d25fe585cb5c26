//! This module is whether a state has room for what a write brings, and whether it fits to what is there.

use std::rc::Rc;

use crate::store::modifier::{ByStat, Modifiers};
use crate::store::row::{Influences, Row};
use crate::store::{Reserved, State, StoreError, check, ends, limits, modifier};
use crate::value::{Name, Value};

impl State {
    /// Checks a field that is new to a row, or that is more than a value.
    pub(super) fn check_field(
        &self,
        row: Name,
        field: Name,
        value: &Value,
    ) -> Result<(), StoreError> {
        let page = self
            .rows
            .get(row)
            .expect("invariant: the caller found the row");
        let is_modifiers = self.reserved.makes_modifiers(field);
        let of_records = is_modifiers || field == self.reserved.ends;
        if self.reserved.fixed().contains(&field) || (of_records && page.owner.is_none()) {
            return Err(StoreError::ReservedField(self.names.text(field)));
        }
        check::reserved_value(&self.names, &self.reserved, field, value)?;
        let is_new = page.fields.get(field).is_none();
        if is_new && !self.reserved.free().contains(&field) {
            check::field_name(&self.names.text(field))?;
        }
        if is_new && !value.is_nil() {
            check::room_for(&page.fields, &self.reserved, field)?;
        }
        if let (true, Some(owner)) = (is_modifiers, page.owner) {
            let mut owner = self.rows.get(owner).cloned().unwrap_or_default();
            owner.recover(page.number, page.own_modifiers());
            let modifiers = self.modifiers_with(row, field, value)?;
            room_for_modifiers(owner.influences.as_deref(), &modifiers.own)?;
            room_for_modifiers(self.auras.as_deref(), &modifiers.auras)?;
        }
        Ok(())
    }

    /// Checks that a new row may be added among the others.
    pub(super) fn check_room(&self, row: Name, page: &Row) -> Result<(), StoreError> {
        let Some(owner) = page.owner else {
            if self.names.text(row).starts_with('@') {
                return Ok(());
            }
            return room("entities", self.entities, limits::ENTITIES);
        };
        let owned = self.rows.get(owner).filter(|owner| owner.kind.is_some());
        let owned = owned.ok_or_else(|| StoreError::UnknownOwner(self.names.text(owner)))?;
        if owned.number >= page.number || page.number >= self.next_number() {
            return Err(StoreError::BadRecordId(self.names.text(row)));
        }
        self.room_for_record(owner)?;
        room_for_modifiers(owned.influences.as_deref(), page.own_modifiers())?;
        room_for_modifiers(self.auras.as_deref(), page.auras())
    }

    /// Checks that there is room for one more record; those of the host's rows are counted on their own.
    fn room_for_record(&self, owner: Name) -> Result<(), StoreError> {
        let classes = [
            (self.reserved.queues, "queue rows", limits::QUEUE_ROWS),
            (self.reserved.polls, "polls", limits::POLLS),
            (self.reserved.prompts, "open prompts", limits::PROMPTS),
        ];
        let owned = |row: Name| self.rows.get(row).map_or(0, Row::record_count);
        if let Some((row, what, limit)) = classes.iter().find(|(row, ..)| *row == owner) {
            return room(what, owned(*row), *limit);
        }
        let elsewhere: usize = classes.iter().map(|(row, ..)| owned(*row)).sum();
        room("records", self.records - elsewhere, limits::RECORDS)
    }

    /// Checks that a record ends with rows that are there, and not with itself.
    pub(super) fn check_partners(&self, row: Name, ends: &[ends::End]) -> Result<(), StoreError> {
        for end in ends {
            if let ends::End::With { row: partner } = end
                && (*partner == row || !self.exists(*partner))
            {
                return Err(StoreError::UnknownPartner(self.names.text(*partner)));
            }
        }
        Ok(())
    }

    /// Returns the modifiers that a record has once one of the fields that make them has this value.
    pub(super) fn modifiers_with(
        &self,
        row: Name,
        field: Name,
        value: &Value,
    ) -> Result<Rc<Modifiers>, StoreError> {
        let Reserved {
            modifiers, guard, ..
        } = self.reserved;
        let [list, guard] = [modifiers, guard].map(|other| match other == field {
            true => value,
            false => self.cell(row, other),
        });
        modifier::read(list, guard, &self.stats, &self.names)
    }
}

fn room_for_modifiers(
    influences: Option<&Influences>,
    modifiers: &ByStat,
) -> Result<(), StoreError> {
    let stats = match influences {
        Some(influences) => influences.stats_with(modifiers),
        None => modifiers.len(),
    };
    room(
        "modified stats in a row",
        stats.saturating_sub(1),
        limits::MODIFIED_STATS,
    )
}

fn room(what: &'static str, there: usize, limit: usize) -> Result<(), StoreError> {
    if there < limit {
        Ok(())
    } else {
        Err(StoreError::TooMany { what, limit })
    }
}
