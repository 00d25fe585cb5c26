//! Plays games without people: a game number always gives the same game, equal to an ordinary
//! session. Errors in games are counted and named.

mod profiles;
mod program;

use arbiter_tests::{Scratch, on_game_thread};
use host::game;
use host::game::{
    PlayedGame, Seed, SessionOptions, SimulationSetup, Simulator, SimulatorError, Solo, Stream,
};
use host::script::EngineOptions;

const RULESET_FILE: &str = "scripts/harbour/ruleset.luau";
const DOZING_FILE: &str = "scripts/harbour/pipeline/dozing.luau";
const SIMULATION_DECLARATION: &str =
    "simulation = { begin = dozing.begin, line = \"next\", most = 40, outcome = dozing.outcome },";
/// The first line of the code for each closed vote.
const VOTE_LINE: &str = "  local row, voted = poll.get(act, open), have_voted(act, open)\n";

fn open_simulator(home: &Scratch, setup: &str) -> Result<Simulator, SimulatorError> {
    let simulated = SimulationSetup {
        home: home.home(),
        ruleset: "harbour".to_owned(),
        setup: setup.to_owned(),
        seed: "s".to_owned(),
        profiler: None,
    };
    let files = simulated.home.read_ruleset("harbour").unwrap();
    Simulator::open(&simulated, files, &repl::COMMANDS)
}

fn end_code(played: &PlayedGame) -> Option<String> {
    let refused = played.ended.as_ref().err();
    refused.map(|finding| finding.code.to_string())
}

/// Plays games until one ends with a code, and returns its number.
fn first_game_with_code(simulator: &mut Simulator, wanted: &str) -> u64 {
    let mut games = 1..=60;
    let found = games.find(|number| end_code(&simulator.play(*number)).as_deref() == Some(wanted));
    found.unwrap_or_else(|| panic!("no game ends with {wanted}"))
}

fn winner_of_game(solo: &Solo) -> Option<&str> {
    let (state, names) = (solo.timeline().state(), solo.timeline().state().names());
    state
        .get(names.find("village")?, names.find("winner")?)
        .as_str()
}

#[test]
fn a_game_leads_where_an_ordinary_session_leads_with_the_same_lines_and_faces() {
    on_game_thread(|| {
        let home = Scratch::harbour();
        let mut simulator = open_simulator(&home, "siege").unwrap();
        for number in 1..=5 {
            let options = SessionOptions {
                home: home.home(),
                ruleset: "harbour".to_owned(),
                seed: Seed::from_text("another"),
                engine: EngineOptions::default(),
            };
            let (mut solo, _) = Solo::start(options, &repl::COMMANDS).unwrap();
            game::draw_dice_from_stream(
                solo.timeline_mut(),
                Stream::of_text(&format!("s/{number}")),
            );
            let lines = [
                "doze",
                "lay chill on Ann",
                "lay gloom on Cai",
                "brawl at square",
            ];
            for line in lines {
                assert!(solo.submit("gm", line).refusal.is_none(), "{line}");
            }
            while winner_of_game(&solo).is_none() {
                assert!(solo.submit("gm", "next").refusal.is_none());
            }
            let played = simulator.play(number);
            let ending = played.ended.unwrap();
            assert!(ending.winners.contains(winner_of_game(&solo).unwrap()));
            assert_eq!(
                played.state,
                solo.timeline().state().hash(),
                "game {number}"
            );
        }
    });
}

#[test]
fn a_game_is_the_same_whatever_was_played_before_and_when_it_is_run_again() {
    on_game_thread(|| {
        let home = Scratch::harbour();
        let (mut one, mut other) = (
            open_simulator(&home, "village").unwrap(),
            open_simulator(&home, "village").unwrap(),
        );
        let first: Vec<PlayedGame> = (1..=12).map(|number| one.play(number)).collect();
        for number in (1..=12).rev() {
            let (again, before) = (other.play(number), &first[number as usize - 1]);
            assert_eq!(again.state, before.state, "game {number}");
            assert_eq!(again.ended.unwrap(), *before.ended.as_ref().unwrap());
            assert_eq!(
                other.replay_difference(number, before),
                None,
                "game {number}"
            );
        }
        let mut states: Vec<String> = first.iter().map(|one| one.state.to_string()).collect();
        states.sort();
        states.dedup();
        assert!(states.len() > 6, "games are chance: {states:?}");
    });
}

#[test]
fn a_script_that_breaks_ends_its_game_and_no_other() {
    on_game_thread(|| {
        let home = Scratch::harbour();
        let broken = "  if act:roll(\"d8\", \"fault\") == 1 then\n    error(\"a fault\")\n  end\n";
        home.edit(DOZING_FILE, VOTE_LINE, &format!("{VOTE_LINE}{broken}"));
        let mut simulator = open_simulator(&home, "village").unwrap();
        let number = first_game_with_code(&mut simulator, "script/error");
        let played = simulator.play(number);
        let finding = played.ended.clone().unwrap_err();
        assert!(finding.message.contains("a fault"), "{finding:?}");
        let place = finding.place.unwrap();
        assert!(
            place.source.name().ends_with(DOZING_FILE),
            "{}",
            place.source.name()
        );
        assert_eq!(simulator.replay_difference(number, &played), None);
        let ended = (1..=20).filter(|number| end_code(&simulator.play(*number)).is_none());
        assert!(ended.count() > 3);
    });
}

#[test]
fn a_script_without_an_end_passes_a_limit() {
    on_game_thread(|| {
        let home = Scratch::harbour();
        home.edit(
            DOZING_FILE,
            VOTE_LINE,
            &format!("{VOTE_LINE}  while true do end\n"),
        );
        let mut simulator = open_simulator(&home, "village").unwrap();
        assert_eq!(end_code(&simulator.play(1)).as_deref(), Some("limit/fuel"));
    });
}

/// The machine of a thread keeps values of earlier games.
#[test]
fn memory_that_runs_short_does_so_in_the_same_games_whatever_was_played_before() {
    on_game_thread(|| {
        let home = Scratch::harbour();
        let hoard = "  local hoard = {}
  for index = 1, 14 * act:roll(\"d6\", \"hoard\") do
    hoard[index] = buffer.create(1048576)
  end
";
        home.edit(DOZING_FILE, VOTE_LINE, &format!("{VOTE_LINE}{hoard}"));
        let codes = |order: Vec<u64>| {
            let mut simulator = open_simulator(&home, "village").unwrap();
            let mut codes: Vec<_> = order
                .iter()
                .map(|n| (*n, end_code(&simulator.play(*n))))
                .collect();
            codes.sort();
            codes
        };
        let found = codes((1..=16).collect());
        assert_eq!(found, codes((1..=16).rev().collect()));
        let short = found
            .iter()
            .filter(|(_, code)| code.as_deref() == Some("limit/memory"));
        assert!((1..16).contains(&short.count()), "{found:?}");
    });
}

#[test]
fn a_game_that_does_not_end_is_an_endless_one() {
    on_game_thread(|| {
        let home = Scratch::harbour();
        home.edit(RULESET_FILE, "most = 40", "most = 1");
        let mut simulator = open_simulator(&home, "village").unwrap();
        let played = simulator.play(1);
        assert_eq!(end_code(&played).as_deref(), Some("simulate/endless"));
        let message = played.ended.unwrap_err().message;
        assert_eq!(
            message,
            "the game did not end after \"next\" was given once"
        );
    });
}

#[test]
fn a_line_that_is_refused_ends_the_game() {
    on_game_thread(|| {
        let home = Scratch::harbour();
        home.edit(
            DOZING_FILE,
            "village = { \"doze\" }",
            "village = { \"doze\", \"doze\" }",
        );
        let mut simulator = open_simulator(&home, "village").unwrap();
        let played = simulator.play(1);
        assert_eq!(end_code(&played).as_deref(), Some("harbour/dozes"));
        assert_eq!(simulator.replay_difference(1, &played), None);
    });
}

/// A question in each vote, and a prompt that the village does not wait for.
const ASKING_LINES: &str = "
  local sure = act:ask { to = \"gm\", key = \"sure\", type = \"YesNo\", default = true, text = \"Sure?\" }
  act:set(\"village\", \"sure\", sure)
  act:prompt {
    to = \"gm\", key = \"lantern\", type = \"YesNo\", default = false, text = \"A lantern?\",
    run = \"replies/lantern\", values = { owner = \"village\", maker = \"village\" },
  }
";

/// Returns the answer to the last question, and whether a prompt led to a lantern.
fn answer_and_lantern(solo: &Solo) -> (bool, bool) {
    let (state, names) = (solo.timeline().state(), solo.timeline().state().names());
    let (village, charm) = (names.find("village").unwrap(), names.find("charm").unwrap());
    let sure = state.get(village, names.find("sure").unwrap()).as_bool();
    let mut charms = state.records_of(village);
    let has_lantern = charms.any(|one| state.get(one, charm).as_str() == Some("lantern"));
    (sure.unwrap(), has_lantern)
}

#[test]
fn questions_are_answered_as_the_ruleset_says_or_end_the_game() {
    on_game_thread(|| {
        let home = Scratch::harbour();
        home.edit(
            DOZING_FILE,
            VOTE_LINE,
            &format!("{VOTE_LINE}{ASKING_LINES}"),
        );
        let asked = open_simulator(&home, "village").unwrap().play(1);
        let finding = asked.ended.unwrap_err();
        assert_eq!(finding.code, "simulate/waits");
        assert_eq!(
            finding.message,
            "a ruling is waiting for people: gm is asked \"sure\""
        );
        let sure = |answers: &str| {
            let declared = format!("most = 40, answers = \"{answers}\"");
            home.edit(RULESET_FILE, "most = 40", &declared);
            let mut simulator = open_simulator(&home, "village").unwrap();
            let mut found = Vec::new();
            for number in 1..=12 {
                let played = simulator.play(number);
                assert_eq!(end_code(&played), None);
                found.push(answer_and_lantern(simulator.solo()));
                assert_eq!(
                    simulator.replay_difference(number, &played),
                    None,
                    "game {number}"
                );
            }
            home.edit(RULESET_FILE, &format!(", answers = \"{answers}\""), "");
            found
        };
        assert!(sure("default").iter().all(|said| *said == (true, false)));
        let any = sure("any");
        for wanted in [true, false] {
            assert!(any.iter().any(|(sure, _)| *sure == wanted), "{any:?}");
        }
        assert!(any.iter().any(|(_, lantern)| *lantern), "{any:?}");
    });
}

#[test]
fn what_the_ruleset_says_of_an_end_is_held_to_its_form_and_changes_nothing() {
    on_game_thread(|| {
        let ended = |body: &str| {
            let home = Scratch::harbour();
            home.edit(
                RULESET_FILE,
                "outcome = dozing.outcome",
                &format!("outcome = function(act)\n{body}\nend"),
            );
            let played = open_simulator(&home, "village").unwrap().play(1);
            played.ended.unwrap_err()
        };
        let wrong = ended("return { winner = \"lamp\" }");
        assert_eq!(wrong.code, "script/simulation");
        assert!(
            wrong.message.contains("`winner`, which is neither"),
            "{}",
            wrong.message
        );
        assert_eq!(
            ended("act:set(\"village\", \"winner\", \"lamp\")").code,
            "script/read-only"
        );
        assert_eq!(ended("return act:roll(\"d6\")").code, "script/read-only");
    });
}

#[test]
fn a_rule_that_keeps_something_between_games_is_found_when_they_are_run_again() {
    on_game_thread(|| {
        let home = Scratch::harbour();
        home.edit(
            DOZING_FILE,
            "local dozing = {}\n",
            "local dozing = {}\nlocal count = 0\n",
        );
        let kept = "  count += 1\n  act:set(\"village\", \"count\", count)\n";
        home.edit(DOZING_FILE, VOTE_LINE, &format!("{VOTE_LINE}{kept}"));
        let mut simulator = open_simulator(&home, "village").unwrap();
        let played = simulator.play(1);
        assert_eq!(
            simulator.replay_difference(1, &played).as_deref(),
            Some("the last state")
        );
    });
}

#[test]
fn what_rules_try_is_counted_in_simulated_games_alone_and_changes_none() {
    on_game_thread(|| {
        let plain = Scratch::harbour();
        let states: Vec<String> = {
            let mut one = open_simulator(&plain, "village").unwrap();
            (1..=3)
                .map(|number| one.play(number).state.to_string())
                .collect()
        };
        let home = Scratch::harbour();
        count_votes_in_rules(&home);
        let mut one = open_simulator(&home, "village").unwrap();
        for number in 1..=3 {
            let played = one.play(number);
            assert_eq!(played.state.to_string(), states[number as usize - 1]);
            let votes = &played.tried["votes"];
            assert!(votes["closed"].times > 0 && votes["closed"].failures == 0);
            assert_eq!(votes["lost"].times, votes["lost"].failures);
            assert_eq!(votes["never"].times, 0);
            assert!(played.tried["the cat"].is_empty());
            assert_eq!(one.replay_difference(number, &played), None);
        }
        let options = SessionOptions {
            home: home.home(),
            ruleset: "harbour".to_owned(),
            seed: Seed::from_text("s"),
            engine: EngineOptions::default(),
        };
        let (mut solo, _) = Solo::start(options, &repl::COMMANDS).unwrap();
        assert!(solo.submit("gm", "doze").refusal.is_none());
        assert!(solo.submit("gm", "next").refusal.is_none());
        let machine = solo.session.generations().live().machine();
        assert!(
            machine.switch_counting_and_take_tries(false).is_empty(),
            "nothing is counted in play"
        );
    });
}

/// Adds counters of vote results to the rules.
fn count_votes_in_rules(home: &Scratch) {
    let counts = "  act:tally(\"votes\", \"closed\", true)\n  act:tally(\"votes\", \"lost\", false)\n  act:tally(\"votes\", \"never\")\n  act:tally(\"the cat\")\n";
    home.edit(DOZING_FILE, VOTE_LINE, &format!("{VOTE_LINE}{counts}"));
}
