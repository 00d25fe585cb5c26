//! Methods of `act` that use chance.

use mlua::Lua;

use crate::diag::Diagnostic;
use crate::dice::{Budget, Draw, Notation, TOO_MANY_DICE};
use crate::script::api::refusal_error;
use crate::script::border::argument_values::{Numbers, Texts};
use crate::script::border::stack_value::{Returned, This};
use crate::script::host::Host;
use crate::script::host::error_findings::HostError;
use crate::script::inquiry::audiences::read_existing_audience;
use crate::script::run::Run;
use crate::script::run::chance::Chance;
use crate::script::run::run_record::Formula;
use crate::script::run::trace;
use crate::value::Value;

/// Options of a roll: the dice, the purpose, the roller and the audience.
type Asked = (
    This,
    mlua::LuaString,
    Option<String>,
    Option<String>,
    Option<String>,
);

pub(super) fn roll(lua: &Lua, host: &Host, asked: Asked) -> mlua::Result<f64> {
    let throw = |notation: &Notation, source: &mut Addressed<'_>, dice: &mut Budget| {
        notation.roll_total(source, dice)
    };
    let total = roll_and_record(lua, host, asked, throw, |total| (*total).into())?;
    Ok(total as f64)
}

pub(super) fn roll_tree(lua: &Lua, host: &Host, asked: Asked) -> mlua::Result<Returned> {
    let throw = |notation: &Notation, source: &mut Addressed<'_>, dice: &mut Budget| {
        notation.roll(source, dice).map(|roll| roll.to_value())
    };
    let total = |tree: &Value| tree.get("total").clone();
    roll_and_record(lua, host, asked, throw, total).map(Returned)
}

/// Rolls the dice of a notation and records the result, with the `total`.
fn roll_and_record<T>(
    lua: &Lua,
    host: &Host,
    (act, text, purpose, who, seen): Asked,
    throw: impl FnOnce(&Notation, &mut Addressed<'_>, &mut Budget) -> Result<T, Box<Diagnostic>>,
    total: impl Fn(&T) -> Value,
) -> mlua::Result<T> {
    check_roll_audience(host, seen.as_deref())?;
    let mut run = host.ruling_to_draw(act)?;
    let notation = host.parsed_notation(&text)?;
    let run = &mut *run;
    let mut source = Addressed::new(run.chance.as_mut(), purpose.as_deref(), who.as_deref());
    let rolled = throw(&notation, &mut source, &mut run.dice);
    let dice = source.drawn;
    let rolled = count_faces_of_failed_roll(run, dice, rolled)?;
    let formula = Formula::Notation(notation);
    run.motion
        .recorded
        .note_roll(dice, formula, (total(&rolled), seen));
    trace::note_draw(lua, run, || {
        (roll_trace_text(&text), total(&rolled).to_string())
    });
    Ok(rolled)
}

/// Errors: the value of `visible_to` is not an audience.
fn check_roll_audience(host: &Host, seen: Option<&str>) -> mlua::Result<()> {
    seen.map_or(Ok(()), |seen| read_existing_audience(host, seen).map(drop))
}

/// Counts the faces of a failed roll, because they were rolled.
fn count_faces_of_failed_roll<T>(
    run: &mut Run,
    dice: usize,
    rolled: Result<T, Box<Diagnostic>>,
) -> mlua::Result<T> {
    if rolled.is_err() {
        run.motion.recorded.note_drawn_faces(dice);
    }
    rolled.map_err(HostError::error_of_finding)
}

/// Returns the entry of a roll in a trace.
fn roll_trace_text(notation: &mlua::LuaString) -> String {
    format!("rolled {}", notation.to_string_lossy())
}

/// Rolls for one purpose and roller.
struct Addressed<'a> {
    chance: &'a mut dyn Chance,
    purpose: &'a str,
    who: &'a str,
    /// Number of faces that were rolled.
    drawn: usize,
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
            drawn: 0,
        }
    }
}

impl Draw for Addressed<'_> {
    fn draw(&mut self, sides: u32) -> Result<u32, Box<Diagnostic>> {
        let face = self.chance.draw_face(self.purpose, self.who, sides)?;
        self.drawn += 1;
        Ok(face)
    }
}

pub(super) fn roll_faces(
    lua: &Lua,
    host: &Host,
    (act, Numbers(sides), purpose, who, seen): (
        This,
        Numbers,
        Option<String>,
        Option<String>,
        Option<String>,
    ),
) -> mlua::Result<Vec<u32>> {
    check_roll_audience(host, seen.as_deref())?;
    let mut run = host.ruling_to_draw(act)?;
    let run = &mut *run;
    let mut source = Addressed::new(run.chance.as_mut(), purpose.as_deref(), who.as_deref());
    let drawn = draw_faces(&mut source, &mut run.dice, &sides);
    let dice = source.drawn;
    if drawn.is_err() {
        run.motion.recorded.note_drawn_faces(dice);
    }
    let faces = drawn?;
    let formula: Vec<String> = sides.iter().map(|sides| format!("d{sides}")).collect();
    let formula = Formula::Text(formula.join(" "));
    run.motion
        .recorded
        .note_roll(dice, formula, (Value::Nil, seen));
    trace::note_draw(lua, run, || {
        let shown: Vec<String> = faces.iter().map(u32::to_string).collect();
        let what = match faces.len() {
            1 => "drew 1 die".to_owned(),
            count => format!("drew {count} dice"),
        };
        (what, shown.join(" "))
    });
    Ok(faces)
}

/// Rolls a face of each size. Errors: there is no such die, or no die is left.
fn draw_faces(
    source: &mut Addressed<'_>,
    budget: &mut Budget,
    sides: &[f64],
) -> mlua::Result<Vec<u32>> {
    let mut faces = Vec::with_capacity(sides.len());
    for number in sides.iter().copied() {
        if number.fract() != 0.0 || !(1.0..=1_000_000.0).contains(&number) {
            return Err(refusal_error(
                "script/argument",
                format!("a die has 1 to 1,000,000 sides, not {number}"),
            ));
        }
        spend_die(budget)?;
        faces.push(
            source
                .draw(number as u32)
                .map_err(HostError::error_of_finding)?,
        );
    }
    Ok(faces)
}

/// Takes one die from the budget of the ruling. Errors: `limit/dice` if none is left.
fn spend_die(dice: &mut Budget) -> mlua::Result<()> {
    if dice.take_draws(1) {
        return Ok(());
    }
    Err(refusal_error("limit/dice", TOO_MANY_DICE))
}

pub(super) fn pick_candidate(
    lua: &Lua,
    host: &Host,
    (act, Texts(mut candidates), purpose, who): (This, Texts, String, Option<String>),
) -> mlua::Result<String> {
    let mut run = host.ruling_to_draw(act)?;
    host.charge(4 * candidates.len() as u64)?;
    candidates.sort();
    let sides = u32::try_from(candidates.len()).unwrap_or(u32::MAX);
    if sides == 0 {
        return Err(refusal_error(
            "script/argument",
            "`act:pick` needs at least one candidate",
        ));
    }
    spend_die(&mut run.dice)?;
    let face = run
        .chance
        .draw_face(&purpose, who.as_deref().unwrap_or("-"), sides)
        .map_err(HostError::error_of_finding)?;
    let total = Value::from(candidates[face as usize - 1].as_str());
    let formula = Formula::Text(format!("1 of {sides}"));
    run.motion.recorded.note_roll(1, formula, (total, None));
    trace::note_draw(lua, &mut run, || {
        let what = format!("picked {purpose} from {}", candidates.join(", "));
        (what, candidates[face as usize - 1].clone())
    });
    Ok(candidates.swap_remove(face as usize - 1))
}

/// Fuel for one candidate of a shuffle.
const SHUFFLED: u64 = 64;

pub(super) fn shuffle_candidates(
    lua: &Lua,
    host: &Host,
    (act, Texts(candidates), purpose): (This, Texts, String),
) -> mlua::Result<Vec<String>> {
    let mut run = host.ruling_to_draw(act)?;
    host.charge(SHUFFLED * candidates.len() as u64)?;
    let mut placed = Vec::with_capacity(candidates.len());
    for id in candidates {
        placed.push((
            run.chance
                .draw_order(&purpose, &id)
                .map_err(HostError::error_of_finding)?,
            id,
        ));
    }
    placed.sort();
    let order: Vec<String> = placed.into_iter().map(|(_, id)| id).collect();
    trace::note_draw(lua, &mut run, || {
        (format!("shuffled {purpose}"), order.join(", "))
    });
    Ok(order)
}
