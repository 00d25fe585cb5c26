//! Tests `act:changes`: the changes that each reader gets, their consistency, and the callers that
//! are refused.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::value::Value;
use proptest::prelude::*;

use super::determinism::{RandomLines, game_with_lasting_things, play_random_lines};

/// Returns the changes that the command `lately` reports to a reader, as data.
fn changes_read_by(game: &mut Game, by: &str, line: &str) -> Vec<Value> {
    let reply = game.solo.submit(by, line);
    let documents = reply.documents.iter();
    let mut data = documents.filter_map(|document| document.data.as_ref());
    let data = data.next().unwrap_or_else(|| panic!("{line}: {reply:?}"));
    data.get("changes").items().to_vec()
}

/// Returns row, field and values of each change as a short text.
fn change_texts(changes: &[Value]) -> Vec<String> {
    let text = |one: &Value, key: &str| match one.get(key) {
        Value::Nil => "-".to_owned(),
        value => value.to_string(),
    };
    let words = changes.iter().map(|one| {
        let [row, field, old, new] = ["row", "field", "old", "new"].map(|key| text(one, key));
        format!("{row}.{field} {old} {new}")
    });
    words.collect()
}

/// Checks the chain of changes of each cell: an older change leaves the value that the next one
/// found. The newest leaves the present value.
fn assert_changes_chain_to_present(game: &mut Game) {
    let changes = changes_read_by(game, "gm", "lately 500");
    let state = game.solo.timeline().state();
    let cell = |one: &Value| {
        let part = |key: &str| state.names().find(one.get(key).as_str().unwrap()).unwrap();
        (part("row"), part("field"))
    };
    for (at, one) in changes.iter().enumerate() {
        let newer = changes[..at]
            .iter()
            .rev()
            .find(|other| cell(other) == cell(one));
        let (row, field) = cell(one);
        let left = newer.map_or(state.get(row, field), |newer| newer.get("old"));
        assert_eq!(one.get("new"), left, "{one} before {newer:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn what_was_changed_leads_to_what_there_is(seed in any::<u64>(), back in 0_u8..4) {
        on_game_thread(move || {
            let mut game =
                play_random_lines(game_with_lasting_things(), RandomLines::of_mini(seed), 40);
            assert_changes_chain_to_present(&mut game);
            for line in ["undo", "undo", "redo", "revert 3 yes", "undo"].iter().take(usize::from(back) + 1) {
                game.solo.submit("gm", line);
                assert_changes_chain_to_present(&mut game);
            }
        });
    }
}

/// Returns a game of the toy ruleset in which only the player of a person may know `luck`, and
/// people can be renamed.
fn game_with_luck_stat() -> Game {
    let home = Scratch::mini();
    home.edit(
        "scripts/mini/ruleset.luau",
        "    omen = {",
        "    luck = { base = 0, visible_to = \"owner\", summary = \"what only they know\" },\n    omen = {",
    );
    home.command(
        "hide",
        "act:create('person', { note = 'a secret' }, 'guest', { visible_to = 'gm' })",
    );
    home.command("leave", "act:remove('guest')");
    home.command(
        "come",
        "act:create('person', { note = 'in the open' }, 'guest')",
    );
    Game::of_program(&home, "mini")
}

#[test]
fn who_plays_somebody_now_is_not_told_what_was_theirs_alone_before() {
    let mut game = game_with_luck_stat();
    for line in [
        "set ann luck 3",
        "set ann mood 5",
        "set ann seat Bo",
        "set ann luck 7",
    ] {
        game.text(line);
    }
    let of_bo = change_texts(&changes_read_by(&mut game, "Bo", "lately of ann"));
    assert_eq!(
        of_bo[..3],
        ["ann.luck 3 7", "ann.seat - Bo", "ann.mood 4 5"]
    );
    assert!(
        !of_bo.iter().any(|one| one.ends_with("luck - 3")),
        "{of_bo:?}"
    );
    game.text("set ann seat Ann");
    game.text("set ann luck 9");
    let of_ann = change_texts(&changes_read_by(&mut game, "Ann", "lately of ann"));
    assert_eq!(
        of_ann[..3],
        ["ann.luck 7 9", "ann.seat Bo Ann", "ann.seat - Bo"]
    );
    assert!(of_ann.contains(&"ann.mood 4 5".to_owned()), "{of_ann:?}");
    let of_gm = change_texts(&changes_read_by(&mut game, "gm", "lately of ann"));
    assert!(of_gm.contains(&"ann.luck - 3".to_owned()), "{of_gm:?}");
}

#[test]
fn a_row_that_has_the_id_of_a_secret_one_tells_nothing_of_it() {
    let mut game = game_with_luck_stat();
    for line in ["hide", "leave", "come"] {
        game.line(line);
    }
    let of_bo = change_texts(&changes_read_by(&mut game, "Bo", "lately of guest"));
    assert_eq!(of_bo, ["guest.note - in the open"]);
    let of_gm = change_texts(&changes_read_by(&mut game, "gm", "lately of guest"));
    let of_gm: Vec<&str> = of_gm.iter().map(String::as_str).collect();
    let all = [
        "guest.note - in the open",
        "guest.note a secret -",
        "guest.note - a secret",
    ];
    assert_eq!(of_gm, all);
    game.line("leave");
    assert!(
        changes_read_by(&mut game, "Bo", "lately of guest").is_empty(),
        "it is gone"
    );
}

#[test]
fn whatever_a_ruling_could_follow_from_the_past_is_refused() {
    let peek = "act:changes({ most = 1 })";
    let home = Scratch::mini();
    home.command("dig", &format!("return tostring(#{peek})"));
    home.command(
        "dig-deep",
        &format!("local ok = pcall(function() return {peek} end) return tostring(ok)"),
    );
    home.edit(
        "scripts/mini/ruleset.luau",
        "  for _, person in act:find({ kind = \"person\" }) do\n    for",
        &format!("  for _ in {peek} do\n  end\n  for _, person in act:find({{ kind = \"person\" }}) do\n    for"),
    );
    let mut game = Game::of_program(&home, "mini");
    assert_eq!(game.refusal("dig").code, "script/only-look");
    assert_eq!(game.text("dig deep"), "false", "nothing of it is found out");
    assert_eq!(
        game.refusal("note Ann").code,
        "script/only-look",
        "the names of a line that looks"
    );
    assert_eq!(game.text("lately 1").lines().count(), 1);
}

#[test]
fn what_is_asked_for_is_read_strictly() {
    let mut game = Game::mini();
    for (asked, message) in [
        ("{ rwo = 'ann' }", "`act:changes` has no filter \"rwo\""),
        (
            "{ row = 3 }",
            "the filter `row` of `act:changes` is a text or a list of texts, found 3",
        ),
        (
            "{ field = { a = 1 } }",
            "the filter `field` of `act:changes` is a text or a list of texts, found a map",
        ),
        (
            "{ most = 0 }",
            "the filter `most` of `act:changes` is a whole number from 1 to 500, found 0",
        ),
        (
            "{ most = 501 }",
            "the filter `most` of `act:changes` is a whole number from 1 to 500, found 501",
        ),
        (
            "{ 'ann' }",
            "`act:changes` argument 1 expects a table of filters, found a list",
        ),
    ] {
        let finding = game.refusal(&format!("= act:changes({asked})"));
        assert_eq!(
            (&*finding.code, &*finding.message),
            ("script/argument", message)
        );
    }
    assert_eq!(
        game.text("= #act:changes({ row = { 'nobody', 'no one' } })"),
        "0"
    );
    assert_eq!(game.text("= #act:changes({ field = '@kind' })"), "0");
    assert_eq!(game.text("= #act:changes({ row = '@clock' })"), "0");
}
