//! A game in memory with the same lines as a game on disk: it provides the expected content of the disk.

use std::rc::Rc;

use host::diag::render;
use host::game::{Home, ProgramRequest, Reply, Seed, SessionOptions, Solo};
use host::script::{Compiled, EngineOptions};
use host::store::Operation;

/// A game in memory and its present actor.
pub(crate) struct MemoryGame {
    pub(crate) solo: Solo,
    by: String,
}

impl MemoryGame {
    /// Starts a game with the options of the program for a script.
    pub(crate) fn start_game(home: Home, ruleset: &str, seed: Seed) -> Result<MemoryGame, String> {
        let options = SessionOptions {
            home,
            ruleset: ruleset.to_owned(),
            seed,
            engine: EngineOptions::default(),
        };
        let (mut solo, _) = Solo::start(options, &repl::COMMANDS).map_err(|findings| {
            let texts: Vec<String> = findings.iter().map(|one| render(one, false)).collect();
            texts.join("\n")
        })?;
        solo.session.responders_mut().attended = false;
        Ok(MemoryGame {
            solo,
            by: "gm".to_owned(),
        })
    }

    /// Does the steps of a new process: loads the present rules and acts as the game master.
    pub(crate) fn reload_as_new_process(&mut self) {
        self.solo.session.reload(Compiled::default());
        self.by = "gm".to_owned();
    }

    /// Submits a line as the present actor.
    pub(crate) fn submit_line(&mut self, line: &str) -> Reply {
        let by = self.by.clone();
        let reply = self.solo.submit(&by, line);
        if let Some(ProgramRequest::As(name)) = &reply.program_request {
            self.by.clone_from(name);
        }
        reply
    }

    /// Returns the number of operations.
    pub(crate) fn operation_count(&self) -> usize {
        self.solo.timeline().history().operations().len()
    }

    /// Submits the answered lines, and further lines up to the number of operations on disk. All operations must equal
    /// those on disk.
    ///
    /// Out: the number of operations after those of the answered lines. Errors: the difference, in words.
    pub(crate) fn compare_with_disk(
        &mut self,
        (answered, further): (&[String], &[String]),
        kept: &[Rc<Operation>],
        names: &host::value::Names,
    ) -> Result<usize, String> {
        for line in answered {
            self.submit_line(line);
        }
        let sure = self.operation_count();
        if kept.len() < sure {
            let lost = &self.solo.timeline().history().operations()[kept.len()];
            return Err(format!(
                "{sure} operations were answered and {} kept: \"{}\" is lost",
                kept.len(),
                lost.command
            ));
        }
        let (mut further, mut unanswered) = (further.iter(), 0);
        while self.operation_count() < kept.len() {
            let line = further.next().ok_or_else(|| {
                let (more, given) = (kept.len(), self.operation_count());
                format!("{more} operations are kept and {given} were given")
            })?;
            let before = self.operation_count();
            self.submit_line(line);
            unanswered += usize::from(self.operation_count() > before);
        }
        self.compare_operations(kept, names)?;
        match (unanswered, self.operation_count() - kept.len()) {
            (0 | 1, 0) => Ok(kept.len() - sure),
            (0 | 1, missing) => Err(format!(
                "{missing} operations of a command are not kept with it"
            )),
            (more, _) => Err(format!("{more} commands are kept that were not answered")),
        }
    }

    /// Compares all operations. Errors: the first difference.
    fn compare_operations(
        &self,
        kept: &[Rc<Operation>],
        names: &host::value::Names,
    ) -> Result<(), String> {
        let own = self.solo.timeline().state().names();
        for (told, kept) in self.solo.timeline().history().operations().iter().zip(kept) {
            let cells = |operation: &Operation, names: &host::value::Names| -> Vec<String> {
                let changes = operation.changes.iter();
                let cell = |one: &host::store::Change| {
                    let (row, field) = one.row_and_field_texts(names);
                    format!("{row}.{field}: {} -> {}", one.old, one.new)
                };
                changes.map(cell).collect()
            };
            let same = (told.seq, told.slot, &told.by, &told.command, &told.what)
                == (kept.seq, kept.slot, &kept.by, &kept.command, &kept.what)
                && (&told.rules, &told.inputs, &told.causes, &told.documents)
                    == (&kept.rules, &kept.inputs, &kept.causes, &kept.documents)
                && told.state == kept.state
                && cells(told, own) == cells(kept, names);
            if !same {
                return Err(format!(
                    "operation {} is another one: \"{}\" was given and \"{}\" is kept",
                    told.seq, told.command, kept.command
                ));
            }
        }
        Ok(())
    }
}
