//! Reads the game for an attack: stats, records, weapons, the range of an encounter, and legality.

use host::store::{Look, State, WithoutRules};
use host::value::{Name, Value};

use super::field_names::Fields;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// A read-only view of the game.
#[derive(Clone, Copy)]
pub(super) struct Game<'a> {
    pub(super) state: &'a State,
    pub(super) fields: &'a Fields,
}

impl<'a> Game<'a> {
    /// Returns the shown value of a field.
    pub(super) fn shown_value(self, row: Name, field: Name) -> Value {
        let shown = Look::new(self.state, &WithoutRules).stat_value(row, field);
        shown.expect("invariant: measured stats are numbers")
    }

    pub(super) fn stat(self, row: Name, field: Name) -> i64 {
        self.shown_value(row, field).as_i64().unwrap_or(0)
    }

    pub(super) fn field_text(self, row: Name, field: Name) -> Option<&'a str> {
        self.state.get(row, field).as_str()
    }

    pub(super) fn clock_seconds(self) -> i64 {
        let clock = self.state.reserved().clock;
        self.state
            .get(clock, self.fields.time)
            .as_i64()
            .unwrap_or(0)
    }

    pub(super) fn records_of_kind(self, owner: Name, kind: Name) -> impl Iterator<Item = Name> {
        let records = self.state.records_of(owner);
        records.filter(move |row| self.state.kind(*row) == Some(kind))
    }

    pub(super) fn status_count(self, who: Name) -> usize {
        self.records_of_kind(who, self.fields.status).count()
    }

    /// Returns the row that a field names.
    pub(super) fn row_of_field(self, row: Name, field: Name) -> Name {
        let named = self.field_text(row, field);
        let named = named.and_then(|text| self.state.names().find(text));
        named.expect("invariant: the field names a row")
    }

    /// Returns the living monsters of an encounter, in order of their ids.
    pub(super) fn living_monsters(self, encounter: Name) -> Vec<Name> {
        let fields = self.fields;
        let text = Value::Text(self.state.names().text(encounter));
        let monsters = self.state.rows_of_kind(fields.monster);
        let own = monsters.filter(|row| *self.state.get(*row, fields.encounter) == text);
        own.filter(|row| *self.state.get(*row, fields.died_at) == Value::Bool(false))
            .collect()
    }

    /// Returns the present range of an encounter: Melee after a day of presence.
    pub(super) fn current_range(self, encounter: Name) -> Range {
        let (state, fields, now) = (self.state, self.fields, self.clock_seconds());
        let log_since = state.get(encounter, fields.since).as_i64().unwrap_or(0);
        let mut range = Range {
            is_melee: self.field_text(encounter, fields.first) == Some("Melee"),
            since: log_since,
            presence: None,
        };
        for change in state.get(encounter, fields.presence).items() {
            let at = change.get("at").as_i64().unwrap_or(0);
            if at <= now {
                let at = at.max(log_since);
                range.advance_to(at);
                range.note_presence(at, change.get("is_there") == &Value::Bool(true));
            }
        }
        range.advance_to(now);
        range
    }

    pub(super) fn weapon_or_own_damage(self, who: Name) -> Weapon {
        let fields = self.fields;
        let wielded = self.records_of_kind(who, fields.wielded).next();
        let row = wielded.unwrap_or(who);
        let types = self.state.get(row, fields.types).items();
        let types = types.iter().filter_map(Value::as_str);
        let name = self.field_text(row, fields.name).map(str::to_owned);
        Weapon {
            name: wielded.and(name),
            damage: self
                .field_text(row, fields.damage)
                .unwrap_or_default()
                .to_owned(),
            types: types.map(str::to_owned).collect(),
            enchantment: wielded.map_or(0, |row| self.stat(row, fields.enchantment)),
        }
    }

    pub(super) fn resists_magic(self, who: Name) -> bool {
        let mut worn = self.records_of_kind(who, self.fields.worn);
        worn.any(|row| *self.state.get(row, self.fields.resistant) == Value::Bool(true))
    }

    /// Returns whether all checks allow an attack.
    pub(super) fn is_attack_legal(
        self,
        attacker: Name,
        attackee: Name,
        (encounter, range, weapon): (Name, &Range, &Weapon),
    ) -> bool {
        let (state, fields) = (self.state, self.fields);
        let is_idle = state.get(attacker, fields.idle) == &Value::Bool(true);
        let gap = state.get(fields.table, fields.min_gap_hours);
        let gap = gap.as_i64().unwrap_or(0) * 3600;
        let now = self.clock_seconds();
        let attacked = state.get(attacker, fields.attacked_at).as_i64();
        let is_used = attacked.is_some_and(|at| at / DAY == now / DAY || now - at < gap);
        let lives = state.get(attackee, fields.died_at) == &Value::Bool(false);
        let is_monster = state.kind(attackee) == Some(fields.monster);
        let [own, theirs] = [attacker, encounter].map(|row| self.stat(row, fields.dungeon_level));
        let sleeps = self
            .records_of_kind(attacker, fields.asleep)
            .next()
            .is_some();
        !is_idle
            && !is_used
            && lives
            && is_monster
            && attackee != attacker
            && own == theirs
            && weapon.fits_range(range)
            && !sleeps
            && self.status_count(attacker) == 0
    }
}

/// The weapon or the own damage of a fighter; own damage has no name.
pub(super) struct Weapon {
    pub(super) name: Option<String>,
    damage: String,
    types: Vec<String>,
    pub(super) enchantment: i64,
}

impl Weapon {
    pub(super) fn has_type(&self, word: &str) -> bool {
        self.types.iter().any(|one| one == word)
    }

    pub(super) fn fits_range(&self, range: &Range) -> bool {
        self.has_type(if range.is_melee { "melee" } else { "ranged" })
    }

    /// Returns dice and sides of a damage such as `2d6`.
    pub(super) fn damage_dice(&self) -> (i64, i64) {
        let parts = self.damage.split_once('d');
        let parts = parts.and_then(|(dice, sides)| Some((dice.parse().ok()?, sides.parse().ok()?)));
        parts.expect("invariant: measured damage is rolled")
    }
}

/// The present range of an encounter.
pub(super) struct Range {
    pub(super) is_melee: bool,
    pub(super) since: i64,
    pub(super) presence: Option<i64>,
}

impl Range {
    fn advance_to(&mut self, now: i64) {
        if let Some(presence) = self.presence
            && !self.is_melee
        {
            let at = presence.max(self.since) + DAY;
            if at <= now {
                (self.is_melee, self.since) = (true, at);
            }
        }
    }

    fn note_presence(&mut self, at: i64, is_there: bool) {
        if is_there {
            self.presence.get_or_insert(at);
            return;
        }
        self.presence = None;
        if self.is_melee {
            (self.is_melee, self.since) = (false, at);
        }
    }
}
