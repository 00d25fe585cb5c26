//! The dice of an input source by their addresses: recorded, remembered and new ones.

use crate::diag::Diagnostic;
use crate::diag::planted_mistakes::{self, Mistake};
use crate::game::ruling::input_source::{Ended, InputSource, REVEALED, Request};
use crate::game::timeline::input::{Die, Input};
use crate::game::timeline::seed::{Seed, encode_address_part};
use crate::game::timeline::stream::SharedStream;

/// The source of faces that no person typed.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Seeded(Seed),
    /// Faces that cannot count: faces of the seed at separate addresses. A rolled face is noted with the address that
    /// the ruling requested.
    Previewed(Seed),
    /// Faces of a stream, for any purpose.
    Streamed(SharedStream),
    Recorded,
    Revealed,
}

impl InputSource {
    /// Returns the next face for a purpose and roller. Errors: there is none, or a different input was recorded.
    pub(super) fn next_face(
        &mut self,
        purpose: &str,
        who: &str,
        sides: u32,
    ) -> Result<u32, Box<Diagnostic>> {
        if let Some(stream) = self.unnoted_stream() {
            return stream.next_face(sides);
        }
        let address = self.next_address(purpose, who);
        if let Some(face) = self.take_recorded_face(&address, sides)? {
            return Ok(face);
        }
        if let Some(face) = self.reuse_remembered_face(&address, sides) {
            return Ok(face);
        }
        let typed = self.had_hand > 0 && self.remembered.is_none();
        let face = if typed {
            self.next_typed_face(sides)?
        } else {
            self.draw_new_face(&address, sides)?
        };
        self.used.push(Input::Die(Die {
            address,
            sides,
            face,
            typed,
        }));
        Ok(face)
    }

    /// Returns the word by which a listener is sorted. Errors: the errors of a face.
    pub(super) fn next_order_word(
        &mut self,
        purpose: &str,
        element: &str,
    ) -> Result<u32, Box<Diagnostic>> {
        if let Some(stream) = self.unnoted_stream() {
            return Ok(stream.next_word());
        }
        let address = format!(
            "{}/{}/{}/1",
            self.address_start,
            encode_address_part(purpose),
            encode_address_part(element)
        );
        if let Some(word) = self.take_recorded_face(&address, 0)? {
            return Ok(word);
        }
        if let Some(word) = self.reuse_remembered_face(&address, 0) {
            return Ok(word);
        }
        let word = match &mut self.source {
            Source::Seeded(seed) | Source::Previewed(seed) if seed.is_missing() => {
                return Err(no_secret_refusal());
            }
            Source::Seeded(seed) => seed.first_word(&address),
            Source::Previewed(seed) => {
                self.has_previewed = true;
                seed.first_word(&preview_address(&address))
            }
            Source::Streamed(stream) => stream.next_word(),
            Source::Recorded => return Err(no_recorded_die_refusal(&address)),
            Source::Revealed => return Err(revealed_seed_refusal()),
        };
        self.used.push(Input::Die(Die {
            address,
            sides: 0,
            face: word,
            typed: false,
        }));
        Ok(word)
    }

    /// Returns the stream of dice that are not noted, if no others were typed or recorded.
    fn unnoted_stream(&self) -> Option<&SharedStream> {
        let is_plain =
            self.had_hand == 0 && self.transcript.is_empty() && self.remembered.is_none();
        match &self.source {
            Source::Streamed(stream) if !self.is_noted && is_plain => Some(stream),
            Source::Streamed(_)
            | Source::Seeded(_)
            | Source::Previewed(_)
            | Source::Recorded
            | Source::Revealed => None,
        }
    }

    /// Returns the address of the next input for a purpose and roller.
    pub(super) fn next_address(&mut self, purpose: &str, who: &str) -> String {
        let count = self
            .counts
            .entry((purpose.to_owned(), who.to_owned()))
            .or_default();
        *count += 1;
        if planted_mistakes::is_planted(Mistake::AddressOfProcess) {
            *count = planted_mistakes::count_drawn_die();
        }
        format!(
            "{}/{}/{}/{count}",
            self.address_start,
            encode_address_part(purpose),
            encode_address_part(who)
        )
    }

    /// Returns the recorded face for an address, while recorded inputs remain. Errors: a different input was recorded.
    fn take_recorded_face(
        &mut self,
        address: &str,
        sides: u32,
    ) -> Result<Option<u32>, Box<Diagnostic>> {
        let Some(next) = self.transcript.front() else {
            return Ok(None);
        };
        match next {
            Input::Die(die) if die.address == address && die.sides == sides => {
                let face = die.face;
                if sides > 0 && !(1..=sides).contains(&face) {
                    return Err(no_recorded_die_refusal(address));
                }
                self.used.extend(self.transcript.pop_front());
                Ok(Some(face))
            }
            Input::Die(_) | Input::Answer(_) => {
                let now = Request::Die { address, sides };
                let finding = self.other_way_refusal(&Request::of_input(next), &now);
                self.ended.get_or_insert(Ended::Stale(finding.clone()));
                Err(finding)
            }
        }
    }

    /// Returns the face that a die with `sides` sides showed at an address; a typed one is removed from the waiting
    /// dice.
    fn reuse_remembered_face(&mut self, address: &str, sides: u32) -> Option<u32> {
        let known = self.remembered.as_ref()?.get(address)?;
        let Input::Die(die) = known else { return None };
        let fits = die.sides == sides && (sides == 0 || (1..=sides).contains(&die.face));
        let die = fits.then(|| die.clone())?;
        if die.typed {
            self.hand.pop_front();
        }
        let face = die.face;
        self.used.push(Input::Die(die));
        Some(face)
    }

    fn draw_new_face(&mut self, address: &str, sides: u32) -> Result<u32, Box<Diagnostic>> {
        match &mut self.source {
            Source::Seeded(seed) | Source::Previewed(seed) if seed.is_missing() => {
                Err(no_secret_refusal())
            }
            Source::Seeded(seed) => Ok(seed.face(address, sides)),
            Source::Previewed(seed) => {
                self.has_previewed = true;
                Ok(seed.face(&preview_address(address), sides))
            }
            Source::Streamed(stream) => stream.next_face(sides),
            Source::Recorded => Err(no_recorded_die_refusal(address)),
            Source::Revealed => Err(revealed_seed_refusal()),
        }
    }
}

/// Returns the address of a face that is only previewed.
fn preview_address(address: &str) -> String {
    format!("preview/{address}")
}

fn no_recorded_die_refusal(address: &str) -> Box<Diagnostic> {
    let message = format!("no recorded die found for {address}");
    Box::new(
        Diagnostic::error("dice/not-recorded", message)
            .hint("the rules request other dice than in the recorded ruling"),
    )
}

fn revealed_seed_refusal() -> Box<Diagnostic> {
    let message = "the seed is revealed, so everybody could know this die before it is rolled";
    Box::new(
        Diagnostic::error(REVEALED, message).hint(
            "`dice next` takes dice from a real table; `reveal and roll on` allows dice that can be known",
        ),
    )
}

fn no_secret_refusal() -> Box<Diagnostic> {
    let message = "the file \"secret\" of the game is missing, so no dice can be rolled";
    Box::new(Diagnostic::error("dice/no-secret", message).hint(
        "`dice next` takes dice from a real table; copy the file \"secret\" from a complete folder of the game",
    ))
}
