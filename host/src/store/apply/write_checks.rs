//! Checks that a state has room for a write and that the write fits the existing rows.

use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use crate::store::error::{A_COMMAND, A_GAME, Share};
use crate::store::modifier::{ByStat, Modifiers};
use crate::store::row::{Influences, Row};
use crate::store::undo_log::{Step, Weight};
use crate::store::{Reserved, State, StoreError, end_conditions, limits, modifier, row_check};
use crate::value::{Name, Text, Value};

impl State {
    /// Checks a field that is new in a row or that has more effect than its value.
    pub(super) fn check_field_write(
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
        if self.reserved.put_only_fields().contains(&field) || (of_records && page.owner.is_none())
        {
            return Err(StoreError::ReservedField(self.names.text(field)));
        }
        row_check::check_reserved_value(&self.names, &self.reserved, field, value)?;
        let is_new = page.fields.get(field).is_none();
        if is_new && !self.reserved.writable_fields().contains(&field) {
            row_check::check_field_name(&self.names.text(field))?;
        }
        if is_new && !value.is_nil() {
            row_check::check_room_for_field(&page.fields, &self.reserved, field)?;
        }
        if let (true, Some(owner)) = (is_modifiers, page.owner) {
            let mut owner = self.rows.get(owner).cloned().unwrap_or_default();
            owner.remove_influence(page.number, page.modifiers_on_owner());
            let modifiers = self.modifiers_after_write(row, field, value)?;
            check_room_for_modifiers(owner.influences.as_deref(), &modifiers.own)?;
            check_room_for_modifiers(self.auras.as_deref(), &modifiers.auras)?;
        }
        Ok(())
    }

    /// Checks that a new row may be added.
    pub(super) fn check_new_row(&self, row: Name, page: &Row) -> Result<(), StoreError> {
        let Some(owner) = page.owner else {
            if self.names.text(row).starts_with('@') {
                return Ok(());
            }
            return check_count_limit("entities", self.entities, limits::ENTITIES);
        };
        let owned = self.rows.get(owner).filter(|owner| owner.kind.is_some());
        let owned = owned.ok_or_else(|| StoreError::UnknownOwner(self.names.text(owner)))?;
        if owned.number >= page.number || page.number >= self.peek_record_number() {
            return Err(StoreError::BadRecordId(self.names.text(row)));
        }
        self.check_room_for_record(owner)?;
        check_room_for_modifiers(owned.influences.as_deref(), page.modifiers_on_owner())?;
        check_room_for_modifiers(self.auras.as_deref(), page.auras())
    }

    /// Checks that there is room for one more record; records of the host's rows are counted separately.
    fn check_room_for_record(&self, owner: Name) -> Result<(), StoreError> {
        let classes = [
            (self.reserved.queues, "queue rows", limits::QUEUE_ROWS),
            (self.reserved.polls, "polls", limits::POLLS),
            (self.reserved.prompts, "open prompts", limits::PROMPTS),
        ];
        let owned = |row: Name| self.rows.get(row).map_or(0, Row::record_count);
        if let Some((row, what, limit)) = classes.iter().find(|(row, ..)| *row == owner) {
            return check_count_limit(what, owned(*row), *limit);
        }
        let elsewhere: usize = classes.iter().map(|(row, ..)| owned(*row)).sum();
        check_count_limit("records", self.records - elsewhere, limits::RECORDS)
    }

    /// Returns whether so many more bytes may be written, regardless of replaced bytes. For large amounts an exact
    /// check is needed.
    #[inline]
    pub(super) fn has_room_without_replacing(&self, bytes: u64) -> bool {
        let came = self.log.weight().came + bytes;
        came <= self.room.command && self.sum.bytes + came <= self.room.game
    }

    fn has_room(&self, more: Weight) -> bool {
        let all = self.log.weight().with(more);
        let is_less = more.came <= more.gone;
        all.came <= self.room.command
            && (is_less || self.sum.bytes + all.came <= self.room.game.saturating_add(all.gone))
    }

    /// Checks that so many more bytes may be written; removals are never refused. Errors: `NoRoom` with the kind that
    /// takes most.
    pub(super) fn check_room_for_bytes(&self, more: Weight) -> Result<(), StoreError> {
        if self.has_room(more) {
            return Ok(());
        }
        Err(self.no_room_error(more))
    }

    #[cold]
    fn no_room_error(&self, more: Weight) -> StoreError {
        let all = self.log.weight().with(more);
        let is_command = all.came > self.room.command;
        let rows: HashSet<Name> = match is_command {
            true => self.log.steps().iter().map(Step::row).collect(),
            false => self.rows.iter().map(|(row, _)| row).collect(),
        };
        let mut kinds: BTreeMap<Text, Share> = BTreeMap::new();
        for (row, page) in rows
            .into_iter()
            .filter_map(|row| Some((row, self.rows.get(row)?)))
        {
            if let Some(kind) = page.kind {
                let share = kinds.entry(self.names.text(kind)).or_default();
                share.rows += 1;
                share.bytes += self.row_bytes(row, page);
            }
        }
        let most = kinds.into_iter().max_by_key(|(_, share)| share.bytes);
        let (what, limit) = match is_command {
            true => (A_COMMAND, self.room.command),
            false => (A_GAME, self.room.game),
        };
        StoreError::NoRoom { what, limit, most }
    }

    /// Returns the bytes of all cells of a row.
    pub(super) fn row_bytes(&self, row: Name, page: &Row) -> u64 {
        let name = |name| self.names.byte_length(name) as u64;
        let id = name(row);
        let cell = |(field, value)| id + name(field) + row_check::value_bytes(value);
        page.fields.iter().map(cell).sum()
    }

    /// Checks that a record ends with existing rows and not with itself.
    pub(super) fn check_end_partners(
        &self,
        row: Name,
        ends: &[end_conditions::EndCondition],
    ) -> Result<(), StoreError> {
        for end in ends {
            if let end_conditions::EndCondition::With { row: partner } = end
                && (*partner == row || !self.exists(*partner))
            {
                return Err(StoreError::UnknownPartner(self.names.text(*partner)));
            }
        }
        Ok(())
    }

    /// Returns the modifiers of a record after one of the fields that define them gets this value.
    pub(super) fn modifiers_after_write(
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
        modifier::read_modifiers(list, guard, &self.stats, &self.names)
    }
}

fn check_room_for_modifiers(
    influences: Option<&Influences>,
    modifiers: &ByStat,
) -> Result<(), StoreError> {
    let stats = match influences {
        Some(influences) => influences.stat_count_with(modifiers),
        None => modifiers.len(),
    };
    check_count_limit(
        "modified stats in a row",
        stats.saturating_sub(1),
        limits::MODIFIED_STATS,
    )
}

fn check_count_limit(what: &'static str, there: usize, limit: usize) -> Result<(), StoreError> {
    if there < limit {
        Ok(())
    } else {
        Err(StoreError::TooMany { what, limit })
    }
}
