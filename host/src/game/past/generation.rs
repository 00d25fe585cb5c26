//! This module does something under rules that are not the live ones: those that an earlier command ran under.

use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::game::rules::generation::Generation;
use crate::game::session::Session;

impl Session {
    /// Does something under the rules of an earlier generation. Errors: they are not kept, or cannot be used.
    pub(in crate::game) fn under<R>(
        &mut self,
        hash: &str,
        body: impl FnOnce(&mut Session) -> R,
    ) -> Result<R, Box<Diagnostic>> {
        self.looking_under(hash, body).ok_or_else(|| {
            let message = "the rules that this ruling began with are not kept";
            let finding = Diagnostic::error("ask/old-rules", message);
            Box::new(finding.hint("restart begins it anew, drop gives it up"))
        })
    }

    /// Looks at something under the rules of an earlier generation; nothing if they are not kept, or cannot be used.
    pub(in crate::game) fn looking_under<R>(
        &mut self,
        hash: &str,
        body: impl FnOnce(&mut Session) -> R,
    ) -> Option<R> {
        if hash == self.now.hash() {
            return Some(body(self));
        }
        let rules = self.rules.find(hash, || self.rules_on_disk(hash))?;
        let before = self.plays_under(rules);
        let result = body(self);
        self.plays_under(before);
        Some(result)
    }

    /// Plays under other rules from now on, and returns those before.
    pub(in crate::game) fn plays_under(&mut self, rules: Rc<Generation>) -> Rc<Generation> {
        let before = std::mem::replace(&mut self.now, rules);
        self.now.equip(&mut self.state);
        before
    }
}
