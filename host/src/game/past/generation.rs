//! This module does something under rules that are not the live ones: those that an earlier command ran under.
//!
//! Their files are known from this session or from the folder of the game. To rule, a machine is built anew; to look,
//! a few of them are kept, so that the next look needs none.

use crate::diag::Diagnostic;
use crate::game::rules::home::Files;
use crate::game::session::{Session, build};
use crate::script::{Compiled, Engine};

/// Machines of earlier rules that are kept to look with.
const KEPT: usize = 2;

/// One generation of rules with the files that it came from.
pub(in crate::game) struct Generation {
    pub(in crate::game) engine: Engine,
    pub(in crate::game) files: Files,
    pub(in crate::game) hash: String,
}

/// Machines of earlier rules, the last one used last.
#[derive(Default)]
pub(in crate::game) struct Earlier(Vec<Generation>);

impl Earlier {
    fn take(&mut self, hash: &str) -> Option<Generation> {
        let at = self.0.iter().position(|one| one.hash == hash)?;
        Some(self.0.remove(at))
    }

    /// Keeps a machine, unless its memory would stay short.
    fn keep(&mut self, one: Generation) {
        if one.engine.is_spent() {
            return;
        }
        self.0.push(one);
        let over = self.0.len().saturating_sub(KEPT);
        self.0.drain(..over);
    }
}

impl Session {
    /// Does something under the rules of an earlier generation. Errors: they are not kept, or cannot be used.
    pub(in crate::game) fn under<R>(
        &mut self,
        hash: &str,
        body: impl FnOnce(&mut Session) -> R,
    ) -> Result<R, Box<Diagnostic>> {
        if hash == self.rules_hash {
            return Ok(body(self));
        }
        let rules = self.generation(hash).ok_or_else(|| {
            let message = "the rules that this ruling began with are not kept";
            let finding = Diagnostic::error("ask/old-rules", message);
            Box::new(finding.hint("restart begins it anew, drop gives it up"))
        })?;
        Ok(self.with_rules(rules, body).0)
    }

    /// Looks at something under the rules of an earlier generation; nothing if they are not kept, or cannot be used.
    pub(in crate::game) fn looking_under<R>(
        &mut self,
        hash: &str,
        body: impl FnOnce(&mut Session) -> R,
    ) -> Option<R> {
        if hash == self.rules_hash {
            return Some(body(self));
        }
        let kept = self.earlier.take(hash);
        let rules = kept.or_else(|| self.generation(hash))?;
        let (result, used) = self.with_rules(rules, body);
        if let Some(used) = used {
            self.earlier.keep(used);
        }
        Some(result)
    }

    /// Builds the machine of earlier rules; nothing if they are not kept, or cannot be used.
    fn generation(&self, hash: &str) -> Option<Generation> {
        let files = self.rules_named(hash)?;
        let (commands, compiled) = (self.commands, Compiled::default());
        let (engine, _) = build(&self.options, commands, files.clone(), compiled).ok()?;
        let hash = hash.to_owned();
        Some(Generation {
            engine,
            files,
            hash,
        })
    }

    /// Does something while other rules are the live ones, and returns those too.
    fn with_rules<R>(
        &mut self,
        rules: Generation,
        body: impl FnOnce(&mut Session) -> R,
    ) -> (R, Option<Generation>) {
        let live = self.swap_rules(rules);
        // A correction that goes on under its own rules does some of it under others.
        let before = self.set_aside.replace(live);
        let result = body(self);
        let live = std::mem::replace(&mut self.set_aside, before);
        let used = live.map(|live| self.swap_rules(live));
        (result, used)
    }

    /// Makes other rules the live ones and returns those that were.
    pub(in crate::game) fn swap_rules(&mut self, other: Generation) -> Generation {
        let live = Generation {
            engine: std::mem::replace(&mut self.engine, other.engine),
            files: std::mem::replace(&mut self.files, other.files),
            hash: std::mem::replace(&mut self.rules_hash, other.hash),
        };
        self.engine.rules().equip(&mut self.state);
        live
    }
}
