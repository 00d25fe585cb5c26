//! Fast methods: they answer the most frequent calls in ordinary cases.
//!
//! A fast method answers a call completely or leaves it to the safe function. The safe function then does everything,
//! wrong arguments and refusals included. A fast method raises no error and keeps nothing of the call.

use crate::script::border::stack_value::This;
use crate::script::border::value_conversion::{BYTES, NODES, fuel_of_passing};
use crate::script::host::Host;
use crate::script::raw::Call;
use crate::value::{Name, Number};

/// The arguments of a call as fast methods read them.
pub(crate) trait Arguments {
    /// Returns the table that the method was called on.
    fn called_table(&self) -> Option<This>;

    /// Returns the name that an argument is, counted from 0, if it is a text that has an atom already.
    fn name_argument(&self, host: &Host, at: usize) -> Option<Name>;

    /// Returns the whole number that an argument is.
    fn whole_number_argument(&self, at: usize) -> Option<Number>;

    /// Reads a table of texts, one after another. `each` gets a text or the index in the list as the key. Returns the
    /// fuel of passing the table. Returns `None` if `each` does, for a table that is too large, and for any other
    /// table.
    fn each_text_entry(
        &self,
        at: usize,
        each: impl FnMut(Result<&str, f64>, &str) -> Option<()>,
    ) -> Option<u64>;
}

impl Arguments for Call<'_> {
    #[inline(always)]
    fn called_table(&self) -> Option<This> {
        self.argument(0)?.table()
    }

    #[inline(always)]
    fn name_argument(&self, host: &Host, at: usize) -> Option<Name> {
        Some(host.atoms.name(self.argument(at)?.atom()?))
    }

    #[inline(always)]
    fn whole_number_argument(&self, at: usize) -> Option<Number> {
        Number::from_whole_f64(self.argument(at)?.number()?)
    }

    fn each_text_entry(
        &self,
        at: usize,
        mut each: impl FnMut(Result<&str, f64>, &str) -> Option<()>,
    ) -> Option<u64> {
        let (mut nodes, mut bytes) = (1, 0);
        self.each_entry(at, |key, value| {
            let value = value.text()?;
            let key = match key.text() {
                Some(text) => Ok(text),
                None => Err(key.number()?),
            };
            nodes += 1;
            bytes += value.len() + key.map_or(0, str::len);
            (nodes <= NODES && bytes <= BYTES).then(|| each(key, value))?
        })?;
        Some(fuel_of_passing(nodes, bytes))
    }
}

#[cfg(test)]
pub(crate) mod fast_method_trial;
