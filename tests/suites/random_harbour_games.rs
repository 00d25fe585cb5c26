//! Plays random games of the harbour, the tutorial ruleset: nothing fails, every game ends, and
//! every game can be replayed.

use arbiter_tests::{Scratch, on_game_thread, project};
use host::dice::Draw;
use host::game;
use host::game::{
    AnyChoice, Home, Policy, ReplayComparison, Reply, Seed, SessionOptions, SharedPolicy, Solo,
    Stream,
};
use host::script::{BROKEN, EngineOptions, Question, Reader};
use host::store::{StateHash, What};
use host::value::Value;

/// The number of random games in one run; some are replayed. `tests/many_games.sh` plays more games
/// and replays each.
const DEFAULT_GAMES: u64 = 150;
/// A game without a winner after this many phases fails the test.
const MAX_PHASES: usize = 60;
const LINES_PER_PHASE: usize = 6;
pub(super) const PEOPLE: [&str; 7] = ["ann", "bo", "cai", "dot", "eve", "fin", "gus"];
const PLACES: [&str; 3] = ["harbour", "square", "mill"];
/// Areas of refusals that a rule or a line may cause; all others are errors in the rules or the
/// host.
const ALLOWED_REFUSALS: [&str; 6] = ["harbour/", "phrase/", "poll/", "E_", "ask/", "answer/"];

/// A player with random lines.
pub(super) struct RandomPlayer(pub(super) Stream);

impl RandomPlayer {
    pub(super) fn pick_one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        let many = u32::try_from(of.len()).expect("a few");
        of[self.0.draw(many).expect("a stream never ends") as usize - 1]
    }

    fn pick_person(&mut self) -> &'static str {
        self.pick_one(&PEOPLE)
    }

    /// Returns a sender and a line.
    pub(super) fn pick_seat_and_line(&mut self, charms: &[String]) -> (&'static str, String) {
        let charms: Vec<&str> = charms.iter().map(String::as_str).collect();
        let (who, whom) = (self.pick_person(), self.pick_person());
        let place = self.pick_one(&PLACES);
        let deed =
            match self.pick_one(&["go", "strike", "name", "hold", "offer", "blast", "calling"]) {
                "go" => format!("go to {place}"),
                "blast" => format!("blast {place}"),
                "offer" => format!("offer {whom} a lantern"),
                "calling" => {
                    match self.pick_one(&["guard", "watch", "hex", "hide at", "dress", "lead"]) {
                        "dress" => format!("dress {whom} as keeper"),
                        "lead" => format!("lead {} guests to {whom}", self.pick_one(&charms)),
                        verb => format!("{verb} {whom}"),
                    }
                }
                verb => format!("{verb} {whom}"),
            };
        match self.pick_one(&[
            "deed", "deed", "deed", "let", "lay", "lift", "turn", "brawl", "wait", "order", "order",
        ]) {
            "deed" => (who, format!("I {deed}")),
            "let" => {
                let can = self.pick_one(&["dot watch", "gus hex", "ann guard"]);
                ("gm", format!("let {can} {whom}"))
            }
            "lay" => ("gm", format!("lay {} on {whom}", self.pick_one(&charms))),
            "lift" => ("gm", format!("lift {} from {whom}", self.pick_one(&charms))),
            "brawl" => ("gm", format!("brawl at {place}")),
            "wait" => ("gm", "wait 40m".to_owned()),
            "order" => {
                let (key, answer) = (
                    self.pick_one(&["parry", "lantern", "truce"]),
                    self.pick_one(&["yes", "no", "off"]),
                );
                (who, format!("always {key} {answer}"))
            }
            _ => (
                "gm",
                self.pick_one(&["turn", "end the brawl", "truce"])
                    .to_owned(),
            ),
        }
    }
}

pub(super) fn harbour_session() -> Solo {
    harbour_session_of_home(Home {
        folder: project(),
        mods: vec![project().join("tests/mini")],
        content: None,
    })
}

pub(super) fn harbour_session_of_home(home: Home) -> Solo {
    let options = SessionOptions {
        home,
        ruleset: "harbour".to_owned(),
        seed: Seed::from_text("the host's own tests"),
        engine: EngineOptions::default(),
    };
    let (solo, _) = Solo::start(options, &repl::COMMANDS).expect("the harbour loads");
    solo
}

/// Returns whether the game of a seed is replayed.
fn is_played_again(seed: u64) -> bool {
    std::env::var_os("HARBOUR_GAMES").is_some() || seed.is_multiple_of(8)
}

fn game_count() -> u64 {
    let games = std::env::var("HARBOUR_GAMES").ok();
    games
        .and_then(|text| text.parse().ok())
        .unwrap_or(DEFAULT_GAMES)
}

/// Submits a line; a forbidden refusal fails the test.
fn submit_allowing_refusals(solo: &mut Solo, seed: u64, (by, line): (&str, &str)) -> Reply {
    let reply = solo.submit(by, line);
    if let Some(refusal) = &reply.refusal {
        let is_fine = ALLOWED_REFUSALS
            .iter()
            .any(|area| refusal.code.starts_with(area));
        assert!(is_fine, "game {seed}, {by}: {line}: {refusal:?}");
    }
    if reply.waits.is_some() {
        assert_eq!(line, "truce", "game {seed}, {by}: {line} waits");
        let held = solo.submit("gm", "next").refusal.map(|one| one.code);
        assert_eq!(held.as_deref(), Some("ask/one-at-a-time"), "game {seed}");
        let late = solo.submit("gm", "wait 20m");
        assert!(
            late.refusal.is_none() && late.findings.is_empty(),
            "game {seed}: {late:?}"
        );
        let waits = game::waiting_rulings(solo.timeline().state());
        assert!(waits.is_empty(), "game {seed}: {waits:?}");
    }
    reply
}

/// Returns the number of operations that run a rule.
fn count_rulings(solo: &Solo) -> usize {
    let all = solo.timeline().history().operations().iter();
    all.filter(|one| !one.command.starts_with("always "))
        .count()
}

/// Counts of rare events in random games.
#[derive(Debug, Default)]
struct RareEvents {
    in_time: usize,
    by_order: usize,
    once: usize,
    hammers: usize,
    bells: usize,
}

impl RareEvents {
    fn count_in_session(&mut self, solo: &Solo) {
        for one in solo.timeline().history().operations() {
            let says = |text: &str| {
                one.documents
                    .iter()
                    .any(|said| said.to_string().contains(text))
            };
            let is_refused =
                |with: &str| matches!(&one.what, What::Refused { code, .. } if **code == *with);
            self.in_time += usize::from(&*one.by == "deadline");
            let mut inputs = one.inputs.iter();
            let is_ordered = inputs.any(|input| input.get("by").as_str() == Some("order"));
            self.by_order += usize::from(is_ordered);
            self.once += usize::from(is_refused("harbour/once"));
            self.hammers +=
                usize::from(one.command.starts_with("vote ") && says("verdict, closed"));
            self.bells += usize::from(says("The bell tolls."));
        }
    }
}

fn winner_of_game(solo: &Solo) -> Option<String> {
    let state = solo.timeline().state();
    let names = state.names();
    let value = state.get(names.find("village")?, names.find("winner")?);
    value.as_str().map(str::to_owned)
}

/// Plays a game to its end and returns the winner, the number of phases, and the last state.
fn play_to_end(solo: &mut Solo, seed: u64) -> (String, usize, StateHash) {
    let begun = solo.restart(Seed::from_text(&format!("game {seed}")));
    assert!(begun.refusal.is_none(), "{:?}", begun.refusal);
    solo.session
        .responders_mut()
        .answer_with_policy(Some(SharedPolicy::new(SkippingPolicy {
            any: AnyChoice::new(seed),
            chance: Stream::new(seed),
        })));
    let charms: Vec<String> = solo
        .timeline()
        .rules()
        .registry
        .of_collection("charms")
        .map(|one| one.id.to_string())
        .collect();
    let mut anybody = RandomPlayer(Stream::new(seed));
    for phase in 1..=MAX_PHASES {
        for _ in 0..LINES_PER_PHASE {
            let (by, line) = anybody.pick_seat_and_line(&charms);
            submit_allowing_refusals(solo, seed, (by, &line));
        }
        for voter in PEOPLE {
            let line = format!("vote {}", anybody.pick_person());
            submit_allowing_refusals(solo, seed, (voter, &line));
        }
        submit_allowing_refusals(solo, seed, ("gm", "next"));
        if let Some(winner) = winner_of_game(solo) {
            return (winner, phase, solo.timeline().state().hash());
        }
    }
    panic!("game {seed} has no winner after {MAX_PHASES} phases");
}

/// Replays every operation of a game from its recorded inputs, without a policy, and returns the
/// number of operations that ran a rule. Each must lead to the same state.
fn replay_all_operations(solo: &mut Solo, seed: u64) -> usize {
    solo.session.responders_mut().answer_with_policy(None);
    let count = solo.timeline().history().operations().len() as u64;
    let state = solo.timeline().state().hash();
    let mut ran = 0;
    for number in 1..=count {
        let verified = solo.verify_operation(number);
        let command = || {
            solo.timeline()
                .history()
                .operation(number)
                .unwrap()
                .command
                .clone()
        };
        assert!(
            !matches!(verified, ReplayComparison::Differs(_)),
            "game {seed}, operation {number}, {}: {verified:?}",
            command()
        );
        ran += usize::from(verified == ReplayComparison::Same);
    }
    assert_eq!(
        solo.timeline().state().hash(),
        state,
        "looking changes nothing"
    );
    ran
}

#[test]
fn every_random_game_ends_and_is_the_same_when_played_again() {
    on_game_thread(|| {
        let games = game_count();
        let (mut solo, mut lamps, mut met) = (harbour_session(), 0, RareEvents::default());
        for seed in 1..=games {
            let first = play_to_end(&mut solo, seed);
            met.count_in_session(&solo);
            if is_played_again(seed) {
                let (ran, all) = (replay_all_operations(&mut solo, seed), count_rulings(&solo));
                assert_eq!(ran, all, "game {seed}: every operation runs a rule");
                assert_eq!(play_to_end(&mut solo, seed), first, "game {seed}");
            }
            lamps += u64::from(first.0 == "lamp");
        }
        assert!(
            0 < lamps && lamps < games,
            "{lamps} of {games} for the lamps"
        );
        let RareEvents {
            in_time,
            by_order,
            once,
            hammers,
            bells,
        } = met;
        let least = [in_time, by_order, once, hammers, bells].into_iter().min();
        assert!(
            least.is_some_and(|least| least as u64 >= games / 15),
            "{met:?}"
        );
    });
}

/// Answers at random, but skips broken rules; sometimes gives no answer to a question with a
/// deadline.
struct SkippingPolicy {
    any: AnyChoice,
    chance: Stream,
}

impl Policy for SkippingPolicy {
    fn answer(&mut self, question: &Question, reader: &dyn Reader) -> Option<Value> {
        if question.key.starts_with(BROKEN) {
            return reader.choices(question).into_iter().next();
        }
        let is_silent = question.deadline.is_some() && self.chance.draw(2).ok()? == 1;
        (!is_silent).then(|| self.any.answer(question, reader))?
    }
}

/// A rule that makes a change and sometimes breaks, at every event.
const FAULTY_RULE: &str = "
local function fault(act, _event, self)
  act:set('village', 'note', self)
  act:say('public', 'this is never told')
  if act:roll('1d3', 'fault') == 1 then
    error('a fault')
  end
  act:set('village', 'note', nil)
end
return custom {
  source = 'tests', summary = 'breaks now and then',
  on = { put_out = fault, striking = fault, snuffing = fault, phase_began = fault, ended = fault, turn_began = fault },
}";

#[test]
fn a_rule_that_breaks_never_stops_a_game_and_is_skipped_again_when_it_is_played_again() {
    on_game_thread(|| {
        let home = Scratch::harbour();
        home.write("scripts/harbour/customs/faulty.luau", FAULTY_RULE);
        let mut solo = harbour_session_of_home(home.home());
        let mut skipped = 0;
        for seed in 1..=game_count() / 5 {
            let first = play_to_end(&mut solo, seed);
            let inputs = solo
                .timeline()
                .history()
                .operations()
                .iter()
                .flat_map(|one| &one.inputs);
            let answers = inputs.filter_map(|input| input.get("answer").as_str());
            skipped += answers.filter(|answer| answer.starts_with("skip")).count();
            if is_played_again(seed) {
                let (ran, all) = (replay_all_operations(&mut solo, seed), count_rulings(&solo));
                assert_eq!(ran, all, "game {seed}: every operation runs a rule");
                assert_eq!(play_to_end(&mut solo, seed), first, "game {seed}");
            }
        }
        assert!(skipped > 20, "{skipped} rules were skipped");
    });
}

#[test]
fn a_game_undone_is_the_first_state_again() {
    on_game_thread(|| {
        let mut solo = harbour_session();
        for seed in 1..=4 {
            let (_, _, last) = play_to_end(&mut solo, seed);
            solo.session.responders_mut().answer_with_policy(None);
            let first = solo.timeline().history().operations()[0].state;
            let mut undone = 0;
            while game::undo_last_ruling(solo.timeline_mut(), "gm")
                .refusal
                .is_none()
            {
                undone += 1;
            }
            assert_eq!(solo.timeline().state().hash(), first, "game {seed}");
            for _ in 0..undone {
                assert!(
                    game::redo_last_ruling(solo.timeline_mut(), "gm")
                        .refusal
                        .is_none(),
                    "game {seed}"
                );
            }
            assert_eq!(solo.timeline().state().hash(), last, "game {seed}");
        }
    });
}

#[test]
fn every_definition_of_a_script_stands_where_the_file_returns_it() {
    on_game_thread(|| {
        let home = Scratch::harbour();
        let solo = harbour_session_of_home(home.home());
        let rules = solo.timeline().rules();
        let scripts = rules
            .registry
            .iter()
            .filter(|one| one.source.name().ends_with(".luau"));
        let mut seen = 0;
        for one in scripts {
            let line = one.source.position(one.span.start).line;
            let text = one.source.slice(one.source.line_span(line));
            assert!(
                text.starts_with("return"),
                "{}:{line} {text}",
                one.source.name()
            );
            seen += 1;
        }
        assert!(seen > 50, "{seen}");
    });
}
