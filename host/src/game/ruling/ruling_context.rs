//! The context of one ruling: its giver, its line, its ruling number, and the source of its dice and answers. It is
//! borrowed for one line and passed down; no part of it is kept.

use crate::game::ruling::caller::Caller;
use crate::game::ruling::input_source::{GivenAnswer, SharedInputs};
use crate::game::ruling::policy::SharedPolicy;
use crate::game::ruling::resumption::Resumption;
use crate::game::ruling::waiting_ruling::Waiting;
use crate::game::timeline::input::{Input, ORDER};
use crate::script::Checks;

/// The giver of a line.
#[derive(Clone, Copy, Debug)]
pub struct Giver<'a> {
    /// The seat of the line: `gm` or the name of a seat; `order`, `policy`, `deadline` if no person gives it.
    pub seat: &'a str,
    /// The person who typed it for the seat, if that was another person.
    pub entered_by: Option<&'a str>,
}

/// The responders besides the people who are asked.
#[derive(Clone, Debug)]
pub struct Responders {
    /// Whether a person is present to decide about a command in which a rule fails.
    pub attended: bool,
    /// The policy that answers questions at once; without it people are asked.
    pub policy: Option<SharedPolicy>,
    /// The treatment of a line that moves the game on while answers are missing.
    pub unanswered: UnansweredPolicy,
}

/// The treatment of a line that moves the game on while answers are missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnansweredPolicy {
    /// The game moves on without a message, for example if no person reads along.
    #[default]
    Passed,
    /// The game moves on, and the missing answers are reported.
    Told,
    /// The line is refused, unless it contains a confirmation.
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
    /// Lets a policy answer all questions at once from now on; without one, people are asked.
    pub fn answer_with_policy(&mut self, policy: Option<SharedPolicy>) {
        self.policy = policy;
    }

    /// Returns the responders without a person to decide when a rule fails.
    #[must_use]
    pub fn unattended(&self) -> Responders {
        Responders {
            attended: false,
            unanswered: UnansweredPolicy::Passed,
            ..self.clone()
        }
    }
}

/// The ruling number of a ruling.
#[derive(Clone, Copy)]
pub(in crate::game) enum RulingNumber<'a> {
    /// The next one of the history.
    Next,
    /// The number of a ruling that waited and now continues.
    Held(&'a Resumption),
}

/// The source of the dice and answers of a ruling.
#[derive(Clone, Copy)]
pub(in crate::game) enum Inputs<'a> {
    /// Typed dice, then the seed; answers of standing answers and policies. If the ruling waited, its used inputs come
    /// first.
    Live,
    /// The same, after the answer at an address with which it begins.
    Answered(&'a str, &'a GivenAnswer),
    /// A separate source: a record, a rerun, a preview.
    Source(&'a SharedInputs),
    /// The same as live inputs. A correction that is redone has its earlier rolls and its manner of finding the
    /// questions of answers.
    Drawn(&'a [Input], Manner),
}

/// The manner in which a correction finds the question of a later answer, and in which it is reported. A recorded
/// correction is redone in its original manner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::game) enum Manner {
    /// By the row that asked; reported in cells. This is the manner from before answers belonged to the person asked.
    Rows,
    /// By the person asked, the rule, the key and the ruling; reported in the words of the game.
    Asked,
    /// The same; a person whose line does not count any more also gets a report.
    Lines,
    /// The same; compared with the results that earlier corrections left valid. If a refused ruling had output for
    /// readers, they get a report of the refusal. The phase of each ruling is noted.
    Standing,
    /// The same; reported in plain words.
    Plain,
    /// The same; waiting rulings are named by their log lines, and a replaced ruling lists only lines that are gone.
    #[default]
    LogLines,
}

impl Manner {
    /// Returns whether the question of an answer is found by the person asked.
    pub(in crate::game) fn finds_questions_by_person_asked(self) -> bool {
        self >= Manner::Asked
    }
}

/// Whether the events in a ruling are traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::game) enum Trace {
    /// They are not traced.
    Off,
    /// They are traced.
    On,
}

/// The context of one ruling.
#[derive(Clone, Copy)]
pub struct Ruling<'a> {
    /// Its giver.
    pub giver: Giver<'a>,
    /// The line as it was given.
    pub line: &'a str,
    pub(in crate::game) ruling_number: RulingNumber<'a>,
    pub(in crate::game) inputs: Inputs<'a>,
    /// Its surroundings besides the game.
    pub caller: &'a Caller<'a>,
    pub(in crate::game) trace: Trace,
    /// The checks for the calls of its rules.
    pub(in crate::game) checks: Checks,
}

impl<'a> Ruling<'a> {
    /// Returns the context of a line in play.
    pub fn live(seat: &'a str, line: &'a str, caller: &'a Caller<'a>) -> Ruling<'a> {
        let entered_by = None;
        Ruling {
            giver: Giver { seat, entered_by },
            line,
            ruling_number: RulingNumber::Next,
            inputs: Inputs::Live,
            caller,
            trace: Trace::Off,
            checks: Checks::Now,
        }
    }

    /// Returns the context with the checks of the past, for a line that an earlier program ran with fewer checks.
    #[must_use]
    pub fn with_checks_of_the_past(self) -> Ruling<'a> {
        Ruling {
            checks: Checks::Then,
            ..self
        }
    }

    /// Returns the seat of the line.
    pub fn by(&self) -> &'a str {
        self.giver.seat
    }

    /// Returns the context of another line of a seat, with the next ruling number.
    #[must_use]
    pub(in crate::game) fn with_line(&self, seat: &'a str, line: &'a str) -> Ruling<'a> {
        Ruling {
            trace: self.trace,
            checks: self.checks,
            ..Ruling::live(seat, line, self.caller)
        }
    }

    /// Returns the resumption of a ruling that waited, if it is one.
    pub(in crate::game) fn resumption(&self) -> Option<&'a Resumption> {
        match self.ruling_number {
            RulingNumber::Held(resumption) => Some(resumption),
            RulingNumber::Next => None,
        }
    }

    /// Returns the ruling that waited and continues, if it is one.
    pub(in crate::game) fn waiting_ruling(&self) -> Option<&'a Waiting> {
        self.resumption().map(|resumption| &resumption.waiting)
    }

    /// Returns the recorded line and giver: the line and giver of the answer, if the ruling continues with an answer.
    pub(in crate::game) fn recorded_giver_and_line(&self) -> (Giver<'a>, &'a str) {
        match self.ruling_number {
            RulingNumber::Held(resumption) => (resumption.giver(), &resumption.line),
            RulingNumber::Next => (self.giver, self.line),
        }
    }

    /// Returns whether a standing answer continues a ruling that waited.
    pub(in crate::game) fn is_continued_by_standing_answer(&self) -> bool {
        self.resumption()
            .is_some_and(|resumption| resumption.by == ORDER)
    }

    /// Returns whether the input source of the ruling has the file of a path already, so the file is not read again.
    pub(in crate::game) fn knows_file(&self, path: &str) -> bool {
        if let Inputs::Source(input_source) = self.inputs {
            return input_source.knows_file(path);
        }
        let transcript = self.waiting_ruling().map_or(&[][..], |one| &one.transcript);
        transcript.iter().any(|one| one.is_file_of_path(path))
    }
}
