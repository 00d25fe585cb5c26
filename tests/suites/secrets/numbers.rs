//! Plays two harbours with the same questions to Ann and different secret questions and rulings for
//! others: all text and all numbers for Ann must be equal.

use arbiter_tests::{Scratch, on_game_thread};
use host::game;
use host::store::{Operation, What};
use proptest::prelude::*;

use super::super::random_harbour_games::harbour_session_of_home;
use super::{PEOPLE, SecretGame};

/// Commands that rule silently, ask one after the other or with `+` at once, ask as often as there
/// are secret doubts, or make prompts.
const ASKING_COMMANDS: [(&str, &str, &str); 5] = [
    ("hush", "hush", "return nil"),
    (
        "doubt",
        "doubt",
        r#"act:create("doubt", {}, nil, { visible_to = "gm" })"#,
    ),
    (
        "inquire",
        "inquire of {whom: Rest}",
        r#"for _, step in string.split(args.whom, ",") do
    local all = {}
    for _, to in string.split(step, "+") do
      table.insert(all, { to = to, key = "well", type = "YesNo", text = "Well?" })
    end
    act:ask_all(all)
  end"#,
    ),
    (
        "wonder",
        "wonder",
        r#"for _ = 0, #act:find({ kind = "doubt" }) do
    act:ask({ to = "Bo", key = "wonder", type = "YesNo", text = "Wonder?" })
  end"#,
    ),
    (
        "propose",
        "propose to {whom: Rest}",
        r#"act:prompt({ to = args.whom, key = "deal", type = "YesNo", text = "Deal?", run = "commands/hush" })"#,
    ),
];

/// Secret lines: the first number is the kind, the second the count.
type SecretNoise = (usize, usize);

/// One event of the common story, and the secret lines of each game around it.
type StoryEvent = (usize, SecretNoise, SecretNoise);

/// A secret game with these commands.
struct AskingGame<'a>(SecretGame<'a>);

impl AskingGame<'_> {
    fn make_noise(&mut self, (what, many): SecretNoise) {
        for _ in 0..many {
            match what {
                0 => self.submit_as_gm("hush"),
                1 => self.submit_as_gm("inquire of Bo"),
                2 => {
                    self.submit_as_gm("inquire of Bo");
                    self.answer_last_question("Bo");
                }
                3 => self.submit_as_gm("propose to Cai"),
                4 => {
                    self.submit_as_gm("propose to Cai");
                    self.answer_last_question("Cai");
                }
                5 => self.submit_as_gm("inquire of group:shades"),
                6 => self.submit_as_gm("propose to group:shades"),
                7 => {
                    self.submit_as_gm("inquire of Dot+gm+Bo");
                    self.answer_last_question("Dot");
                }
                _ => self.submit_as_gm("doubt"),
            }
        }
    }

    /// Plays an event that Ann may know. `many` others are asked before her, or with her.
    fn play_event(&mut self, what: usize, many: usize) {
        match what {
            0 => self.submit_as_gm("inquire of Ann"),
            1 => {
                self.submit_as_gm(&format!("inquire of {}Ann", "Bo,".repeat(many)));
                (0..many).for_each(|_| self.answer_last_question("Bo"));
            }
            2 => self.submit_as_gm(&format!("inquire of Ann{}", "+Cai".repeat(many + 1))),
            3 => self.submit_as_gm(&format!("inquire of {}Ann+Ann", "Eve+".repeat(many + 1))),
            4 => self.submit_as_gm("propose to Ann"),
            5 => self.submit_as_gm("inquire of group:village"),
            6 => {
                if let Some(first) = self.open_question_numbers("Ann").first() {
                    self.0.submit_line("Ann", &format!("answer {first} yes"));
                }
            }
            7 => {
                if let Some(last) = self.open_question_numbers("Ann").last() {
                    self.0.submit_line("Ann", &format!("answer {last} no"));
                    self.0.submit_line("Ann", &format!("answer {last} no"));
                }
            }
            8 => self.0.submit_line("Ann", "answer yes"),
            9 => self.answer_first_for_ann(),
            10 => {
                self.submit_as_gm("inquire of Ann");
                self.submit_as_gm("undo");
            }
            11 => self.0.submit_line("Ann", "always deal yes"),
            12 => self.0.submit_line("Ann", "always deal off"),
            _ => {
                self.0.submit_line("Ann", "wonder");
                let is_hers = |game: &Self| game.number_of_open_question("Bo", "wonder").is_some();
                while is_hers(self) {
                    let number = self.number_of_open_question("Bo", "wonder").unwrap();
                    self.0.submit_line("Bo", &format!("answer {number} yes"));
                }
            }
        }
    }

    fn submit_as_gm(&mut self, line: &str) {
        let before = self.0.solo.timeline().history().operations().len();
        self.0.submit_line("gm", line);
        let made = &self.0.solo.timeline().history().operations()[before..];
        let is_done = |one: &Operation| !matches!(one.what, What::Refused { .. });
        assert!(
            !made.is_empty() && made.iter().all(|one| is_done(one)),
            "{line}: {made:?}"
        );
    }

    fn open_question_numbers(&self, by: &str) -> Vec<String> {
        let open = game::open_questions_for(self.0.solo.timeline(), by).into_iter();
        open.map(|one| one.number).collect()
    }

    fn number_of_open_question(&self, by: &str, key: &str) -> Option<String> {
        let mut open = game::open_questions_for(self.0.solo.timeline(), by).into_iter();
        open.find(|one| one.question.key == key)
            .map(|one| one.number)
    }

    /// Answers the last question of a seat.
    fn answer_last_question(&mut self, by: &str) {
        let number = self
            .open_question_numbers(by)
            .pop()
            .expect("somebody is asked");
        self.0.submit_line(by, &format!("answer {number} yes"));
    }

    /// Answers the first question of Ann as the game master, under the game master's number.
    fn answer_first_for_ann(&mut self) {
        let solo = &*self.0.solo;
        let first = game::open_questions_for(solo.timeline(), "Ann")
            .into_iter()
            .next();
        let all = game::open_questions(solo.timeline());
        let same = first.and_then(|first| all.into_iter().find(|one| one.is_same_question(&first)));
        if let Some(one) = same {
            self.submit_as_gm(&format!("answer {} yes", one.number));
        }
    }

    /// Adds the questions that Ann sees, and the answers to numbers that are not hers.
    fn add_question_queries(&mut self) {
        for line in [
            "questions",
            "answer 1 perhaps",
            "answer 2 perhaps",
            "answer 3.1 yes",
            "answer 77 yes",
            "answer wel yes",
        ] {
            self.0.submit_line("Ann", line);
        }
        self.0.add_completions();
        for one in game::open_questions_for(self.0.solo.timeline(), "Ann") {
            self.0.seen += &format!(
                "{} {} {:?}\n",
                one.number,
                one.number_or_key(),
                one.question
            );
        }
    }
}

fn any_noise() -> impl Strategy<Value = SecretNoise> {
    (0..9_usize, 0..3_usize)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn what_others_are_asked_does_not_show_in_the_numbers_of_ann(
        story in prop::collection::vec((0..14_usize, any_noise(), any_noise()), 1..14),
    ) {
        let (first, second) = on_game_thread(move || {
            let home = Scratch::harbour();
            home.let_several_rulings_wait();
            for (name, syntax, run) in ASKING_COMMANDS {
                let text = format!(
                    "return command {{ source = \"x\", summary = \"x\", syntax = \"{syntax}\", run = function(act, args)\n  {run}\nend }}\n"
                );
                home.write(&format!("scripts/harbour/commands/{name}.luau"), text);
            }
            let mut solo = harbour_session_of_home(home.home());
            let mut play = |of: fn(&StoryEvent) -> SecretNoise| {
                let mut game = AskingGame(
                    SecretGame::begin_shades_night(&mut solo, (0..PEOPLE.len()).collect()),
                );
                for event in &story {
                    game.make_noise(of(event));
                    game.play_event(event.0, of(event).1);
                    game.add_question_queries();
                }
                game.0.add_all_queries();
                game.0.seen
            };
            (play(|event| event.1), play(|event| event.2))
        });
        let differs = first.lines().zip(second.lines()).find(|(one, other)| one != other);
        prop_assert!(first == second, "{:?}", differs);
    }
}
