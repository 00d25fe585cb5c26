//! This module is the attack of an @ on a monster in plain Rust: what the scripts of the dungeon read, check, draw and
//! write, in the same order, on a fork of the same game.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use host::doc::{Document, markdown};
use host::game::{Seed, Session, SharedOracle, waiting_hand_dice};
use host::script::{COMMAND, Chance, Rules};
use host::store::{Alone, Draft, History, Look, Operation, State, Write};
use host::text::{Context, Filled, NameFold, NameSource, NameTable};
use host::value::{Name, Value};

use super::comment;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// The game as plain Rust plays it.
pub(super) struct Plain {
    state: State,
    history: History,
    rules: Rc<Rules>,
    rules_hash: String,
    seed: Seed,
    fields: Fields,
}

/// Names of fields and rows, found once.
pub(super) struct Fields {
    pub(super) name: Name,
    pub(super) nickname: Name,
    pub(super) sort: Name,
    pub(super) idle: Name,
    pub(super) attacked_at: Name,
    pub(super) posted_at: Name,
    pub(super) fought_at: Name,
    pub(super) died_at: Name,
    pub(super) encounter: Name,
    pub(super) dungeon_level: Name,
    pub(super) first: Name,
    pub(super) since: Name,
    pub(super) presence: Name,
    pub(super) over_at: Name,
    pub(super) damage: Name,
    pub(super) types: Name,
    pub(super) enchantment: Name,
    pub(super) resistant: Name,
    pub(super) inflicts: Name,
    pub(super) hp: Name,
    pub(super) max_hp: Name,
    pub(super) ac: Name,
    pub(super) kills: Name,
    pub(super) xp: Name,
    pub(super) life: Name,
    pub(super) who: Name,
    pub(super) min_gap_hours: Name,
    pub(super) table: Name,
    time: Name,
    character: Name,
    monster: Name,
    wielded: Name,
    worn: Name,
    status: Name,
    asleep: Name,
    quick: Name,
    fought: Name,
}

/// What a fighter fights with; own damage has no name.
pub(super) struct Weapon {
    pub(super) name: Option<String>,
    damage: String,
    types: Vec<String>,
    pub(super) enchantment: i64,
}

/// A blow that fell.
pub(super) struct Blow {
    pub(super) dealt: i64,
    pub(super) resisted: bool,
    pub(super) ac: i64,
    pub(super) z: i64,
    pub(super) net: i64,
    pub(super) before: i64,
    pub(super) after: i64,
}

/// A roll as the comment tells it.
pub(super) struct Thrown {
    pub(super) name: String,
    pub(super) faces: Vec<i64>,
    pub(super) sum: i64,
    pub(super) purpose: &'static str,
}

/// The range of an encounter now.
pub(super) struct Range {
    pub(super) is_melee: bool,
    pub(super) since: i64,
    pub(super) presence: Option<i64>,
}

/// An attack with all that came of it.
pub(super) struct Attack {
    pub(super) attacker: Name,
    pub(super) attackee: Name,
    pub(super) encounter: Name,
    pub(super) weapon: Weapon,
    pub(super) strike: Blow,
    pub(super) rolls: Vec<Thrown>,
    /// How many of the rolls are of the strike.
    pub(super) of_strike: usize,
    /// The answer, if the range lets the monster give one.
    pub(super) counter: Option<Blow>,
}

impl Plain {
    /// Returns the game that a session is at, to be played on by itself.
    pub(super) fn beside(session: &Session, seed: Seed) -> Plain {
        let state = session.state().fork();
        let last = session.history().operations().last();
        let rules_hash = last.map(|last| last.rules.to_string());
        Plain {
            fields: Fields::of(&state),
            state,
            history: session.history().fork(),
            rules: session.rules(),
            rules_hash: rules_hash.unwrap_or_default(),
            seed,
        }
    }

    pub(super) fn operations(&self) -> &[Operation] {
        self.history.operations()
    }

    /// Takes back the last rulings.
    pub(super) fn take_back(&mut self, rulings: u32) {
        for _ in 0..rulings {
            let undone = self.history.undo(&mut self.state, "gm");
            undone.expect("invariant: there was a ruling");
        }
    }

    /// Rules on a line and returns what it says as Markdown.
    pub(super) fn rule(&mut self, line: &str) -> String {
        let (attacker, attackee) = self.read(line);
        let slot = self.history.next_slot();
        let hand = waiting_hand_dice(&self.state);
        let mut oracle = SharedOracle::seeded(&self.seed, &slot.to_string(), hand);
        let mark = self.state.mark();
        let attack = self.attack(attacker, attackee, (slot, &mut oracle));
        let document = comment::of(&self.game(), &attack, slot);
        let draft = Draft {
            by: "gm".into(),
            command: line.into(),
            rules: self.rules_hash.as_str().into(),
            inputs: oracle.used().iter().map(|input| input.to_value()).collect(),
            documents: vec![Document::to_value(&document)],
            ..Draft::default()
        };
        self.history.record(&mut self.state, mark, draft);
        markdown(&document)
    }

    fn game(&self) -> Game<'_> {
        Game {
            state: &self.state,
            fields: &self.fields,
        }
    }

    /// Returns whom a line names: attacker and monster.
    fn read(&self, line: &str) -> (Name, Name) {
        let names = Known {
            game: self.game(),
            characters: OnceCell::new(),
            monsters: OnceCell::new(),
        };
        let mut context = Context::new("command").with_names(&names);
        let read = self.rules.grammar.read(COMMAND, line, &mut context);
        let read = read.expect("invariant: the line is a command");
        let named = |slot: &str| {
            let id = read.get(slot).map(Filled::to_value);
            let id = id.and_then(|id| self.state.names().find(id.as_str()?));
            id.expect("invariant: the line names somebody")
        };
        (named("attacker"), named("monster"))
    }

    fn attack(
        &mut self,
        attacker: Name,
        attackee: Name,
        (slot, oracle): (u64, &mut SharedOracle),
    ) -> Attack {
        let game = self.game();
        let now = game.now();
        let encounter = game.row(attackee, self.fields.encounter);
        let range = game.range(encounter);
        let weapon = game.weapon(attacker);
        assert!(
            game.is_legal(attacker, attackee, (encounter, &range, &weapon)),
            "invariant: measured attacks are legal"
        );
        for field in [
            self.fields.attacked_at,
            self.fields.posted_at,
            self.fields.fought_at,
        ] {
            self.set(attacker, field, now);
        }
        let mut rolls = Vec::new();
        let strike = self.strike(
            (attacker, attackee, &weapon),
            ["damage", "AC"],
            (oracle, &mut rolls),
        );
        let of_strike = rolls.len();
        assert!(strike.after > 0, "invariant: nobody dies");
        self.note_fight(attacker, attackee, slot);
        let counter = self.answer(attacker, attackee, (&range, oracle, &mut rolls));
        Attack {
            attacker,
            attackee,
            encounter,
            weapon,
            strike,
            rolls,
            of_strike,
            counter,
        }
    }

    /// Lets the monster answer, if the range lets it.
    fn answer(
        &mut self,
        attacker: Name,
        attackee: Name,
        (range, oracle, rolls): (&Range, &mut SharedOracle, &mut Vec<Thrown>),
    ) -> Option<Blow> {
        let game = self.game();
        let is_spared = game.records(attacker, self.fields.quick).next().is_some();
        let weapon = game.weapon(attackee);
        if is_spared || !weapon.reaches(range) {
            return None;
        }
        let inflicts = game.get(attackee, self.fields.inflicts);
        assert!(inflicts.is_nil(), "invariant: measured monsters only hit");
        let blow = self.strike(
            (attackee, attacker, &weapon),
            ["counter damage", "counter AC"],
            (oracle, rolls),
        );
        assert!(blow.after > 0, "invariant: nobody dies");
        Some(blow)
    }

    fn strike(
        &mut self,
        (by, on, weapon): (Name, Name, &Weapon),
        [damage, against]: [&'static str; 2],
        (oracle, rolls): (&mut SharedOracle, &mut Vec<Thrown>),
    ) -> Blow {
        let roller = self.state.names().text(by);
        let mut throw = |dice: i64, sides: i64, purpose: &'static str| {
            let count = if sides > 0 { dice.max(0) } else { 0 };
            let sides_each = u32::try_from(sides).unwrap_or(0);
            let mut face = || oracle.face(purpose, &roller, sides_each);
            let faces = (0..count).map(|_| face().map(i64::from));
            let faces: Result<Vec<i64>, _> = faces.collect();
            let faces = faces.expect("invariant: the dice are seeded");
            let sum = faces.iter().sum();
            let name = match dice {
                1 => format!("DICE{sides}"),
                dice => format!("{dice}DICE{sides}"),
            };
            rolls.push(Thrown {
                name,
                faces,
                sum,
                purpose,
            });
            sum
        };
        let (dice, sides) = weapon.dice();
        let rolled = throw(dice, sides, damage);
        let game = self.game();
        let resisted = weapon.has("magic") && game.resists(on);
        let dealt = if resisted { 0 } else { rolled };
        let z = game.stat(on, self.fields.ac);
        let ac = throw(1, z, against);
        let net = (dealt - ac).max(0);
        let before = self.game().stat(on, self.fields.hp);
        let after = before - net;
        self.set(on, self.fields.hp, after);
        Blow {
            dealt,
            resisted,
            ac,
            z,
            net,
            before,
            after,
        }
    }

    /// Keeps that an @ fought the monster, in which of its lives.
    fn note_fight(&mut self, attacker: Name, attackee: Name, slot: u64) {
        let game = self.game();
        let text = Value::Text(self.state.names().text(attacker));
        let life = game.stat(attacker, self.fields.life);
        let before = game
            .records(attackee, self.fields.fought)
            .find(|record| *self.state.get(*record, self.fields.who) == text);
        if let Some(record) = before {
            if game.stat(record, self.fields.life) != life {
                self.set(record, self.fields.life, life);
            }
            return;
        }
        let slot = i64::try_from(slot).expect("invariant: few rulings are made");
        let cause = Value::map([
            ("ruling", Value::from(slot)),
            ("rule", Value::from("commands/attack")),
        ]);
        let (kind, cause_field) = (self.fields.fought, self.state.reserved().cause);
        let cells = vec![
            (self.fields.who, text),
            (self.fields.life, Value::from(life)),
            (cause_field, cause),
        ];
        let row = self.state.next_record_id(kind);
        let write = Write::Put {
            row: row.expect("invariant: few records are made"),
            kind,
            owner: Some(attackee),
            fields: cells,
        };
        let written = self.state.apply(write);
        written.expect("invariant: the monster is there");
    }

    fn set(&mut self, row: Name, field: Name, value: i64) {
        let written = self.state.set(row, field, Value::from(value));
        written.expect("invariant: the row is there");
    }
}

/// The game while it is looked at.
#[derive(Clone, Copy)]
pub(super) struct Game<'a> {
    pub(super) state: &'a State,
    pub(super) fields: &'a Fields,
}

impl<'a> Game<'a> {
    /// Returns what a field of a row shows.
    pub(super) fn get(self, row: Name, field: Name) -> Value {
        let shown = Look::new(self.state, &Alone).shown(row, field);
        shown.expect("invariant: measured stats are numbers")
    }

    pub(super) fn stat(self, row: Name, field: Name) -> i64 {
        self.get(row, field).as_i64().unwrap_or(0)
    }

    pub(super) fn text(self, row: Name, field: Name) -> Option<&'a str> {
        self.state.get(row, field).as_str()
    }

    pub(super) fn now(self) -> i64 {
        let clock = self.state.reserved().clock;
        self.state
            .get(clock, self.fields.time)
            .as_i64()
            .unwrap_or(0)
    }

    pub(super) fn records(self, owner: Name, kind: Name) -> impl Iterator<Item = Name> {
        let records = self.state.records(owner);
        records.filter(move |row| self.state.kind(*row) == Some(kind))
    }

    pub(super) fn statuses(self, who: Name) -> usize {
        self.records(who, self.fields.status).count()
    }

    /// Returns the row that a field names.
    pub(super) fn row(self, row: Name, field: Name) -> Name {
        let named = self.text(row, field);
        let named = named.and_then(|text| self.state.names().find(text));
        named.expect("invariant: the field names a row")
    }

    /// Returns the monsters of an encounter that live, in order of their ids.
    pub(super) fn living(self, encounter: Name) -> Vec<Name> {
        let fields = self.fields;
        let text = Value::Text(self.state.names().text(encounter));
        let monsters = self.state.of_kind(fields.monster);
        let own = monsters.filter(|row| *self.state.get(*row, fields.encounter) == text);
        own.filter(|row| *self.state.get(*row, fields.died_at) == Value::Bool(false))
            .collect()
    }

    /// Returns the range of an encounter: Melee after a day of presence.
    pub(super) fn range(self, encounter: Name) -> Range {
        let (state, fields, now) = (self.state, self.fields, self.now());
        let log_since = state.get(encounter, fields.since).as_i64().unwrap_or(0);
        let mut range = Range {
            is_melee: self.text(encounter, fields.first) == Some("Melee"),
            since: log_since,
            presence: None,
        };
        for change in state.get(encounter, fields.presence).items() {
            let at = change.get("at").as_i64().unwrap_or(0);
            if at <= now {
                let at = at.max(log_since);
                range.pass(at);
                range.hear(at, change.get("is_there") == &Value::Bool(true));
            }
        }
        range.pass(now);
        range
    }

    fn weapon(self, who: Name) -> Weapon {
        let fields = self.fields;
        let wielded = self.records(who, fields.wielded).next();
        let row = wielded.unwrap_or(who);
        let types = self.state.get(row, fields.types).items();
        let types = types.iter().filter_map(Value::as_str);
        let name = self.text(row, fields.name).map(str::to_owned);
        Weapon {
            name: wielded.and(name),
            damage: self.text(row, fields.damage).unwrap_or_default().to_owned(),
            types: types.map(str::to_owned).collect(),
            enchantment: wielded.map_or(0, |row| self.stat(row, fields.enchantment)),
        }
    }

    fn resists(self, who: Name) -> bool {
        let mut worn = self.records(who, self.fields.worn);
        worn.any(|row| *self.state.get(row, self.fields.resistant) == Value::Bool(true))
    }

    /// Returns whether nothing forbids an attack: the checks in their order.
    fn is_legal(
        self,
        attacker: Name,
        attackee: Name,
        (encounter, range, weapon): (Name, &Range, &Weapon),
    ) -> bool {
        let (state, fields) = (self.state, self.fields);
        let is_idle = state.get(attacker, fields.idle) == &Value::Bool(true);
        let gap = state.get(fields.table, fields.min_gap_hours);
        let gap = gap.as_i64().unwrap_or(0) * 3600;
        let now = self.now();
        let attacked = state.get(attacker, fields.attacked_at).as_i64();
        let is_used = attacked.is_some_and(|at| at / DAY == now / DAY || now - at < gap);
        let lives = state.get(attackee, fields.died_at) == &Value::Bool(false);
        let is_monster = state.kind(attackee) == Some(fields.monster);
        let [own, theirs] = [attacker, encounter].map(|row| self.stat(row, fields.dungeon_level));
        let sleeps = self.records(attacker, fields.asleep).next().is_some();
        !is_idle
            && !is_used
            && lives
            && is_monster
            && attackee != attacker
            && own == theirs
            && weapon.reaches(range)
            && !sleeps
            && self.statuses(attacker) == 0
    }
}

impl Range {
    fn pass(&mut self, now: i64) {
        if let Some(presence) = self.presence
            && !self.is_melee
        {
            let at = presence.max(self.since) + DAY;
            if at <= now {
                (self.is_melee, self.since) = (true, at);
            }
        }
    }

    fn hear(&mut self, at: i64, is_there: bool) {
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

impl Weapon {
    fn has(&self, word: &str) -> bool {
        self.types.iter().any(|one| one == word)
    }

    fn reaches(&self, range: &Range) -> bool {
        self.has(if range.is_melee { "melee" } else { "ranged" })
    }

    /// Returns dice and sides of a damage such as `2d6`.
    fn dice(&self) -> (i64, i64) {
        let parts = self.damage.split_once('d');
        let parts = parts.and_then(|(dice, sides)| Some((dice.parse().ok()?, sides.parse().ok()?)));
        parts.expect("invariant: measured damage is rolled")
    }
}

/// The names that a line of this game may hold.
struct Known<'a> {
    game: Game<'a>,
    characters: OnceCell<NameTable>,
    monsters: OnceCell<NameTable>,
}

impl NameSource for Known<'_> {
    fn names(&self, type_name: &str) -> Option<&NameTable> {
        match type_name {
            "Character" => Some(self.characters.get_or_init(|| self.characters())),
            "Monster" => Some(self.monsters.get_or_init(|| self.monsters())),
            _ => None,
        }
    }
}

impl Known<'_> {
    /// Everybody by name and id.
    fn characters(&self) -> NameTable {
        let Game { state, fields } = self.game;
        let mut table = NameTable::new(NameFold::Words);
        for row in state.of_kind(fields.character) {
            let id = state.names().text(row);
            if let Some(name) = self.game.text(row, fields.name) {
                table.insert(name, Value::Text(id.clone()));
            }
            table.insert(&*id, Value::Text(id.clone()));
        }
        table
    }

    /// The monsters that live, by what means one of them alone: name, nickname, sort.
    fn monsters(&self) -> NameTable {
        let Game { state, fields } = self.game;
        let mut meanings: BTreeMap<&str, Vec<Name>> = BTreeMap::new();
        let monsters = state.of_kind(fields.monster);
        for row in monsters.filter(|row| *state.get(*row, fields.died_at) == Value::Bool(false)) {
            let [name, sort, nickname] =
                [fields.name, fields.sort, fields.nickname].map(|field| self.game.text(row, field));
            let sort = sort.filter(|sort| Some(*sort) != name);
            for name in [name, sort, nickname].into_iter().flatten() {
                meanings.entry(name).or_default().push(row);
            }
        }
        let mut table = NameTable::new(NameFold::Words);
        for (name, rows) in meanings {
            if let [row] = rows[..] {
                table.insert(name, Value::Text(state.names().text(row)));
            }
        }
        table
    }
}

impl Fields {
    fn of(state: &State) -> Fields {
        let name = |text: &str| state.names().intern(text);
        Fields {
            name: name("name"),
            nickname: name("nickname"),
            sort: name("sort"),
            idle: name("idle"),
            attacked_at: name("attacked_at"),
            posted_at: name("posted_at"),
            fought_at: name("fought_at"),
            died_at: name("died_at"),
            encounter: name("encounter"),
            dungeon_level: name("dungeon_level"),
            first: name("first"),
            since: name("since"),
            presence: name("presence"),
            over_at: name("over_at"),
            damage: name("damage"),
            types: name("types"),
            enchantment: name("enchantment"),
            resistant: name("resistant"),
            inflicts: name("inflicts"),
            hp: name("hp"),
            max_hp: name("max_hp"),
            ac: name("ac"),
            kills: name("kills"),
            xp: name("xp"),
            life: name("life"),
            who: name("who"),
            min_gap_hours: name("min_gap_hours"),
            table: name("table"),
            time: name("time"),
            character: name("character"),
            monster: name("monster"),
            wielded: name("wielded"),
            worn: name("worn"),
            status: name("status"),
            asleep: name("asleep"),
            quick: name("quick"),
            fought: name("fought"),
        }
    }
}
