//! Expected addresses of the inputs of an operation.

use std::collections::BTreeMap;

use crate::game::timeline::input::{Die, Input, ruling_number_of_address};

/// Expected dice addresses of one operation, which count from 1.
pub(super) struct InputAddresses {
    /// Ruling number of a ruling; for a correction, the next ruling number.
    pub(super) ruling_number: u64,
    /// Whether the past is corrected. Then dice may be new under any ruling number that was given out.
    pub(super) is_correction: bool,
    /// Ruling number of the waiting ruling or correction, if there is one.
    pub(super) waits: Option<u64>,
    pub(super) counts: BTreeMap<(String, String), u64>,
}

impl InputAddresses {
    /// Returns a message about a wrong address of the next input; nothing if the address is right.
    pub(super) fn misplacement_text(&mut self, input: &Input) -> Option<String> {
        let (address, ruling_number) = (input.address(), self.ruling_number);
        let parts: Vec<&str> = address.split('/').collect();
        let place = ruling_number_of_address(address);
        let ([_, purpose, who, count], Some((_, own))) = (parts.as_slice(), place) else {
            return Some(format!("{address} is not a dice address"));
        };
        let count = count.parse::<u64>().ok();
        if self.is_correction {
            let fits = (1..ruling_number).contains(&own) && count.is_some_and(|count| count > 0);
            return (!fits).then(|| format!("{address} has a ruling number that was never used"));
        }
        if own != ruling_number {
            return Some(format!(
                "{address} does not begin with the number of its ruling, which is {ruling_number}"
            ));
        }
        let key = ((*purpose).to_owned(), (*who).to_owned());
        let known = self.counts.entry(key).or_default();
        let last = *known;
        let fits = match input {
            Input::Die(die) if die.sides == 0 => {
                return (count != Some(1))
                    .then(|| format!("{address} is not a position of a random order"));
            }
            // A typed die that does not fit is counted too. Others may be missing between two answers.
            Input::Die(Die { typed: true, .. }) | Input::Answer(_) => {
                count.is_some_and(|count| count > last)
            }
            Input::Die(_) => count == Some(last + 1),
        };
        *known = count.unwrap_or(last);
        (!fits).then(|| {
            format!(
                "{address} is out of order: its last number should be {}",
                last + 1
            )
        })
    }
}
