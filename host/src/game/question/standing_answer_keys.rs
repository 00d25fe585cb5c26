//! Keys for which a user may set a standing answer.

use std::collections::BTreeSet;

use crate::game::question::open_questions::{canonical_seat, open_questions_for, seats_in_play};
use crate::game::question::stored_standing_answers::standing_answers_by_seat_and_key;
use crate::game::timeline::Timeline;

/// Returns the keys for which a user may set a standing answer, as far as they can be listed. These are the keys of the
/// questions that the user was asked, and of the user's present standing answers.
pub fn keys_for_new_standing_answer(timeline: &Timeline, by: &str) -> BTreeSet<String> {
    let seat = canonical_seat(timeline, by);
    let own = standing_answers_by_seat_and_key(&timeline.state).into_keys();
    let own = own.filter(|(of, _)| *of == seat).map(|(_, key)| key);
    let mut keys = keys_of_questions_asked(timeline, by, &seat);
    keys.extend(own);
    keys
}

/// Returns the keys of the questions that a seat was asked, and of the questions that wait for the giver of the
/// standing answer.
pub(in crate::game) fn keys_of_questions_asked(
    timeline: &Timeline,
    by: &str,
    seat: &str,
) -> BTreeSet<String> {
    let open = open_questions_for(timeline, by).into_iter();
    let open = open.map(|one| one.question.key);
    let seats = seats_in_play(timeline);
    let is_asked = |to: &str| to == seat || seats.answering_seats(to).iter().any(|one| one == seat);
    let inputs = timeline
        .history
        .live_operations()
        .flat_map(|one| &one.inputs);
    let answered = inputs.filter(|input| input.get("to").as_str().is_some_and(is_asked));
    let answered = answered.filter_map(|input| input.get("key").as_str().map(str::to_owned));
    open.chain(answered).collect()
}
