//! Ends by the clock: phases and turns.

use super::Do::{Attach, Jump, Pass, Peace, Phase, Remove, Rounds, Turn};
use super::{Line, one, turn};

pub(super) fn phases() -> Vec<Line> {
    vec![
        (
            "this phase",
            one("phase", "this"),
            vec![Attach, Phase],
            Some("end of night 1"),
        ),
        (
            "this phase, later in the game",
            one("phase", "this"),
            vec![Phase, Attach, Phase],
            Some("end of day 1"),
        ),
        (
            "this phase is not over",
            one("phase", "this"),
            vec![Attach, Pass(99)],
            None,
        ),
        (
            "the very next phase lasts through this one",
            one("phase", "next"),
            vec![Attach, Phase],
            None,
        ),
        (
            "the very next phase",
            one("phase", "next"),
            vec![Attach, Phase, Phase],
            Some("end of day 1"),
        ),
        (
            "the next day from a night",
            one("phase", "day"),
            vec![Attach, Phase, Phase],
            Some("end of day 1"),
        ),
        (
            "a night from inside a night is another night",
            one("phase", "night"),
            vec![Attach, Phase, Phase],
            None,
        ),
        (
            "a night from inside a night",
            one("phase", "night"),
            vec![Attach, Phase, Phase, Phase],
            Some("end of night 2"),
        ),
        (
            "a day from inside a day",
            one("phase", "day"),
            vec![Phase, Attach, Phase, Phase, Phase],
            Some("end of day 2"),
        ),
        (
            "a kind that is reached by name",
            one("phase", "night"),
            vec![Attach, Jump("night"), Phase],
            Some("end of night 2"),
        ),
        (
            "a kind that never comes again",
            one("phase", "day"),
            vec![Attach, Jump("night"), Jump("night"), Jump("night")],
            None,
        ),
    ]
}

pub(super) fn turns() -> Vec<Line> {
    vec![
        (
            "start of the next turn of another",
            turn("start", "bo", None),
            vec![Attach, Rounds, Turn, Turn],
            Some("start of the turn of bo"),
        ),
        (
            "not at the start of one's own",
            turn("start", "bo", None),
            vec![Attach, Rounds, Turn],
            None,
        ),
        (
            "end of the next turn of another",
            turn("end", "bo", None),
            vec![Attach, Rounds, Turn, Turn, Turn],
            Some("end of the turn of bo"),
        ),
        (
            "the next turn from inside a turn is another",
            turn("start", "ann", None),
            vec![Rounds, Turn, Attach, Turn, Turn],
            None,
        ),
        (
            "start of the next turn from inside",
            turn("start", "ann", None),
            vec![Rounds, Turn, Attach, Turn, Turn, Turn],
            Some("start of the turn of ann"),
        ),
        (
            "end of the next turn from inside",
            turn("end", "ann", None),
            vec![Rounds, Turn, Attach, Turn, Turn, Turn],
            None,
        ),
        (
            "end of the next turn from inside, a round later",
            turn("end", "ann", None),
            vec![Rounds, Turn, Attach, Turn, Turn, Turn, Turn],
            Some("end of the turn of ann"),
        ),
        (
            "the end of this very turn",
            turn("end", "ann", Some(0)),
            vec![Rounds, Turn, Attach, Turn],
            Some("end of the turn of ann"),
        ),
        (
            "the second turn",
            turn("start", "ann", Some(2)),
            vec![Attach, Rounds, Turn, Turn, Turn],
            None,
        ),
        (
            "start of the second turn",
            turn("start", "ann", Some(2)),
            vec![Attach, Rounds, Turn, Turn, Turn, Turn],
            Some("start of the turn of ann"),
        ),
        (
            "turns count over several fights",
            turn("start", "ann", Some(2)),
            vec![Attach, Rounds, Turn, Peace, Rounds, Turn],
            Some("start of the turn of ann"),
        ),
        (
            "the turn of a row that is gone never comes",
            turn("start", "bo", None),
            vec![Attach, Remove("bo"), Rounds, Turn, Turn, Turn],
            None,
        ),
        (
            "one round",
            one("rounds", 1),
            vec![Rounds, Turn, Attach, Turn, Turn, Turn],
            Some("end of round 1"),
        ),
        (
            "two rounds",
            one("rounds", 2),
            vec![Rounds, Turn, Attach, Turn, Turn, Turn, Turn],
            None,
        ),
        (
            "the last round of a fight ends too",
            one("rounds", 2),
            vec![Rounds, Turn, Attach, Turn, Turn, Turn, Peace],
            Some("end of round 2"),
        ),
    ]
}
