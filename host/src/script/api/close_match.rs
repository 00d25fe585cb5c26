//! Close matches between texts: the `fuzzy` table.

use std::rc::Rc;

use mlua::{Lua, Table};

use super::{Library, fuzzy_name_list, refusal_error};
use crate::diag::nearest_names;
use crate::script::border::argument_values::Texts;
use crate::script::host::Host;
use crate::text::{Ratio, close_matches};
use crate::value::Number;

/// Returns the table `fuzzy`.
pub(super) fn fuzzy_table(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Table> {
    fuzzy_name_list::register_matcher_methods(lua, host)?;
    let library = Library::new(lua, host, "fuzzy")?
        .add("ratio", similarity_ratio)?
        .add("close", close_matches_of_word)?
        .add("near", near_names)?
        .add("names", fuzzy_name_list::make_matcher)?;
    Ok(library.into_table())
}

fn similarity_ratio(_: &Lua, host: &Host, (a, b): (String, String)) -> mlua::Result<f64> {
    host.charge(comparison_work(a.len(), b.len()))?;
    Ok(crate::text::similarity_ratio(&a, &b).to_f64())
}

fn close_matches_of_word(
    _: &Lua,
    host: &Host,
    (word, Texts(candidates), most, cutoff): (String, Texts, Option<usize>, Option<f64>),
) -> mlua::Result<Vec<String>> {
    let names = candidates.iter().map(String::as_str);
    host.charge(4 * comparison_work_of_all(&word, names.clone()))?;
    let cutoff = read_cutoff(cutoff.unwrap_or(0.6), "fuzzy.close")?;
    let found = close_matches(&word, names, most.unwrap_or(3), cutoff);
    Ok(found.into_iter().map(str::to_owned).collect())
}

/// Returns the least ratio that counts. Errors: the value is not a ratio.
pub(super) fn read_cutoff(cutoff: f64, function: &str) -> mlua::Result<Ratio> {
    let exact = Number::from_f64(cutoff).ok();
    let ratio = exact.as_ref().and_then(Ratio::from_number);
    let ratio = ratio.filter(|ratio| *ratio <= Ratio::new(1, 1));
    ratio.ok_or_else(|| {
        let message = format!("`{function}` expects a cutoff from 0 to 1");
        refusal_error("script/argument", message)
    })
}

fn near_names(
    _: &Lua,
    host: &Host,
    (word, Texts(candidates), most): (String, Texts, Option<usize>),
) -> mlua::Result<Vec<String>> {
    charged_near_names(host, &word, candidates.iter().map(String::as_str), most)
}

/// Returns the given names that are near to a word.
pub(super) fn charged_near_names<'n>(
    host: &Host,
    word: &str,
    candidates: impl Iterator<Item = &'n str> + Clone,
    most: Option<usize>,
) -> mlua::Result<Vec<String>> {
    host.charge(comparison_work_of_all(word, candidates.clone()))?;
    Ok(nearest_names(word, candidates, most.unwrap_or(3))
        .into_iter()
        .map(str::to_owned)
        .collect())
}

fn comparison_work_of_all<'n>(word: &str, candidates: impl Iterator<Item = &'n str>) -> u64 {
    let each = candidates.map(|one| NAME + comparison_work(word.len(), one.len()));
    each.fold(0, u64::saturating_add)
}

/// Fuel for a compared name of any length.
const NAME: u64 = 4;

/// Returns the work of a comparison, which grows with the product of the lengths.
fn comparison_work(a: usize, b: usize) -> u64 {
    (a as u64).saturating_mul(b as u64) / 64
}
