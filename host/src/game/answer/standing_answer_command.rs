//! The command that sets and removes the standing answers of a seat.

use crate::diag::{Diagnostic, near_hint};
use crate::doc::build::paragraph;
use crate::doc::{Audience, Document};
use crate::game::answer::typed_answer::{give_answer, is_from_ruling_of_another};
use crate::game::attempt::ruling_run::make_host_ruling;
use crate::game::question::open_questions::{OpenQuestion, canonical_seat, open_questions_for};
use crate::game::question::standing_answer_keys::keys_of_questions_asked;
use crate::game::question::stored_standing_answers::{self, standing_answers_by_seat_and_key};
use crate::game::ruling::input_source::GivenAnswer;
use crate::game::ruling::ruling_context::Ruling;
use crate::game::timeline::Timeline;
use crate::game::timeline::reply::Reply;
use crate::game::timeline::stream::{SharedStream, Stream};
use crate::script::Checks;
use crate::words::Hole;

/// First word of older lines that set a standing answer, which was called a standing order.
const FORMER: &str = "order";

/// Sets a standing answer of a seat, or removes it with `off`.
pub fn set_standing_answer(
    timeline: &mut Timeline,
    ruling: &Ruling<'_>,
    key: &str,
    answer: &str,
) -> Reply {
    let by = ruling.by();
    let seat = canonical_seat(timeline, by);
    let known = standing_answers_by_seat_and_key(&timeline.state);
    let known = known.contains_key(&(seat.clone(), key.to_owned()));
    // The messages of a line of a saved game are recorded with it.
    let word = ruling.line.split_whitespace().next();
    let is_former = word.is_some_and(|word| word.eq_ignore_ascii_case(FORMER));
    let words = timeline.words();
    let holes: [Hole<'_>; 2] = [("key", &key), ("answer", &answer)];
    let (is_off, text) = match answer {
        "" => {
            let message = "`always` needs a key and an answer";
            let finding = Diagnostic::error("answer/no-order", message);
            return Reply::refused(finding.hint("type `always KEY ANSWER` or `always KEY off`"));
        }
        "off" if !known => {
            let message = format!("{by} has no standing answer for {key}");
            let own = standing_answers_by_seat_and_key(&timeline.state).into_keys();
            let own: Vec<String> = own
                .filter(|(of, _)| *of == seat)
                .map(|(_, key)| key)
                .collect();
            let near = near_hint(key, own.iter().map(String::as_str));
            return Reply::refused(Diagnostic::error("answer/no-order", message).hint(near));
        }
        "off" if is_former => (true, format!("no standing order any more: {key}")),
        "off" => (true, words.fill("standing.removed", &holes)),
        answer => {
            let unknown = unknown_key_refusal(timeline, ruling, &seat, key);
            let unfitting = || unfitting_standing_answer_refusal(timeline, ruling, (key, answer));
            match unknown.or_else(unfitting) {
                Some(refusal) => return Reply::refused(refusal),
                None if is_former => (false, format!("standing order: {key} {answer}")),
                None => (false, words.fill("standing.set", &holes)),
            }
        }
    };
    let audience = Audience::parse(by).unwrap_or(Audience::Gm);
    make_host_ruling(timeline, ruling, |state| {
        let answer = (!is_off).then_some(answer);
        stored_standing_answers::store_standing_answer(state, (&seat, key), answer)
            .map_err(|error| error.to_diagnostic())?;
        Ok(vec![
            Document::new([paragraph(text)]).limit_to_audience(audience),
        ])
    })
}

/// Refuses a standing answer that does not fit any question with its key that waits for the giver.
fn unfitting_standing_answer_refusal(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
    (key, answer): (&str, &str),
) -> Option<Diagnostic> {
    if ruling.checks == Checks::Then {
        return None;
    }
    let mut open = open_questions_for(timeline, ruling.by());
    open.retain(|one| one.question.key == key);
    let mut refusal = None;
    for one in &open {
        refusal = Some(refusal_of_answer_in_copy(timeline, ruling, (one, answer))?);
    }
    refusal
}

/// Answers a question in a copy of the game, and returns the reason why the text is not an answer. Returns nothing if a
/// rule fails.
fn refusal_of_answer_in_copy(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
    (open, answer): (&OpenQuestion, &str),
) -> Option<Diagnostic> {
    let mut there = timeline.scratch_copy();
    // The dice of the copy reveal no later dice of the game.
    let dice = SharedStream::new(Stream::of_text(ruling.line));
    there.dice.draw_from_stream(dice, false);
    let given = GivenAnswer {
        stakes: open.question.stakes(),
        answer: Err(answer.to_owned()),
        by: ruling.by().to_owned(),
    };
    let line = open.line_of_automatic_answer();
    let there_ruling = Ruling::live(ruling.by(), &line, ruling.caller);
    let refusal = give_answer(&mut there, open, given, &there_ruling).refusal?;
    let area = refusal.code_area();
    // Refusals by a rule of another user's ruling are for that user.
    let is_for_them = is_from_ruling_of_another(timeline, ruling.by(), open) && area != "answer";
    let is_of_rules = ["ask", "host", "limit", "script"].contains(&area);
    (!is_of_rules && !is_for_them).then_some(refusal)
}

/// Refuses a standing answer for an unknown key: no question with the key was asked, and the rules do not contain it.
fn unknown_key_refusal(
    timeline: &Timeline,
    ruling: &Ruling<'_>,
    seat: &str,
    key: &str,
) -> Option<Diagnostic> {
    // Keys of the host's own questions contain `/`.
    if ruling.checks == Checks::Then || key.contains('/') {
        return None;
    }
    let rules = timeline.rules();
    let asked = keys_of_questions_asked(timeline, ruling.by(), seat);
    if asked.contains(key) || rules.mentions_word(key) {
        return None;
    }
    let known = asked.iter().map(String::as_str);
    let near = near_hint(key, known.chain(rules.known_words()));
    let message = format!("unknown question key {key}");
    let finding = Diagnostic::error("answer/no-key", message).hint(near);
    Some(finding.hint("`questions` shows the keys of the open questions"))
}
