//! Tests the findings of `check` in literals about records: modifiers, end conditions, kinds and
//! queues.

use arbiter_tests::{Game, Scratch};
use host::diag::{Diagnostic, Severity};
use host::game::check_ruleset;

/// Returns the findings of a home of the toy ruleset, without other errors of that home.
fn findings_of_home(home: &Scratch) -> Vec<Diagnostic> {
    let checked = check_ruleset(&home.home(), "mini", &[]).expect("it can be checked");
    checked.findings
}

/// Returns a finding as `severity code text-it-points-at: message hints`.
fn finding_as_text(finding: &Diagnostic) -> String {
    let place = finding.place.as_ref().expect("it has a place");
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let (code, at) = (&finding.code, place.source.slice(place.span));
    let hints = finding.hints.join(" / ");
    format!("{severity} {code} at {at}: {} ({hints})", finding.message)
}

fn findings_of_command_body(body: &str) -> Vec<String> {
    let home = Scratch::mini();
    home.command("go", body);
    findings_of_home(&home)
        .iter()
        .map(finding_as_text)
        .collect()
}

#[test]
fn a_modifier_that_could_never_be_attached_is_found_where_it_is_written() {
    let attach = |modifier: &str| {
        format!(
            "act:attach('ann', 'charm', {{}}, {{ modifiers = {{ {{ stat = 'mood', op = 'add', value = 1 }}, {{ {modifier} }} }} }})"
        )
    };
    let cases = [
        (
            "stat = 'mood', opp = 'add', value = 1",
            "warning store/bad-modifiers at opp: a modifier has no \"opp\" (did you mean \"op\"?)",
        ),
        (
            "stat = 'mood', op = 'ad', value = 1",
            "warning store/bad-modifiers at 'ad': unknown op \"ad\" in a modifier of \"mood\"; use one of add, multiply, set, at_least, at_most (did you mean \"add\"?)",
        ),
        (
            "stat = 'mood', op = 'add', value = 'much'",
            "warning store/bad-modifiers at 'much': \"add\" of \"mood\" needs a number in \"value\" ()",
        ),
        (
            "stat = 'guard', op = 'add', value = 1, layer = 'ad'",
            "warning store/unknown-layer at 'ad': the stat \"guard\" has no layer \"ad\" (did you mean \"add\"? / its layers are override, add, limit)",
        ),
        (
            "stat = 'mood', op = 'add', value = act:by(), aura = { kindd = 'person' }",
            "warning store/bad-modifiers at { kindd = 'person' }: the \"aura\" of a modifier of \"mood\" has no \"kindd\" ()",
        ),
    ];
    for (modifier, expected) in cases {
        assert_eq!(
            findings_of_command_body(&attach(modifier)),
            [expected],
            "{modifier}"
        );
    }
    let broken = findings_of_command_body(&attach(
        "stat = 'mood', op = 'add', value = 1, only_if = '(self.mood, 2, >'",
    ));
    assert_eq!(broken.len(), 1, "{broken:?}");
    assert!(
        broken[0].contains("at '(self.mood, 2, >': in the expression \"(self.mood, 2, >\": "),
        "{broken:?}"
    );
    for fine in [
        "stat = act:by(), opp = nil, op = 'add', value = 1",
        "stat = act:by(), op = act:by(), value = 'x', layer = act:by()",
        "stat = 'guard', op = 'add', value = act:by(), layer = act:by()",
        "stat = 'warp', op = 'at_most', value = -2, only_if = `({act:by()}, 1, ==)`, aura = { kind = act:by() }",
    ] {
        let all: Vec<String> = findings_of_command_body(&attach(fine));
        assert!(all.iter().all(|one| one.contains("opp")), "{fine}: {all:?}");
    }
}

#[test]
fn an_end_that_could_never_come_is_found_where_it_is_written() {
    let attach = |end: &str| format!("act:attach('ann', 'charm', {{}}, {{ duration = {end} }})");
    let cases = [
        (
            "{ uses = 0 }",
            "warning store/bad-ends at 0: \"uses\" of an end is a whole number, 1 or more and below 2^53 ()",
        ),
        ("{ { uses = 2 }, { phase = 'nihgt' } }", "at 'nihgt': "),
        (
            "{ usess = 2 }",
            "warning store/bad-ends at usess: an end has one of the keys phase, turn, rounds, time, uses, with, event, when (did you mean \"uses\"?)",
        ),
        (
            "{ turn = 'starts', of = 'ann' }",
            "at 'starts': \"turn\" of an end is \"start\" or \"end\" (did you mean \"start\"?)",
        ),
        (
            "{ event = 'phase_begn' }",
            "warning script/unknown-event at 'phase_begn': unknown event \"phase_begn\" (did you mean \"phase_began\"",
        ),
        (
            "{ when = '(self.mood, 2, >' }",
            "at '(self.mood, 2, >': in the \"when\" of an end",
        ),
        (
            "{ event = 'phase_began', test = '(self.mood, 2, >' }",
            "at '(self.mood, 2, >': in the \"test\" of an end",
        ),
        (
            "{ when = 'spent', bound = { act:by() } }",
            "at 'spent': \"spent\", the \"when\" of an end with \"bound\", needs `expressions.test`",
        ),
        (
            "{ event = 'phase_began', test = 'spent', bound = act:by() }",
            "which the ruleset does not have (write it in ruleset.luau: ",
        ),
        (
            "{ uses = 1, test = 'true' }",
            "at 1: an end with \"uses\" has no \"test\" (\"test\" belongs to \"event\")",
        ),
        ("{ time = 60, uses = 2 }", "has no \"uses\""),
        (
            "{ turn = 'start', of = act:by(), nth = 0 }",
            "this turn has already begun",
        ),
    ];
    for (end, expected) in cases {
        let all = findings_of_command_body(&attach(end));
        assert_eq!(all.len(), 1, "{end}: {all:?}");
        assert!(
            all[0].starts_with("warning ") && all[0].contains(expected),
            "{end}: {all:?}"
        );
    }
    for fine in [
        "{ uses = act:by(), }",
        "{ { phase = 'night' }, { phase = act:by() }, { turn = 'end', of = act:by(), nth = 0 }, { with = 'boat-7' } }",
        "{ event = act:by(), where = { who = '@self' } }",
        "{ when = `({act:by()}, 1, ==)` }",
        "{ event = 'phase_began', where = { ['list.2'] = act:by(), who = { one_of = { 'a' } } }, test = act:by() }",
        "{ event = 'phase_began', bound = act:by() }",
        "{}",
    ] {
        assert_eq!(findings_of_command_body(&attach(fine)), [""; 0], "{fine}");
    }
}

/// A ruleset may use these two words with its own meaning: a literal that looks like the store's is
/// a warning.
#[test]
fn definitions_are_read_like_options_and_words_of_the_ruleset_left_alone() {
    let with = |inner: &str| {
        let home = Scratch::mini();
        home.edit(
            "scripts/mini/schemas/charm.luau",
            "modifiers = \"list of any?\",",
            "modifiers = \"any?\", ends = \"any?\",",
        );
        home.write(
            "scripts/mini/charms/dusk.luau",
            format!("return charm {{ source = \"x\", summary = \"x\", {inner} }}"),
        );
        let checked = findings_of_home(&home);
        let loaded = Game::of(&home);
        let loaded = loaded.solo.session.generations().live().findings();
        assert!(
            checked.iter().all(|one| loaded.contains(one)),
            "the game says the same when it loads"
        );
        let all: Vec<String> = checked.iter().map(finding_as_text).collect();
        all
    };
    let wrong = with("modifiers = { { stat = 'mood', op = 'ad', value = 1 } }");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(
        wrong[0].starts_with("warning store/bad-modifiers at 'ad'"),
        "{wrong:?}"
    );
    let wrong =
        with("ends = function() if 1 > 2 then return { uses = 0 } end return { time = 5 } end");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(
        wrong[0].starts_with("warning store/bad-ends at 0"),
        "{wrong:?}"
    );
    for fine in [
        "modifiers = { { name = 'bold', amount = 2 } }, duration = { 'never' }",
        "modifiers = { 1, 2 }, duration = function() return nil end",
        "ends = { where = 'pier' }, modifiers = {}",
    ] {
        let all = with(fine);
        let all: Vec<&String> = all.iter().filter(|one| one.contains("store/")).collect();
        assert!(fine.contains("where") || all.is_empty(), "{fine}: {all:?}");
    }
}

#[test]
fn a_name_that_stands_once_and_nearly_like_a_known_one_is_a_slip() {
    let slip = |what: &str, name: &str, near: &str| {
        format!(
            "warning script/unknown-name at '{name}': no other place uses the {what} \"{name}\" (did you mean \"{near}\""
        )
    };
    let drains = "act:drain('bells', function() end)\n";
    let cases = [
        (
            "return #act:find({ kind = 'persn' })",
            slip("kind", "persn", "person"),
        ),
        ("act:create('persom', {})", slip("kind", "persom", "person")),
        (
            "act:attach('ann', 'charmm')\nact:find({ kind = 'charm' })",
            slip("kind", "charmm", "charm"),
        ),
        (
            &format!("{drains}act:enqueue('bels', {{}})"),
            slip("queue", "bels", "bells"),
        ),
        (
            "act:attach('ann', 'charm', {}, { modifiers = { { stat = 'moood', op = 'add', value = 1 } } })",
            slip("stat", "moood", "mood"),
        ),
        (
            "act:attach('ann', 'charm', {}, { modifiers = { { stat = 'mood', op = 'add', value = 1, aura = { kind = 'persn' } } } })",
            slip("kind", "persn", "person"),
        ),
    ];
    for (body, expected) in cases {
        let all = findings_of_command_body(body);
        assert!(
            all.iter().any(|one| one.starts_with(&expected)),
            "{body}: {all:?}"
        );
    }
    for fine in [
        "act:create('zeppelin', {})\nreturn #act:find({ kind = 'zeppelin' })",
        "act:create('persom', {})\nreturn #act:find({ kind = 'persom' })",
        "act:enqueue('bels', {})",
        "act:attach('ann', 'charm', {}, { modifiers = { { stat = 'warp', op = 'add', value = 1 } } })",
        "act:find({ kind = act:by() })",
    ] {
        assert_eq!(findings_of_command_body(fine), [""; 0], "{fine}");
    }
}
