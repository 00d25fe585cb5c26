//! Tests the words of a typed line that `explain` points at.

use arbiter_tests::{Game, Scratch};

/// Returns the words of a line that its refusal points at.
fn words_pointed_at(game: &mut Game, line: &str) -> String {
    let refusal = game.refusal(line);
    let place = refusal.place.unwrap_or_else(|| panic!("{line}: no place"));
    assert_eq!(place.source.text(), line);
    place.source.slice(place.span).to_owned()
}

#[test]
fn the_words_that_are_wrong_are_pointed_at() {
    let home = Scratch::shipped("wwrf");
    let mut game = Game::of_program(&home, "wwrf");
    let cases = [
        ("explain Attack @Slef", "@Slef"),
        ("explain Attack @Target now", "now"),
        (
            "explain in attribute Attack @Target \\n Attack  @Slef",
            "@Slef",
        ),
        ("explain On Death: Learn `Né` \\n • Attack @Slef", "@Slef"),
        (
            "explain On Death: Learn `x` \\n On Deth: Learn `y`",
            "On Deth",
        ),
        ("explain Weakly Disguise @Self as Villager", "Villager"),
    ];
    for (line, words) in cases {
        assert_eq!(words_pointed_at(&mut game, line), words, "{line}");
    }
    let line = "explain Learn `@Slef` \\n Attack @Slef";
    let place = game.refusal(line).place.unwrap();
    assert_eq!(Some(place.span.start), line.rfind("@Slef"));
}

#[test]
fn of_very_many_errors_it_is_told_how_many_more_there_are() {
    let home = Scratch::shipped("wwrf");
    let mut game = Game::of_program(&home, "wwrf");
    let line = |count: usize| format!("explain {}", vec!["Attack @Slef"; count].join(" \\n "));
    let ten = game.refusal(&line(10)).hints;
    assert_eq!(ten.len(), 10);
    assert!(ten[9].starts_with("also error"), "{ten:?}");
    let many = game.refusal(&line(13)).hints;
    assert_eq!(many.len(), 10);
    assert!(many[8].starts_with("also error"), "{many:?}");
    assert_eq!(many[9], "and 4 more errors; fix these and try again");
}
