//! The attack of an @ on a monster in plain Rust. It reads, checks, draws and writes like the scripts of the dungeon,
//! in the same order, on a fork of the same game.

use std::rc::Rc;

use host::doc::{Document, markdown};
use host::game::{Seed, SharedInputs, Solo, waiting_hand_dice};
use host::script::{COMMAND, Chance, Rules};
use host::store::{Draft, History, Operation, State, Write};
use host::text::{Context, Filled};
use host::value::{Name, Value};

use super::attack_comment;
use super::field_names::Fields;
use super::game_view::{Game, Range, Weapon};
use super::known_names::Known;

/// The game in plain Rust.
pub(super) struct Plain {
    state: State,
    history: History,
    rules: Rc<Rules>,
    rules_hash: String,
    seed: Seed,
    fields: Fields,
}

/// The results of a blow.
pub(super) struct Blow {
    pub(super) dealt: i64,
    pub(super) resisted: bool,
    pub(super) ac: i64,
    pub(super) z: i64,
    pub(super) net: i64,
    pub(super) before: i64,
    pub(super) after: i64,
}

/// A roll for the comment.
pub(super) struct Thrown {
    pub(super) name: String,
    pub(super) faces: Vec<i64>,
    pub(super) sum: i64,
    pub(super) purpose: &'static str,
}

/// An attack with its results.
pub(super) struct Attack {
    pub(super) attacker: Name,
    pub(super) attackee: Name,
    pub(super) encounter: Name,
    pub(super) weapon: Weapon,
    pub(super) strike: Blow,
    pub(super) rolls: Vec<Thrown>,
    /// Number of rolls that belong to the strike.
    pub(super) of_strike: usize,
    /// The answer of the monster, if the range allows it.
    pub(super) counter: Option<Blow>,
}

impl Plain {
    /// Returns a fork of the game of a session.
    pub(super) fn of_session(solo: &Solo, seed: Seed) -> Plain {
        let state = solo.timeline().state().fork();
        let last = solo.timeline().history().operations().last();
        let rules_hash = last.map(|last| last.rules.to_string());
        Plain {
            fields: Fields::of(&state),
            state,
            history: solo.timeline().history().fork(),
            rules: solo.timeline().rules(),
            rules_hash: rules_hash.unwrap_or_default(),
            seed,
        }
    }

    pub(super) fn operations(&self) -> &[Rc<Operation>] {
        self.history.operations()
    }

    /// Undoes a number of rulings.
    pub(super) fn undo_rulings(&mut self, rulings: u32) {
        for _ in 0..rulings {
            let undone = self.history.undo_last_ruling(&mut self.state, "gm");
            undone.expect("invariant: there was a ruling");
        }
    }

    /// Rules on a line and returns its comment as Markdown.
    pub(super) fn rule_as_markdown(&mut self, line: &str) -> String {
        let (attacker, attackee) = self.attacker_and_monster(line);
        let slot = self.history.next_ruling_number();
        let hand = waiting_hand_dice(&self.state);
        let mut oracle = SharedInputs::with_seeded_dice(&self.seed, &slot.to_string(), hand);
        let mark = self.state.mark();
        let attack = self.play_attack(attacker, attackee, (slot, &mut oracle));
        let document = attack_comment::attack_document(&self.game_view(), &attack, slot);
        let draft = Draft {
            by: "gm".into(),
            command: line.into(),
            rules: self.rules_hash.as_str().into(),
            inputs: oracle
                .used_inputs()
                .iter()
                .map(|input| input.to_value())
                .collect(),
            documents: vec![Document::to_value(&document)],
            ..Draft::default()
        };
        self.history.record_ruling(&mut self.state, mark, draft);
        markdown(&document)
    }

    fn game_view(&self) -> Game<'_> {
        Game {
            state: &self.state,
            fields: &self.fields,
        }
    }

    /// Returns the attacker and the monster that a line names.
    fn attacker_and_monster(&self, line: &str) -> (Name, Name) {
        let names = Known::of(self.game_view());
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

    fn play_attack(
        &mut self,
        attacker: Name,
        attackee: Name,
        (slot, oracle): (u64, &mut SharedInputs),
    ) -> Attack {
        let game = self.game_view();
        let now = game.clock_seconds();
        let encounter = game.row_of_field(attackee, self.fields.encounter);
        let range = game.current_range(encounter);
        let weapon = game.weapon_or_own_damage(attacker);
        assert!(
            game.is_attack_legal(attacker, attackee, (encounter, &range, &weapon)),
            "invariant: measured attacks are legal"
        );
        for field in [
            self.fields.attacked_at,
            self.fields.posted_at,
            self.fields.fought_at,
        ] {
            self.set_number(attacker, field, now);
        }
        let mut rolls = Vec::new();
        let strike = self.deal_blow(
            (attacker, attackee, &weapon),
            ["damage", "AC"],
            (oracle, &mut rolls),
        );
        let of_strike = rolls.len();
        assert!(strike.after > 0, "invariant: nobody dies");
        self.note_fight(attacker, attackee, slot);
        let counter = self.play_counterattack(attacker, attackee, (&range, oracle, &mut rolls));
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

    /// Plays the answer of the monster, if the range allows it.
    fn play_counterattack(
        &mut self,
        attacker: Name,
        attackee: Name,
        (range, oracle, rolls): (&Range, &mut SharedInputs, &mut Vec<Thrown>),
    ) -> Option<Blow> {
        let game = self.game_view();
        let is_spared = game
            .records_of_kind(attacker, self.fields.quick)
            .next()
            .is_some();
        let weapon = game.weapon_or_own_damage(attackee);
        if is_spared || !weapon.fits_range(range) {
            return None;
        }
        let inflicts = game.shown_value(attackee, self.fields.inflicts);
        assert!(inflicts.is_nil(), "invariant: measured monsters only hit");
        let blow = self.deal_blow(
            (attackee, attacker, &weapon),
            ["counter damage", "counter AC"],
            (oracle, rolls),
        );
        assert!(blow.after > 0, "invariant: nobody dies");
        Some(blow)
    }

    fn deal_blow(
        &mut self,
        (by, on, weapon): (Name, Name, &Weapon),
        [damage, against]: [&'static str; 2],
        (oracle, rolls): (&mut SharedInputs, &mut Vec<Thrown>),
    ) -> Blow {
        let roller = self.state.names().text(by);
        let mut throw = |dice: i64, sides: i64, purpose: &'static str| {
            let count = if sides > 0 { dice.max(0) } else { 0 };
            let sides_each = u32::try_from(sides).unwrap_or(0);
            let mut face = || oracle.draw_face(purpose, &roller, sides_each);
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
        let (dice, sides) = weapon.damage_dice();
        let rolled = throw(dice, sides, damage);
        let game = self.game_view();
        let resisted = weapon.has_type("magic") && game.resists_magic(on);
        let dealt = if resisted { 0 } else { rolled };
        let z = game.stat(on, self.fields.ac);
        let ac = throw(1, z, against);
        let net = (dealt - ac).max(0);
        let before = self.game_view().stat(on, self.fields.hp);
        let after = before - net;
        self.set_number(on, self.fields.hp, after);
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

    /// Stores that an @ fought the monster, with the number of its life.
    fn note_fight(&mut self, attacker: Name, attackee: Name, slot: u64) {
        let game = self.game_view();
        let text = Value::Text(self.state.names().text(attacker));
        let life = game.stat(attacker, self.fields.life);
        let before = game
            .records_of_kind(attackee, self.fields.fought)
            .find(|record| *self.state.get(*record, self.fields.who) == text);
        if let Some(record) = before {
            if game.stat(record, self.fields.life) != life {
                self.set_number(record, self.fields.life, life);
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
        let row = self.state.take_record_id(kind);
        let write = Write::Put {
            row: row.expect("invariant: few records are made"),
            kind,
            owner: Some(attackee),
            fields: cells,
        };
        let written = self.state.apply(write);
        written.expect("invariant: the monster is there");
    }

    fn set_number(&mut self, row: Name, field: Name, value: i64) {
        let written = self.state.set(row, field, Value::from(value));
        written.expect("invariant: the row is there");
    }
}
