//! One ruling while its script runs: the state that it changes, its chance, its messages.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::dice::Budget;
use crate::doc::Document;
use crate::script::border::GM;
use crate::script::border::named_file::NamedFile;
use crate::script::run::cause::{Cause, Causes};
use crate::script::run::chance::{Chance, NoChance};
use crate::script::run::checks_in_force::Checks;
use crate::script::run::event_frame::{Frame, Savepoint};
use crate::script::run::past_changes::Past;
use crate::script::run::run_record::Recorded;
use crate::script::run::seats::Seats;
use crate::script::run::trace::{Line, Trace};
use crate::script::run::transient_queues::Transient;
use crate::script::run::watch_counts::Watching;
use crate::store::State;
use crate::value::{Name, Names, Text, Value};

pub(crate) mod cause;
pub(crate) mod cause_chain;
pub(crate) mod chance;
pub(crate) mod checks_in_force;
pub(crate) mod deadline;
pub(crate) mod event;
pub(crate) mod event_cursor;
pub(crate) mod event_fields;
pub(crate) mod event_frame;
pub(crate) mod event_recipients;
pub(crate) mod handler_filters;
pub(crate) mod handler_interpreter;
pub(crate) mod keyed_handler;
pub(crate) mod listeners;
pub(crate) mod passed_over_handlers;
pub(crate) mod past_changes;
pub(crate) mod question;
pub(crate) mod question_numbers;
pub(crate) mod read_handler;
pub(crate) mod recipient;
pub(crate) mod recipient_order;
pub(crate) mod reserved_ids;
pub(crate) mod run_record;
pub(crate) mod seats;
pub(crate) mod trace;
pub(crate) mod transient_queues;
pub(crate) mod visibility;
pub(crate) mod watch_counts;

/// A ruling while its script runs.
pub struct Run {
    /// The state it reads and changes.
    pub state: State,
    /// Its dice.
    pub chance: Box<dyn Chance>,
    /// Dice that it may still roll.
    pub dice: Budget,
    /// The documents that it emitted so far.
    pub documents: Vec<Document>,
    /// Lines that it adds to its documents at its end.
    pub lines: Vec<Text>,
    /// How many of them were emitted.
    pub lines_said: usize,
    /// The entries of queues that last no longer than the run.
    pub(crate) transient: Transient,
    /// Bytes of documents that it may still emit.
    pub output_left: usize,
    /// The giver of the command.
    pub by: String,
    /// The ruling number, 0 if the run is not a ruling.
    pub slot: u64,
    /// The log line of the game master that it becomes, 0 if it becomes none.
    pub log_line: u64,
    /// The area of its refusal codes.
    pub area: String,
    /// The cause of the ruling: kept with each record it attaches, and with its operation.
    pub cause: Value,
    /// The events that are being emitted, and the tree of causes.
    pub(crate) motion: Motion,
    /// Whether a person is there to decide about a command in which a rule fails.
    pub is_attended: bool,
    /// Whether the causes are read: rules are called by name then.
    pub tells_causes: bool,
    /// Whether it may only look.
    pub query: bool,
    /// Whether it may use chance although it may only look.
    pub(crate) may_draw: bool,
    /// The step of a plan that it is at, if it runs one.
    pub step: Option<String>,
    /// The past, if it may be asked for: a run that only looks leaves nothing.
    pub past: Option<Box<dyn Past>>,
    /// The files that its line names.
    pub files: Vec<Rc<NamedFile>>,
    /// The position in the log of the state when the run began, and when `settled` was emitted last.
    pub(crate) begun_at: usize,
    pub(crate) settled: usize,
    /// The version of the state at which events rest that are emitted until nothing is written.
    pub(crate) quiet_events: HashMap<Rc<str>, u64>,
    /// The fields and kinds that handlers watch, and how often they were written when the handlers ran last.
    pub(crate) watching: Watching,
    /// The version of the state when a script first asked for it.
    pub(crate) first_version: Option<u64>,
    /// The parts of the state that scripts watch, by the number that scripts use for them.
    pub(crate) watched: Vec<Box<[u16]>>,
    /// The version of the state in which ends were last tested for expressions that turned true.
    pub(crate) ends_tested: Option<u64>,
    /// The checks that apply to its calls.
    pub checks: Checks,
    /// The rules that failed when the command went on without them, each with its name or its row, and the place where
    /// it failed.
    pub(crate) skipped: HashSet<(Text, Option<Text>, Option<String>)>,
    /// The seats that the ruleset returned last, and the version of the state then.
    pub(crate) known_seats: Option<(u64, Rc<Seats>)>,
}

impl Run {
    /// Returns a run of the game master that changes a state. It has no documents yet.
    pub fn new(state: State, chance: Box<dyn Chance>, area: &str) -> Run {
        let begun_at = state.mark().position();
        Run {
            state,
            chance,
            dice: Budget::default(),
            documents: Vec::new(),
            lines: Vec::new(),
            lines_said: 0,
            transient: Transient::default(),
            output_left: 0,
            by: GM.to_owned(),
            slot: 0,
            log_line: 0,
            area: area.to_owned(),
            cause: Value::Nil,
            motion: Motion::default(),
            is_attended: false,
            tells_causes: true,
            query: false,
            may_draw: false,
            step: None,
            past: None,
            files: Vec::new(),
            begun_at,
            settled: begun_at,
            quiet_events: HashMap::new(),
            watching: Watching::default(),
            first_version: None,
            watched: Vec::new(),
            ends_tested: None,
            checks: Checks::Now,
            skipped: HashSet::new(),
            known_seats: None,
        }
    }

    /// Returns a run that may only look, and rolls nothing.
    pub fn read_only(state: State, area: &str) -> Run {
        Run {
            query: true,
            ..Run::new(state, Box::new(NoChance), area)
        }
    }

    /// Starts the trace of the run. `rule` is the rule of its command.
    pub fn start_trace(&mut self, rule: &str) {
        let root = Value::map([("rule", Value::from(rule))]);
        self.motion.causes.trace = Some(Box::new(Trace::new(root, &self.state)));
    }

    /// Takes the steps of a traced run, and how many lines were left out.
    pub fn take_trace(&mut self) -> (Vec<Line>, usize) {
        let Some(mut trace) = self.motion.causes.trace.take() else {
            return (Vec::new(), 0);
        };
        trace.add_writes(&self.state, &[]);
        trace.into_lines()
    }

    /// Takes the run record: the data for people.
    pub fn take_run_record(&mut self) -> Recorded {
        std::mem::take(&mut self.motion.recorded)
    }

    /// Returns the number of its writes that were not rolled back.
    pub(crate) fn valid_write_count(&self) -> usize {
        self.state.mark().position() - self.begun_at
    }

    /// Returns whether there is a write that the trace does not hold yet.
    pub(crate) fn has_untraced_writes(&self) -> bool {
        let trace = self.motion.causes.trace.as_deref();
        trace.is_some_and(|trace| trace.has_new_writes(&self.state))
    }

    /// Returns whether the steps of the run are noted.
    pub(crate) fn is_traced(&self) -> bool {
        self.motion.causes.trace.is_some()
    }

    /// Returns the cause that a record keeps: the ruling, and the rule at work in it.
    pub(crate) fn cause_for_record(&self, names: &Names) -> Option<Value> {
        if self.cause.is_nil() {
            return None;
        }
        let Some(rule) = self.motion.causes.handler_rule() else {
            return Some(self.cause.clone());
        };
        let ruling = ("ruling", self.cause.get("ruling").clone());
        Some(Value::map([
            ruling,
            ("rule", Value::Text(names.text(rule))),
        ]))
    }

    /// Rolls back the effects of the handler of the present turn, and returns that handler.
    pub(crate) fn roll_back_current_handler(&mut self) -> Option<TakenBack> {
        let frame = self.motion.frames.last()?;
        let (at, savepoint, parent) = (frame.at?, frame.savepoint?, frame.parent);
        let recipient = frame.recipients.get(at)?;
        let listener = &frame.event.listeners[recipient.listener];
        let (what, row) = match self.motion.causes.cause_by_number(savepoint.cause) {
            Cause::Work { what, row } => (Some(what.clone()), *row),
            _ => (None, Some(recipient.element)),
        };
        let taken_back = TakenBack {
            rule: listener.rule,
            key: listener.work.key().cloned(),
            what,
            element: row,
            at,
        };
        self.roll_back_to_savepoint(&savepoint, parent);
        Some(taken_back)
    }

    /// Returns the name of the innermost rule at work.
    pub(crate) fn rule_at_work(&self) -> Option<Text> {
        let guard = self.motion.guards.last();
        let inside = guard.map_or(0, |guard| guard.events);
        let frames = self.motion.frames.get(inside..).unwrap_or_default();
        let handler = frames.iter().rev().find_map(|frame| {
            let recipient = frame.recipients.get(frame.at?)?;
            Some(frame.event.listeners[recipient.listener].rule)
        });
        match handler {
            Some(rule) => Some(self.state.names().text(rule)),
            None => guard.map(|guard| guard.rule.clone()),
        }
    }

    /// Rolls back all effects since a savepoint, and resumes the cause above.
    pub(crate) fn roll_back_to_savepoint(&mut self, savepoint: &Savepoint, above: u32) {
        self.state.rollback(savepoint.mark);
        self.documents.truncate(savepoint.documents);
        self.lines.truncate(savepoint.lines);
        self.lines_said = self.lines_said.min(savepoint.lines);
        self.motion.limits_told.truncate(savepoint.limits_told);
        self.transient.roll_back(savepoint.transient);
        // Handlers that watch fields and ran may have to run again: their effects are taken back.
        self.watching = Watching::default();
        self.output_left = savepoint.output_left;
        for (depth, frame) in self.motion.frames.iter_mut().enumerate() {
            frame.repeats = savepoint.repeats >> depth & 1 == 1;
        }
        let causes = &mut self.motion.causes;
        causes.forget_rolled_back((savepoint.mark, savepoint.cause));
        causes.resume_cause(above, &self.state);
    }

    /// Ends the emission of the innermost event. Returns whether it is emitted again.
    pub(crate) fn end_innermost_event(&mut self) -> bool {
        let Some(frame) = self.motion.frames.pop() else {
            return false;
        };
        self.motion.causes.resume_cause(frame.parent, &self.state);
        frame.repeats
    }

    /// Returns the savepoint for work that begins now, in case it fails. `cause` is the cause of the work.
    pub(crate) fn make_savepoint(&self, cause: u32) -> Savepoint {
        let frames = self.motion.frames.iter().enumerate();
        let repeats = frames.map(|(depth, frame)| u64::from(frame.repeats) << depth);
        Savepoint {
            mark: self.state.mark(),
            documents: self.documents.len(),
            lines: self.lines.len(),
            limits_told: self.motion.limits_told.len(),
            transient: self.transient.mark(),
            output_left: self.output_left,
            cause,
            repeats: repeats.sum(),
        }
    }

    /// Notes that a recipient of the innermost event is about to act: sets its savepoint, and makes it the cause from
    /// now on. Returns false if that is known already.
    pub(crate) fn begin_recipient_turn(&mut self, at: usize) -> bool {
        let Some(frame) = self.motion.frames.last() else {
            return false;
        };
        let Some(recipient) = frame.recipients.get(at).filter(|_| frame.at != Some(at)) else {
            return false;
        };
        let cause = Cause::Handler {
            rule: frame.event.listeners[recipient.listener].rule,
            element: recipient.element,
            event: Rc::clone(&frame.event.name),
        };
        self.begin_turn_as_cause(at, cause);
        true
    }

    /// Returns whether a handler that a schema read has its turn: it is the cause before it does anything.
    pub(crate) fn is_turn_of_read_handler(&self) -> bool {
        let frame = self.motion.frames.last();
        frame.is_some_and(|frame| {
            let recipient = frame.at.and_then(|at| frame.recipients.get(at));
            let listener = recipient.map(|one| &frame.event.listeners[one.listener]);
            listener.is_some_and(|one| one.work.key().is_some())
        })
    }

    /// Lets a recipient of the innermost event be the cause from now on, above a savepoint of its own.
    pub(crate) fn begin_turn_as_cause(&mut self, at: usize, cause: Cause) {
        let depth = self.motion.frames.len();
        let Some(parent) = self.motion.frames.last().map(|frame| frame.parent) else {
            return;
        };
        let causes = &mut self.motion.causes;
        causes.begin_handler_in_event(depth, (parent, cause), &self.state);
        let savepoint = self.make_savepoint(self.motion.causes.cause_at_work());
        if let Some(frame) = self.motion.frames.last_mut() {
            (frame.at, frame.savepoint) = (Some(at), Some(savepoint));
        }
    }
}

/// The present work inside a ruling.
#[derive(Default)]
pub(crate) struct Motion {
    /// Events inside each other, the innermost last.
    pub(crate) frames: Vec<Frame>,
    /// Rules that scripts run themselves, one inside the other.
    pub(crate) guards: Vec<Guard>,
    /// Handlers that ran.
    pub(crate) firings: u32,
    /// The tree of causes.
    pub(crate) causes: Causes,
    /// The data that is kept for people.
    pub(crate) recorded: Recorded,
    /// The limits of the rules that were passed and reported, each with its event or queue.
    pub(crate) limits_told: Vec<(String, String)>,
}

/// A handler with effects that were rolled back.
pub(crate) struct TakenBack {
    /// Its definition.
    pub(crate) rule: Name,
    /// Its key, if a schema read it.
    pub(crate) key: Option<Text>,
    /// Its label, if a schema read it.
    pub(crate) what: Option<Text>,
    /// The row that has it; none if the label contains the row.
    pub(crate) element: Option<Name>,
    /// Its place among the recipients.
    pub(crate) at: usize,
}

/// A rule that a script runs itself, while it runs.
pub(crate) struct Guard {
    /// Its name.
    pub(crate) rule: Text,
    /// The savepoint to which it is rolled back if it fails.
    pub(crate) savepoint: Savepoint,
    /// The cause at work before it.
    pub(crate) above: u32,
    /// The number of events that are being emitted around it.
    pub(crate) events: usize,
}

/// The label of the words that a refusal points at, until they are found in the line.
pub const SAID: &str = "said";

/// How a script function ended.
#[derive(Debug)]
pub enum Outcome {
    /// Without an error.
    Done,
    /// A rule refused the command.
    Refused(Diagnostic),
    /// It ended at its question. The chance of the run contains the question.
    Waits,
}
