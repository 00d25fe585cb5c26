//! Plays random games and looks at their replays: each phase knows what everybody knew then, and nothing that came
//! later or was taken back.

use std::collections::BTreeMap;

use arbiter_tests::{Scratch, on_game_thread};
use host::dice::Draw;
use host::doc::Viewer;
use host::game::{
    self, AnyChoice, CastMember, Corrections, Scene, Seed, SharedPolicy, Solo, Story, Stream,
};

use super::random_harbour_games::{PEOPLE, RandomPlayer, harbour_session_of_home};

const GAMES: u64 = 60;
const LINES: usize = 60;

/// A cast that changes with every blow.
const CAST: &str = r#"  story = { cast = function(act)
    return list.map(act:find { kind = "person" }, function(id)
      local health = act:get(id, "health")
      return { who = act:get(id, "name"), out = act:get(id, "state") ~= "well", says = `health {health}` }
    end)
  end },
  setup ="#;

/// A random game with what everybody could see after each line.
struct Game<'a> {
    solo: &'a mut Solo,
    player: RandomPlayer,
    words: Vec<String>,
    /// By live operation: the phase after it, and the cast.
    seen: BTreeMap<u64, (String, Vec<CastMember>)>,
}

impl Game<'_> {
    fn begin(solo: &mut Solo, seed: u64) -> Game<'_> {
        solo.restart(Seed::from_text(&format!("replay {seed}")));
        let policy = SharedPolicy::new(AnyChoice::new(seed));
        solo.session
            .responders_mut()
            .answer_with_policy(Some(policy));
        let mut game = Game {
            solo,
            player: RandomPlayer(Stream::new(seed)),
            words: Vec::new(),
            seen: BTreeMap::new(),
        };
        game.look();
        game
    }

    fn story(&self) -> Story {
        game::story_for_viewer(self.solo.timeline(), &Viewer::Public, Corrections::LeftOut)
            .unwrap_or_else(|refusal| panic!("{refusal:?}"))
    }

    fn look(&mut self) {
        let history = self.solo.timeline().history();
        let last = history.live_operations().next_back().map(|one| one.seq);
        let story = self.story();
        let phase = story.now.first().cloned().unwrap_or_default();
        self.seen.insert(last.unwrap_or(0), (phase, story.cast));
    }

    /// Gives a random line. Refusals are fine: they change nothing.
    fn give_line(&mut self, with_corrections: bool) {
        let whom = self.player.pick_one(&PEOPLE);
        let count = self.solo.timeline().history().operations().len().max(1);
        let count = u32::try_from(count).expect("a few");
        let past = self.player.0.draw(count).expect("a stream never ends");
        let word = format!("q{}word", self.words.len());
        let health = past % 10;
        let mut kinds = vec!["play", "play", "next", "set", "set", "undo"];
        if with_corrections {
            kinds.extend(["revert", "replace"]);
        }
        let set = format!("set {whom} health {health} anyway because {word}");
        let (by, line) = match self.player.pick_one(&kinds) {
            "next" => ("gm", "next".to_owned()),
            "set" => ("gm", set),
            "undo" => ("gm", "undo".to_owned()),
            "revert" => ("gm", format!("revert {past} yes")),
            "replace" => ("gm", format!("replace {past} yes with {set}")),
            _ => self.player.pick_seat_and_line(&["fog".to_owned()]),
        };
        if line.contains(&word) {
            self.words.push(word);
        }
        self.solo.submit(by, &line);
        self.look();
    }

    fn scenes(&self, with_corrections: bool) -> Vec<Scene> {
        let replay = game::replay_for_viewer(self.solo.timeline(), &Viewer::Public);
        let replay = replay.unwrap_or_else(|refusal| panic!("{refusal:?}"));
        let page = repl::replay_page(&replay);
        self.assert_words_stand_where_they_were_said(&page, with_corrections);
        replay.scenes
    }

    /// A word of a line that was undone stands in no phase, and any other in one at most; with corrections, what was
    /// ruled again may name it too.
    fn assert_words_stand_where_they_were_said(&self, page: &str, with_corrections: bool) {
        let phases: Vec<&str> = page.split("<section class=\"chapter phase\"").collect();
        let history = self.solo.timeline().history();
        for word in &self.words {
            let found = phases.iter().filter(|phase| phase.contains(word.as_str()));
            let found = found.count();
            let mut live = history.live_operations();
            let stands = live.any(|one| one.command.contains(word.as_str()));
            let most = match (stands, with_corrections) {
                (false, _) => 0,
                (true, false) => 1,
                (true, true) => phases.len(),
            };
            assert!(found <= most, "{word} {found} times: {page}");
        }
    }

    /// Returns the last cast that everybody saw in a phase; nothing if a line went on after it with operations of its
    /// own, which nobody saw one by one.
    fn cast_seen_in(&self, phase: &str) -> Option<&Vec<CastMember>> {
        let history = self.solo.timeline().history();
        let (mut last, mut is_within) = (None, false);
        for operation in history.live_operations() {
            let seen = self.seen.get(&operation.seq);
            is_within = seen.map_or(is_within, |(then, _)| then.eq_ignore_ascii_case(phase));
            if is_within {
                last = seen.map(|(_, cast)| cast);
            }
        }
        last
    }
}

/// Plays games and returns the numbers of phases whose cast was compared, whose cast differs from the last one, and
/// which have none.
fn compared_phases(with_corrections: bool) -> (usize, usize, usize) {
    let home = Scratch::harbour();
    home.edit("scripts/harbour/ruleset.luau", "  setup =", CAST);
    let mut solo = harbour_session_of_home(home.home());
    let (mut compared, mut different, mut without) = (0, 0, 0);
    for seed in 1..=GAMES {
        let mut game = Game::begin(&mut solo, seed);
        for _ in 0..LINES {
            game.give_line(with_corrections);
        }
        let now = game.story().cast;
        for scene in game.scenes(with_corrections) {
            let title = &scene.chapter.title;
            let Some(known) = scene.known else {
                without += 1;
                continue;
            };
            let Some(seen) = game.cast_seen_in(title) else {
                continue;
            };
            assert_eq!(&known.cast, seen, "game {seed}, {title}");
            compared += 1;
            different += usize::from(known.cast != now);
        }
    }
    (compared, different, without)
}

#[test]
fn a_phase_knows_the_cast_that_everybody_saw_at_its_end() {
    on_game_thread(|| {
        let (compared, different, without) = compared_phases(false);
        assert!(compared > 100 && different > 50, "{compared} {different}");
        assert_eq!(without, 0, "nothing was corrected");
    });
}

#[test]
fn a_corrected_phase_has_no_cast_or_the_one_that_stands() {
    on_game_thread(|| {
        let (compared, different, without) = compared_phases(true);
        assert!(
            compared > 50 && different > 10 && without > 20,
            "{compared} {different} {without}"
        );
    });
}
