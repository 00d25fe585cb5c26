//! Measures whole games of werewolves without people: games of ten and sixteen players, and the cost of a trigger in
//! growing villages.

use std::path::{Path, PathBuf};

use host::game::{Home, SimulationSetup, Simulator};
use host::store::{Change, State};
use repl::COMMANDS;

use crate::lane_race::{Lane, fastest_nanoseconds};
use crate::results_table::{Row, Section, Target};

const ROUNDS: u32 = 3;
/// Games of one batch: those with the numbers from 1 on.
pub(crate) const GAMES: u32 = 12;
const SEED: &str = "bench";
/// Maximum nanoseconds of a trigger.
const MOST: f64 = 25e3;
/// Players of the games, the smallest first.
const PLAYERS: [u32; 4] = [5, 10, 20, 40];

/// Measures games by their number of players.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS).min(ROUNDS);
    let mut village = werewolf_simulator("Low Tide");
    let mut sixteen = werewolf_simulator("random 16");
    let mut grown = PLAYERS.map(|players| werewolf_simulator(&format!("random {players}")));
    let triggers = grown.each_mut().map(average_trigger_count);
    let [small, ten, twenty, forty] = grown.each_mut();
    let mut written = next_game_writer(&mut village);
    let lane = |simulator| Lane::of_operation(GAMES, next_game_player(simulator));
    let lanes = [
        lane(small),
        lane(ten),
        lane(twenty),
        lane(forty),
        lane(&mut village),
        lane(&mut sixteen),
        Lane::of_operation(GAMES, &mut written),
    ];
    let [five, ten, twenty, forty, shipped, of_sixteen, written] =
        fastest_nanoseconds(rounds, lanes);
    let mut rows = vec![
        Row {
            target: Target::AtLeast(250.0),
            ..Row::rate_without_target("games of the shipped ten players on one thread", shipped)
        },
        Row {
            target: Target::AtLeast(50.0),
            ..Row::rate_without_target(
                "games of sixteen with roles of the shipped book by chance on one thread",
                of_sixteen,
            )
        },
        Row::time_without_target(
            "what such a game wrote, written again in plain Rust",
            written,
        ),
        Row::ratio_with_target(
            "a shipped game over what it wrote",
            shipped / written,
            Target::AtMost(15.0),
        ),
    ];
    for ((players, time), triggers) in PLAYERS
        .into_iter()
        .zip([five, ten, twenty, forty])
        .zip(triggers)
    {
        rows.push(Row::time_without_target(
            format!("a game of {players} with roles by chance"),
            time,
        ));
        rows.push(Row::time_at_most(
            format!("the same, for each of {triggers:.0} triggers that changed something"),
            time / triggers,
            MOST,
        ));
    }
    let growth = (forty / triggers[3]) / (five / triggers[0]);
    rows.push(Row::ratio_with_target(
        "a trigger among forty players over one among five",
        growth,
        Target::AtMost(1.0),
    ));
    Section {
        title: "games of werewolves without people",
        rows,
    }
}

/// Returns a function that plays the next game by number, in a cycle.
pub(crate) fn next_game_player(simulator: &mut Simulator) -> impl FnMut() + '_ {
    let mut numbers = (1..=u64::from(GAMES)).cycle();
    move || {
        let number = numbers.next().expect("invariant: numbers do not end");
        let ended = simulator.play(number).ended;
        ended.expect("invariant: measured games end");
    }
}

/// Returns a function that writes the changes of the next game to a store, ruling by ruling, in a cycle.
fn next_game_writer(simulator: &mut Simulator) -> impl FnMut() + use<> {
    let recorded = (1..=u64::from(GAMES)).map(|number| {
        let (_, solo) = simulator.play_recorded(number);
        let history = solo.timeline().history();
        let first = history.state_before(1).expect("invariant: a game began");
        let rulings = history.operations().iter();
        let rulings: Vec<Vec<Change>> = rulings.map(|one| one.changes.clone()).collect();
        (first, rulings)
    });
    let recorded: Vec<(State, Vec<Vec<Change>>)> = recorded.collect();
    let mut numbers = (0..recorded.len()).cycle();
    move || {
        let (first, rulings) = &recorded[numbers.next().expect("invariant: numbers do not end")];
        let mut state = first.fork();
        for changes in rulings {
            let applied = state.apply_changes(changes);
            applied.expect("invariant: what was written can be written again");
            state.commit(state.mark_before_all());
        }
    }
}

/// Returns the average number of triggers that changed something in a game. Each of them is a separate cause.
fn average_trigger_count(simulator: &mut Simulator) -> f64 {
    let mut found = 0;
    for number in 1..=u64::from(GAMES) {
        let (_, solo) = simulator.play_recorded(number);
        let causes = solo
            .timeline()
            .history()
            .operations()
            .iter()
            .flat_map(|operation| &operation.causes);
        found += causes.filter(|cause| !cause.get("work").is_nil()).count();
    }
    found as f64 / f64::from(GAMES)
}

pub(crate) fn werewolf_simulator(setup: &str) -> Simulator {
    let simulated = SimulationSetup {
        home: shipped_home(),
        ruleset: "wwrf".to_owned(),
        setup: setup.to_owned(),
        seed: SEED.to_owned(),
        profiler: None,
    };
    let files = simulated.home.read_ruleset(&simulated.ruleset);
    let files = files.expect("invariant: the ruleset is there");
    let opened = Simulator::open(&simulated, files, &COMMANDS);
    opened.unwrap_or_else(|findings| panic!("{findings:?}"))
}

fn shipped_home() -> Home {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Home {
        folder: root,
        mods: Vec::new(),
        content: None,
    }
}
