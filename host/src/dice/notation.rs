//! The compiled notation: the parsed form of a text, ready for rolls and queries.

use std::sync::Arc;

use super::expr::Expr;
use super::face_source::{Budget, Draw};
use super::roll::Roll;
use super::throw::Thrower;
use super::{NOTATION_SOURCE, notation_parser};
use crate::diag::{Diagnostic, Source};

/// A parsed dice notation; the module describes the notation.
#[derive(Clone, Debug)]
pub struct Notation {
    pub(super) source: Arc<Source>,
    pub(super) root: Expr,
    text: Arc<str>,
    comment: Option<Arc<str>>,
    dice: u32,
}

impl Notation {
    /// Reads a notation.
    ///
    /// Errors: every finding of the text: `dice/…`, `limit/size`, `limit/depth`.
    pub fn parse(text: &str) -> Result<Notation, Vec<Diagnostic>> {
        notation_parser::check_text_length(text)?;
        let source = Source::new(NOTATION_SOURCE, text);
        let parsed = notation_parser::parse(&source)?;
        let comment = text[parsed.end..].trim_start_matches('#').trim();
        Ok(Notation {
            text: text[..parsed.end].trim().into(),
            comment: (!comment.is_empty()).then(|| comment.into()),
            dice: parsed.dice,
            root: parsed.root,
            source,
        })
    }

    /// Returns the notation as written, without comment.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the comment after `#`.
    pub fn comment(&self) -> Option<&str> {
        self.comment.as_deref()
    }

    /// Returns the number of written dice; rerolls and explosions are additional.
    pub fn dice_count(&self) -> u32 {
        self.dice
    }

    /// Rolls and returns the whole tree.
    ///
    /// Errors: `limit/dice`, `dice/overflow`, `dice/zero-divisor`, `dice/bad-face`, and the errors of `draw`.
    pub fn roll<D: Draw + ?Sized>(
        &self,
        draw: &mut D,
        budget: &mut Budget,
    ) -> Result<Roll, Box<Diagnostic>> {
        let tree = self.new_thrower(draw, budget).roll_tree(&self.root)?;
        Ok(Roll {
            notation: Arc::clone(&self.text),
            comment: self.comment.clone(),
            tree,
        })
    }

    /// Rolls and returns the total only; the same faces give the same total as [`Notation::roll`].
    ///
    /// Errors: as `roll`.
    pub fn roll_total<D: Draw + ?Sized>(
        &self,
        draw: &mut D,
        budget: &mut Budget,
    ) -> Result<i64, Box<Diagnostic>> {
        self.new_thrower(draw, budget).total(&self.root)
    }

    fn new_thrower<'a, D: Draw + ?Sized>(
        &'a self,
        draw: &'a mut D,
        budget: &'a mut Budget,
    ) -> Thrower<'a, D> {
        Thrower {
            draw,
            budget,
            source: &self.source,
        }
    }
}

/// Returns the value of an expression without dice. Errors: `dice/overflow`, `dice/zero-divisor`.
pub(super) fn value_without_dice(
    expr: &Expr,
    source: &Arc<Source>,
) -> Result<i64, Box<Diagnostic>> {
    /// A source without faces.
    struct NoDice;
    impl Draw for NoDice {
        fn draw(&mut self, sides: u32) -> Result<u32, Box<Diagnostic>> {
            let message = format!("a constant contains a d{sides}");
            Err(Diagnostic::error("dice/random-count", message).into())
        }
    }
    Thrower {
        draw: &mut NoDice,
        budget: &mut Budget::of_draws(0),
        source,
    }
    .total(expr)
}
