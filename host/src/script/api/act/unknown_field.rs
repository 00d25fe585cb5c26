//! The method of `act` that checks whether nothing would read a field.

use std::collections::BTreeSet;
use std::rc::Rc;

use mlua::Lua;

use super::row_arguments::existing_row;
use crate::diag::nearest_names;
use crate::doc::Viewer;
use crate::script::border::stack_value::{NameArgument, This};
use crate::script::host::Host;
use crate::script::inquiry::viewers::viewer_of_person;
use crate::script::run::checks_in_force::Checks;
use crate::script::run::visibility::{READ_BY_HOST, Sight};
use crate::store::State;
use crate::value::Name;

/// Fuel of checking the fields of a row.
const ROW: u64 = 16;
/// Bytes of scripts and content that are searched for one unit of fuel.
const TEXT: usize = 8;
/// Most names that are returned.
const TOLD: usize = 3;
/// Fewest letters of a name with a meaning inside a longer name: `speed` in `movespeed`.
const TELLING: usize = 4;

/// Returns nothing if something may read a field of a row. That is so if a row of its kind has the field, a stat
/// declares it, or the host reads it. It is also so if the rules read such a field and the kind has no field with a
/// near name. Otherwise returns the near names.
pub(super) fn near_fields_if_unknown(
    _: &Lua,
    host: &Host,
    (act, row, field): (This, NameArgument, String),
) -> mlua::Result<Option<Vec<String>>> {
    let by = host.ruling(act)?.by.clone();
    let viewer = viewer_of_person(host, &by)?;
    let run = host.ruling(act)?;
    let row = existing_row(host, &run, &row)?;
    // A recorded line made the field that it made.
    if run.checks == Checks::Then {
        return Ok(None);
    }
    let rules = Rc::clone(&host.rules.borrow());
    let (rows, mut known) = rows_and_fields_of_kind(&run.state, &viewer, row);
    known.extend(rules.stat_summaries.keys().cloned());
    host.charge(rows * ROW)?;
    if known.contains(&field) || READ_BY_HOST.contains(&&*field) {
        return Ok(None);
    }
    let near = near_field_names(&field, &known);
    if !near.is_empty() {
        return Ok(Some(near));
    }
    host.charge((rules.source_bytes() / TEXT) as u64)?;
    let kind = run.state.kind(row);
    let kind = kind.map(|kind| run.state.names().text(kind));
    let is_named = rules.uses_field(kind.as_deref(), &field);
    Ok((!is_named).then(Vec::new))
}

/// Returns the number of rows of the same kind as a row, and the fields of these rows that the viewer may see.
fn rows_and_fields_of_kind(state: &State, viewer: &Viewer, row: Name) -> (u64, BTreeSet<String>) {
    let sight = Sight::new(state, viewer);
    let kind = state.kind(row).into_iter();
    let (mut rows, mut known) = (0, BTreeSet::new());
    for one in kind.flat_map(|kind| state.rows_of_kind(kind)) {
        rows += 1;
        let fields = state.field_names_of_row(one).into_iter();
        let seen =
            fields.filter(|field| sight.can_see_row(one) && sight.can_see_field(one, *field));
        known.extend(seen.map(|field| state.names().text(field).to_string()));
    }
    (rows, known)
}

/// Returns the known names that a field name may mean: nearly equal names, otherwise longer names that contain it.
fn near_field_names(field: &str, known: &BTreeSet<String>) -> Vec<String> {
    let names = || known.iter().map(String::as_str);
    let same = nearest_names(field, names(), TOLD);
    if !same.is_empty() {
        return same.into_iter().map(str::to_owned).collect();
    }
    let folded = field.to_lowercase();
    let is_telling = folded.chars().count() >= TELLING;
    let is_part = |one: &&str| is_telling && one.to_lowercase().contains(&folded);
    names()
        .filter(is_part)
        .take(TOLD)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_near_to_one_that_it_is_a_part_of() {
        let known = ["MOVESPEED", "HP", "x", "mood", "languages"];
        let known: BTreeSet<String> = known.map(str::to_owned).into();
        for (field, expected) in [
            ("speed", vec!["MOVESPEED"]),
            ("mod", vec!["mood"]),
            ("spoken languages", vec![]),
            ("axe", vec![]),
            ("nickname", vec![]),
        ] {
            assert_eq!(near_field_names(field, &known), expected, "{field}");
        }
    }
}
