//! The first night of "Quay" in plain Rust. It reads its decisions from the store, uses the drawn faces, and writes the
//! same values as the rules in the same order.

use std::iter::Copied;
use std::rc::Rc;
use std::slice::Iter;

use host::store::{State, Write};
use host::value::{Name, Names, Value};

/// Steps of a change of phase.
const STEPS: [&str; 24] = [
    "1 forced choices",
    "2 forced prompts",
    "3 unanswered prompts",
    "4 delayed actions",
    "5 before the end",
    "6 polls close",
    "7 the end",
    "8 what was emitted for the end",
    "9 confirmations",
    "10 passive at the end",
    "11 whispers and choices",
    "12 deaths",
    "13 teams and groups",
    "14 the new phase",
    "15 the start",
    "16 passive at the start",
    "17 deaths",
    "18 the story",
    "19 passive",
    "20 immediate prompts",
    "21 prompts for later",
    "22 passive",
    "23 deaths, whispers, teams and groups",
    "24 what was emitted",
];

/// Makes a struct of interned names.
macro_rules! words {
    ($($word:ident = $text:literal),* $(,)?) => {
        pub(super) struct Words { $($word: Name),* }

        impl Words {
            pub(super) fn new(names: &Names) -> Words {
                Words { $($word: names.intern($text)),* }
            }
        }
    };
}

words! {
    activation = "activation", answers = "answers", asker = "asker", attribute = "attribute", audience = "audience",
    ballot = "ballot", by_as = "@as", cause = "@cause", changing = "changing", clock = "@clock", count = "count",
    counter = "counter", counts = "counts", creator = "creator", custom = "custom",
    deadline = "deadline", defense = "defense", ends = "@ends", event = "event", eventful = "eventful", forced = "forced",
    game = "game", group = "group", instance = "instance", is_public = "is_public", key = "key", kills = "kills",
    lines = "lines", living = "living", location = "location", maker = "maker", memory = "memory", name = "name",
    notices = "notices", number = "number", of = "of", option = "option", options = "options", order = "order",
    outcome = "outcome", phase = "phase", place = "place", plan = "plan", plan_row = "@plan", player = "player",
    poll = "poll", poll_election = "poll-election", poll_hunt = "poll-hunt", poll_lynch = "poll-lynch", polls = "@polls",
    queues = "@queues", reference = "ref", request = "request", role = "role", rule = "rule", said = "said", seen = "@seen",
    selection = "selection", serial = "serial", source = "@source", source_name = "source_name", status = "status",
    step = "step", subphase = "subphase", takes = "takes", target = "target", text = "text", ties = "ties", times = "times",
    timing = "timing", trigger = "trigger", kind = "type", vanishing = "vanishing", voter = "voter", voters = "voters",
    word = "word", wolfpack = "group-wolfpack",
}

/// An ability that asks its owner at the start of a phase.
struct Ability {
    role: &'static str,
    rule: &'static str,
    word: &'static str,
    forced: bool,
}

const AT_NIGHT: [Ability; 3] = [
    Ability {
        role: "watchman",
        rule: "roles/watchman:1",
        word: "light",
        forced: true,
    },
    Ability {
        role: "surgeon",
        rule: "roles/surgeon:1",
        word: "stitch",
        forced: false,
    },
    Ability {
        role: "seer",
        rule: "roles/seer:1",
        word: "look",
        forced: false,
    },
];

const BY_DAY: [Ability; 2] = [
    Ability {
        role: "duellist",
        rule: "roles/duellist:1",
        word: "challenge",
        forced: false,
    },
    Ability {
        role: "surgeon",
        rule: "roles/surgeon:3",
        word: "quarantine",
        forced: false,
    },
];

/// A living player.
#[derive(Clone, Copy)]
struct Living {
    row: Name,
    role: Name,
}

/// The night in plain Rust.
pub(super) struct Plain<'a> {
    pub(super) state: State,
    names: Rc<Names>,
    words: Rc<Words>,
    faces: Copied<Iter<'a, i64>>,
    cause: Value,
    /// Messages with their recipients.
    told: Vec<(Name, String)>,
}

impl<'a> Plain<'a> {
    /// Returns the night that begins in a state and uses these faces.
    pub(super) fn of(state: State, words: &Rc<Words>, faces: &'a [i64]) -> Plain<'a> {
        Plain {
            names: Rc::clone(state.names()),
            state,
            words: Rc::clone(words),
            faces: faces.iter().copied(),
            cause: Value::Nil,
            told: Vec::new(),
        }
    }

    /// Returns the number of unused faces.
    pub(super) fn unused_face_count(&self) -> usize {
        self.faces.len()
    }

    fn name_value(&self, name: Name) -> Value {
        Value::Text(self.names.text(name))
    }

    fn next_face(&mut self) -> i64 {
        let face = self.faces.next();
        face.expect("invariant: as many are drawn as the rules draw")
    }

    fn set_field(&mut self, row: Name, field: Name, value: impl Into<Value>) {
        let written = self.state.set(row, field, value.into());
        written.expect("invariant: the row is there");
    }

    fn remove_row(&mut self, row: Name) {
        let removed = self.state.apply(Write::Remove { row });
        removed.expect("invariant: the row is there");
    }

    fn add_record(&mut self, kind: Name, owner: Name, mut fields: Vec<(Name, Value)>) -> Name {
        let row = self.state.take_record_id(kind);
        let row = row.expect("invariant: few records are made");
        fields.push((self.words.cause, self.cause.clone()));
        let put = Write::Put {
            row,
            kind,
            owner: Some(owner),
            fields,
        };
        let made = self.state.apply(put);
        made.expect("invariant: a record can be made");
        row
    }

    fn field_number(&self, row: Name, field: Name) -> i64 {
        self.state.get(row, field).as_i64().unwrap_or(0)
    }

    fn has_text(&self, row: Name, field: Name, text: &str) -> bool {
        self.state.get(row, field).as_str() == Some(text)
    }

    /// Sets the cause of the records that are made from now on.
    fn set_cause(&mut self, plan: &str, ruling: i64) {
        let cause = [
            ("rule", Value::from(format!("plans/{plan}"))),
            ("ruling", Value::from(ruling)),
        ];
        self.cause = Value::map(cause);
    }

    fn begin_plan(&mut self, plan: &str) {
        let words = Rc::clone(&self.words);
        self.set_field(words.game, words.changing, true);
        let put = self.state.ensure_host_row(words.plan_row);
        put.expect("invariant: a plan begins");
        self.set_field(words.plan_row, words.plan, plan);
    }

    fn set_step(&mut self, number: usize) {
        let words = Rc::clone(&self.words);
        self.set_field(words.plan_row, words.step, STEPS[number - 1]);
    }

    fn end_plan(&mut self) -> usize {
        let words = Rc::clone(&self.words);
        self.set_field(words.game, words.changing, Value::Nil);
        self.remove_row(words.plan_row);
        self.state.commit(self.state.mark_before_all()).len()
    }

    fn living_players(&self) -> Vec<Living> {
        let players = self.state.rows_of_kind(self.words.player);
        let living = players.filter(|row| self.has_text(*row, self.words.living, "alive"));
        living
            .map(|row| {
                let role = self.state.get(row, self.words.role).as_str();
                let role = self.names.intern(role.unwrap_or_default());
                Living { row, role }
            })
            .collect()
    }

    fn player_name(&self, row: Name) -> String {
        let name = self.state.get(row, self.words.name);
        name.as_str().unwrap_or_default().to_owned()
    }

    /// Returns whether members of both sides live, so neither side has won.
    fn both_sides_live(&self) -> bool {
        let living = self.living_players();
        let wolf = self.names.intern("wolf");
        let wolves = living.iter().filter(|one| one.role == wolf).count();
        wolves > 0 && wolves < living.len()
    }

    fn begin_phase(&mut self, phase: &str) {
        let words = Rc::clone(&self.words);
        let counts = self.state.get(words.clock, words.counts).clone();
        let (day, night) = (counts.get("day").as_i64(), counts.get("night").as_i64());
        let (day, night) = (day.unwrap_or(0), night.unwrap_or(0));
        let serial = self.field_number(words.clock, words.serial) + 1;
        let ending: Vec<Name> = [words.defense, words.custom]
            .into_iter()
            .flat_map(|kind| self.state.rows_of_kind(kind))
            .filter(|row| {
                let ends = self.state.get(*row, words.ends).items();
                ends.iter()
                    .any(|end| end.get("phase").as_i64() == Some(serial - 1))
            })
            .collect();
        ending.into_iter().for_each(|row| self.remove_row(row));
        self.set_field(words.clock, words.phase, phase);
        let (day, night) = match phase {
            "night" => (day, night + 1),
            _ => (day + 1, night),
        };
        self.set_field(
            words.clock,
            words.number,
            if phase == "night" { night } else { day - 1 },
        );
        self.set_field(words.clock, words.serial, serial);
        let counts = [("day", Value::from(day)), ("night", Value::from(night))];
        self.set_field(words.clock, words.counts, Value::map(counts));
        self.set_field(words.game, words.subphase, "main");
        self.set_field(words.game, words.deadline, Value::Nil);
        if phase == "night" {
            let heading = format!("Night {night}");
            self.told.push((words.game, heading));
        }
    }

    fn open_poll(&mut self, voters: &[Name], more: &str, poll: &PollType) {
        let words = Rc::clone(&self.words);
        let living = self.living_players();
        let option = |text: String, value: Value| {
            Value::map([("text", Value::from(text)), ("value", value)])
        };
        let mut options: Vec<Value> = living
            .iter()
            .map(|one| option(self.player_name(one.row), self.name_value(one.row)))
            .collect();
        options.push(option(more.to_owned(), more.into()));
        let shown: Vec<String> = options
            .iter()
            .map(|one| one.get("text").as_str().unwrap_or_default().to_owned())
            .collect();
        let put = self.state.ensure_host_row(words.polls);
        put.expect("invariant: polls have a row");
        let voters = voters.iter().map(|voter| self.name_value(*voter));
        let fields = vec![
            (words.key, poll.name.into()),
            (words.of, self.name_value(poll.row)),
            (words.options, Value::list(options)),
            (words.text, poll.name.into()),
            (words.ties, "all".into()),
            (words.voters, Value::list(voters)),
            (words.seen, poll.seen.into()),
        ];
        let opened = self.add_record(words.poll, words.polls, fields);
        let mut fields = vec![
            (words.creator, self.name_value(poll.creator)),
            (words.is_public, Value::Bool(poll.is_public)),
            (words.location, poll.location.into()),
            (words.name, poll.name.into()),
            (words.poll, self.name_value(opened)),
            (words.source_name, poll.source.into()),
            (words.kind, poll.kind.into()),
            (words.seen, "gm".into()),
        ];
        if !poll.is_public {
            fields.push((words.group, "wolfpack".into()));
        }
        self.add_record(words.instance, poll.row, fields);
        let (last, first) = shown.split_last().expect("invariant: a poll has options");
        let notice = format!("{} is open: {} or {last}.", poll.name, first.join(", "));
        if poll.is_public {
            let put = self.state.ensure_host_row(words.queues);
            put.expect("invariant: queues have a row");
            self.add_record(
                words.notices,
                words.queues,
                vec![(words.text, notice.into())],
            );
        } else {
            self.told.push((poll.creator, notice));
        }
    }

    fn ask_abilities(&mut self, abilities: &[Ability], trigger: &str) {
        let words = Rc::clone(&self.words);
        let living = self.living_players();
        let able = living.iter().filter_map(|one| {
            let role = self.names.text(one.role);
            let ability = abilities.iter().find(|ability| ability.role == &*role)?;
            Some((one.row, ability))
        });
        let able: Vec<(Name, &Ability)> = able.collect();
        let mut order: Vec<(i64, Name, &Ability)> = able
            .into_iter()
            .map(|(row, ability)| (self.next_face(), row, ability))
            .collect();
        order.sort_by_key(|(face, ..)| *face);
        for (_, row, ability) in order {
            let fields = vec![
                (words.asker, self.name_value(row)),
                (words.count, Value::from(1)),
                (words.event, Value::list([])),
                (words.forced, Value::Bool(ability.forced)),
                (words.rule, ability.rule.into()),
                (words.status, "open".into()),
                (words.takes, Value::list(["player".into()])),
                (words.timing, "immediate".into()),
                (words.trigger, trigger.into()),
                (words.vanishing, Value::Bool(false)),
                (words.word, ability.word.into()),
                (words.seen, "gm".into()),
                (words.source, self.name_value(row)),
            ];
            self.add_record(words.request, row, fields);
        }
    }

    /// Plays the change from day to night, and returns the number of changed cells.
    pub(super) fn play_dusk(&mut self) -> usize {
        let words = Rc::clone(&self.words);
        self.set_cause("dusk", 3);
        self.begin_plan("dusk");
        for step in 1..=14 {
            self.set_step(step);
        }
        self.begin_phase("night");
        for step in [15, 16] {
            self.set_step(step);
        }
        let wolf = self.names.intern("wolf");
        let living = self.living_players();
        let pack: Vec<Name> = living
            .iter()
            .filter(|one| one.role == wolf)
            .map(|one| one.row)
            .collect();
        self.open_poll(&pack, "Random", &PollType::hunt(&words));
        for step in [17, 18] {
            self.set_step(step);
        }
        self.set_field(words.game, words.eventful, Value::Nil);
        for step in [19, 20] {
            self.set_step(step);
        }
        self.ask_abilities(&AT_NIGHT, "immediate_night");
        for step in 21..=24 {
            self.set_step(step);
        }
        self.end_plan()
    }

    /// Answers the open requests and polls by chance. A forbidden choice is drawn again.
    fn answer_requests_and_polls(&mut self) {
        let words = Rc::clone(&self.words);
        let living = self.living_players();
        let open: Vec<Name> = self.state.rows_of_kind(words.request).collect();
        for request in open {
            let asker = self.state.get(request, words.asker).as_str();
            let asker = self.names.intern(asker.unwrap_or_default());
            let word = self.state.get(request, words.word).as_str();
            let word = word.unwrap_or_default().to_owned();
            let is_forced = *self.state.get(request, words.forced) == Value::Bool(true);
            if !is_forced && self.next_face() == 1 {
                continue;
            }
            let chosen = loop {
                let face = usize::try_from(self.next_face()).unwrap_or(1);
                let chosen = living[face - 1].row;
                if self.may_choose(request, asker, chosen, &word) {
                    break chosen;
                }
            };
            self.carry_out_choice(request, asker, chosen, &word);
        }
        let voters = self.polls_with_voters(words.poll_hunt);
        for (poll, voter) in voters {
            if self.next_face() == 1 {
                continue;
            }
            let face = usize::try_from(self.next_face()).unwrap_or(1);
            let option = self.state.get(poll, words.options).items()[face - 1].clone();
            let fields = vec![
                (words.option, option.get("value").clone()),
                (words.voter, self.name_value(voter)),
            ];
            self.add_record(words.ballot, poll, fields);
        }
    }

    /// Returns the open polls of a type, once for each of their voters.
    fn polls_with_voters(&self, of: Name) -> Vec<(Name, Name)> {
        let words = &self.words;
        let of = self.names.text(of);
        let polls = self.state.rows_of_kind(words.poll);
        let polls = polls.filter(|poll| self.has_text(*poll, words.of, &of));
        let pollees = polls.flat_map(|poll| {
            let voters = self.state.get(poll, words.voters).items();
            voters
                .iter()
                .map(move |voter| (poll, voter.as_str().unwrap_or_default()))
        });
        pollees
            .map(|(poll, voter)| (poll, self.names.intern(voter)))
            .collect()
    }

    fn may_choose(&self, request: Name, asker: Name, chosen: Name, word: &str) -> bool {
        let words = &self.words;
        let is_last = self.state.records_of(asker).any(|record| {
            self.state.kind(record) == Some(words.memory)
                && self.state.get(record, words.rule) == self.state.get(request, words.rule)
                && self.has_text(record, words.selection, &self.names.text(chosen))
        });
        match word {
            "stitch" => chosen != asker && !is_last,
            "light" => !is_last,
            _ => true,
        }
    }

    /// Carries out an answered choice.
    fn carry_out_choice(&mut self, request: Name, asker: Name, chosen: Name, word: &str) {
        let words = Rc::clone(&self.words);
        let target = |plain: &Plain<'_>, row: Name| {
            Value::map([
                ("items", Value::list([plain.name_value(row)])),
                ("type", "player".into()),
            ])
        };
        let answer = Value::map([("selection", target(self, chosen))]);
        self.set_field(request, words.answers, Value::list([answer]));
        self.set_field(request, words.status, "answered");
        let count = self.field_number(words.game, words.answers) + 1;
        self.set_field(words.game, words.answers, count);
        self.set_field(request, words.order, count);
        let rule = self.state.get(request, words.rule).clone();
        self.remove_row(request);
        let night = self.field_number(words.clock, words.number);
        match word {
            "light" => {
                let until = Value::map([
                    ("number", Value::from(night + 1)),
                    ("phase", "night".into()),
                ]);
                let fields = vec![
                    (words.activation, "alive".into()),
                    (words.attribute, "watch_fire".into()),
                    (words.counter, Value::from(0)),
                    (words.living, "alive".into()),
                    (words.maker, self.name_value(asker)),
                    (words.reference, self.name_value(asker)),
                    (words.source_name, "role:watchman".into()),
                    (words.by_as, "role:watchman".into()),
                    (words.seen, "gm".into()),
                    (words.source, self.name_value(asker)),
                    (words.ends, Value::list([until.clone()])),
                ];
                let fire = self.add_record(words.custom, chosen, fields);
                self.set_field(fire, words.counter, 0);
                let aimed = target(self, asker);
                self.set_field(fire, words.target, aimed);
                let with = Value::map([("with", self.name_value(fire))]);
                let fields = vec![
                    (words.defense, "active".into()),
                    (words.kills, "attacks".into()),
                    (words.phase, "night".into()),
                    (words.reference, self.name_value(fire)),
                    (words.source_name, "attribute:watch_fire".into()),
                    (words.by_as, "attribute:watch_fire".into()),
                    (words.seen, "gm".into()),
                    (words.source, self.name_value(fire)),
                    (words.ends, Value::list([until, with])),
                ];
                self.add_record(words.defense, chosen, fields);
            }
            "stitch" => {
                let serial = self.field_number(words.clock, words.serial);
                let until = Value::map([("phase", Value::from(serial))]);
                let fields = vec![
                    (words.defense, "active".into()),
                    (words.kills, "kills".into()),
                    (words.maker, self.name_value(asker)),
                    (words.phase, "night".into()),
                    (words.reference, self.name_value(asker)),
                    (words.source_name, "role:surgeon".into()),
                    (words.by_as, "role:surgeon".into()),
                    (words.seen, "gm".into()),
                    (words.source, self.name_value(asker)),
                    (words.ends, Value::list([until])),
                ];
                self.add_record(words.defense, chosen, fields);
            }
            _ => {
                let role = self.state.get(chosen, words.role).as_str();
                let seen = format!(
                    "{} is the {}",
                    self.player_name(chosen),
                    role.unwrap_or_default()
                );
                self.told.push((asker, seen));
            }
        }
        // The Seer may look at the same player again, so no memory is needed.
        if word != "look" {
            let fields = vec![
                (words.phase, Value::from(night)),
                (words.rule, rule),
                (words.selection, self.name_value(chosen)),
                (words.times, Value::from(1)),
                (words.seen, "gm".into()),
            ];
            self.add_record(words.memory, asker, fields);
        }
    }

    /// Closes the hunt poll. The player with the most votes is attacked.
    fn close_hunt_poll(&mut self) {
        let words = Rc::clone(&self.words);
        let polls: Vec<Name> = self.state.rows_of_kind(words.poll).collect();
        for poll in polls {
            let ballots: Vec<(Value, Name)> = self
                .state
                .records_of(poll)
                .filter(|record| self.state.kind(*record) == Some(words.ballot))
                .map(|ballot| {
                    let voter = self.state.get(ballot, words.voter).as_str();
                    let option = self.state.get(ballot, words.option).clone();
                    (option, self.names.intern(voter.unwrap_or_default()))
                })
                .collect();
            let votes = |option: &Value| ballots.iter().filter(|one| one.0 == *option).count();
            let winner = ballots.iter().map(|one| &one.0);
            let winner = winner.max_by_key(|option| votes(option)).cloned();
            let id = self.name_value(poll);
            let mut instances = self.state.rows_of_kind(words.instance);
            let instance = instances.find(|one| *self.state.get(*one, words.poll) == id);
            drop(instances);
            let instance = instance.expect("invariant: a poll belongs to an instance");
            self.remove_row(poll);
            self.remove_row(instance);
            let Some(victim) = winner.as_ref().and_then(Value::as_str) else {
                continue;
            };
            let victim = self.names.intern(victim);
            let by: Vec<Value> = ballots
                .iter()
                .filter(|one| Some(&one.0) == winner.as_ref())
                .map(|one| self.player_name(one.1).into())
                .collect();
            let line = Value::map([
                ("by", Value::list(by.clone())),
                ("option", self.player_name(victim).into()),
                ("votes", Value::from(by.len() as i64)),
            ]);
            let night = self.field_number(words.clock, words.number);
            let fields = vec![
                (words.audience, "group:wolfpack".into()),
                (words.lines, Value::list([line])),
                (words.name, "Hunt".into()),
                (words.phase, format!("Night {night}").into()),
                (words.place, "wolfpack".into()),
                (
                    words.said,
                    format!("{} has the most votes", self.player_name(victim)).into(),
                ),
                (words.seen, "gm".into()),
            ];
            self.add_record(words.outcome, words.poll_hunt, fields);
            let executor = ballots[usize::try_from(self.next_face()).unwrap_or(1) - 1].1;
            self.attack_victim(executor, victim);
        }
    }

    fn attack_victim(&mut self, executor: Name, victim: Name) {
        let words = Rc::clone(&self.words);
        let phase = self.state.get(words.clock, words.phase).clone();
        let defence = self.state.records_of(victim).find(|record| {
            self.state.kind(*record) == Some(words.defense)
                && *self.state.get(*record, words.phase) == phase
                && ["kills", "attacks"]
                    .iter()
                    .any(|kills| self.has_text(*record, words.kills, kills))
        });
        let defence = defence.expect("invariant: the victim of this night is protected");
        let maker = self.state.get(defence, words.maker).as_str();
        let maker = self.names.intern(maker.unwrap_or_default());
        let (name, who) = (self.player_name(victim), self.player_name(executor));
        self.told.push((
            words.wolfpack,
            "The surgeon had already been there".to_owned(),
        ));
        let saved = format!("{name} came apart and was put back together");
        self.told.push((maker, saved));
        let home = format!("{who} led the hunt, and the pack came home hungry");
        self.told.push((words.wolfpack, home));
    }

    /// Plays the change from night to day, and returns the number of changed cells.
    pub(super) fn play_dawn(&mut self) -> usize {
        let words = Rc::clone(&self.words);
        self.set_cause("dawn", 4);
        self.answer_requests_and_polls();
        self.begin_plan("dawn");
        for step in 1..=6 {
            self.set_step(step);
        }
        self.close_hunt_poll();
        for step in 7..=14 {
            self.set_step(step);
        }
        assert!(
            self.both_sides_live(),
            "invariant: nobody wins in this night"
        );
        self.begin_phase("day");
        for step in [15, 16] {
            self.set_step(step);
        }
        let office = Value::map([
            ("items", Value::list(["harbourmaster".into()])),
            ("type", "role".into()),
        ]);
        self.set_field(words.poll_election, words.target, office);
        let living: Vec<Name> = self.living_players().iter().map(|one| one.row).collect();
        self.open_poll(&living, "Abstain", &PollType::election(&words));
        self.open_poll(&living, "Abstain", &PollType::lynch(&words));
        for step in [17, 18] {
            self.set_step(step);
        }
        self.set_field(words.game, words.eventful, Value::Nil);
        let notices: Vec<Name> = self.state.rows_of_kind(words.notices).collect();
        for notice in notices {
            let text = self.state.get(notice, words.text).as_str();
            let text = text.unwrap_or_default().to_owned();
            self.told.push((words.game, text));
            self.remove_row(notice);
        }
        for step in [19, 20] {
            self.set_step(step);
        }
        self.ask_abilities(&BY_DAY, "immediate_day");
        for step in 21..=24 {
            self.set_step(step);
        }
        self.end_plan()
    }
}

/// A type of poll.
struct PollType {
    row: Name,
    name: &'static str,
    kind: &'static str,
    creator: Name,
    source: &'static str,
    location: &'static str,
    seen: &'static str,
    is_public: bool,
}

impl PollType {
    fn hunt(words: &Words) -> PollType {
        PollType {
            row: words.poll_hunt,
            name: "Hunt",
            kind: "hunt",
            creator: words.wolfpack,
            source: "group:wolfpack",
            location: "group:wolfpack",
            seen: "group:wolfpack",
            is_public: false,
        }
    }

    fn election(words: &Words) -> PollType {
        PollType {
            row: words.poll_election,
            name: "Harbourmaster Election",
            kind: "election",
            creator: words.poll_election,
            source: "poll:election",
            location: "location:voting_booth",
            seen: "public",
            is_public: true,
        }
    }

    fn lynch(words: &Words) -> PollType {
        PollType {
            row: words.poll_lynch,
            name: "Lynch",
            kind: "lynch",
            creator: words.poll_lynch,
            source: "poll:lynch",
            ..PollType::election(words)
        }
    }
}
