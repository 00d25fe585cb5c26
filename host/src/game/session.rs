//! This module is one game while it is played: rules, state and history, and the lines that move them.
//!
//! In: lines of people. Out: replies. A line is read as a phrase; a command of the rules becomes a ruling;
//! a command of the host calls its function. Nothing here waits, prints or reads the clock.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use super::again::Replay;
use super::command::{Call, HostCommand};
use super::home::{Files, Home};
use super::oracle::{Given, HAND_CODES, SharedOracle};
use super::policy::{Defaults, SharedPolicy};
use super::reply::Reply;
use super::resume::{Generation, Resume};
use super::seed::Seed;
use crate::diag::{Diagnostic, Source, Span};
use crate::doc::Document;
use crate::script::{
    COMMAND, COMMANDS, Compiled, EVALUATED, Engine, EngineOptions, GM, HostPhrase, Outcome, Owner,
    Printed, Rules, Run, load, owner_of, slots_value,
};
use crate::store::{Draft, History, Mark, State};
use crate::text::{Context, Parse};
use crate::value::{Names, Value};

/// Bytes of one line.
const LINE: usize = 8 << 10;
/// Bytes of documents that one command may say.
const OUTPUT: usize = 8 << 20;

/// What a session begins with.
#[derive(Clone)]
pub struct SessionOptions {
    /// Where rules and content are.
    pub home: Home,
    /// The ruleset that is played.
    pub ruleset: String,
    /// Where dice come from.
    pub seed: Seed,
    /// How the machine for scripts is built; its names are replaced by the game's own.
    pub engine: EngineOptions,
}

/// One game while it is played.
pub struct Session {
    pub(super) options: SessionOptions,
    pub(super) commands: &'static [HostCommand],
    /// Whether somebody is there to say what becomes of a command in which a rule breaks.
    pub(super) is_attended: bool,
    pub(super) engine: Engine,
    pub(super) rules_hash: String,
    /// The files of the live rules, to build the machine anew.
    pub(super) files: Files,
    pub(super) state: State,
    pub(super) history: History,
    pub(super) live_findings: Vec<Diagnostic>,
    pub(super) stale: Vec<Diagnostic>,
    /// What the last evaluated text gave: `_` in the next one. No part of the game.
    pub(super) last: Value,
    /// The waiting ruling that runs again.
    pub(super) resume: Option<Resume>,
    /// Answers that the next ruling begins with, by address.
    pub(super) given: BTreeMap<String, Given>,
    /// Whatever answers questions at once.
    pub(super) policy: Option<SharedPolicy>,
    /// Hashes of the rules under which rulings began to wait.
    pub(super) asked_under: BTreeSet<String>,
    /// The files of earlier rules under which rulings began to wait, by hash.
    pub(super) pinned: BTreeMap<String, Files>,
    /// The live rules, while a ruling runs under earlier ones.
    pub(super) set_aside: Option<Generation>,
    /// A ruling that runs beside the game, with inputs of its own.
    pub(super) replay: Option<Replay>,
}

/// What is known of a ruling before it runs.
pub(super) struct Order<'a> {
    pub(super) by: &'a str,
    pub(super) line: &'a str,
    /// The rule that it runs: collection and id, or what the host calls it.
    pub(super) rule: &'a str,
    pub(super) query: bool,
}

/// A ruling that ran; its writes are still pending in the state.
pub(super) struct Attempt {
    pub(super) mark: Mark,
    pub(super) oracle: SharedOracle,
    pub(super) documents: Vec<Document>,
    pub(super) printed: Printed,
    /// What led to what; of what was refused, only the rule that it ran.
    pub(super) causes: Vec<Value>,
    pub(super) result: Result<(), Diagnostic>,
}

impl Session {
    /// Starts a game: loads the rules and runs the ruleset's `setup` as its first ruling.
    ///
    /// Errors: the rules cannot be used at all, or `setup` is refused.
    pub fn start(
        options: SessionOptions,
        commands: &'static [HostCommand],
    ) -> Result<(Session, Reply), Vec<Diagnostic>> {
        let mut session = Session::open(options, commands)?;
        let reply = session.set_up();
        match reply.refusal {
            Some(refusal) => Err(session.live_findings.into_iter().chain([refusal]).collect()),
            None => Ok((session, reply)),
        }
    }

    /// Loads the rules into a game without a past.
    ///
    /// Errors: the ruleset or the library cannot be used.
    pub fn open(
        options: SessionOptions,
        commands: &'static [HostCommand],
    ) -> Result<Session, Vec<Diagnostic>> {
        let files = options.home.read(&options.ruleset);
        let files = files.map_err(|finding| vec![finding])?;
        Session::of_files(options, commands, files)
    }

    /// Loads rules that were read into a game without a past. Errors: those of [`Session::open`].
    pub(super) fn of_files(
        mut options: SessionOptions,
        commands: &'static [HostCommand],
        files: Files,
    ) -> Result<Session, Vec<Diagnostic>> {
        let names: Rc<Names> = Rc::default();
        options.engine.names = Rc::clone(&names);
        let hash = files.hash.clone();
        let (engine, findings) = build(&options, commands, files.clone(), Compiled::default())?;
        let rules = engine.rules();
        if rules.ruleset.is_nil() {
            return Err(findings);
        }
        let mut state = State::new(names);
        rules.equip(&mut state);
        let history = History::new(&state);
        Ok(Session {
            options,
            commands,
            is_attended: true,
            engine,
            rules_hash: hash,
            files,
            state,
            history,
            live_findings: findings,
            stale: Vec::new(),
            last: Value::Nil,
            resume: None,
            given: BTreeMap::new(),
            policy: None,
            asked_under: BTreeSet::new(),
            pinned: BTreeMap::new(),
            set_aside: None,
            replay: None,
        })
    }

    /// Goes on with a game from the canonical bytes of a state; `next_slot` is the slot of its next ruling.
    ///
    /// Errors: those of [`Session::open`], and bytes that are no state.
    pub fn going_on(
        options: SessionOptions,
        commands: &'static [HostCommand],
        (bytes, next_slot): (&[u8], u64),
    ) -> Result<Session, Vec<Diagnostic>> {
        let mut session = Session::open(options, commands)?;
        session.continue_from(bytes, next_slot)?;
        Ok(session)
    }

    /// Makes the state of canonical bytes the one of the game. Errors: they are no state.
    pub(super) fn continue_from(
        &mut self,
        bytes: &[u8],
        next_slot: u64,
    ) -> Result<(), Vec<Diagnostic>> {
        let state = State::from_bytes(bytes, Rc::clone(self.state.names()));
        self.state = state.map_err(|error| vec![error.to_diagnostic()])?;
        self.engine.rules().equip(&mut self.state);
        self.history = History::going_on(&self.state, next_slot);
        Ok(())
    }

    /// Lets something answer all questions at once from now on; without one, people are asked.
    pub fn set_policy(&mut self, policy: Option<SharedPolicy>) {
        self.policy = policy;
    }

    /// Says that nobody is there to ask when a rule breaks: its command is refused at once.
    pub fn leave_unattended(&mut self) {
        self.is_attended = false;
    }

    /// Returns the state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the history.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Returns the rules that are live.
    pub fn rules(&self) -> Rc<Rules> {
        self.engine.rules()
    }

    /// Returns the machine that runs the scripts.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the commands that the host has in every game.
    pub fn host_commands(&self) -> &'static [HostCommand] {
        self.commands
    }

    /// Returns the findings of the rules that are live.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.live_findings
    }

    /// Returns the findings of the newer rules that were not taken; empty when the live rules are the newest.
    pub fn stale(&self) -> &[Diagnostic] {
        &self.stale
    }

    /// Returns the options it began with.
    pub fn options(&self) -> &SessionOptions {
        &self.options
    }

    /// Takes one line of a seat, meant in whatever case, and answers it; what is overdue then is answered too.
    pub fn submit(&mut self, by: &str, line: &str) -> Reply {
        let seat = match self.seated(by) {
            Ok(seat) => seat,
            Err(refusal) => return Reply::refused(*refusal),
        };
        let before = self.history.operations().len();
        let reply = self.taken(&seat, line);
        let mut reply = self.settled(reply, before);
        if seat != GM {
            reply.groups = self.seats().groups(&seat).to_vec();
        }
        reply
    }

    /// Takes one line of a person and answers it.
    pub(super) fn taken(&mut self, by: &str, line: &str) -> Reply {
        let line = line.trim();
        if line.is_empty() {
            return Reply::default();
        }
        if let Some(refusal) = bad_line(line) {
            return Reply::refused(refusal);
        }
        if let Some(text) = line.strip_prefix('=') {
            return self.evaluate(by, line, text.trim());
        }
        if let Some(word) = line
            .strip_suffix('?')
            .filter(|word| !word.contains(char::is_whitespace))
        {
            return self.help(word);
        }
        let (phrase, failed) = match self.read(line) {
            Ok(read) => read,
            Err(refusal) => return Reply::refused(refusal),
        };
        let mut reply = self.command(by, line, &phrase);
        reply.findings.splice(0..0, failed);
        reply
    }

    fn command(&mut self, by: &str, line: &str, phrase: &Parse) -> Reply {
        match owner_of(&phrase.template) {
            Some(Owner::Host(id)) => self.host_command(&id, by, line, phrase),
            Some(Owner::Definition { collection, id, .. }) => {
                self.rule(by, line, &collection, &id, phrase)
            }
            None => Reply::refused(Diagnostic::error("phrase/no-match", "this is no command")),
        }
    }

    /// Does something with the game; a panic of the host is a finding, and the game goes on as its history says.
    ///
    /// Errors: `host/bug`.
    pub fn guarded<T>(&mut self, body: impl FnOnce(&mut Session) -> T) -> Result<T, Diagnostic> {
        let before = self.history.operations().len();
        match catch_unwind(AssertUnwindSafe(|| body(self))) {
            Ok(done) => Ok(done),
            Err(panic) => {
                self.mend();
                let bug = host_bug(&*panic);
                let kept = self.history.operations().len() > before;
                Err(if kept {
                    bug.hint("what the log lists was kept")
                } else {
                    bug.hint("nothing of the command was kept")
                })
            }
        }
    }

    /// Sets the state to that of the history, whatever became of it; no ruling runs any more.
    fn mend(&mut self) {
        self.engine.drop_run();
        self.resume = None;
        self.given.clear();
        if let Some(live) = self.set_aside.take() {
            self.swap_rules(live);
        }
        let now = self.history.operations().len() as u64 + 1;
        if let Ok(mut state) = self.history.state_before(now) {
            self.engine.rules().equip(&mut state);
            self.state = state;
        }
    }

    /// Reads a line as a command. Errors: the nearest thing that it could have been, or why names are missing.
    ///
    /// Out: the phrase, and why names are missing that it was read without.
    pub(super) fn read(&self, line: &str) -> Result<(Parse, Vec<Diagnostic>), Diagnostic> {
        let rules = self.rules();
        let (read, failed) = self.engine.with_names(&self.state, |names| {
            let mut context = Context::new("command").with_names(names);
            let read = rules.grammar.read(COMMAND, line, &mut context);
            read.map_err(|miss| miss.to_diagnostic(&Source::new("line", line), 0))
        });
        // Without the names nobody knows what the line would have been.
        match read {
            Ok(phrase) => Ok((phrase, failed)),
            Err(miss) => Err(failed.into_iter().next().unwrap_or(miss)),
        }
    }

    fn host_command(&mut self, id: &str, by: &str, line: &str, phrase: &Parse) -> Reply {
        let commands = self.commands;
        let command = commands.iter().find(|command| command.id == id);
        let run = command
            .expect("invariant: the grammar holds only commands that are there")
            .run;
        run(self, &Call { by, line, phrase })
    }

    fn rule(&mut self, by: &str, line: &str, collection: &str, id: &str, phrase: &Parse) -> Reply {
        debug_assert_eq!(collection, COMMANDS);
        let query = self.is_query(collection, id);
        let argument = slots_value(phrase);
        if !query && let Some(refusal) = self.held_back(by, Some((collection, id))) {
            return Reply::refused(refusal);
        }
        let rule = format!("{collection}/{id}");
        let order = Order {
            by,
            line,
            rule: &rule,
            query,
        };
        self.ruling(&order, |engine, run| {
            engine.run(run, (collection, id, "run"), &argument)
        })
    }

    /// Returns whether a command only looks.
    pub(super) fn is_query(&self, collection: &str, id: &str) -> bool {
        let rules = self.rules();
        let query = rules.definition(collection, id).get("query");
        query.as_bool().unwrap_or(false)
    }

    pub(super) fn set_up(&mut self) -> Reply {
        let order = Order {
            by: "gm",
            line: "new game",
            rule: "setup",
            query: false,
        };
        self.ruling(&order, |engine, run| engine.run_setup(run))
    }

    /// Evaluates Luau, a part of a line, in a ruling that is taken back; its questions get their defaults. Refused to all but the game master:
    /// it reads whatever it likes.
    pub fn evaluate(&mut self, by: &str, line: &str, text: &str) -> Reply {
        if by != "gm" {
            return Reply::refused(gm_only());
        }
        let slot = format!("preview/{}", self.history.next_slot());
        let oracle = SharedOracle::seeded(&self.options.seed, &slot, Vec::new())
            .with_policy(Some(SharedPolicy::new(Defaults)));
        let mark = self.state.mark();
        let order = Order {
            by,
            line: text,
            rule: "eval",
            query: false,
        };
        let run = self.new_run(&order, &oracle);
        let last = self.last.clone();
        let (run, result) = self.caught(|engine| engine.evaluate(run, text, &last));
        self.state = run.state;
        self.state.rollback(mark);
        let mut reply = match result {
            Ok(None) => Reply::default(),
            Ok(Some(found)) => {
                self.last = found.value;
                Reply::line_to(by, found.shown)
            }
            Err(finding) => Reply::refused(within_line(finding, line, text)),
        };
        reply.documents.splice(0..0, run.documents);
        reply.printed = self.engine.take_printed();
        self.rebuild_if_spent();
        reply
    }

    /// Runs a ruling: all of it becomes an operation, or nothing.
    pub(super) fn ruling(
        &mut self,
        order: &Order<'_>,
        body: impl FnOnce(&Engine, Run) -> (Run, Result<Outcome, Diagnostic>),
    ) -> Reply {
        let attempt = self.attempt(order, body);
        let printed = attempt.printed.clone();
        let mut reply = self.settle(order, attempt);
        reply.printed = printed;
        self.rebuild_if_spent();
        reply
    }

    /// Runs a ruling and leaves its writes pending.
    pub(super) fn attempt(
        &mut self,
        order: &Order<'_>,
        body: impl FnOnce(&Engine, Run) -> (Run, Result<Outcome, Diagnostic>),
    ) -> Attempt {
        let oracle = self.oracle();
        let mark = self.state.mark();
        let mut run = self.new_run(order, &oracle);
        if let Some(replay) = &mut self.replay {
            replay.begin(order, &mut run);
        }
        let (mut run, result) = self.caught(|engine| body(engine, run));
        if let Some(replay) = &mut self.replay {
            replay.end(&mut run);
        }
        self.state = run.state;
        let printed = self.engine.take_printed();
        let result = match self.not_going_on(&oracle, &result) {
            Some(finding) => Err(finding),
            None => self
                .ended(&oracle, result)
                .map_err(|finding| about_the_line(finding, order.line)),
        };
        let causes = match &result {
            Ok(()) => run.motion.causes.to_values(order.rule, &self.state, mark),
            Err(_) => self.root(order),
        };
        Attempt {
            causes,
            mark,
            oracle,
            documents: run.documents,
            printed,
            result,
        }
    }

    /// Keeps what a ruling did, or takes it back: a query, a refusal; or lets it wait.
    pub(super) fn settle(&mut self, order: &Order<'_>, attempt: Attempt) -> Reply {
        if let (Ok(()), Some(open)) = (&attempt.result, attempt.oracle.open()) {
            return self.wait(order, attempt, open);
        }
        let documents = attempt.documents;
        match attempt.result {
            Ok(()) if order.query => {
                self.state.rollback(attempt.mark);
                Reply {
                    documents,
                    ..Reply::default()
                }
            }
            Ok(()) => {
                let draft = self.draft(order, &attempt.oracle, (&documents, attempt.causes));
                let operation = self.history.record(&mut self.state, attempt.mark, draft);
                Reply {
                    op: Some(operation.seq),
                    documents,
                    ..Reply::default()
                }
            }
            Err(finding) => {
                self.state.rollback(attempt.mark);
                let draft = self.draft(order, &attempt.oracle, (&[], attempt.causes));
                if !order.query {
                    let (code, message) = (finding.code.to_string(), finding.message.clone());
                    self.history.refuse(&self.state, draft, code, message);
                }
                Reply::refused(finding)
            }
        }
    }

    /// Runs scripts; a panic of the host is a finding, and the run comes back as it is then.
    pub(super) fn caught<T>(
        &self,
        body: impl FnOnce(&Engine) -> (Run, Result<T, Diagnostic>),
    ) -> (Run, Result<T, Diagnostic>) {
        match catch_unwind(AssertUnwindSafe(|| body(&self.engine))) {
            Ok(ended) => ended,
            Err(panic) => {
                let bug = host_bug(&*panic).hint("nothing of the command was kept");
                (self.engine.recover(), Err(bug))
            }
        }
    }

    /// Moves the state into a run; the caller moves it back.
    pub(super) fn new_run(&mut self, order: &Order<'_>, oracle: &SharedOracle) -> Run {
        let empty = State::new(Rc::clone(self.state.names()));
        let state = std::mem::replace(&mut self.state, empty);
        Run {
            output_left: OUTPUT,
            by: order.by.to_owned(),
            cause: self.cause(order),
            query: order.query,
            is_attended: self.is_attended,
            ..Run::new(state, Box::new(oracle.clone()), &self.options.ruleset)
        }
    }

    /// Returns what a ruling is, for the records it makes and the operation it becomes.
    fn cause(&self, order: &Order<'_>) -> Value {
        let slot = i64::try_from(self.slot()).unwrap_or(i64::MAX);
        Value::map([("ruling", Value::from(slot)), ("rule", order.rule.into())])
    }

    pub(super) fn draft(
        &self,
        order: &Order<'_>,
        oracle: &SharedOracle,
        (documents, causes): (&[Document], Vec<Value>),
    ) -> Draft {
        let resume = self.resume.as_ref();
        Draft {
            by: resume.map_or(order.by, |resume| &resume.by).into(),
            command: resume.map_or(order.line, |resume| &resume.line).into(),
            slot: resume.map(|resume| resume.waiting.slot),
            rules: self.rules_hash.as_str().into(),
            inputs: oracle
                .used()
                .iter()
                .map(super::input::Input::to_value)
                .collect(),
            causes,
            documents: documents.iter().map(Document::to_value).collect(),
        }
    }

    /// Makes a ruling of the host itself: writes, and what is said of them.
    pub fn host_ruling(
        &mut self,
        by: &str,
        line: &str,
        body: impl FnOnce(&mut State) -> Result<Vec<Document>, Diagnostic>,
    ) -> Reply {
        let mark = self.state.mark();
        match body(&mut self.state) {
            Ok(documents) => {
                let draft = self.draft(
                    &Order {
                        by,
                        line,
                        rule: "host",
                        query: false,
                    },
                    &SharedOracle::refusing(),
                    (&documents, Vec::new()),
                );
                let operation = self.history.record(&mut self.state, mark, draft);
                Reply {
                    op: Some(operation.seq),
                    documents,
                    ..Reply::default()
                }
            }
            Err(finding) => {
                self.state.rollback(mark);
                Reply::refused(finding)
            }
        }
    }

    /// Builds the machine anew from the same files if its memory stays short otherwise.
    pub(super) fn rebuild_if_spent(&mut self) {
        if self.engine.is_spent() {
            self.rebuild();
        }
    }

    /// Builds the machine anew from the same files.
    pub(super) fn rebuild(&mut self) {
        let compiled = self.engine.take_compiled();
        if let Ok((engine, _)) = build(&self.options, self.commands, self.files.clone(), compiled) {
            self.engine = engine;
        }
    }
}

/// Builds a machine from files. Errors: no machine can be made.
pub(super) fn build(
    options: &SessionOptions,
    commands: &'static [HostCommand],
    files: Files,
    compiled: Compiled,
) -> Result<(Engine, Vec<Diagnostic>), Vec<Diagnostic>> {
    let phrases: Vec<HostPhrase> = commands
        .iter()
        .map(|command| HostPhrase {
            id: command.id.to_owned(),
            syntax: command
                .syntax
                .iter()
                .map(|line| (*line).to_owned())
                .collect(),
        })
        .collect();
    let (engine, found) =
        load(&files.mods, &phrases, &options.engine, compiled).map_err(|finding| vec![finding])?;
    let findings = files.findings.into_iter().chain(found).collect();
    Ok((engine, findings))
}

/// Returns why a line cannot be taken.
pub(super) fn bad_line(line: &str) -> Option<Diagnostic> {
    if line.len() > LINE {
        let message = format!("the line has {} bytes, at most {LINE} are read", line.len());
        return Some(Diagnostic::error("limit/size", message));
    }
    let control = line
        .chars()
        .find(|c| c.is_control() && !matches!(c, '\n' | '\t'))?;
    let message = format!(
        "the line holds the control character \\x{:02x}",
        u32::from(control)
    );
    Some(
        Diagnostic::error("phrase/control-character", message)
            .hint("type it again; nothing was done"),
    )
}

/// Points a refusal that is about what a person typed to their line, and to no rule.
fn about_the_line(finding: Diagnostic, line: &str) -> Diagnostic {
    if !HAND_CODES.contains(&&*finding.code) {
        return finding;
    }
    let finding = finding.at(&Source::new("line", line), Span::new(0, line.len()));
    Diagnostic {
        trace: Vec::new(),
        ..finding
    }
}

/// Moves the place of a finding from the evaluated text to the line that holds it.
fn within_line(finding: Diagnostic, line: &str, text: &str) -> Diagnostic {
    let inner = finding
        .place
        .as_ref()
        .filter(|place| place.source.name() == EVALUATED)
        .map(|place| place.span);
    match inner {
        Some(span) => {
            let at = line.find(text).unwrap_or_default();
            finding.at(&Source::new("line", line), span.shifted(at))
        }
        None => finding,
    }
}

fn gm_only() -> Diagnostic {
    let message = "only the game master evaluates Luau: it may read every secret";
    Diagnostic::error("host/gm-only", message).hint("as gm goes back to the game master's seat")
}

fn host_bug(panic: &(dyn std::any::Any + Send)) -> Diagnostic {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no text");
    Diagnostic::error("host/bug", format!("this is a bug in the host: {text}"))
}
