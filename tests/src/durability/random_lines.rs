//! Random lines of a game: most of them are rulings, some are queries, some are wrong, some are answers.

use host::dice::Draw;
use host::game::Stream;

/// Random lines of a game.
pub struct Lines {
    chance: Stream,
}

impl Lines {
    /// Returns the random lines for a seed.
    pub fn new(seed: u64) -> Lines {
        Lines {
            chance: Stream::new(seed),
        }
    }

    /// Returns a random number below a limit.
    pub fn random_below(&mut self, many: u32) -> u32 {
        self.chance.draw(many).expect("a stream never ends") - 1
    }

    /// Returns a random one of some texts.
    pub fn pick_one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        let many = u32::try_from(of.len()).expect("a few");
        of[self.random_below(many) as usize]
    }

    /// Returns a random line for a ruleset.
    pub fn line_of_ruleset(&mut self, ruleset: &str) -> String {
        match ruleset {
            "fortune" => match self.random_below(11) {
                0 => self.pick_one(&["undo", "undo", "redo"]).to_owned(),
                _ => self.fortune_line(),
            },
            _ => self.line_of_lasting_commands(),
        }
    }

    /// Returns a random line for [`crate::Scratch::with_lasting_commands`].
    pub fn line_of_lasting_commands(&mut self) -> String {
        let person = self.pick_one(&["Ann", "Bo", "ann", "Nobody"]);
        match self.random_below(26) {
            20..=25 => self.correcting_line(),
            0..=3 => format!("charm {person} with {}", self.pick_one(&["cheer", "gloom"])),
            4..=6 => format!(
                "throw {}",
                self.pick_one(&["3d6", "4d6kh3+2", "d20!", "2d6r1"])
            ),
            7 => format!("mood {person}"),
            8 | 9 => self.pick_one(&["undo", "undo", "redo"]).to_owned(),
            10 => format!("dare {person}"),
            11 => "duel".to_owned(),
            12..=14 => format!("answer {}", self.pick_one(&["yes", "no", "perhaps"])),
            15 => self.pick_one(&["drop", "restart", "questions"]).to_owned(),
            16 => format!("raise {person} to {}", self.pick_one(&["0", "1"])),
            17 => format!("as {}", self.pick_one(&["Ann", "Bo", "gm", "gm", "gm"])),
            18 => format!(
                "dice {}",
                self.pick_one(&["next 3 d6:2 5", "next 999", "next d6:7", "clear"])
            ),
            _ => self.rare_line(),
        }
    }

    /// Returns a line that stores records of the host, or that corrects the past.
    fn correcting_line(&mut self) -> String {
        let (of, seat) = (self.random_below(24) + 2, self.pick_one(&["Ann", "Bo"]));
        match self.random_below(12) {
            0 | 1 => format!("revert {of} yes"),
            2 | 3 => format!("replace {of} yes with {}", self.pick_one(OTHERS)),
            4 => format!(
                "for {seat}: {}",
                self.pick_one(&["answer yes", "answer no", "salt x"])
            ),
            5 => format!("for {seat}: dispute {} it fell off the table", of / 2),
            6 => format!("dispute {of} it was said otherwise"),
            7 => format!(
                "settle {of} {}",
                self.pick_one(&["it stays", "it is thrown again"])
            ),
            8 => format!("for {seat}: throw 2d6"),
            9 => format!(
                "set {seat} mood {} because {seat} slept",
                self.random_below(5)
            ),
            10 => format!("order sure {}", self.pick_one(&["yes", "off"])),
            _ => self
                .pick_one(&["reveal and roll on", "salt y", "log disputes"])
                .to_owned(),
        }
    }

    fn rare_line(&mut self) -> String {
        match self.random_below(8) {
            0 => format!("hoard {}", self.random_below(3)),
            1 => "reload".to_owned(),
            2 => "skirmish".to_owned(),
            3 => "turn".to_owned(),
            4 => "next".to_owned(),
            5 => "log 3".to_owned(),
            6 => "= act:set('ann', 'mood', 9)".to_owned(),
            _ => "why Ann mood".to_owned(),
        }
    }

    /// Returns a random line for the ruleset with dice pools.
    pub fn fortune_line(&mut self) -> String {
        let who = self.pick_one(&["Mara", "Ostin", "Pell", "Rusted Sluice", "Nobody"]);
        let roll = self.random_below(9) + 1;
        match self.random_below(10) {
            0..=2 => format!("pool {who} {}", self.pick_one(REQUESTS)),
            3 | 4 => format!("choose {} for {roll}", self.pick_one(CHOICES)),
            5 => format!("edit {roll} {}", self.pick_one(REQUESTS)),
            6 => format!("option {}", self.pick_one(OPTIONS)),
            7 => format!(
                "dice {}",
                self.pick_one(&["next 1 5 3", "next 20 8 8 8", "next 2 d7:1", "clear"])
            ),
            8 => format!(
                "set {who} {}",
                self.pick_one(&["Drive d12", "Drive d7", "hope + 1", "player Ann"])
            ),
            _ => self
                .pick_one(&[
                    "inspiration",
                    "rolls",
                    "odds d8 vs 12",
                    "options",
                    "scene",
                    "play Toll Night",
                ])
                .to_owned(),
        }
    }
}

const OTHERS: &[&str] = &[
    "throw 3d6",
    "charm Bo with gloom",
    "answer no",
    "set Ann mood 3 because of the weather",
    "drop",
];

const REQUESTS: &[&str] = &[
    "d8 d6",
    "Drive Style vs 12",
    "d10 d8 advantage",
    "d6 disadvantage vs 9",
    "d12 overwhelmed",
    "as counter",
    "d8 counter of 1",
    "as counter to 2",
    "d7",
    "d8 vs 25 burst",
    "2d10 staggered overwhelmed",
    "",
];
const CHOICES: &[&str] = &[
    "use d8,d6",
    "crit impact",
    "crit inspiration",
    "fumble d8",
    "scratch d20",
    "vs 11",
    "counter of 1",
];
const OPTIONS: &[&str] = &[
    "stress post-value",
    "stress pre-size",
    "advantage_keep both",
    "countered_impact full",
    "fumble_scratch ask",
    "crit_needs_use true",
    "weather fine",
];
