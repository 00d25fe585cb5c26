//! Passes a line to its command: a command of the host or of the rules.

use crate::diag::Diagnostic;
use crate::game::attempt::lifecycle::one_at_a_time_refusal;
use crate::game::attempt::line_parser::{
    NO_MATCH, bad_line_refusal, is_query_command, parse_command_line,
};
use crate::game::attempt::plans::game_advance::advance_game;
use crate::game::attempt::procedure::{Procedure, Ready};
use crate::game::attempt::ruling_run::run_ruling;
use crate::game::command::luau_evaluation::evaluate_luau;
use crate::game::completion::command_list::{command_overview, is_beginning_of_command};
use crate::game::completion::completer::help_for_words;
use crate::game::completion::help_pages::{is_name_of_collection, is_name_of_definition};
use crate::game::question::open_questions::{seats_in_play, viewer_of_seat};
use crate::game::question::permission::forbidden_line_refusal;
use crate::game::ruling::caller::Caller;
use crate::game::ruling::host_command::{Call, CommandKind};
use crate::game::ruling::named_files::prepare_command;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::log_entries::log_entries;
use crate::game::timeline::reply::{RememberedAnswer, Reply};
use crate::script::{COMMANDS, GM, Owner, owner_of_template};
use crate::text::Parse;

/// Adds to a reply the groups of its seat, the log lines of named rulings, and the seat's log lines that documents
/// name.
pub(in crate::game) fn add_groups_and_log_lines(
    timeline: &Timeline,
    seat: &str,
    mut reply: Reply,
) -> Reply {
    if seat != GM {
        reply.groups = seats_in_play(timeline).groups_of_seat(seat).to_vec();
    }
    let asking = reply.ruling_numbers_in_documents().into_iter();
    reply.ruling_numbers = asking
        .map(|number| (number, timeline.log_line_of_ruling(number)))
        .collect();
    let naming = reply.operations_naming_log_line();
    if !naming.is_empty() {
        let entries = log_entries(timeline, &viewer_of_seat(timeline, seat)).into_iter();
        let numbers = entries.map(|entry| (entry.operation.seq, entry.number));
        reply.log_lines = numbers.filter(|(op, _)| naming.contains(op)).collect();
    }
    reply
}

/// Reads a line and passes it to its command.
pub(in crate::game) fn dispatch_line(timeline: &mut Timeline, ruling: &Ruling<'_>) -> Reply {
    let (by, line) = (ruling.by(), ruling.line.trim());
    let ruling = &Ruling { line, ..*ruling };
    if line.is_empty() {
        return Reply::default();
    }
    if let Some(refusal) = bad_line_refusal(line) {
        return Reply::refused(refusal);
    }
    if let Some(text) = line.strip_prefix('=') {
        return evaluate_luau(timeline, ruling, text.trim());
    }
    if let Some(word) = words_of_help_request(timeline, by, line) {
        let told = match word {
            "" => Reply::document(command_overview(timeline, by)),
            word => help_for_words(timeline, by, word),
        };
        return Reply {
            remembered: RememberedAnswer::Query,
            ..told
        };
    }
    let (phrase, failed) = match parse_command_line(timeline, by, line) {
        Ok(read) => read,
        Err(mut refusal) => {
            let hint = broken_command_hint(ruling.caller, line).filter(|_| is_unknown(&refusal));
            refusal.hints.splice(0..0, hint);
            return Reply::refused(refusal);
        }
    };
    let mut reply = run_command(timeline, ruling, &phrase);
    reply.findings.splice(0..0, failed);
    reply
}

/// Returns whether the first word of a line is not a command.
fn is_unknown(refusal: &Diagnostic) -> bool {
    let place = refusal.place.as_ref();
    refusal.code == NO_MATCH && place.is_some_and(|place| place.span.start == 0)
}

/// Returns a hint to the error in the file of the command that a line begins with. Such a file is not loaded.
fn broken_command_hint(caller: &Caller<'_>, line: &str) -> Option<String> {
    let typed = line.split_whitespace().next()?;
    let is_of_command = |file: &str| {
        let (folders, name) = file.rsplit_once('/')?;
        let word = name.strip_suffix(".luau")?.split('_').next()?;
        let is_command = folders.split('/').any(|folder| folder == COMMANDS);
        (is_command && word.eq_ignore_ascii_case(typed)).then_some(())
    };
    let errors = caller.findings().iter().filter(|one| one.is_error());
    let mut files = errors.filter_map(|error| Some(error.place.as_ref()?.source.name()));
    let file = files.find(|file| is_of_command(file).is_some())?;
    Some(format!("{file} has an error: `check` shows it"))
}

/// Returns the words before the question mark of a line that requests help; nothing if it requests none.
pub(in crate::game) fn words_of_help_request<'a>(
    timeline: &Timeline,
    by: &str,
    line: &'a str,
) -> Option<&'a str> {
    let words = line.strip_suffix('?').map(str::trim_end);
    words.filter(|words| asks_for_help(timeline, by, words))
}

/// Returns whether the text before a question mark requests help. It is one word, or several words with which commands
/// begin or that name a definition or a collection. Other lines may be commands that take a text with such a mark.
fn asks_for_help(timeline: &Timeline, by: &str, words: &str) -> bool {
    let is_word = !words.contains(char::is_whitespace);
    is_word
        || is_beginning_of_command(timeline, by, words)
        || is_name_of_definition(timeline, words)
        || is_name_of_collection(timeline, words)
}

fn run_command(timeline: &mut Timeline, ruling: &Ruling<'_>, phrase: &Parse) -> Reply {
    match owner_of_template(&phrase.template) {
        Some(Owner::Host(id)) => {
            let mut all = ruling.caller.commands.iter();
            let command = all.find(|command| command.id == id);
            let command =
                command.expect("invariant: the grammar holds only commands that are there");
            let reply = run_host_command(command.kind, timeline, &Call { ruling, phrase });
            debug_assert!(
                reply.op.is_none() || command.kind.effect().becomes_operations(),
                "command {id} changed the game, but is declared as a query"
            );
            mark_reply_to_query(command.kind, reply)
        }
        Some(owner @ Owner::Definition { .. }) => {
            run_rules_command(timeline, ruling, &owner, phrase)
        }
        None => Reply::refused(Diagnostic::error(NO_MATCH, "unknown command")),
    }
}

/// Marks a reply of a host query as a query. It is remembered like a query of the rules, except a post, which shows
/// earlier output. Some commands that change something are queries when there is nothing to change.
fn mark_reply_to_query(kind: CommandKind, reply: Reply) -> Reply {
    let is_new = reply.remembered == RememberedAnswer::Nothing && reply.program_request.is_none();
    let may_look = matches!(kind, CommandKind::Note(_) | CommandKind::Write(_));
    let is_look = matches!(kind, CommandKind::Query(_))
        || may_look && reply.op.is_none() && reply.refusal.is_none();
    match is_new && is_look {
        true => Reply {
            remembered: RememberedAnswer::Query,
            ..reply
        },
        false => reply,
    }
}

/// Runs a command of the rules as a ruling. The reply to a query is remembered for a post.
pub(in crate::game) fn run_rules_command(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    owner: &Owner,
    phrase: &Parse,
) -> Reply {
    let ready = match prepare_rules_command(timeline, ruling, owner, phrase) {
        Ok(ready) => ready,
        Err(refusal) => return Reply::refused(*refusal),
    };
    let reply = run_ruling(timeline, ruling, Procedure::Command(&ready));
    let remembered = match ready.query {
        true => RememberedAnswer::Query,
        false => RememberedAnswer::Nothing,
    };
    Reply {
        remembered,
        ..reply
    }
}

/// Prepares a line of a command of the rules to run.
///
/// Errors: the giver may not give it, a waiting ruling blocks it, or a file that it names is not available.
pub(in crate::game) fn prepare_rules_command(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
    owner: &Owner,
    phrase: &Parse,
) -> Result<Ready, Box<Diagnostic>> {
    let Owner::Definition { collection, id, .. } = owner else {
        unreachable!("invariant: only commands of the rules are ruled");
    };
    debug_assert_eq!(collection, COMMANDS);
    if let Some(refusal) = forbidden_line_refusal(timeline, ruling.by(), owner) {
        return Err(Box::new(refusal));
    }
    let query = is_query_command(timeline, owner);
    if !query && let Some(refusal) = one_at_a_time_refusal(timeline, ruling, Some((collection, id)))
    {
        return Err(Box::new(refusal));
    }
    Ok(Ready {
        command: prepare_command(timeline, ruling, owner, phrase)?,
        rule: format!("{collection}/{id}"),
        query,
    })
}

/// Runs a command of the host.
fn run_host_command(kind: CommandKind, timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    match kind {
        CommandKind::Query(look) | CommandKind::Request(look) => look(timeline, call),
        CommandKind::Advance(extent) => advance_game(timeline, extent, call.ruling),
        CommandKind::OnBehalf(change)
        | CommandKind::Write(change)
        | CommandKind::Note(change)
        | CommandKind::Publication(change)
        | CommandKind::Answer(change)
        | CommandKind::Finish(change)
        | CommandKind::Restart(change)
        | CommandKind::Drop(change)
        | CommandKind::History(change) => change(timeline, call),
    }
}
