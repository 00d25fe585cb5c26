//! Measures a night of a game against the same reads and writes in plain Rust. It has twenty players, forty abilities,
//! sixty handlers that run, and about five hundred reads and writes.

use std::rc::Rc;

use host::content::File;
use host::diag::Source;
use host::script::ModFiles;
use host::store::{State, Write};
use host::value::{Name, Names, Value};

use crate::compared_machines::HostMachine;
use crate::lane_race::{Lane, elapsed_time, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};

const ROUNDS: u32 = 100;
/// Nights of one batch.
const NIGHTS: u32 = 10;
const PLAYERS: u32 = 20;

const RULESET: &str = "return ruleset { source = 'measured', name = 'Night', summary = 'measured',
  stats = { will = { base = 3, summary = 'what resists' }, harm = { base = 0, summary = 'what was done' },
    visits = { base = 0, summary = 'how often it left' }, met = { base = 0, summary = 'how often it was visited' },
    rest = { base = 0, summary = 'how often it stayed awake' } },
  events = { night = { summary = 'all act' }, visited = { summary = 'somebody comes' } } }";

const SCHEMA: &str =
    "return schema { source = 'measured', summary = 'what a player can do', folder = 'abilities',
  format = 'luau', listeners = { kind = 'ability', field = 'ability' }, keys = { source = 'string' } }";

/// An ability to visit a player.
const STRIKE: &str =
    "return ability { source = 'measured', on = { night = function(act, event, self, bearer)
  local target = act:get(self, 'target')
  local strength = act:get(bearer, 'will') + act:get(self, 'bonus')
  if act:get(bearer, 'harm') + act:get(bearer, 'met') > 1000000 then
    strength = 0
  end
  act:set(self, 'used', act:get(self, 'used') + 1)
  act:set(bearer, 'visits', act:get(bearer, 'visits') + 1)
  act:emit('visited', { to = target, by = bearer })
  if act:get(self, 'used') > 0 and strength > act:get(target, 'will') then
    act:add(target, 'harm', strength - act:get(target, 'will'))
  end
end } }";

/// An ability to stay awake and mark visitors.
const WATCH: &str = "return ability { source = 'measured', on = {
  night = function(act, event, self, bearer)
    act:set(self, 'used', act:get(self, 'used') + 1)
    act:set(bearer, 'rest', act:get(bearer, 'rest') + 1)
    if act:get(bearer, 'harm') > 1000000 then
      act:set(self, 'used', 0)
    end
  end,
  visited = function(act, event, self, bearer)
    act:set(bearer, 'met', act:get(bearer, 'met') + 1)
    if act:get(event.by, 'will') > act:get(self, 'bonus') then
      act:attach(bearer, 'mark', { by = event.by })
    end
  end } }";

/// Gives each player an ability to visit a player and one to stay awake.
const MAKE: &str = "
for i = 1, 20 do
  act:create('player', { will = i % 5 + 1 }, 'p' .. i)
end
for i = 1, 20 do
  act:attach('p' .. i, 'ability', { ability = 'strike_' .. i, target = 'p' .. (i * 7 % 20 + 1), bonus = i % 3, used = 0 })
  act:attach('p' .. i, 'ability', { ability = 'watch_' .. i, bonus = i % 4, used = 0 })
end";

fn measured_ruleset() -> ModFiles {
    let script = |path: String, text: &str| File::new(&path, Source::new(path.as_str(), text));
    let mut scripts = vec![
        script("ruleset.luau".to_owned(), RULESET),
        script("schemas/ability.luau".to_owned(), SCHEMA),
    ];
    for number in 1..=PLAYERS {
        scripts.push(script(format!("abilities/strike_{number}.luau"), STRIKE));
        scripts.push(script(format!("abilities/watch_{number}.luau"), WATCH));
    }
    ModFiles {
        name: "night".to_owned(),
        scripts,
        content: Vec::new(),
    }
}

/// The same night without scripts: the reads and writes of each handler, in the same order.
struct Plain {
    state: State,
    /// Reads and writes of the nights so far.
    operations: usize,
    players: Vec<Player>,
    fields: Fields,
}

struct Player {
    name: Name,
    strike: Name,
    watch: Name,
    target: usize,
}

struct Fields {
    will: Name,
    harm: Name,
    visits: Name,
    met: Name,
    rest: Name,
    target: Name,
    bonus: Name,
    used: Name,
    mark: Name,
    by: Name,
}

impl Plain {
    fn new(state: State, names: &Rc<Names>) -> Plain {
        let name = |text: &str| names.intern(text);
        let fields = Fields {
            will: name("will"),
            harm: name("harm"),
            visits: name("visits"),
            met: name("met"),
            rest: name("rest"),
            target: name("target"),
            bonus: name("bonus"),
            used: name("used"),
            mark: name("mark"),
            by: name("by"),
        };
        let player = |number: u32| {
            let player = name(&format!("p{number}"));
            let mut own = state.records_of(player);
            let mut next = || {
                own.next()
                    .expect("invariant: each player has two abilities")
            };
            Player {
                name: player,
                strike: next(),
                watch: next(),
                target: (number * 7 % PLAYERS) as usize,
            }
        };
        let players = (1..=PLAYERS).map(player).collect();
        Plain {
            state,
            operations: 0,
            players,
            fields,
        }
    }

    fn get_number(&mut self, row: Name, field: Name) -> i64 {
        self.operations += 1;
        let number = self.state.get(row, field).as_number();
        number.and_then(|number| number.to_i64()).unwrap_or(0)
    }

    fn set_number(&mut self, row: Name, field: Name, value: i64) {
        self.operations += 1;
        let written = self.state.set(row, field, Value::from(value));
        written.expect("invariant: the row is there");
    }

    fn add_to_number(&mut self, row: Name, field: Name, amount: i64) {
        let value = self.get_number(row, field) + amount;
        self.set_number(row, field, value);
    }

    fn play_night(&mut self) {
        for at in 0..self.players.len() {
            self.use_strike(at);
            self.use_watch(at);
        }
    }

    fn use_strike(&mut self, at: usize) {
        let Fields {
            will,
            harm,
            visits,
            target: target_field,
            bonus,
            used,
            ..
        } = self.fields;
        let Player {
            name,
            strike,
            target,
            ..
        } = self.players[at];
        std::hint::black_box(self.state.get(strike, target_field));
        self.operations += 1;
        let mut strength = self.get_number(name, will) + self.get_number(strike, bonus);
        if self.get_number(name, harm) + self.get_number(name, self.fields.met) > 1_000_000 {
            strength = 0;
        }
        self.add_to_number(strike, used, 1);
        self.add_to_number(name, visits, 1);
        self.mark_visitor(target, name);
        let target = self.players[target].name;
        if self.get_number(strike, used) > 0 && strength > self.get_number(target, will) {
            let amount = strength - self.get_number(target, will);
            self.add_to_number(target, harm, amount);
        }
    }

    fn use_watch(&mut self, at: usize) {
        let Player { name, watch, .. } = self.players[at];
        self.add_to_number(watch, self.fields.used, 1);
        self.add_to_number(name, self.fields.rest, 1);
        if self.get_number(name, self.fields.harm) > 1_000_000 {
            self.set_number(watch, self.fields.used, 0);
        }
    }

    fn mark_visitor(&mut self, at: usize, by: Name) {
        let Player { name, watch, .. } = self.players[at];
        self.add_to_number(name, self.fields.met, 1);
        if self.get_number(by, self.fields.will) > self.get_number(watch, self.fields.bonus) {
            self.operations += 1;
            let row = self.state.take_record_id(self.fields.mark);
            let write = Write::Put {
                row: row.expect("invariant: few records are made"),
                kind: self.fields.mark,
                owner: Some(name),
                fields: vec![(self.fields.by, Value::Text(self.state.names().text(by)))],
            };
            self.state
                .apply(write)
                .expect("invariant: marks are records");
        }
    }

    /// Returns the results of all players and abilities, and the number of records.
    fn player_values_and_record_count(&self, state: &State) -> (Vec<Value>, usize) {
        let Fields {
            harm,
            visits,
            met,
            rest,
            used,
            ..
        } = self.fields;
        let cells = self.players.iter().flat_map(|player| {
            let own = [harm, visits, met, rest].map(|field| state.get(player.name, field).clone());
            let used = [player.strike, player.watch].map(|row| state.get(row, used).clone());
            own.into_iter().chain(used)
        });
        (cells.collect(), state.record_count())
    }
}

/// Measures the nights.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let mut host = HostMachine::with_rules(&[measured_ruleset()]);
    host.run_and_keep(MAKE);
    let mut plain = Plain::new(host.state_fork(), &host.names());
    let night = "act:emit('night', {})";
    plain.play_night();
    let (shown, operations) = (
        plain.player_values_and_record_count(&plain.state),
        plain.operations,
    );
    assert_eq!(
        plain.player_values_and_record_count(&host.state_after(night)),
        shown,
        "invariant: both nights are the same"
    );
    let mark = plain.state.mark();
    let looped = |body: &str| format!("local act = act for i = 1, {NIGHTS} do {body} end");
    let (nights, empty) = (looped(night), looped(""));
    let [scripted, empty, rust] = fastest_nanoseconds(
        rounds,
        [
            Lane::of_batch(NIGHTS, || host.time_chunk(&nights)),
            Lane::of_batch(NIGHTS, || host.time_chunk(&empty)),
            Lane::of_batch(NIGHTS, || {
                let time = elapsed_time(|| (0..NIGHTS).for_each(|_| plain.play_night()));
                plain.state.rollback(mark);
                time
            }),
        ],
    );
    Section {
        title: "A night: 20 players, 40 abilities, 60 handlers",
        rows: vec![
            Row::time_without_target(
                format!("{operations} reads and writes, by scripts"),
                scripted - empty,
            ),
            Row::time_without_target("the same in plain Rust on the same store", rust),
            Row::ratio_with_target(
                "by scripts, in plain Rust",
                (scripted - empty) / rust,
                Target::AtMost(15.0),
            ),
        ],
    }
}
