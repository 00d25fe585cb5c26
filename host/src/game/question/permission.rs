//! Permission to give commands, and the refusals.

use crate::content::Definition;
use crate::diag::Diagnostic;
use crate::game::question::open_questions::seats_in_play;
use crate::game::timeline::Timeline;
use crate::game::timeline::gm_only::{GM_ONLY, gm_only_refusal};
use crate::script::{
    GM, GROUP, Owner, allowed_givers, command_word, syntax_line_count, syntax_lines,
};

/// The code for commands that only the game master and some groups may give.
const GROUP_ONLY: &str = "host/group-only";

/// Returns whether a refusal has the reason that a command is for other users.
pub(in crate::game) fn is_permission_refusal(refusal: &Diagnostic) -> bool {
    [GM_ONLY, GROUP_ONLY].contains(&&*refusal.code)
}

/// Returns whether a user may give a command of the rules, or at least one of its lines.
pub(in crate::game) fn may_give_command(
    timeline: &Timeline,
    by: &str,
    command: &Definition,
) -> bool {
    (1..=syntax_line_count(command)).any(|line| may_give_line(timeline, by, command, line))
}

/// Returns whether a user may give a line of a command of the rules: its `by` names them, or is empty.
pub(in crate::game) fn may_give_line(
    timeline: &Timeline,
    by: &str,
    command: &Definition,
    line: usize,
) -> bool {
    let givers = allowed_givers(command, line);
    if by == GM || givers.is_empty() {
        return true;
    }
    let groups = givers.iter().filter_map(|one| one.strip_prefix(GROUP));
    let groups: Vec<&str> = groups.collect();
    let seats = (!groups.is_empty()).then(|| seats_in_play(timeline));
    let own = seats
        .as_ref()
        .map_or(&[][..], |seats| seats.groups_of_seat(by));
    own.iter().any(|group| groups.contains(&group.as_str()))
}

/// Refuses a line of a command of the rules that a user may not give.
pub(in crate::game) fn forbidden_line_refusal(
    timeline: &Timeline,
    by: &str,
    owner: &Owner,
) -> Option<Diagnostic> {
    let rules = timeline.rules();
    let (command, line) = rules.definition_and_line_number(owner)?;
    if may_give_line(timeline, by, command, line) {
        return None;
    }
    let what = match may_give_command(timeline, by, command) {
        false => format!("the command \"{}\"", command_word(command)),
        true => format!("the line \"{}\"", syntax_of_line(command, line)),
    };
    match giver_groups(&allowed_givers(command, line)) {
        None => gm_only_refusal(by, &format!("can use {what}")),
        Some(groups) => {
            let message = format!("only the game master and {groups} can use {what}");
            Some(Diagnostic::error(GROUP_ONLY, message))
        }
    }
}

/// Returns the permitted givers of a command's lines in words; nothing if everybody may give all lines.
pub(in crate::game) fn permitted_givers_in_words(command: &Definition) -> Option<String> {
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    for line in 1..=syntax_line_count(command) {
        let who = match allowed_givers(command, line) {
            all if all.is_empty() => "everybody".to_owned(),
            some => match giver_groups(&some) {
                None => "the game master".to_owned(),
                Some(groups) => format!("the game master, {groups}"),
            },
        };
        let syntax = syntax_of_line(command, line);
        match told.iter_mut().find(|(known, _)| *known == who) {
            Some((_, lines)) => lines.push(syntax),
            None => told.push((who, vec![syntax])),
        }
    }
    match told.as_slice() {
        [] => None,
        [(who, _)] => (who != "everybody").then(|| who.clone()),
        all => {
            let parts = all.iter();
            let parts = parts.map(|(who, lines)| format!("{who}: {}", lines.join(", ")));
            Some(parts.collect::<Vec<_>>().join("; "))
        }
    }
}

/// Returns the groups among givers in words; nothing if the game master is the only giver.
fn giver_groups(givers: &[&str]) -> Option<String> {
    let groups = givers.iter().filter(|one| **one != GM).copied();
    let groups: Vec<&str> = groups.collect();
    (!groups.is_empty()).then(|| groups.join(", "))
}

fn syntax_of_line(command: &Definition, line: usize) -> &str {
    let mut lines = syntax_lines(command).into_iter();
    lines.nth(line.saturating_sub(1)).unwrap_or_default()
}
