//! Reveals the seed: from then on everyone can compute all dice of the game, also future ones.
//!
//! A revealed seed stays revealed, even if rulings are taken back. No further dice are rolled from the seed, unless the
//! game master allows dice that everyone can compute.

use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::doc::Document;
use crate::doc::build::{code, paragraph};
use crate::game::attempt::ruling_run::make_host_ruling;
use crate::game::attempt::salts::{Salt, salts};
use crate::game::ruling::ruling_context::Ruling;
use crate::game::ruling::seed_secrecy::{
    FIELD, ROW, are_dice_allowed_after_reveal, has_reveal_row,
};
use crate::game::timeline::Timeline;
use crate::game::timeline::gm_only::gm_only_refusal;
use crate::game::timeline::reply::Reply;
use crate::store::{State, StoreError, Write};
use crate::value::Value;

/// Use of dice after the seed is revealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiceAfterReveal {
    /// No further dice are rolled from the seed.
    Ends,
    /// Dice count as before.
    RollsOn,
}

/// Reveals the seed to everyone.
///
/// Errors: `host/gm-only`; `reveal/done` if nothing would be new; `reveal/no-secret` if the secret file is missing.
pub fn reveal_seed(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    afterwards: DiceAfterReveal,
) -> Reply {
    if let Some(refusal) = gm_only_refusal(ruling.by(), "can reveal the seed") {
        return Reply::refused(refusal);
    }
    if timeline.dice.seed.is_missing() {
        let message = "the file \"secret\" of the game is missing, so the seed cannot be revealed";
        return Reply::refused(Diagnostic::error("reveal/no-secret", message));
    }
    let rolls_on = afterwards == DiceAfterReveal::RollsOn;
    if has_reveal_row(&timeline.state) && rolls_on == are_dice_allowed_after_reveal(&timeline.state)
    {
        let finding = Diagnostic::error("reveal/done", "the seed is already revealed");
        return Reply::refused(
            finding.hint("`log` shows when; `arbiter verify FOLDER --dice` checks all dice"),
        );
    }
    let told = seed_document(timeline, afterwards);
    make_host_ruling(timeline, ruling, |state| {
        store_dice_after_reveal(state, rolls_on).map_err(|error| error.to_diagnostic())?;
        Ok(vec![told])
    })
}

fn seed_document(timeline: &Timeline, afterwards: DiceAfterReveal) -> Document {
    let seed = &timeline.dice.seed;
    let (hex, promised) = (seed.hex(), seed.commitment());
    let words = timeline.words();
    let key = match afterwards {
        DiceAfterReveal::Ends => "seed.ends",
        DiceAfterReveal::RollsOn => "seed.goes_on",
    };
    let check =
        format!("printf %s {hex} | xxd -r -p | sha256sum\nprintf %s '{hex} ADDRESS' | sha256sum");
    let salts = salts(&timeline.state);
    let data = [
        ("seed", hex.into()),
        ("commitment", Value::from(promised.as_str())),
        ("salts", Value::list(salts.iter().map(Salt::to_value))),
    ];
    let salted = match salts.as_slice() {
        [] => paragraph(words.text("seed.no_salts")),
        _ => paragraph(words.text("seed.salts")),
    };
    // Each character of a text counts, also spaces.
    let listed: Vec<String> = salts.iter().map(|salt| salt.list_text(&words)).collect();
    let listed = (!listed.is_empty()).then(|| code("", listed.join("\n")));
    let blocks = [
        paragraph(words.fill(key, &[("seed", &hex)])),
        paragraph(words.fill("seed.promised", &[("commitment", &promised)])),
        code("", check),
        paragraph(words.text("seed.how")),
        salted,
    ];
    Document::new(blocks.into_iter().chain(listed)).data(Value::map(data))
}

fn store_dice_after_reveal(state: &mut State, rolls_on: bool) -> Result<(), StoreError> {
    let names = Rc::clone(state.names());
    let (row, field) = (names.intern(ROW), names.intern(FIELD));
    state.ensure_host_row(row)?;
    let value = if rolls_on {
        Value::Bool(true)
    } else {
        Value::Nil
    };
    state.apply(Write::Set { row, field, value })
}
