//! This module says who may give which command, and refuses the others.

use super::session::Session;
use crate::content::Definition;
use crate::diag::Diagnostic;
use crate::script::{GM, GROUP, Owner, givers, typed_word};

/// The code of what only the game master does.
const GM_ONLY: &str = "host/gm-only";

/// The code of what only the game master and some groups do.
const GROUP_ONLY: &str = "host/group-only";

/// Returns whether a refusal says that somebody may not give a command, whom it is for.
pub(super) fn is_for_others(refusal: &Diagnostic) -> bool {
    [GM_ONLY, GROUP_ONLY].contains(&&*refusal.code)
}

/// Refuses what only the game master does: what it is, behind "only the game master".
pub fn gm_only(by: &str, does: &str) -> Option<Diagnostic> {
    let refusal = || {
        let message = format!("only the game master {does}");
        Diagnostic::error(GM_ONLY, message).hint("as gm goes back to the game master's seat")
    };
    (by != GM).then(refusal)
}

impl Session {
    /// Returns whether somebody may give a command of the rules: its `by` names them, or it has none.
    pub(super) fn may_give(&self, by: &str, command: &Definition) -> bool {
        let mut givers = givers(command).peekable();
        if by == GM || givers.peek().is_none() {
            return true;
        }
        let groups: Vec<&str> = givers.filter_map(|one| one.strip_prefix(GROUP)).collect();
        let seats = (!groups.is_empty()).then(|| self.seats());
        let own = seats.as_ref().map_or(&[][..], |seats| seats.groups(by));
        own.iter().any(|group| groups.contains(&group.as_str()))
    }

    /// Refuses a line of a command of the rules that somebody may not give.
    pub(super) fn not_theirs(&self, by: &str, owner: &Owner) -> Option<Diagnostic> {
        let Owner::Definition { collection, id, .. } = owner else {
            return None;
        };
        let rules = self.rules();
        let command = rules.registry.get(collection, id)?;
        if self.may_give(by, command) {
            return None;
        }
        let word = typed_word(command);
        match who_gives(command) {
            None => gm_only(by, &format!("gives the command \"{word}\"")),
            Some(groups) => {
                let message =
                    format!("only the game master and {groups} give the command \"{word}\"");
                Some(Diagnostic::error(GROUP_ONLY, message))
            }
        }
    }
}

/// Returns the groups that may give a command in words; nothing where it is the game master alone, or everybody.
pub(super) fn who_gives(command: &Definition) -> Option<String> {
    let groups: Vec<&str> = givers(command).filter(|one| *one != GM).collect();
    (!groups.is_empty()).then(|| groups.join(", "))
}
