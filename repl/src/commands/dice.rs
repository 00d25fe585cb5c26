//! The command `dice`: dice that people rolled on a table.

use host::diag::Diagnostic;
use host::doc::build::paragraph;
use host::doc::{Audience, Document};
use host::game;
use host::game::{
    Call, CommandKind, HandDie, HostCommand, Reply, Timeline, gm_only_refusal, keep_hand_dice,
    waiting_hand_dice,
};

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "dice",
    syntax: &["dice next {faces: Rest}", "dice clear", "dice"],
    formerly: &[],
    summary: "uses dice from a real table: dice next 20 1 d6:5",
    help: "`dice next FACES` gives the faces to the next ruling, in this order. 20 is a face of any die, d6:5 is a \
           five on a six-sided die. The ruling is refused if a face does not fit or if there are too few. `dice` \
           shows the waiting faces, `dice clear` removes them.",
    kind: CommandKind::Write(run),
};

/// The maximum number of waiting dice: the dice limit of one ruling.
pub(crate) const MOST: usize = 1_000;
/// The maximum number of sides of a die.
const SIDES: u32 = 1_000_000;

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    if let Some(refusal) = gm_only_refusal(call.by(), "can enter dice from a real table") {
        return Reply::refused(refusal);
    }
    let faces = call.text("faces");
    let wants_clear = call.ruling.line.split_whitespace().nth(1).is_some();
    let changed = if !faces.is_empty() {
        hand_with_typed_dice(&waiting_hand_dice(timeline.state()), &faces)
    } else if wants_clear {
        Ok(Vec::new())
    } else {
        let waiting = waiting_hand_dice(timeline.state());
        return Reply::document(match waiting.as_slice() {
            [] => gm_document("there are no typed dice"),
            dice => hand_document(dice),
        });
    };
    match changed {
        Ok(dice) if dice == waiting_hand_dice(timeline.state()) => {
            Reply::document(hand_document(&dice))
        }
        Ok(dice) => game::make_host_ruling(timeline, call.ruling, |state| {
            keep_hand_dice(state, &dice).map_err(|error| error.to_diagnostic())?;
            Ok(vec![hand_document(&dice)])
        }),
        Err(refusal) => Reply::refused(*refusal),
    }
}

/// Returns the text about waiting dice that a ruling stores. Saved games are compared with it.
fn hand_document(dice: &[HandDie]) -> Document {
    let shown: Vec<String> = dice.iter().map(HandDie::to_string).collect();
    let text = match shown.len() {
        0 => "no typed dice wait".to_owned(),
        1 => format!("a typed die waits: {}", shown[0]),
        _ => format!("typed dice that wait: {}", shown.join(" ")),
    };
    gm_document(text)
}

fn gm_document(text: impl Into<String>) -> Document {
    let text: String = text.into();
    Document::new([paragraph(text)]).limit_to_audience(Audience::Gm)
}

/// Returns the waiting dice, then the typed dice. Errors: about the first die that cannot be read.
fn hand_with_typed_dice(waiting: &[HandDie], faces: &str) -> Result<Vec<HandDie>, Box<Diagnostic>> {
    let mut dice = waiting.to_vec();
    for word in faces
        .split([' ', ',', '\t', '\n'])
        .filter(|word| !word.is_empty())
    {
        dice.push(parse_die(word)?);
    }
    if dice.len() > MOST {
        let message = format!(
            "{} dice would be waiting, but at most {MOST} can",
            dice.len()
        );
        return Err(Box::new(Diagnostic::error("limit/dice", message)));
    }
    Ok(dice)
}

fn parse_die(word: &str) -> Result<HandDie, Box<Diagnostic>> {
    let refused = |why: String| {
        let finding = Diagnostic::error("dice/hand", format!("\"{word}\" is not a die: {why}"));
        Err(Box::new(
            finding.hint("type the face (20), or sides and face (d6:5)"),
        ))
    };
    let lower = word.to_lowercase();
    let (sides, face) = match lower.split_once(':') {
        Some((sides, face)) => (Some(sides.strip_prefix('d').unwrap_or(sides)), face),
        None => (None, lower.as_str()),
    };
    let number = |text: &str| {
        text.parse::<u32>()
            .ok()
            .filter(|number| (1..=SIDES).contains(number))
    };
    let Some(face) = number(face) else {
        return refused(format!("a face must be a whole number from 1 to {SIDES}"));
    };
    match sides.map(number) {
        None => Ok(HandDie { face, sides: None }),
        Some(None) => refused(format!("a die must have 1 to {SIDES} sides")),
        Some(Some(sides)) if face > sides => refused(format!("a d{sides} has no face {face}")),
        Some(sides) => Ok(HandDie { face, sides }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_read_and_go_behind_those_that_wait() {
        let dice = hand_with_typed_dice(
            &[HandDie {
                face: 3,
                sides: None,
            }],
            "20, D6:5  6:1",
        )
        .unwrap();
        let text: Vec<String> = dice.iter().map(HandDie::to_string).collect();
        assert_eq!(text, ["3", "20", "d6:5", "d6:1"]);
    }

    #[test]
    fn what_no_die_can_show_is_refused() {
        for word in [
            "0",
            "d6:7",
            "x",
            "d0:1",
            "1000001",
            "-1",
            "d:2",
            "d6:",
            "99999999999",
        ] {
            assert_eq!(
                hand_with_typed_dice(&[], word).unwrap_err().code,
                "dice/hand",
                "{word}"
            );
        }
        assert_eq!(
            parse_die("d6:7").unwrap_err().message,
            "\"d6:7\" is not a die: a d6 has no face 7"
        );
        assert_eq!(
            hand_with_typed_dice(&[], &"1 ".repeat(1_001))
                .unwrap_err()
                .code,
            "limit/dice"
        );
    }
}
