//! Tests the audiences that scripts name. An audience without readers is refused in every place,
//! and recorded lines replay as before.

use arbiter_tests::{Game, Scratch, on_game_thread};
use host::diag::Diagnostic;
use host::game;
use host::game::{ReplayComparison, check_ruleset};

use super::questions::home_with_duel;

/// Returns a home with seats ann, bo and cy, groups red and blue, and a command `go` with this
/// body.
fn home_with_command_go(body: &str) -> Scratch {
    let home = home_with_duel();
    home.command("go", body);
    home
}

fn refusal_of_command_go(body: &'static str) -> Diagnostic {
    on_game_thread(move || {
        let home = home_with_command_go(body);
        let mut game = Game::of(&home);
        let before = game.hash();
        let refusal = game.line("go").refusal;
        assert_eq!(game.hash(), before, "{body}");
        refusal.unwrap_or_else(|| panic!("accepted: {body}"))
    })
}

/// Every place that takes an audience; `@` is replaced by one.
const AUDIENCE_PLACES: [&str; 14] = [
    "act:say('@', 'x')",
    "return act:done('x', nil, '@')",
    "act:say('gm', { { text = 'x', audience = '@' } })",
    "act:say('gm', { { 'a', { strong = 'x', audience = '@' } } })",
    "act:say('gm', { { table = { { 'x' } }, columns = { { title = 'X', audience = '@' } } } })",
    "act:say('gm', 'x', { ['@@'] = 1 })",
    "act:create('thing', {}, nil, { visible_to = '@' })",
    "act:attach('ann', 'mark', {}, { visible_to = '@' })",
    "act:roll('1d6', 'luck', 'ann', '@')",
    "act:roll_tree('1d6', 'luck', 'ann', '@')",
    "act:roll_faces({ 6 }, 'luck', 'ann', '@')",
    "return tostring(act:may_see('ann', nil, '@'))",
    "poll.open(act, { key = 'tea', options = { 'green' }, voters = { 'ann' }, visible_to = '@' })",
    "act:say('gm', { quote = { { blocks = { 'x' }, audience = '@' } } })",
];

/// Returns a command body that names an audience; a key of data keeps its `@`.
fn body_naming_audience(taker: &str, name: &str) -> &'static str {
    match taker.contains("@@") {
        true => taker.replace("@@", &format!("@{name}")).leak(),
        false => taker.replace('@', name).leak(),
    }
}

#[test]
fn who_is_nobody_is_refused_wherever_an_audience_is_taken() {
    for taker in AUDIENCE_PLACES {
        for (name, near) in [
            ("publc", "public"),
            ("bob", "bo"),
            ("group:redd", "red"),
            ("Ann", "ann"),
        ] {
            let body = body_naming_audience(taker, name);
            let refusal = refusal_of_command_go(body);
            assert_eq!(
                refusal.code, "script/no-audience",
                "{body}: {}",
                refusal.message
            );
            assert_eq!(
                refusal.hints[0],
                format!("did you mean \"{near}\"?"),
                "{body}"
            );
            let place = refusal.place.expect("it names its place");
            assert_eq!(
                place.source.name(),
                "scripts/mini/commands/go.luau",
                "{body}"
            );
        }
    }
}

/// Rows store their readers in a field `seen`; rules cannot write it.
#[test]
fn no_rule_makes_a_field_seen() {
    for body in [
        "act:set('ann', 'seen', 'bo')",
        "act:add('ann', 'seen', 1)",
        "act:create('thing', { seen = 'bo' })",
        "act:attach('ann', 'mark', { seen = 'bo' })",
    ] {
        let refusal = refusal_of_command_go(body);
        assert_eq!(refusal.code, "script/argument", "{body}");
        assert_eq!(
            refusal.message,
            "scripts cannot set the field `seen`, which says who may know of a row",
            "{body}"
        );
        on_game_thread(move || {
            let mut game = Game::of(&home_with_command_go(body));
            let then = game.solo.run_as_line(("gm", "go"), |timeline, ruling| {
                game::give_line_for_seat(timeline, &ruling.with_checks_of_the_past(), "ann", "go")
            });
            assert!(then.refusal.is_none(), "{body}: {:?}", then.refusal);
            let number = game.last_operation().seq;
            assert_eq!(
                game.solo.verify_operation(number),
                ReplayComparison::Same,
                "{body}"
            );
        });
    }
}

#[test]
fn whoever_is_there_is_an_audience() {
    for taker in AUDIENCE_PLACES {
        for name in ["public", "GM", "ann", "seat:bo", "group:red", "group:blue"] {
            let body = body_naming_audience(taker, name);
            on_game_thread(move || {
                let mut game = Game::of(&home_with_command_go(body));
                assert!(game.line("go").refusal.is_none(), "{body}");
            });
        }
    }
}

#[test]
fn the_seats_that_there_are_are_told() {
    let refusal = refusal_of_command_go("act:say('zork', 'x')");
    assert_eq!(
        refusal.message,
        "unknown audience \"zork\": nobody would see this"
    );
    assert_eq!(
        refusal.hints,
        [
            "the known names are gm, ann, bo, cy",
            "write public, gm, the name of a player, or group:NAME"
        ]
    );
    let refusal = refusal_of_command_go("act:say('group:foo', 'x')");
    assert_eq!(refusal.message, "there is no group \"foo\"");
    assert_eq!(
        refusal.hints,
        ["list a group that is still empty in `groups` of `seats` in ruleset.luau"]
    );
    assert_eq!(
        refusal_of_command_go("act:is_in('redd')").hints[0],
        "did you mean \"red\"?"
    );
}

#[test]
fn a_group_in_which_nobody_is_yet_is_declared() {
    for groups in [
        "{ 'green' }",
        "function(act) return { act:get('ann', 'mood') > 0 and 'green' } end",
    ] {
        let groups: &'static str = groups.to_owned().leak();
        on_game_thread(move || {
            let home = Scratch::mini();
            home.edit(
                "scripts/mini/ruleset.luau",
                "run = seats }",
                &format!("run = seats, groups = {groups} }}"),
            );
            home.command("go", "act:say('group:green', 'x')");
            let mut game = Game::of(&home);
            assert!(game.line("go").refusal.is_none());
            home.command("go", "act:say('group:gren', 'x')");
            let mut game = Game::of(&home);
            let refusal = game.line("go").refusal.expect("it is refused");
            assert_eq!(refusal.hints[0], "did you mean \"green\"?");
        });
    }
}

#[test]
fn without_seats_any_name_is_one_but_a_slip_of_public() {
    on_game_thread(|| {
        let home = Scratch::mini();
        home.edit(
            "scripts/mini/ruleset.luau",
            "seats = { summary = \"a player has the name of a person\", run = seats },",
            "",
        );
        home.edit(
            "scripts/mini/ruleset.luau",
            "local function seats",
            "local function _seats",
        );
        home.command("go", "act:say('zork', 'x') act:say('seat:publc', 'x')");
        let mut game = Game::of(&home);
        let refusal = game.line("go").refusal.expect("it is a slip");
        assert_eq!(refusal.hints[0], "did you mean \"public\"?");
    });
}

#[test]
fn what_was_accepted_once_is_verified_as_it_was() {
    on_game_thread(|| {
        let home = home_with_command_go("act:add('ann', 'mood', 1) act:say('ann', 'x')");
        let mut game = Game::of(&home);
        assert!(game.line("go").refusal.is_none());
        let number = game.last_operation().seq;
        assert_eq!(game.solo.verify_operation(number), ReplayComparison::Same);
        let home = home_with_command_go("act:say('nobody', 'x')");
        let mut game = Game::of(&home);
        assert!(game.line("go").refusal.is_some());
        let last = |game: &Game| game.last_operation().seq;
        let number = last(&game);
        assert_eq!(
            game.solo.verify_operation(number),
            ReplayComparison::Same,
            "a refusal is one again"
        );
        // Earlier versions did not check who is in the game.
        let then = game.solo.run_as_line(("gm", "go"), |timeline, ruling| {
            game::give_line_for_seat(timeline, &ruling.with_checks_of_the_past(), "ann", "go")
        });
        assert!(then.refusal.is_none());
        let number = last(&game);
        assert_eq!(game.solo.verify_operation(number), ReplayComparison::Same);
    });
}

#[test]
fn audiences_that_are_written_out_are_checked_before_anything_runs() {
    let found = |body: &str| {
        let home = Scratch::mini();
        home.command("go", body);
        let checked = check_ruleset(&home.home(), "mini", &[]).expect("it can be checked");
        let told = checked.findings.iter();
        told.map(|one| format!("{}: {} ({})", one.code, one.message, one.hints.join(" / ")))
            .collect::<Vec<_>>()
    };
    let slip = "script/no-audience: \"publc\" is not an audience (did you mean \"public\"? / write public, gm, the name of a player, or group:NAME)";
    // A key of data is not an audience table of a script.
    for taker in AUDIENCE_PLACES.iter().filter(|taker| !taker.contains("@@")) {
        let body = body_naming_audience(taker, "publc").replace("'thing'", "'person'");
        let told: Vec<String> = found(&body);
        assert!(told.contains(&slip.to_owned()), "{body}: {told:?}");
    }
    let slip = "script/no-audience: \"groups:red\" is not an audience (did you mean \"group:\"? / write public, gm, the name of a player, or group:NAME)";
    assert_eq!(found("act:say('groups:red', 'x')"), [slip]);
    assert_eq!(
        found("act:say('seat:publc', 'x') act:say('zork', 'x')"),
        [""; 0]
    );
}
