//! This module is the methods of `act` that draw chance.

use mlua::Lua;

use super::super::super::argument::{Numbers, Texts};
use super::super::super::error::HostError;
use super::super::super::host::Host;
use super::super::super::raw::{Returned, This};
use super::super::super::run::Chance;
use super::super::super::trace;
use super::super::refused;
use crate::diag::Diagnostic;
use crate::dice::{Budget, Draw};

pub(super) fn roll(
    lua: &Lua,
    host: &Host,
    (act, notation, purpose, who): (This, mlua::LuaString, Option<String>, Option<String>),
) -> mlua::Result<f64> {
    let mut run = host.drawing(act)?;
    let text = notation;
    let notation = host.notation(&text)?;
    let run = &mut *run;
    let mut source = Addressed::new(run.chance.as_mut(), purpose.as_deref(), who.as_deref());
    let total = notation
        .total(&mut source, &mut run.dice)
        .map_err(HostError::raise)?;
    trace::drew(lua, run, || (rolled(&text), total.to_string()));
    Ok(total as f64)
}

pub(super) fn roll_tree(
    lua: &Lua,
    host: &Host,
    (act, notation, purpose, who): (This, mlua::LuaString, Option<String>, Option<String>),
) -> mlua::Result<Returned> {
    let mut run = host.drawing(act)?;
    let text = notation;
    let notation = host.notation(&text)?;
    let run = &mut *run;
    let mut source = Addressed::new(run.chance.as_mut(), purpose.as_deref(), who.as_deref());
    let roll = notation
        .roll(&mut source, &mut run.dice)
        .map_err(HostError::raise)?;
    let value = roll.to_value();
    trace::drew(lua, run, || (rolled(&text), value.get("total").to_string()));
    Ok(Returned(value))
}

/// Returns what a trace says of a roll.
fn rolled(notation: &mlua::LuaString) -> String {
    format!("rolled {}", notation.to_string_lossy())
}

/// Draws for one purpose and roller.
struct Addressed<'a> {
    chance: &'a mut dyn Chance,
    purpose: &'a str,
    who: &'a str,
}

impl<'a> Addressed<'a> {
    fn new(
        chance: &'a mut dyn Chance,
        purpose: Option<&'a str>,
        who: Option<&'a str>,
    ) -> Addressed<'a> {
        Addressed {
            chance,
            purpose: purpose.unwrap_or("roll"),
            who: who.unwrap_or("-"),
        }
    }
}

impl Draw for Addressed<'_> {
    fn draw(&mut self, sides: u32) -> Result<u32, Box<Diagnostic>> {
        self.chance.face(self.purpose, self.who, sides)
    }
}

pub(super) fn draw(
    lua: &Lua,
    host: &Host,
    (act, Numbers(sides), purpose, who): (This, Numbers, Option<String>, Option<String>),
) -> mlua::Result<Vec<u32>> {
    let mut run = host.drawing(act)?;
    let run = &mut *run;
    let mut source = Addressed::new(run.chance.as_mut(), purpose.as_deref(), who.as_deref());
    let mut faces = Vec::with_capacity(sides.len());
    for number in sides {
        if number.fract() != 0.0 || !(1.0..=1_000_000.0).contains(&number) {
            return Err(refused(
                "script/argument",
                format!("a die has 1 to 1,000,000 sides, not {number}"),
            ));
        }
        spend_die(&mut run.dice)?;
        faces.push(source.draw(number as u32).map_err(HostError::raise)?);
    }
    trace::drew(lua, run, || {
        let shown: Vec<String> = faces.iter().map(u32::to_string).collect();
        (format!("drew {} dice", faces.len()), shown.join(" "))
    });
    Ok(faces)
}

/// Takes one die from the budget of the ruling. Errors: `limit/dice` when none is left.
fn spend_die(dice: &mut Budget) -> mlua::Result<()> {
    if dice.take(1) {
        return Ok(());
    }
    Err(refused(
        "limit/dice",
        "a ruling may roll 1,000 dice at most",
    ))
}

pub(super) fn pick(
    lua: &Lua,
    host: &Host,
    (act, Texts(mut candidates), purpose, who): (This, Texts, String, Option<String>),
) -> mlua::Result<String> {
    let mut run = host.drawing(act)?;
    candidates.sort();
    let sides = u32::try_from(candidates.len()).unwrap_or(u32::MAX);
    if sides == 0 {
        return Err(refused(
            "script/argument",
            "`act:pick` needs at least one candidate",
        ));
    }
    spend_die(&mut run.dice)?;
    let face = run
        .chance
        .face(&purpose, who.as_deref().unwrap_or("-"), sides)
        .map_err(HostError::raise)?;
    trace::drew(lua, &mut run, || {
        let what = format!("picked {purpose} from {}", candidates.join(", "));
        (what, candidates[face as usize - 1].clone())
    });
    Ok(candidates.swap_remove(face as usize - 1))
}

pub(super) fn shuffle(
    lua: &Lua,
    host: &Host,
    (act, Texts(candidates), purpose): (This, Texts, String),
) -> mlua::Result<Vec<String>> {
    let mut run = host.drawing(act)?;
    host.charge(4 * candidates.len() as u64)?;
    let mut placed = Vec::with_capacity(candidates.len());
    for id in candidates {
        placed.push((
            run.chance.order(&purpose, &id).map_err(HostError::raise)?,
            id,
        ));
    }
    placed.sort();
    let order: Vec<String> = placed.into_iter().map(|(_, id)| id).collect();
    trace::drew(lua, &mut run, || {
        (format!("shuffled {purpose}"), order.join(", "))
    });
    Ok(order)
}
