//! The content of a profile: processor time and fuel by stack, rule and line.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::time::Duration;

/// The cost of a piece of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Processor time of its thread.
    pub time: Duration,
    /// Fuel, in the unit of the limits.
    pub fuel: u64,
    /// The number of samples.
    pub samples: u64,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.time += other.time;
        self.fuel += other.fuel;
        self.samples += other.samples;
    }
}

/// The kinds of work of the host, for scripts and beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    /// Events and queues: finding recipients, and the present turn.
    Events,
    /// Reads the game.
    Reads,
    /// Changes the game.
    Writes,
    /// Emits messages, asks questions.
    Documents,
    /// Turns values of scripts into plain data, and back.
    Conversions,
    /// Collects garbage of scripts.
    Collector,
    /// Functions that have nothing to do with the game: texts, phrases, expressions, documents.
    Library,
    /// Work while no script runs.
    Beside,
}

impl Work {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Work; 8] = [
        Work::Events,
        Work::Reads,
        Work::Writes,
        Work::Documents,
        Work::Conversions,
        Work::Collector,
        Work::Library,
        Work::Beside,
    ];

    /// Returns the word that frames begin with.
    pub fn frame_word(self) -> &'static str {
        match self {
            Work::Events => "events",
            Work::Reads => "reads",
            Work::Writes => "writes",
            Work::Documents => "documents",
            Work::Conversions => "conversions",
            Work::Collector => "collector",
            Work::Library => "library",
            Work::Beside => "beside rules",
        }
    }

    /// Returns the frame of a piece of work of this kind.
    pub(super) fn frame_name(self, what: &str) -> String {
        match what {
            "" => format!("[{}]", self.frame_word()),
            what => format!("[{}] {what}", self.frame_word()),
        }
    }

    /// Returns the kind of a frame, if it is a frame of the host.
    pub fn from_frame_name(frame: &str) -> Option<Work> {
        let word = frame.strip_prefix('[')?.split(']').next()?;
        Work::ALL.into_iter().find(|work| work.frame_word() == word)
    }
}

/// One frame of a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// A function of a script, and the line at which it is.
    Script { function: String, line: String },
    /// The host.
    Host(String),
}

impl Frame {
    fn name(&self) -> &str {
        match self {
            Frame::Script { function, .. } => function,
            Frame::Host(name) => name,
        }
    }
}

/// The places where processor time and fuel were used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    stacks: BTreeMap<Vec<String>, Cost>,
    rules: BTreeMap<String, Cost>,
    lines: BTreeMap<String, Cost>,
}

impl Profile {
    /// Adds the cost of a sample at a stack, the outermost frame first.
    pub(super) fn add(&mut self, rule: Option<&str>, stack: &[Frame], cost: Cost) {
        let names = stack.iter().map(|frame| frame.name().to_owned());
        *self.stacks.entry(names.collect()).or_default() += cost;
        if let Some(rule) = rule {
            *self.rules.entry(rule.to_owned()).or_default() += cost;
        }
        let line = stack.iter().rev().find_map(|frame| match frame {
            Frame::Script { line, .. } => Some(line),
            Frame::Host(_) => None,
        });
        if let Some(line) = line {
            *self.lines.entry(line.clone()).or_default() += cost;
        }
    }

    /// Returns all of it.
    pub fn total_cost(&self) -> Cost {
        sum_costs(self.stacks.values())
    }

    /// Returns the cost of each rule with everything that it called, the most expensive first.
    pub fn cost_by_rule(&self) -> Vec<(&str, Cost)> {
        let rules = self.rules.iter();
        most_expensive_first(rules.map(|(rule, cost)| (rule.as_str(), *cost)))
    }

    /// Returns the cost of each line of a script, with the work of the host for it, the most expensive first.
    pub fn cost_by_line(&self) -> Vec<(&str, Cost)> {
        let lines = self.lines.iter();
        most_expensive_first(lines.map(|(line, cost)| (line.as_str(), *cost)))
    }

    /// Returns the cost of each function by itself, and with everything that it called. The function with the highest
    /// own cost comes first.
    pub fn cost_by_function(&self) -> Vec<(&str, Cost, Cost)> {
        let mut found: BTreeMap<&str, (Cost, Cost)> = BTreeMap::new();
        for (stack, cost) in &self.stacks {
            if let Some(own) = stack.last() {
                found.entry(own).or_default().0 += *cost;
            }
            for (at, frame) in stack.iter().enumerate() {
                // A recursive function is counted once.
                if !stack[..at].contains(frame) {
                    found.entry(frame).or_default().1 += *cost;
                }
            }
        }
        let mut found: Vec<(&str, Cost, Cost)> = found
            .into_iter()
            .map(|(name, (own, all))| (name, own, all))
            .collect();
        found.sort_by_key(|(name, own, _)| (std::cmp::Reverse(own.time), *name));
        found
    }

    /// Returns the cost of the host by kind.
    pub fn cost_by_work(&self) -> Vec<(Work, Cost)> {
        let of = |work: Work| {
            let own = self.stacks.iter().filter(move |(stack, _)| {
                let frame = stack.last().map(String::as_str);
                frame.and_then(Work::from_frame_name) == Some(work)
            });
            sum_costs(own.map(|(_, cost)| cost))
        };
        Work::ALL.into_iter().map(|work| (work, of(work))).collect()
    }

    /// Returns each stack in one line with its microseconds, as tools that draw them read it.
    pub fn folded_stacks(&self) -> Vec<String> {
        let stacks = self.stacks.iter();
        let lines = stacks.map(|(stack, cost)| {
            let names = stack.iter().map(|name| name.replace(';', ","));
            let names: Vec<String> = names.collect();
            format!("{} {}", names.join(";"), cost.time.as_micros())
        });
        lines.collect()
    }
}

fn sum_costs<'a>(all: impl Iterator<Item = &'a Cost>) -> Cost {
    all.fold(Cost::default(), |mut sum, one| {
        sum += *one;
        sum
    })
}

fn most_expensive_first<'a>(all: impl Iterator<Item = (&'a str, Cost)>) -> Vec<(&'a str, Cost)> {
    let mut all: Vec<(&str, Cost)> = all.collect();
    all.sort_by_key(|(name, cost)| (std::cmp::Reverse(cost.time), *name));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(time: u64) -> Cost {
        Cost {
            time: Duration::from_micros(time),
            fuel: time * 2,
            samples: 1,
        }
    }

    fn script(function: &str, line: &str) -> Frame {
        Frame::Script {
            function: format!("a.luau:{function}"),
            line: format!("a.luau:{line}"),
        }
    }

    fn profile() -> Profile {
        let mut profile = Profile::default();
        let read = Frame::Host(Work::Reads.frame_name("act:get"));
        let (run, walk) = (script("run", "3"), script("walk", "9"));
        profile.add(Some("commands/go"), std::slice::from_ref(&run), cost(10));
        let walks = [run, walk.clone(), walk, read];
        profile.add(Some("charms/luck"), &walks, cost(30));
        profile.add(None, &[Frame::Host(Work::Beside.frame_name(""))], cost(5));
        profile
    }

    #[test]
    fn all_that_was_met_is_in_each_view() {
        let profile = profile();
        assert_eq!(profile.total_cost().time, Duration::from_micros(45));
        assert_eq!(profile.total_cost().samples, 3);
        let rules: Vec<&str> = profile
            .cost_by_rule()
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(rules, ["charms/luck", "commands/go"]);
        assert_eq!(profile.cost_by_line()[0], ("a.luau:9", cost(30)));
    }

    #[test]
    fn a_function_that_calls_itself_is_counted_once() {
        let profile = profile();
        let walk = profile.cost_by_function().into_iter();
        let (_, own, all) = walk
            .clone()
            .find(|(name, ..)| *name == "a.luau:walk")
            .unwrap();
        assert_eq!((own, all), (Cost::default(), cost(30)));
        let first = walk.clone().next().unwrap();
        assert_eq!((first.0, first.1), ("[reads] act:get", cost(30)));
    }

    #[test]
    fn the_work_of_the_host_is_told_by_kind() {
        let work: BTreeMap<Work, Cost> = profile().cost_by_work().into_iter().collect();
        assert_eq!(work[&Work::Reads], cost(30));
        assert_eq!(work[&Work::Beside], cost(5));
        assert_eq!(work[&Work::Writes], Cost::default());
        for work in Work::ALL {
            assert_eq!(Work::from_frame_name(&work.frame_name("x")), Some(work));
        }
        assert_eq!(Work::from_frame_name("a.luau:run"), None);
    }

    #[test]
    fn stacks_are_folded_to_lines() {
        assert_eq!(
            profile().folded_stacks(),
            [
                "[beside rules] 5",
                "a.luau:run 10",
                "a.luau:run;a.luau:walk;a.luau:walk;[reads] act:get 30"
            ]
        );
    }
}
