//! The comment of an attack in plain Rust, with the same text and data as the scripts of the dungeon.

use std::fmt::Write as _;
use std::sync::Arc;

use host::doc::build::{list, paragraph};
use host::doc::{Audience, Document};
use host::value::{Name, Text, Value};

use super::game_view::Game;
use super::plain_attack::{Attack, Blow, Thrown};

/// Returns the comment that announces an attack, with its data.
pub(super) fn attack_document(game: &Game<'_>, attack: &Attack, slot: u64) -> Document {
    let mut lines = strike_lines(game, attack);
    lines.extend(answer_lines(game, attack));
    let (day, _) = date_and_time(game.clock_seconds());
    lines.push(format!("Ruling {slot}; daily action of {day} used."));
    let (state_line, monsters) = state_lines(game, attack.encounter);
    let blocks = [
        paragraph(lines.join("\n")),
        paragraph(state_line),
        list(monsters),
    ];
    Document::new(blocks)
        .limit_to_audience(Audience::Public)
        .data(attack_data(game, attack, slot))
}

fn row_name(game: &Game<'_>, row: Name) -> String {
    game.field_text(row, game.fields.name)
        .unwrap_or_default()
        .to_owned()
}

/// Returns the name of a monster, with its nickname if it has one.
fn monster_title(game: &Game<'_>, row: Name) -> String {
    match game.field_text(row, game.fields.nickname) {
        Some(nickname) => format!("{} ({nickname})", row_name(game, row)),
        None => row_name(game, row),
    }
}

fn strike_lines(game: &Game<'_>, attack: &Attack) -> Vec<String> {
    let on = monster_title(game, attack.attackee);
    let with = match &attack.weapon.name {
        Some(name) if attack.weapon.enchantment == 0 => format!(" with {name}"),
        Some(name) => format!(" with {:+} {name}", attack.weapon.enchantment),
        None => String::new(),
    };
    let by = row_name(game, attack.attacker);
    let Blow { before, after, .. } = attack.strike;
    let rolls = &attack.rolls[..attack.of_strike];
    vec![
        format!("[Attack] {by} attacks {on}{with}."),
        format!(
            "{}; net {}. {on}: {before} HP -> {after} HP.",
            blow_text(&attack.strike, rolls),
            attack.strike.net
        ),
    ]
}

fn answer_lines(game: &Game<'_>, attack: &Attack) -> Vec<String> {
    let (by, on) = (
        monster_title(game, attack.attackee),
        row_name(game, attack.attacker),
    );
    let Some(counter) = &attack.counter else {
        return vec![format!(
            "{by} does not answer: what it fights with is not melee."
        )];
    };
    let Blow { before, after, .. } = counter;
    let most = game.stat(attack.attacker, game.fields.max_hp);
    let rolls = &attack.rolls[attack.of_strike..];
    vec![
        format!("[Answer] {by} attacks {on}."),
        format!(
            "{}; net {}. {on}: {before} ({most}) -> {after} ({most}).",
            blow_text(counter, rolls),
            counter.net
        ),
    ]
}

/// Returns the dice of a blow. The dealt damage stands before the AC die if the dice do not show it.
fn blow_text(blow: &Blow, rolls: &[Thrown]) -> String {
    let mut parts = Vec::new();
    let mut damage = None;
    for roll in rolls {
        if roll.purpose.ends_with("damage") {
            damage = Some(roll.sum);
        } else if roll.purpose.ends_with("AC") && damage != Some(blow.dealt) {
            parts.push(match blow.resisted {
                true => "dealt 0 (resisted)".to_owned(),
                false => format!("dealt {}", blow.dealt),
            });
        }
        parts.push(roll_text(roll));
    }
    parts.join("; ")
}

fn roll_text(roll: &Thrown) -> String {
    let purpose = roll.purpose;
    let purpose = purpose.strip_prefix("counter ").unwrap_or(purpose);
    let mut text = format!("{purpose} {}: {}", roll.name, roll.sum);
    if roll.faces.len() > 1 {
        let faces: Vec<String> = roll.faces.iter().map(i64::to_string).collect();
        let _ = write!(text, " ({})", faces.join(", "));
    }
    text
}

/// Returns the state line of the encounter, and a line for each living monster.
fn state_lines(game: &Game<'_>, encounter: Name) -> (String, Vec<String>) {
    let fields = game.fields;
    let living = game.living_monsters(encounter);
    let count = match living.len() {
        1 => "1 monster".to_owned(),
        count => format!("{count} monsters"),
    };
    let level = game.stat(encounter, fields.dungeon_level);
    let title = row_name(game, encounter);
    let line = format!(
        "{title}, Dungeon Level {level}: {}; {count} left.",
        range_text(game, encounter)
    );
    let monsters = living.into_iter().map(|row| monster_line(game, row));
    (line, monsters.collect())
}

fn range_text(game: &Game<'_>, encounter: Name) -> String {
    let over = game.state.get(encounter, game.fields.over_at).as_i64();
    if let Some(over) = over {
        return format!("over since {}", moment_text(over));
    }
    let range = game.current_range(encounter);
    let since = moment_text(range.since);
    match (range.is_melee, range.presence) {
        (true, _) => format!("Melee since {since}"),
        (false, None) => format!("Ranged since {since}, nobody is there"),
        (false, Some(presence)) => {
            let melee_at = moment_text(presence.max(range.since) + 86_400);
            format!("Ranged since {since}, Melee from {melee_at} if somebody stays")
        }
    }
}

fn monster_line(game: &Game<'_>, row: Name) -> String {
    let (state, fields) = (game.state, game.fields);
    let types = state.get(row, fields.types).items();
    let types: Vec<&str> = types.iter().filter_map(Value::as_str).collect();
    format!(
        "{}: {} HP, {} {}, {} XP",
        monster_title(game, row),
        game.stat(row, fields.hp),
        game.field_text(row, fields.damage).unwrap_or_default(),
        types.join("/"),
        game.stat(row, fields.xp),
    )
}

fn attack_data(game: &Game<'_>, attack: &Attack, slot: u64) -> Value {
    let fields = game.fields;
    let [by, on] = [attack.attacker, attack.attackee].map(|row| row_name(game, row));
    let stat = |row: Name, field: Name| Value::from(game.stat(row, field));
    let [own_hp, their_hp] =
        [attack.attacker, attack.attackee].map(|row| game.stat(row, fields.hp));
    let most = game.stat(attack.attacker, fields.max_hp);
    let display = [
        (by.clone(), Value::text(format!("{own_hp} ({most})"))),
        (on.clone(), Value::text(format!("{their_hp} HP"))),
    ];
    let attacker = Value::map([
        ("hp", Value::from(own_hp)),
        ("kills", stat(attack.attacker, fields.kills)),
        ("status", Value::list([])),
        ("xp", stat(attack.attacker, fields.xp)),
    ]);
    // The statuses of a monster are nil.
    let attackee = [("hp", Value::from(their_hp)), ("status", Value::Nil)];
    let attackee = attackee.map(|(key, value)| (Text::from(key), value));
    let attackee = Value::Map(Arc::new(attackee.into()));
    let counter = match &attack.counter {
        Some(counter) => blow_data(counter),
        None => Value::from("not legal"),
    };
    let slot = i64::try_from(slot).expect("invariant: few rulings are made");
    Value::map([
        ("after", Value::map([(by, attacker), (on, attackee)])),
        ("counter", counter),
        ("deaths", Value::list([])),
        ("display", Value::map(display)),
        ("encounter", Value::text(row_name(game, attack.encounter))),
        ("levels", Value::list([])),
        ("rolls", Value::list(attack.rolls.iter().map(roll_data))),
        ("ruling", Value::from(slot)),
        ("strike", blow_data(&attack.strike)),
    ])
}

fn blow_data(blow: &Blow) -> Value {
    let hp = [blow.before, blow.after].map(Value::from);
    Value::map([
        ("ac", Value::from(blow.ac)),
        ("dealt", Value::from(blow.dealt)),
        ("hp", Value::list(hp)),
        ("net", Value::from(blow.net)),
        ("resisted", Value::Bool(blow.resisted)),
        ("z", Value::from(blow.z)),
    ])
}

fn roll_data(roll: &Thrown) -> Value {
    Value::list([
        Value::from(roll.name.as_str()),
        Value::list(roll.faces.iter().copied().map(Value::from)),
        Value::from(roll.sum),
        Value::from(roll.purpose),
    ])
}

/// Returns a moment as text, `2010-07-05 10:00`.
fn moment_text(seconds: i64) -> String {
    let (date, time) = date_and_time(seconds);
    format!("{date} {time}")
}

/// Returns the date and the time of day of a second since 1970.
fn date_and_time(seconds: i64) -> (String, String) {
    let z = seconds.div_euclid(86_400) + 719_468;
    let era = z.div_euclid(146_097);
    let of_era = z - era * 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let m = (5 * of_year + 2) / 153;
    let day = of_year - (153 * m + 2) / 5 + 1;
    let month = m + if m < 10 { 3 } else { -9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let rest = seconds.rem_euclid(86_400);
    let date = format!("{year:04}-{month:02}-{day:02}");
    (date, format!("{:02}:{:02}", rest / 3600, rest / 60 % 60))
}
