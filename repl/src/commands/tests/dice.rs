//! Tests typed dice at the prompt.

use super::replies_to_lines;
use crate::toy_game::{Toy, reply_text};

#[test]
fn typed_dice_are_used_in_order_and_come_back_with_undo() {
    let mut solo = Toy::new().solo();
    let said = replies_to_lines(
        &mut solo,
        &[
            "dice next 20 1",
            "dice next d6:5",
            "dice",
            "throw 1d20",
            "dice",
            "undo",
            "dice",
            "dice clear",
            "dice clear",
        ],
    );
    assert_eq!(said[1], "typed dice that wait: 20 1 d6:5");
    assert_eq!(said[2], said[1]);
    assert!(said[3].contains("20"), "{}", said[3]);
    assert_eq!(said[4], "typed dice that wait: 1 d6:5");
    assert_eq!(said[6], said[1]);
    assert_eq!(
        (said[7].as_str(), said[8].as_str()),
        ("no typed dice wait", "no typed dice wait")
    );
    assert!(reply_text(&solo.submit("gm", "dice next d6:7")).starts_with("dice/hand: "));
    assert_eq!(
        reply_text(&solo.submit("gm", "dice next 3")),
        "a typed die waits: 3"
    );
    assert!(reply_text(&solo.submit("gm", "throw 2d6")).starts_with("dice/too-few: "));
    assert!(reply_text(&solo.submit("gm", "log")).contains("refused: dice/too-few"));
}

#[test]
fn a_typed_die_that_does_not_fit_is_named_with_its_place_and_how_to_drop_it() {
    let mut solo = Toy::new().solo();
    solo.submit("gm", "dice next 3 999 2");
    let refusal = solo.submit("gm", "throw 3d20").refusal.unwrap();
    assert_eq!(
        refusal.message,
        "the typed die 999, number 2 of 3, cannot be used, because the rule rolls a d20"
    );
    assert_eq!(
        refusal.hints,
        [
            "a d20 shows 1 to 20",
            "`dice clear` removes all waiting typed dice, `undo` the dice typed last"
        ]
    );
    let place = refusal.place.unwrap();
    assert_eq!(place.source.slice(place.span), "throw 3d20");
    assert!(refusal.trace.is_empty());
    replies_to_lines(&mut solo, &["dice clear", "dice next 4"]);
    let refusal = solo.submit("gm", "throw 2d6").refusal.unwrap();
    assert_eq!(
        (refusal.message.as_str(), refusal.hints[0].as_str()),
        (
            "this roll needs another d6, but all typed dice are used",
            "1 die was typed and is used; type all dice of the command, with `dice next`"
        )
    );
}

#[test]
fn an_error_in_typed_notation_points_to_the_line_and_has_no_trace() {
    let mut solo = Toy::new().solo();
    for by in ["gm", "Ann"] {
        let reply = solo.submit(by, "throw 2x6");
        let refusal = reply.visible_to_giver(by).refusal.unwrap();
        assert_eq!(refusal.code, "dice/unexpected", "{refusal:?}");
        assert!(refusal.trace.is_empty(), "{refusal:?}");
        let place = refusal.place.unwrap();
        assert_eq!((place.source.name(), place.span.start), ("line", 7));
    }
}
