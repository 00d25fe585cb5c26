//! Reads the subject of a `why`.

use std::collections::BTreeSet;

use crate::diag::{Diagnostic, near_hint};
use crate::doc::Viewer;
use crate::game::question::open_questions::{seats_in_play, viewer_of_seat};
use crate::game::question::possible_answers::name_of_entity;
use crate::game::timeline::Timeline;
use crate::game::timeline::log_entries::log_entries;
use crate::script::Sight;
use crate::value::{Name, Text, Value};

/// The subject of a `why`.
pub(super) enum Meant {
    /// An operation, by its number in the log.
    Operation(u64),
    /// A row.
    Row(Name),
    /// A field of a row.
    Cell(Name, Name),
}

/// Reads the subject that a text names. Errors: the text names nothing that the viewer may know of.
pub(super) fn read_subject(
    timeline: &Timeline,
    viewer: &Viewer,
    text: &str,
) -> Result<Meant, Box<Diagnostic>> {
    let text = text.trim();
    let text = text.strip_prefix('#').unwrap_or(text);
    if let Ok(number) = text.parse() {
        return Ok(Meant::Operation(number));
    }
    if let Some(row) = visible_row_named(timeline, viewer, text) {
        return Ok(Meant::Row(row));
    }
    if let Some(meant) = operation_of_players_line(timeline, viewer, text) {
        return meant;
    }
    let parts = text.rsplit_once('.').or_else(|| text.rsplit_once(' '));
    let cell = parts.and_then(|(row, field)| {
        let row = visible_row_named(timeline, viewer, row.trim())?;
        Some((
            row,
            visible_field_named(timeline, viewer, row, field.trim()),
        ))
    });
    match cell {
        Some((row, Some(field))) => Ok(Meant::Cell(row, field)),
        Some((row, None)) => {
            let field = parts.map_or("", |(_, field)| field.trim());
            Err(Box::new(no_field_refusal(timeline, viewer, row, field)))
        }
        None => Err(Box::new(no_row_refusal(timeline, viewer, text))),
    }
}

/// Returns the operation of a line in the log of a player, `Ann:12`, for a viewer who sees everything. Returns nothing if
/// the text has another form. Errors: the log of the player has no such line.
fn operation_of_players_line(
    timeline: &Timeline,
    viewer: &Viewer,
    text: &str,
) -> Option<Result<Meant, Box<Diagnostic>>> {
    let (player, number) = text.split_once(':')?;
    let number: u64 = number.trim().parse().ok()?;
    if !Sight::new(&timeline.state, viewer).sees_all() {
        return None;
    }
    let seats = seats_in_play(timeline);
    // If the ruleset does not list the seats, any name is one.
    let seat = match seats.names() {
        Some(names) => {
            let mut names = names.into_iter();
            names.find(|seat| is_same_name(seat, player.trim()))?
        }
        None => player.trim(),
    };
    let entries = log_entries(timeline, &viewer_of_seat(timeline, seat));
    let found = entries.iter().find(|entry| entry.number == number);
    Some(match found {
        Some(entry) => Ok(Meant::Operation(entry.operation.seq)),
        None => {
            let message = format!("the log of {seat} has no line {number}");
            let last = entries.last().map_or(0, |entry| entry.number);
            let hint = match last {
                0 => format!("the log of {seat} is empty"),
                last => format!("the last line is {last}; `as {seat}`, then `log` lists them"),
            };
            Err(Box::new(
                Diagnostic::error("why/unknown", message).hint(hint),
            ))
        }
    })
}

/// Returns the row with an id, or the entity with a name, if the viewer may know of it.
fn visible_row_named(timeline: &Timeline, viewer: &Viewer, text: &str) -> Option<Name> {
    let sight = Sight::new(&timeline.state, viewer);
    let names = timeline.state.names();
    let seen = |row: &Name| timeline.state.exists(*row) && sight.can_see_row(*row);
    // The ids of attributes count the attributes of others: a seat gets none, and finds none.
    let is_open = |row: &Name| sight.sees_all() || timeline.state.owner(*row).is_none();
    let is_host = text.starts_with('@');
    let by_id = names.find(text);
    let by_id = by_id.filter(|row| seen(row) && is_open(row) && !is_host);
    by_id.or_else(|| {
        let mut entities = entity_rows(timeline).into_iter().filter(seen);
        entities.find(|row| {
            let id = names.text(*row);
            let is_called =
                name_of_entity(timeline, *row).is_some_and(|name| is_same_name(&name, text));
            is_called || is_same_name(&id, text)
        })
    })
}

/// Returns a field by its name: a stat, a field of the row, or a stat that an attribute modifies. The host's own fields
/// are left out.
fn visible_field_named(
    timeline: &Timeline,
    viewer: &Viewer,
    row: Name,
    text: &str,
) -> Option<Name> {
    let names = timeline.state.names();
    let sight = Sight::new(&timeline.state, viewer);
    let rules = timeline.rules();
    let stats = rules.stat_summaries.keys().map(String::as_str);
    let fields = timeline.state.field_names_of_row(row);
    let seen = fields
        .iter()
        .filter(|field| sight.can_see_field(row, **field));
    let seen: Vec<Text> = seen.map(|field| names.text(*field)).collect();
    let given = stats_modified_by_attributes(timeline, &sight, row);
    let own = seen.iter().chain(&given).map(|field| &**field);
    let mut known = stats.chain(own);
    let known = known.find(|name| !name.starts_with('@') && is_same_name(name, text))?;
    names.find(known)
}

/// Returns the stats that attributes on a row modify, whether or not the row has them, as far as a viewer may see them.
fn stats_modified_by_attributes(timeline: &Timeline, sight: &Sight<'_>, row: Name) -> Vec<Text> {
    let mut given = Vec::new();
    let mut records: Vec<Name> = timeline.state.records_of(row).collect();
    while let Some(record) = records.pop() {
        let modifiers = sight.visible_value(record, timeline.state.reserved().modifiers);
        let stats = modifiers.items().iter().map(|one| one.get("stat"));
        given.extend(stats.filter_map(|stat| stat.as_str().map(Text::from)));
        records.extend(timeline.state.records_of(record));
    }
    given
}

/// Returns the name of a row as far as a viewer may know it, else its id.
pub(super) fn name_for_viewer(timeline: &Timeline, viewer: &Viewer, row: Name) -> String {
    let names = timeline.state.names();
    let field = names.find("name");
    let is_seen =
        field.is_some_and(|field| Sight::new(&timeline.state, viewer).can_see_field(row, field));
    let name = is_seen.then(|| name_of_entity(timeline, row)).flatten();
    name.unwrap_or_else(|| names.text(row).to_string())
}

/// Returns the name of a field of a row.
pub(super) fn cell_name_for_viewer(
    timeline: &Timeline,
    viewer: &Viewer,
    (row, field): (Name, Name),
) -> String {
    let row = name_for_viewer(timeline, viewer, row);
    format!("{row}.{}", timeline.state.names().text(field))
}

fn entity_rows(timeline: &Timeline) -> Vec<Name> {
    let rows = timeline.state.rows().into_iter();
    rows.filter(|row| timeline.state.owner(*row).is_none())
        .collect()
}

fn no_row_refusal(timeline: &Timeline, viewer: &Viewer, text: &str) -> Diagnostic {
    let known = visible_ids_and_names(timeline, viewer);
    let shown: String = text.chars().take(200).collect();
    if shown.eq_ignore_ascii_case("not") {
        let message = "the command after `why not` is missing";
        return Diagnostic::error("why/unknown", message)
            .hint("write the command after `why not`, for example `why not next`");
    }
    let message = format!("nothing in this game is named \"{shown}\"");
    Diagnostic::error("why/unknown", message)
        .hint(near_hint(&shown, known.iter().map(AsRef::as_ref)))
        .hint("type `why` and a log line, an entity, ENTITY.STAT or `not COMMAND`, for example `why 12`")
}

/// Returns the ids and names that a viewer may know of; ids of attributes are the game master's.
fn visible_ids_and_names(timeline: &Timeline, viewer: &Viewer) -> BTreeSet<Text> {
    let sight = Sight::new(&timeline.state, viewer);
    let names = timeline.state.names();
    let is_open = |row: &Name| sight.sees_all() || timeline.state.owner(*row).is_none();
    let rows = timeline.state.rows().into_iter();
    let seen = rows.filter(|row| is_open(row) && sight.can_see_row(*row));
    let field = names.find("name");
    let called = seen.flat_map(|row| {
        let name = field.filter(|field| sight.can_see_field(row, *field));
        let name = name.and_then(|field| match timeline.state.get(row, field) {
            Value::Text(name) => Some(name.clone()),
            _ => None,
        });
        [Some(names.text(row)), name]
    });
    called.flatten().collect()
}

fn no_field_refusal(timeline: &Timeline, viewer: &Viewer, row: Name, field: &str) -> Diagnostic {
    let rules = timeline.rules();
    let (sight, names) = (Sight::new(&timeline.state, viewer), timeline.state.names());
    let own = timeline.state.field_names_of_row(row).into_iter();
    let own = own.filter(|field| sight.can_see_field(row, *field));
    let own = own.map(|field| names.text(field).to_string());
    let given = stats_modified_by_attributes(timeline, &sight, row).into_iter();
    let own = own.chain(given.map(|field| field.to_string()));
    let known: BTreeSet<String> = rules.stat_summaries.keys().cloned().chain(own).collect();
    let known = known.iter().filter(|name| !name.starts_with('@'));
    let row = name_for_viewer(timeline, viewer, row);
    let shown: String = field.chars().take(200).collect();
    Diagnostic::error("why/unknown", format!("{row} has no field \"{shown}\""))
        .hint(near_hint(&shown, known.map(String::as_str)))
}

fn is_same_name(one: &str, other: &str) -> bool {
    one == other || one.to_lowercase() == other.to_lowercase()
}
