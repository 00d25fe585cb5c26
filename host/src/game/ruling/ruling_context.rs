//! The context of one ruling: who gives which line, under which ruling number, and the source of its dice and answers.
//! It is borrowed for one line and passed down; no part of it is kept.

use crate::game::ruling::caller::Caller;
use crate::game::ruling::input_source::{GivenAnswer, SharedInputs};
use crate::game::ruling::policy::SharedPolicy;
use crate::game::ruling::resumption::Resumption;
use crate::game::ruling::waiting_ruling::Waiting;
use crate::game::timeline::input::{Input, ORDER};
use crate::script::Checks;

/// Who gives a line.
#[derive(Clone, Copy, Debug)]
pub struct Giver<'a> {
    /// Whose line it is: `gm` or the name of a seat; `order`, `policy`, `deadline` where nobody gives it in person.
    pub seat: &'a str,
    /// Who typed it on behalf of the seat, if somebody else did.
    pub entered_by: Option<&'a str>,
}

/// Who is there to answer beside those who are asked.
#[derive(Clone, Debug)]
pub struct Responders {
    /// Whether somebody is there to say what becomes of a command in which a rule breaks.
    pub attended: bool,
    /// Whatever answers questions at once; without it people are asked.
    pub policy: Option<SharedPolicy>,
    /// What becomes of a line that moves the game on while people owe answers.
    pub unanswered: UnansweredPolicy,
}

/// What becomes of a line that moves the game on while people owe answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnansweredPolicy {
    /// The game moves on without a word, as where nobody reads along.
    #[default]
    Passed,
    /// The game moves on, and it is told who owes what.
    Told,
    /// It is refused, unless the line says that it is meant.
    Refused,
}

impl Default for Responders {
    fn default() -> Responders {
        Responders {
            attended: true,
            policy: None,
            unanswered: UnansweredPolicy::default(),
        }
    }
}

impl Responders {
    /// Lets something answer all questions at once from now on; without one, people are asked.
    pub fn answer_with_policy(&mut self, policy: Option<SharedPolicy>) {
        self.policy = policy;
    }

    /// Returns the same where nobody is there to ask when a rule breaks.
    #[must_use]
    pub fn unattended(&self) -> Responders {
        Responders {
            attended: false,
            unanswered: UnansweredPolicy::Passed,
            ..self.clone()
        }
    }
}

/// The slot that a ruling stands in.
#[derive(Clone, Copy)]
pub(in crate::game) enum Slot<'a> {
    /// The next one of the history.
    Next,
    /// That of a ruling that waited and goes on.
    Held(&'a Resumption),
}

/// Where the dice and answers of a ruling come from.
#[derive(Clone, Copy)]
pub(in crate::game) enum Inputs<'a> {
    /// Dice that were typed, then the seed; answers of standing answers and policies. What a ruling used that waited comes
    /// first.
    Live,
    /// The same, behind the answer at an address with which it begins.
    Answered(&'a str, &'a GivenAnswer),
    /// A source of its own: a record, a rerun, a preview.
    Source(&'a SharedInputs),
    /// As live ones; a correction that is done again knows what it drew, and how it found what answers belong to.
    Drawn(&'a [Input], Manner),
}

/// How a correction finds the question that a later answer belongs to, and how it is told. What is recorded is done again
/// in the manner of then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::game) enum Manner {
    /// By the row that asked, told in cells: as it was before answers belonged to the person asked.
    Rows,
    /// By who is asked, by which rule, for which key, in which ruling; told in the words of the game.
    Asked,
    /// The same; the person who gave a line that does not count any more is told, too.
    Lines,
    /// The same; compared with what earlier corrections left standing. Readers who were told something by a ruling that
    /// is refused then are told so, and it is noted at which phase each ruling stands.
    Standing,
    /// The same; told in plain words.
    #[default]
    Plain,
}

impl Manner {
    /// Returns whether answers belong to the person asked.
    pub(in crate::game) fn counts_as_asked_person(self) -> bool {
        self >= Manner::Asked
    }
}

/// Whether it is noted what happens in a ruling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) enum Trace {
    /// It is not.
    Off,
    /// It is.
    On,
}

/// All that one ruling is given.
#[derive(Clone, Copy)]
pub struct Ruling<'a> {
    /// Who gives it.
    pub giver: Giver<'a>,
    /// The line as it was given.
    pub line: &'a str,
    pub(in crate::game) slot: Slot<'a>,
    pub(in crate::game) inputs: Inputs<'a>,
    /// What stands behind it beside the game.
    pub caller: &'a Caller<'a>,
    pub(in crate::game) trace: Trace,
    /// By which checks the calls of its rules are held.
    pub(in crate::game) checks: Checks,
}

impl<'a> Ruling<'a> {
    /// Returns what a line of somebody is given in play.
    pub fn live(seat: &'a str, line: &'a str, caller: &'a Caller<'a>) -> Ruling<'a> {
        let entered_by = None;
        Ruling {
            giver: Giver { seat, entered_by },
            line,
            slot: Slot::Next,
            inputs: Inputs::Live,
            caller,
            trace: Trace::Off,
            checks: Checks::Now,
        }
    }

    /// Returns the same for a line that is done as it was done once, by a program that may have had fewer checks.
    #[must_use]
    pub fn of_the_past(self) -> Ruling<'a> {
        Ruling {
            checks: Checks::Then,
            ..self
        }
    }

    /// Returns whose line it is.
    pub fn by(&self) -> &'a str {
        self.giver.seat
    }

    /// Returns the same for another line of somebody, in the next slot.
    #[must_use]
    pub(in crate::game) fn with_line(&self, seat: &'a str, line: &'a str) -> Ruling<'a> {
        Ruling {
            trace: self.trace,
            checks: self.checks,
            ..Ruling::live(seat, line, self.caller)
        }
    }

    /// Returns how a ruling that waited goes on with it, if it is one.
    pub(in crate::game) fn resumption(&self) -> Option<&'a Resumption> {
        match self.slot {
            Slot::Held(resumption) => Some(resumption),
            Slot::Next => None,
        }
    }

    /// Returns the ruling that waited and goes on with it, if it is one.
    pub(in crate::game) fn waiting_ruling(&self) -> Option<&'a Waiting> {
        self.resumption().map(|resumption| &resumption.waiting)
    }

    /// Returns what is recorded as its line and its giver: those of the answer, where it goes on with one.
    pub(in crate::game) fn recorded_giver_and_line(&self) -> (Giver<'a>, &'a str) {
        match self.slot {
            Slot::Held(resumption) => (resumption.giver(), &resumption.line),
            Slot::Next => (self.giver, self.line),
        }
    }

    /// Returns whether a standing answer lets a ruling go on that waited.
    pub(in crate::game) fn is_continued_by_order(&self) -> bool {
        self.resumption()
            .is_some_and(|resumption| resumption.by == ORDER)
    }

    /// Returns whether its source knows the file of a path already, so that it is not read again.
    pub(in crate::game) fn knows_file(&self, path: &str) -> bool {
        if let Inputs::Source(input_source) = self.inputs {
            return input_source.knows_file(path);
        }
        let transcript = self.waiting_ruling().map_or(&[][..], |one| &one.transcript);
        transcript.iter().any(|one| one.is_file(path))
    }
}
