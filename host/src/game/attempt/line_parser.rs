//! Reads a line of a player or of the game master as a command.

use crate::diag::{Diagnostic, Source};
use crate::dice::Notation;
use crate::game::question::open_questions::seats_in_play;
use crate::game::question::possible_answers::answer_hint_for_line;
use crate::game::timeline::Timeline;
use crate::game::timeline::command_words::replace_former_word;
use crate::script::{
    COMMAND, GM, Owner, is_read_only_line, leading_words, owner_of_template, with_names,
};
use crate::text::{Context, Miss, Parse, Want};

/// The code for a line that matches no command.
pub(in crate::game) const NO_MATCH: &str = "phrase/no-match";
/// The maximum number of bytes in one line.
pub(crate) const LINE: usize = 8 << 10;
/// The hint about a line that begins like no command.
const LISTS_COMMANDS: &str = "`help` lists the commands of this game";
/// The number of words that are tried as the missing word of a line.
const MISSING: usize = 8;

/// Reads a line as a command. Errors: the nearest command that the line could have been, or why names are missing.
///
/// Out: the phrase, and why names are missing without which it was read.
pub(in crate::game) fn parse_command_line(
    timeline: &Timeline,
    by: &str,
    line: &str,
) -> Result<(Parse, Vec<Diagnostic>), Diagnostic> {
    let rules = timeline.rules();
    let (read, failed) = with_names(
        &timeline.generation().machine(),
        &timeline.state,
        by,
        |names| {
            let read = |line: &str| {
                let mut context = Context::new("command").with_names(names);
                let read = rules.grammar.read(COMMAND, line, &mut context);
                read.map_err(|miss| {
                    let is_host_line = |line: &str| {
                        let mut context = Context::new("command").with_names(names);
                        let read = rules.grammar.read(COMMAND, line, &mut context);
                        let owner = read.ok().and_then(|one| owner_of_template(&one.template));
                        matches!(owner, Some(Owner::Host(_)))
                    };
                    let hints = [
                        help_hint_of_complete_command(&miss),
                        missing_word_hint(&miss, line, is_host_line),
                    ];
                    let refusal = miss.to_diagnostic(&Source::new("line", line), 0);
                    hints.into_iter().flatten().fold(refusal, Diagnostic::hint)
                })
            };
            match line_in_present_words(timeline, line) {
                Some((present, _)) => read(&present),
                None => read(line),
            }
        },
    );
    // Without the names, the meaning of the line is unknown.
    match read {
        Ok(phrase) => Ok((phrase, failed)),
        Err(miss) => {
            let miss = failed.into_iter().next().unwrap_or(miss);
            let hints = [
                line_for_seat_hint(timeline, by, line),
                answer_hint_for_line(timeline, by, line),
            ];
            let refusal = hints.into_iter().flatten().fold(miss, Diagnostic::hint);
            let is_strange = &*refusal.code == NO_MATCH && is_at_line_start(&refusal);
            if !is_strange || !refusal.hints.is_empty() {
                return Err(refusal);
            }
            let hint = dice_roll_hint(timeline, by, line);
            Err(refusal.hint(hint.unwrap_or_else(|| LISTS_COMMANDS.to_owned())))
        }
    }
}

/// Returns a hint to the line that rolls dice if the line is only dice, such as `2d6`, and the game has such a command.
fn dice_roll_hint(timeline: &Timeline, by: &str, line: &str) -> Option<String> {
    let dice = line.trim();
    let is_dice = dice.contains(|c: char| c.is_ascii_digit()) && Notation::parse(dice).is_ok();
    let roll = format!("roll {dice}");
    let is_rolled = is_dice && parse_command_line(timeline, by, &roll).is_ok();
    is_rolled.then(|| format!("to roll dice, type `{roll}`"))
}

/// Returns a hint to the help of a command if the command was complete before the words that do not fit.
fn help_hint_of_complete_command(miss: &Miss) -> Option<String> {
    let template = miss.came.first().filter(|_| miss.expected == [Want::End])?;
    let words = leading_words(&template.form.syntax).join(" ");
    (!words.is_empty()).then(|| format!("`help {words}` explains this command"))
}

/// Returns a hint with the whole line if one word is missing before the words that do not fit, and the line with this
/// word is a command of the host.
fn missing_word_hint(
    miss: &Miss,
    line: &str,
    is_host_line: impl Fn(&str) -> bool,
) -> Option<String> {
    let (before, rest) = line.split_at_checked(miss.finding.span.start)?;
    if before.trim().is_empty() || rest.is_empty() {
        return None;
    }
    let words = miss.expected.iter().filter_map(|want| match want {
        Want::Word(word) => Some(word),
        Want::Type { .. } | Want::End => None,
    });
    let lines = words
        .take(MISSING)
        .map(|word| format!("{before}{word} {rest}"));
    let lines: Vec<String> = lines.filter(|line| is_host_line(line)).collect();
    match &lines[..] {
        [only] => Some(format!("did you mean `{only}`?")),
        _ => None,
    }
}

/// Returns a line that begins with a former word of a command, written in its present words, and both words. Returns
/// nothing if the ruleset has a command with the former word.
pub(in crate::game) fn line_in_present_words(
    timeline: &Timeline,
    line: &str,
) -> Option<(String, (&'static str, &'static str))> {
    let (present, words) = replace_former_word(&timeline.game.commands, line)?;
    let rules = timeline.rules();
    let mut known = rules.grammar.first_words(COMMAND).into_iter();
    let is_taken = known.any(|word| word.eq_ignore_ascii_case(words.0));
    (!is_taken).then_some((present, words))
}

fn is_at_line_start(refusal: &Diagnostic) -> bool {
    let place = refusal.place.as_ref();
    place.is_some_and(|place| place.span.start == 0)
}

/// Returns how a line is given for a seat, if a line of the game master begins with a seat's name.
fn line_for_seat_hint(timeline: &Timeline, by: &str, line: &str) -> Option<String> {
    if by != GM {
        return None;
    }
    let seats = seats_in_play(timeline);
    let mut names = seats.names()?.into_iter();
    let is_first = |name: &&str| {
        let rest = line.get(name.len()..).unwrap_or_default();
        let begins = line.get(..name.len());
        let begins = begins.is_some_and(|first| first.eq_ignore_ascii_case(name));
        begins && rest.starts_with([' ', ':'])
    };
    let name = names.find(is_first)?;
    Some(format!(
        "to give a command for {name}, type `for {name}: COMMAND`"
    ))
}

/// Returns whether a line of a command of the rules is a query.
pub(in crate::game) fn is_query_command(timeline: &Timeline, owner: &Owner) -> bool {
    is_read_only_line(&timeline.rules(), owner)
}

/// Returns why a line cannot be accepted.
pub(in crate::game) fn bad_line_refusal(line: &str) -> Option<Diagnostic> {
    if line.len() > LINE {
        let message = format!(
            "the line has {} bytes, but at most {LINE} are allowed",
            line.len()
        );
        return Some(Diagnostic::error("limit/size", message));
    }
    let control = line
        .chars()
        .find(|c| c.is_control() && !matches!(c, '\n' | '\t'))?;
    let message = format!(
        "the line contains the control character \\x{:02x}",
        u32::from(control)
    );
    Some(
        Diagnostic::error("phrase/control-character", message)
            .hint("type it again; nothing was done"),
    )
}
