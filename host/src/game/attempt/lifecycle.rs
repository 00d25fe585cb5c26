//! Lifecycle of a ruling: its input source, its end, its ruling number, and the refusal while another ruling waits.

use std::collections::BTreeMap;

use crate::diag::Diagnostic;
use crate::game::attempt::salts::salted_seed_of_ruling;
use crate::game::question::stale_rulings::add_ways_out_hint;
use crate::game::question::stored_standing_answers::standing_answers_by_seat_and_key;
use crate::game::ruling::input_source::SharedInputs;
use crate::game::ruling::ruling_context::{Inputs, Ruling, RulingNumber};
use crate::game::ruling::seed_secrecy::are_seed_draws_forbidden;
use crate::game::ruling::typed_dice;
use crate::game::ruling::waiting_ruling::{self, Waiting};
use crate::game::timeline::Timeline;
use crate::script::{GM, LIBRARY, Outcome};

/// Returns the source of a ruling's inputs. A waiting ruling begins with its recorded inputs.
pub(in crate::game) fn input_source_of_ruling(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
) -> SharedInputs {
    let none = BTreeMap::new();
    let (given, waiting) = match ruling.ruling_number {
        RulingNumber::Held(resumption) => (&resumption.given, Some(&resumption.waiting)),
        RulingNumber::Next => (&none, None),
    };
    let asked = waiting.map_or(&[][..], |waiting| &waiting.open);
    if let Inputs::Source(input_source) = ruling.inputs {
        let input_source = input_source.clone();
        return input_source
            .with_given_answers(given.clone())
            .with_asked_questions(asked);
    }
    let mut hand = typed_dice::typed_dice_not_yet_used(&timeline.state);
    hand.splice(
        0..0,
        ruling.resumption().iter().flat_map(|one| one.hand.clone()),
    );
    let place = waiting
        .and_then(Waiting::ruling_number_in_addresses)
        .map(str::to_owned);
    let address_start = place.unwrap_or_else(|| {
        timeline
            .prefixes
            .address_start_of_ruling(running_or_next_ruling_number(timeline, ruling))
    });
    let mut given = given.clone();
    if let Inputs::Answered(address, answer) = ruling.inputs {
        given.insert(address.to_owned(), answer.clone());
    }
    let transcript = waiting.map_or_else(Vec::new, |waiting| waiting.transcript.clone());
    let input_source = match &timeline.dice.stream {
        Some(streamed) => SharedInputs::with_stream_dice(
            (&streamed.stream, streamed.is_noted),
            &address_start,
            hand,
        ),
        None => {
            let seed = salted_seed_of_ruling(timeline, ruling);
            SharedInputs::with_seeded_dice(&seed, &address_start, hand)
        }
    };
    let input_source = match timeline.dice.stream.is_none() && are_seed_draws_forbidden(timeline) {
        true => input_source.with_revealed_seed(),
        false => input_source,
    };
    input_source
        .with_transcript(transcript, given)
        .with_asked_questions(asked)
        .with_standing_answers(standing_answers_by_seat_and_key(&timeline.state))
        .with_policy(ruling.caller.responders.policy.clone())
        .letting_questions_wait()
}

/// Returns why a ruling did not continue as recorded, or which answer is invalid.
pub(in crate::game) fn not_continued_refusal(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
    input_source: &SharedInputs,
    result: &Result<Outcome, Diagnostic>,
) -> Option<Diagnostic> {
    let is_over = matches!(result, Ok(Outcome::Done | Outcome::Refused(_)));
    let stale = input_source.stale_refusal(is_over).map(|finding| {
        let finding = match result {
            Ok(Outcome::Refused(why)) => {
                finding.hint(format!("it would be refused now: {}", why.message))
            }
            Ok(_) | Err(_) => finding,
        };
        match ruling.waiting_ruling() {
            Some(waiting) => add_ways_out_hint(timeline, finding, waiting),
            None => finding,
        }
    });
    stale.or_else(|| input_source.wrong_answer_refusal())
}

/// Settles the end of a run: stores unused typed dice and removes the row of the waiting ruling.
pub(in crate::game) fn settle_run_end(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    input_source: &SharedInputs,
    result: Result<Outcome, Diagnostic>,
) -> Result<(), Diagnostic> {
    match result {
        Ok(Outcome::Waits) => Ok(()),
        Ok(Outcome::Done) => {
            let mut kept =
                typed_dice::store_typed_dice(&mut timeline.state, &input_source.unused_hand_dice());
            if let Some(ruling_number) = ruling.waiting_ruling().map(|one| one.ruling_number) {
                kept = kept.and_then(|()| {
                    waiting_ruling::remove_waiting_ruling(&mut timeline.state, ruling_number)
                });
            }
            kept.map_err(|error| error.to_diagnostic())
        }
        Ok(Outcome::Refused(finding)) | Err(finding) => Err(finding),
    }
}

/// Returns the ruling number of the running ruling, or of the next one.
pub(in crate::game) fn running_or_next_ruling_number(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
) -> u64 {
    let held = ruling.waiting_ruling().map(|waiting| waiting.ruling_number);
    held.unwrap_or_else(|| timeline.history.next_ruling_number())
}

/// Refuses a command while a ruling waits, if the ruleset runs one ruling at a time.
///
/// `command` is the collection and id of a command of the rules. Commands of the library are corrections if the game
/// master gives them.
pub(in crate::game) fn one_at_a_time_refusal(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
    command: Option<(&str, &str)>,
) -> Option<Diagnostic> {
    let rules = timeline.rules();
    let is_declared = rules.ruleset.get("one_at_a_time").as_bool() == Some(true);
    if !is_declared
        || ruling.resumption().is_some()
        || !waiting_ruling::has_waiting_ruling(&timeline.state)
    {
        return None;
    }
    let definition = command.and_then(|(collection, id)| rules.registry.get(collection, id));
    let is_shared = definition.is_some_and(|one| *one.mod_name == *LIBRARY);
    if ruling.by() == GM && is_shared {
        return None;
    }
    let message = "a ruling is waiting for an answer, and this game runs one ruling at a time";
    let finding = Diagnostic::error("ask/one-at-a-time", message);
    Some(finding.hint("answer its question first; `questions` lists the open questions"))
}
