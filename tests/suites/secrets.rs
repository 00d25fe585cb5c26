//! Plays two harbours that differ only in secrets from Ann, and compares all text that Ann can get,
//! byte by byte: messages, the log, prompts, polls, `why`, `why not`, `show`, refusals.
//!
//! The callings are exchanged: the same deeds are done by the people who can do them.

mod errors;
mod modifiers;
mod numbers;

use arbiter_tests::{Scratch, explain_why, explain_why_not, on_game_thread};
use host::diag::Diagnostic;
use host::doc::{Document, Viewer, for_viewer, json, plain};
use host::game;
use host::game::{Reply, Seed, Solo};
use host::value::Value;
use proptest::prelude::*;

use super::random_harbour_games::harbour_session_of_home;

/// People with secret callings, and the callings.
const PEOPLE: [&str; 6] = ["Bo", "Cai", "Fin", "Gus", "Hal", "Ida"];
const CALLINGS: [&str; 6] = ["shade", "hexer", "lookout", "rival", "pilot", "mummer"];

/// A command that creates a place known only to the game master, with an item in it.
const BUILD_COMMAND: &str = r#"return command { source = "x", summary = "x", syntax = "build {name: Word}", run = function(act, args)
  local place = act:create("place", { name = args.name, ["is" .. args.name] = 1 }, nil, { visible_to = "gm" })
  act:create(string.lower(args.name), { place = place }, string.lower(args.name), { visible_to = "gm" })
  act:attach(place, "charm", { charm = "fog" })
end }
"#;

/// Beginnings of lines that Ann completes with Tab.
const COMPLETED_BEGINNINGS: [&str; 14] = [
    "",
    "show ",
    "show c",
    "why ",
    "I go to ",
    "I go to C",
    "I watch ",
    "vote ",
    "plan begin ",
    "set c",
    "set bo ",
    "answer ",
    "mood of ",
    "brawl at ",
];

/// A game, with the people of the secret callings and the text that Ann saw.
struct SecretGame<'a> {
    solo: &'a mut Solo,
    /// For each calling, the index of its person in `PEOPLE`.
    has: Vec<usize>,
    seen: String,
}

impl SecretGame<'_> {
    /// Begins a night in which the shades may choose.
    fn begin_shades_night(solo: &mut Solo, has: Vec<usize>) -> SecretGame<'_> {
        solo.restart(Seed::from_text("secrets"));
        solo.session.responders_mut().answer_with_policy(None);
        let mut people = vec![
            "Ann keeper".to_owned(),
            "Dot".to_owned(),
            "Eve".to_owned(),
            "Kit".to_owned(),
        ];
        for (at, person) in PEOPLE.iter().enumerate() {
            let calling = has.iter().position(|one| *one == at);
            let calling = CALLINGS[calling.expect("everybody is something")];
            people.push(format!("{person} {calling}"));
        }
        let settings = [
            ("people", Value::from(people.join(", ").as_str())),
            ("vote", "snuff".into()),
        ];
        let reply = game::set_up_test(solo, &Value::map(settings));
        assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
        SecretGame {
            solo,
            has,
            seen: String::new(),
        }
    }

    /// Submits a line; `@CALLING` is replaced by the person with that calling. Lines of others are
    /// not shown to Ann.
    fn submit_line(&mut self, by: &str, line: &str) {
        let by = match by.strip_prefix('@') {
            Some(calling) => {
                let at = CALLINGS.iter().position(|one| *one == calling);
                PEOPLE[self.has[at.expect("a calling")]]
            }
            None => by,
        };
        let reply = self.solo.submit(by, line);
        if by == "Ann" {
            self.add_reply(line, &reply.visible_to_giver(by));
        } else {
            for document in reply.documents.iter().chain(&reply.provisional) {
                self.add_text_seen_by_ann(document);
            }
        }
    }

    fn add_text_seen_by_ann(&mut self, document: &Document) {
        let groups = game::seats_in_play(self.solo.timeline())
            .groups_of_seat("Ann")
            .to_vec();
        let viewer = Viewer::seat("Ann", groups.iter().map(String::as_str));
        for viewer in [viewer, Viewer::Public] {
            if let Some(document) = for_viewer(document, &viewer) {
                self.seen += &format!("{}{}\n", plain(&document), json(&document, None));
            }
        }
    }

    fn add_reply(&mut self, what: &str, reply: &Reply) {
        self.seen += &format!("> {what}\n");
        for document in reply.documents.iter().chain(&reply.provisional) {
            self.add_text_seen_by_ann(document);
        }
        self.seen += &format!("{:?}\n", reply.refusal.as_ref().map(refusal_as_text));
    }

    /// Adds the answers to everything that Ann may ask.
    fn add_all_queries(&mut self) {
        for line in [
            "show",
            "polls",
            "clock",
            "questions",
            "always",
            "plan",
            "log",
            "log by bo",
            "log refused",
            "log rolls",
            "log disputes",
            "status",
            "settle 1 no",
            "settle 2 no",
            "dispute 99 no",
            "dice",
            "undo",
            "next",
            "help",
            "vote bo",
            "unvote",
            "= 1",
            "close snuff",
            "show shades",
            "show cellar",
            "show cistern",
            "show place-1",
            "show place-4",
            "show cella",
            "I go to cellar",
            "I go to cistern",
            "I go to cister",
            "set cellar air 1",
            "set bo iscellar 1",
            "mood of cistern",
        ] {
            self.submit_line("Ann", line);
        }
        self.add_completions();
        for person in PEOPLE.iter().chain(&["Ann", "Dot"]) {
            for line in [
                "show PERSON",
                "mood of PERSON",
                "let PERSON guard Dot",
                "I watch PERSON",
                "PERSON?",
            ] {
                self.submit_line("Ann", &line.replace("PERSON", person));
            }
            for field in [
                "", ".calling", ".side", ".mood", ".named", ".claim", ".sway", ".weight", ".state",
                ".ready", ".turns",
            ] {
                self.add_why_answer(&format!("{person}{field}"));
            }
        }
        for number in 1..=30 {
            self.add_why_answer(&number.to_string());
            for kind in [
                "charm", "poll", "ballot", "prompt", "snuffs", "air", "effort", "bell",
            ] {
                self.add_why_answer(&format!("{kind}#{number}"));
            }
        }
        for what in [
            "cellar",
            "cistern",
            "cella",
            "cistern.place",
            "cellar place",
            "place-4",
        ] {
            self.add_why_answer(what);
        }
        for text in [
            "I go to cellar",
            "cistern.place",
            "I hex dot",
            "I guard dot",
            "let bo hex dot",
            "vote dot",
            "bo.mood",
            "gus.weight",
            "lay fog on dot",
            "next",
            "undo",
        ] {
            let answer = explain_why_not(self.solo, "Ann", text);
            self.add_explanation(&format!("why not {text}"), answer);
        }
        for viewer in [
            game::viewer_of_seat(self.solo.timeline(), "Ann"),
            Viewer::Public,
        ] {
            for entry in game::log_entries(self.solo.timeline(), &viewer) {
                let command = if entry.is_own {
                    &*entry.operation.command
                } else {
                    ""
                };
                self.seen += &format!("{} {command} {:?}\n", entry.number, entry.documents);
            }
            let chronicle =
                game::chronicle_for_viewer(self.solo.timeline(), &viewer, game::Corrections::Told)
                    .unwrap();
            self.seen += &json(&chronicle.document(), None);
            self.seen += &json(&chronicle.ledger_tables(), None);
        }
        for question in game::open_questions_for(self.solo.timeline(), "Ann") {
            self.seen += &format!("{} {:?}\n", question.number, question.question);
        }
    }

    /// Adds the completions that Ann gets.
    fn add_completions(&mut self) {
        let solo = &*self.solo;
        let mut seen = String::new();
        for line in COMPLETED_BEGINNINGS {
            let expected = game::expected_next_words(solo.timeline(), "Ann", line);
            let about = game::describe_expected_words(solo.timeline(), "Ann", line, &expected);
            seen += &format!("{line}: {expected:?} {about:?}\n");
        }
        for slot_type in ["Entity", "Field", "Person", "Place", "Charm", "Seat"] {
            seen += &format!(
                "{slot_type}: {:?}\n",
                game::names_for_slot_type(solo.timeline(), "Ann", slot_type)
            );
        }
        seen += &format!(
            "{:?} {:?} {:?} {:?}\n",
            game::poll_choices_for(solo.timeline(), "Ann"),
            game::plans_to_begin(solo.timeline(), "Ann"),
            game::help_topics(solo.timeline(), "Ann"),
            game::keys_for_new_standing_answer(solo.timeline(), "Ann")
        );
        self.seen += &seen;
    }

    fn add_why_answer(&mut self, text: &str) {
        let answer = explain_why(self.solo, "Ann", text);
        self.add_explanation(&format!("why {text}"), answer);
    }

    fn add_explanation(&mut self, what: &str, answer: Result<Document, Box<Diagnostic>>) {
        let reply = match answer {
            Ok(document) => Reply::document(document),
            Err(refusal) => Reply::refused(*refusal),
        };
        self.add_reply(what, &reply);
    }
}

/// Returns a refusal as text.
fn refusal_as_text(refusal: &Diagnostic) -> String {
    format!(
        "{} {} {:?} {:?}",
        refusal.code, refusal.message, refusal.hints, refusal.trace
    )
}

/// The lines of the common story: sender and line.
type StoryLines = Vec<(&'static str, String)>;

/// Returns any lines of a night; people with a calling use its deeds.
fn any_night() -> impl Strategy<Value = StoryLines> {
    let fixed = prop::sample::select(vec!["Dot", "Eve", "Kit", "Ann"]);
    let deed = (0..13_usize, fixed).prop_map(|(what, whom)| match what {
        0 => ("@hexer", format!("I hex {whom}")),
        1 => ("@lookout", format!("I watch {whom}")),
        2 => ("@rival", format!("I name {whom}")),
        3 => ("@pilot", format!("I lead dazed guests to {whom}")),
        4 => ("@mummer", format!("I dress {whom} as shade")),
        5 => ("@shade", format!("vote {whom}")),
        6 => ("Ann", format!("I guard {whom}")),
        7 => ("Dot", "I go to mill".to_owned()),
        8 => ("Kit", "I offer Ann a lantern".to_owned()),
        9 => ("gm", format!("lay fog on {whom}")),
        10 => ("@shade", format!("dispute 1 {whom} was asleep")),
        11 => ("gm", format!("dispute 2 {whom} was awake")),
        _ => ("@shade", "vote abstain".to_owned()),
    });
    prop::collection::vec(deed, 0..8)
}

/// Returns any lines of a day, by people without secrets.
fn any_day() -> impl Strategy<Value = StoryLines> {
    let deed = (0..8_usize).prop_map(|what| match what {
        0 => ("Eve", "I strike Dot".to_owned()),
        5 => ("Dot", "dispute 1 it was not so".to_owned()),
        6 => ("gm", "settle 2 it was".to_owned()),
        1 => ("Dot", "vote eve".to_owned()),
        2 => ("Ann", "vote abstain".to_owned()),
        3 => ("Kit", "I go to harbour".to_owned()),
        4 => ("gm", "wait 30m".to_owned()),
        _ => ("Ann", "answer yes".to_owned()),
    });
    prop::collection::vec(deed, 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn games_that_differ_in_what_ann_may_not_know_look_the_same_to_her(
        one in Just((0..PEOPLE.len()).collect::<Vec<_>>()).prop_shuffle(),
        other in Just((0..PEOPLE.len()).collect::<Vec<_>>()).prop_shuffle(),
        hidden in prop::sample::select(vec!["lay muzzle on kit", "set kit sway 3", "lay muzzle on dot"]),
        any_night in any_night(),
        any_day in any_day(),
    ) {
        let result = on_game_thread(move || {
            let home = Scratch::harbour();
            home.write("scripts/harbour/commands/build.luau", BUILD_COMMAND);
            let mut solo = harbour_session_of_home(home.home());
            let mut play = |has: &[usize], (hidden, place): (&str, &str)| {
                let mut game = SecretGame::begin_shades_night(&mut solo, has.to_vec());
                let built = game.solo.submit("gm", &format!("build {place}"));
                assert!(built.refusal.is_none(), "{:?}", built.refusal);
                game.submit_line("gm", hidden);
                let hidden = game.solo.timeline().history().operations().len();
                for (by, line) in &any_night {
                    game.submit_line(by, line);
                }
                game.add_all_queries();
                game.submit_line("gm", "next");
                game.add_all_queries();
                // The person that Ann guards may wait for her, and so may the village.
                game.submit_line("Ann", "answer yes");
                for (by, line) in &any_day {
                    game.submit_line(by, line);
                }
                game.add_all_queries();
                // The secret line is reverted; nothing else that Ann read may change.
                game.submit_line("gm", &format!("revert {hidden} yes"));
                game.add_all_queries();
                game.seen
            };
            (play(&one, ("lay muzzle on eve", "Cellar")), play(&other, (hidden, "Cistern")))
        });
        let (first, second) = result;
        let differs = first.lines().zip(second.lines()).find(|(one, other)| one != other);
        prop_assert!(first == second, "{:?}", differs);
    }
}

#[test]
fn a_field_that_ann_may_not_see_is_not_offered_to_her() {
    on_game_thread(|| {
        let home = Scratch::harbour();
        home.edit(
            "scripts/harbour/ruleset.luau",
            "  stats = {\n",
            "  stats = {\n    [\"*\"] = { visible_to = \"owner\", summary = \"all other fields\" },\n",
        );
        let mut solo = harbour_session_of_home(home.home());
        let game = SecretGame::begin_shades_night(&mut solo, (0..PEOPLE.len()).collect());
        for line in ["set bo iswolf 1 anyway", "set ann isbrave 1 anyway"] {
            let reply = game.solo.submit("gm", line);
            assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
        }
        let timeline = game.solo.timeline();
        let offers = |by: &str, field: &str| {
            let names = game::names_for_slot_type(timeline, by, "Field").unwrap();
            names.iter().any(|name| name == field)
        };
        assert!(offers("gm", "iswolf") && offers("Bo", "iswolf"));
        assert!(offers("Ann", "isbrave") && offers("Ann", "mood"));
        assert!(!offers("Ann", "iswolf") && !offers("Bo", "isbrave"));
    });
}

#[test]
fn what_somebody_may_not_know_of_reads_like_what_is_not_there() {
    on_game_thread(|| {
        let home = Scratch::harbour();
        home.write("scripts/harbour/commands/build.luau", BUILD_COMMAND);
        let mut solo = harbour_session_of_home(home.home());
        let mut game = SecretGame::begin_shades_night(&mut solo, (0..PEOPLE.len()).collect());
        game.submit_line("gm", "build Cellar");
        let solo = &mut *game.solo;
        let refused = |solo: &mut Solo, by: &str, line: &str| {
            solo.submit(by, line)
                .refusal
                .map(|refusal| refusal_as_text(&refusal))
        };
        for line in ["show cellar", "I go to cellar", "show iscellar"] {
            let hidden = refused(solo, "Ann", line);
            let missing = refused(solo, "Ann", &line.replace("cellar", "zellux"));
            assert!(hidden.is_some(), "{line}");
            assert_eq!(
                hidden.map(|told| told.replace("cellar", "zellux")),
                missing,
                "{line}"
            );
        }
        let shown = |solo: &mut Solo, by: &str, line: &str| {
            let reply = solo.submit(by, line);
            let viewer = game::viewer_of_seat(solo.timeline(), by);
            let seen = reply
                .documents
                .iter()
                .filter_map(|one| for_viewer(one, &viewer));
            seen.map(|one| plain(&one)).collect::<String>()
        };
        assert_eq!(refused(solo, "gm", "show place-1"), None);
        assert!(shown(solo, "gm", "show").contains("Cellar"));
        assert!(!shown(solo, "Ann", "show").contains("ellar"));
        let all = solo.submit("gm", "show");
        let in_public = all
            .documents
            .iter()
            .filter_map(|one| for_viewer(one, &Viewer::Public));
        assert_eq!(in_public.count(), 0);
        let names = |by: &str| game::names_for_slot_type(solo.timeline(), by, "Place").unwrap();
        let more: Vec<String> = names("gm")
            .into_iter()
            .filter(|name| !names("Ann").contains(name))
            .collect();
        assert_eq!(more, ["Cellar"]);
    });
}
