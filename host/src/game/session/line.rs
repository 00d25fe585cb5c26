//! This module takes a line of a person: reads it as a phrase and gives it to the command it belongs to.

use super::procedure::Procedure;
use crate::diag::{Diagnostic, Source};
use crate::game::command::Call;
use crate::game::reply::{Remembered, Reply};
use crate::game::ruling::files::Prepared;
use crate::game::ruling::given::Ruling;
use crate::game::timeline::Timeline;
use crate::script::{COMMAND, COMMANDS, GM, Owner, only_looks, owner_of};
use crate::text::{Context, Parse};

/// Bytes of one line.
const LINE: usize = 8 << 10;

/// A line of a command of the rules that may be ruled now.
pub(in crate::game) struct Ready {
    /// The command with what fills its slots.
    pub(in crate::game) command: Prepared,
    /// Collection and id.
    pub(in crate::game) rule: String,
    /// Whether it only looks.
    pub(in crate::game) query: bool,
}

impl Timeline {
    /// Notes in an answer the groups that its seat is in.
    pub(in crate::game) fn addressed(&self, seat: &str, mut reply: Reply) -> Reply {
        if seat != GM {
            reply.groups = self.seats().groups(seat).to_vec();
        }
        reply
    }

    /// Reads a line and gives it to its command.
    pub(in crate::game) fn dispatch(&mut self, ruling: &Ruling<'_>) -> Reply {
        let (by, line) = (ruling.by(), ruling.line.trim());
        let ruling = &Ruling { line, ..*ruling };
        if line.is_empty() {
            return Reply::default();
        }
        if let Some(refusal) = bad_line(line) {
            return Reply::refused(refusal);
        }
        if let Some(text) = line.strip_prefix('=') {
            return self.evaluate(ruling, text.trim());
        }
        if let Some(word) = line
            .strip_suffix('?')
            .map(str::trim_end)
            .filter(|words| self.is_for_help(by, words))
        {
            return match word {
                "" => Reply::document(self.overview(by)),
                word => self.help(by, word),
            };
        }
        let (phrase, failed) = match self.read(by, line) {
            Ok(read) => read,
            Err(refusal) => return Reply::refused(refusal),
        };
        let mut reply = self.command(ruling, &phrase);
        reply.findings.splice(0..0, failed);
        reply
    }

    /// Returns whether what stands before a question mark asks for help: one word, or several that commands begin with or
    /// that name a definition or a collection. Other lines may be commands that take a text with such a mark.
    fn is_for_help(&self, by: &str, words: &str) -> bool {
        let is_word = !words.contains(char::is_whitespace);
        is_word
            || self.begins_command(by, words)
            || self.is_defined(words)
            || self.is_collection(words)
    }

    fn command(&mut self, ruling: &Ruling<'_>, phrase: &Parse) -> Reply {
        match owner_of(&phrase.template) {
            Some(Owner::Host(id)) => {
                let command = self.host_command(&id);
                let reply = command.kind.run(self, &Call { ruling, phrase });
                debug_assert!(
                    reply.op.is_none() || command.kind.does().becomes_operations(),
                    "{id} becomes an operation, which it does not declare"
                );
                reply
            }
            Some(owner @ Owner::Definition { .. }) => self.rule(ruling, &owner, phrase),
            None => Reply::refused(Diagnostic::error("phrase/no-match", "this is no command")),
        }
    }

    /// Reads a line of somebody as a command. Errors: the nearest thing that it could have been, or why names are missing.
    ///
    /// Out: the phrase, and why names are missing that it was read without.
    pub(in crate::game) fn read(
        &self,
        by: &str,
        line: &str,
    ) -> Result<(Parse, Vec<Diagnostic>), Diagnostic> {
        let rules = self.rules();
        let (read, failed) = self
            .generation()
            .machine()
            .with_names(&self.state, by, |names| {
                let mut context = Context::new("command").with_names(names);
                let read = rules.grammar.read(COMMAND, line, &mut context);
                read.map_err(|miss| miss.to_diagnostic(&Source::new("line", line), 0))
            });
        // Without the names nobody knows what the line would have been.
        match read {
            Ok(phrase) => Ok((phrase, failed)),
            Err(miss) => {
                let miss = failed.into_iter().next().unwrap_or(miss);
                let hints = [self.meant_for(by, line), self.meant_as_answer(by, line)];
                Err(hints.into_iter().flatten().fold(miss, Diagnostic::hint))
            }
        }
    }

    /// Returns how a line is given for a seat, where one of the game master begins with the name of one.
    fn meant_for(&self, by: &str, line: &str) -> Option<String> {
        if by != GM {
            return None;
        }
        let seats = self.seats();
        let mut names = seats.names()?.into_iter();
        let is_first = |name: &&str| {
            let rest = line.get(name.len()..).unwrap_or_default();
            let begins = line.get(..name.len());
            let begins = begins.is_some_and(|first| first.eq_ignore_ascii_case(name));
            begins && rest.starts_with([' ', ':'])
        };
        let name = names.find(is_first)?;
        Some(format!("for {name}: COMMAND gives a command for {name}"))
    }

    fn rule(&mut self, ruling: &Ruling<'_>, owner: &Owner, phrase: &Parse) -> Reply {
        let ready = match self.ready(ruling, owner, phrase) {
            Ok(ready) => ready,
            Err(refusal) => return Reply::refused(*refusal),
        };
        let reply = self.rule_on(ruling, Procedure::Command(&ready));
        let remembered = match ready.query {
            true => Remembered::Query,
            false => Remembered::Nothing,
        };
        Reply {
            remembered,
            ..reply
        }
    }

    /// Gets a line of a command of the rules ready to be ruled.
    ///
    /// Errors: it is not theirs to give, something waits that holds it back, or a file that it names is not to be had.
    pub(in crate::game) fn ready(
        &self,
        ruling: &Ruling<'_>,
        owner: &Owner,
        phrase: &Parse,
    ) -> Result<Ready, Box<Diagnostic>> {
        let Owner::Definition { collection, id, .. } = owner else {
            unreachable!("invariant: only commands of the rules are ruled");
        };
        debug_assert_eq!(collection, COMMANDS);
        if let Some(refusal) = self.not_theirs(ruling.by(), owner) {
            return Err(Box::new(refusal));
        }
        let query = self.is_query(owner);
        if !query && let Some(refusal) = self.held_back(ruling, Some((collection, id))) {
            return Err(Box::new(refusal));
        }
        Ok(Ready {
            command: self.prepared(ruling, owner, phrase)?,
            rule: format!("{collection}/{id}"),
            query,
        })
    }

    /// Returns whether a line of a command of the rules only looks.
    pub(in crate::game) fn is_query(&self, owner: &Owner) -> bool {
        only_looks(&self.rules(), owner)
    }
}

/// Returns why a line cannot be taken.
pub(in crate::game) fn bad_line(line: &str) -> Option<Diagnostic> {
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
