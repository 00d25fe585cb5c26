//! This module takes a line of a person: reads it as a phrase and gives it to the command it belongs to.

use super::procedure::Procedure;
use crate::diag::{Diagnostic, Source};
use crate::game::command::Call;
use crate::game::does::host_command;
use crate::game::permission::not_theirs;
use crate::game::reply::{Remembered, Reply};
use crate::game::ruling::course::held_back;
use crate::game::ruling::files::Prepared;
use crate::game::ruling::files::prepared;
use crate::game::ruling::given::Ruling;
use crate::game::session::evaluate::evaluate;
use crate::game::session::ruling::rule_on;
use crate::game::timeline::Timeline;
use crate::game::typing::assist::help;
use crate::game::typing::family::begins_command;
use crate::game::typing::family::overview;
use crate::game::typing::page::is_collection;
use crate::game::typing::page::is_defined;
use crate::game::waiting::answer::seats;
use crate::game::waiting::options::meant_as_answer;
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

/// Notes in an answer the groups that its seat is in.
pub(in crate::game) fn addressed(timeline: &Timeline, seat: &str, mut reply: Reply) -> Reply {
    if seat != GM {
        reply.groups = seats(timeline).groups(seat).to_vec();
    }
    reply
}

/// Reads a line and gives it to its command.
pub(in crate::game) fn dispatch(timeline: &mut Timeline, ruling: &Ruling<'_>) -> Reply {
    let (by, line) = (ruling.by(), ruling.line.trim());
    let ruling = &Ruling { line, ..*ruling };
    if line.is_empty() {
        return Reply::default();
    }
    if let Some(refusal) = bad_line(line) {
        return Reply::refused(refusal);
    }
    if let Some(text) = line.strip_prefix('=') {
        return evaluate(timeline, ruling, text.trim());
    }
    if let Some(word) = line
        .strip_suffix('?')
        .map(str::trim_end)
        .filter(|words| is_for_help(timeline, by, words))
    {
        return match word {
            "" => Reply::document(overview(timeline, by)),
            word => help(timeline, by, word),
        };
    }
    let (phrase, failed) = match read(timeline, by, line) {
        Ok(read) => read,
        Err(refusal) => return Reply::refused(refusal),
    };
    let mut reply = command(timeline, ruling, &phrase);
    reply.findings.splice(0..0, failed);
    reply
}

/// Returns whether what stands before a question mark asks for help: one word, or several that commands begin with or
/// that name a definition or a collection. Other lines may be commands that take a text with such a mark.
fn is_for_help(timeline: &Timeline, by: &str, words: &str) -> bool {
    let is_word = !words.contains(char::is_whitespace);
    is_word
        || begins_command(timeline, by, words)
        || is_defined(timeline, words)
        || is_collection(timeline, words)
}

fn command(timeline: &mut Timeline, ruling: &Ruling<'_>, phrase: &Parse) -> Reply {
    match owner_of(&phrase.template) {
        Some(Owner::Host(id)) => {
            let command = host_command(timeline, &id);
            let reply = command.kind.run(timeline, &Call { ruling, phrase });
            debug_assert!(
                reply.op.is_none() || command.kind.does().becomes_operations(),
                "{id} becomes an operation, which it does not declare"
            );
            reply
        }
        Some(owner @ Owner::Definition { .. }) => rule(timeline, ruling, &owner, phrase),
        None => Reply::refused(Diagnostic::error("phrase/no-match", "this is no command")),
    }
}

/// Reads a line of somebody as a command. Errors: the nearest thing that it could have been, or why names are missing.
///
/// Out: the phrase, and why names are missing that it was read without.
pub(in crate::game) fn read(
    timeline: &Timeline,
    by: &str,
    line: &str,
) -> Result<(Parse, Vec<Diagnostic>), Diagnostic> {
    let rules = timeline.rules();
    let (read, failed) = timeline
        .generation()
        .machine()
        .with_names(&timeline.state, by, |names| {
            let mut context = Context::new("command").with_names(names);
            let read = rules.grammar.read(COMMAND, line, &mut context);
            read.map_err(|miss| miss.to_diagnostic(&Source::new("line", line), 0))
        });
    // Without the names nobody knows what the line would have been.
    match read {
        Ok(phrase) => Ok((phrase, failed)),
        Err(miss) => {
            let miss = failed.into_iter().next().unwrap_or(miss);
            let hints = [
                meant_for(timeline, by, line),
                meant_as_answer(timeline, by, line),
            ];
            Err(hints.into_iter().flatten().fold(miss, Diagnostic::hint))
        }
    }
}

/// Returns how a line is given for a seat, where one of the game master begins with the name of one.
fn meant_for(timeline: &Timeline, by: &str, line: &str) -> Option<String> {
    if by != GM {
        return None;
    }
    let seats = seats(timeline);
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

fn rule(timeline: &mut Timeline, ruling: &Ruling<'_>, owner: &Owner, phrase: &Parse) -> Reply {
    let ready = match ready(timeline, ruling, owner, phrase) {
        Ok(ready) => ready,
        Err(refusal) => return Reply::refused(*refusal),
    };
    let reply = rule_on(timeline, ruling, Procedure::Command(&ready));
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
    timeline: &Timeline,
    ruling: &Ruling<'_>,
    owner: &Owner,
    phrase: &Parse,
) -> Result<Ready, Box<Diagnostic>> {
    let Owner::Definition { collection, id, .. } = owner else {
        unreachable!("invariant: only commands of the rules are ruled");
    };
    debug_assert_eq!(collection, COMMANDS);
    if let Some(refusal) = not_theirs(timeline, ruling.by(), owner) {
        return Err(Box::new(refusal));
    }
    let query = is_query(timeline, owner);
    if !query && let Some(refusal) = held_back(timeline, ruling, Some((collection, id))) {
        return Err(Box::new(refusal));
    }
    Ok(Ready {
        command: prepared(timeline, ruling, owner, phrase)?,
        rule: format!("{collection}/{id}"),
        query,
    })
}

/// Returns whether a line of a command of the rules only looks.
pub(in crate::game) fn is_query(timeline: &Timeline, owner: &Owner) -> bool {
    only_looks(&timeline.rules(), owner)
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
