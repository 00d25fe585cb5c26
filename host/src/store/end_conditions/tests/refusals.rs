//! Tests invalid ends and the texts of their refusals.

use super::{World, end};
use crate::store::clock::Phases;
use crate::value::Value;

fn refusal(world: &mut World, ends: &Value) -> (String, String) {
    let before = world.state.record_count();
    let finding = world.attach("ann", "mark", ends).unwrap_err();
    assert_eq!(world.state.record_count(), before);
    (finding.message.clone(), finding.hints.join("; "))
}

fn one(key: &str, value: impl Into<Value>) -> Value {
    end([(key, value.into())])
}

#[test]
fn what_cannot_be_an_end_is_named() {
    let mut world = World::new();
    let lines: [(Value, &str, &str); 29] = [
        (Value::from(3), "ends are a table, not a number", ""),
        (
            Value::list([Value::from(3)]),
            "an end is a table, not a number",
            "",
        ),
        (
            Value::list([Value::list([])]),
            "an end is an empty table",
            "a key with the value nil does not exist",
        ),
        (
            one("phases", "this"),
            "an end has one of the keys phase, turn, rounds, time, uses, with, event, when",
            "\"phase\"",
        ),
        (
            end([("uses", 1.into()), ("nht", 2.into())]),
            "an end with \"uses\" has no \"nht\"",
            "",
        ),
        (
            end([
                ("turn", "end".into()),
                ("of", "bo".into()),
                ("nht", 2.into()),
            ]),
            "an end with \"turn\" has no \"nht\"",
            "\"nth\"",
        ),
        (
            end([("uses", 1.into()), ("time", 2.into())]),
            "an end with \"time\" has no \"uses\"",
            "its own table",
        ),
        (
            one("phase", "nigth"),
            "there is no phase \"nigth\"",
            "\"night\"",
        ),
        (
            one("phase", 3),
            "\"phase\" of an end is this, next or the name of a phase, not a number",
            "",
        ),
        (
            end([("turn", "strat".into()), ("of", "bo".into())]),
            "\"turn\" of an end is \"start\" or \"end\"",
            "\"start\"",
        ),
        (one("turn", "end"), "\"of\" of an end is a text", ""),
        (
            end([("turn", "end".into()), ("of", "ana".into())]),
            "\"of\" of an end names no row: there is no \"ana\"",
            "\"ann\"",
        ),
        (
            end([
                ("turn", "end".into()),
                ("of", "bo".into()),
                ("nth", 0.into()),
            ]),
            "it is not the turn of \"bo\" now",
            "",
        ),
        (
            end([
                ("turn", "start".into()),
                ("of", "bo".into()),
                ("nth", 0.into()),
            ]),
            "this turn has already begun: only its end can still come",
            "",
        ),
        (
            one("rounds", 0),
            "\"rounds\" of an end is a whole number, 1 or more and below 2^53",
            "",
        ),
        (
            one("time", -5),
            "\"time\" of an end is a whole number, 1 or more and below 2^53",
            "",
        ),
        (
            one("time", i64::MAX),
            "\"time\" of an end is a whole number, 1 or more and below 2^53",
            "",
        ),
        (
            one("time", (1 << 53) - 1),
            "\"time\" of an end is too far away",
            "",
        ),
        (
            one("uses", "two"),
            "\"uses\" of an end is a whole number, 1 or more and below 2^53",
            "",
        ),
        (
            one("with", "nobody"),
            "\"with\" of an end names no row: there is no \"nobody\"",
            "",
        ),
        (
            one("with", "@clock"),
            "\"with\" of an end names no row: there is no \"@clock\"",
            "",
        ),
        (
            end([("event", "bell".into()), ("where", 3.into())]),
            "\"where\" of an end is a table of fields, not a number",
            "",
        ),
        (one("when", ""), "\"when\" of an end is a text", ""),
        (
            end([("when", "".into()), ("bound", true.into())]),
            "\"when\" of an end is a text",
            "",
        ),
        (
            end([("when", "true".into()), ("test", "true".into())]),
            "an end with \"when\" has no \"test\"",
            "\"test\" belongs to \"event\"",
        ),
        (
            end([("uses", 1.into()), ("bound", true.into())]),
            "an end with \"uses\" has no \"bound\"",
            "\"bound\" belongs to \"event\" or \"when\"",
        ),
        (
            end([("event", "bell".into()), ("tset", "true".into())]),
            "an end with \"event\" has no \"tset\"",
            "\"test\"",
        ),
        (
            end([("event", "bell".into()), ("test", 3.into())]),
            "\"test\" of an end is a text, not a number",
            "",
        ),
        (
            end([
                ("event", "bell".into()),
                ("where", one("who.2", one("one_of", "bo"))),
            ]),
            "\"one_of\" for \"who.2\" in the \"where\" of an end is a list, not a text",
            "",
        ),
    ];
    for (ends, message, hint) in lines {
        let (said, hints) = refusal(&mut world, &ends);
        assert_eq!(said, message);
        assert!(hints.contains(hint), "{said}: {hints}");
    }
}

#[test]
fn a_game_without_phases_has_no_phase_ends() {
    let mut world = World::new();
    world.phases = Phases::default();
    let (said, hint) = refusal(&mut world, &one("phase", "this"));
    assert_eq!(said, "this game has no phases for an attribute to end with");
    assert!(hint.contains("ruleset.luau"), "{hint}");
}

#[test]
fn a_ruleset_that_answers_nothing_is_asked_nothing() {
    let mut world = World::new();
    world.is_answered = false;
    let bell = |test: Value| {
        let event = ("event", "bell".into());
        end([event, ("test", test), ("bound", Value::list([]))])
    };
    let when = end([("when", "spent".into()), ("bound", Value::list([]))]);
    for (ends, key) in [(when, "when"), (bell("spent".into()), "test")] {
        let (said, hint) = refusal(&mut world, &ends);
        let expected = format!(
            "\"spent\", the \"{key}\" of an end with \"bound\", needs `expressions.test`, which the ruleset does not have"
        );
        assert_eq!(said, expected);
        assert!(
            hint.contains("expressions = { test = function(act"),
            "{hint}"
        );
    }
    world.attach("ann", "mark", &bell(Value::Nil)).unwrap();
}

#[test]
fn what_is_asked_is_kept_as_it_was_written() {
    let mut world = World::new();
    let filters = end([
        ("who.2", "@bearer".into()),
        ("by", one("other_than", "@self")),
    ]);
    let bound = Value::map([("noun", Value::list(["bo".into(), 3.into()]))]);
    let event = [
        ("event", "bell".into()),
        ("where", filters),
        ("test", "".into()),
        ("bound", bound.clone()),
    ];
    let when = end([("when", "spent".into()), ("bound", bound)]);
    let record = world
        .attach("ann", "mark", &Value::list([end(event), when]))
        .unwrap();
    let kept = world.state.get(record, world.state.reserved().ends);
    // Only a complete value means the record or its bearer, as in the filters of handlers.
    assert_eq!(
        kept.to_string(),
        "[{bound: {noun: [bo, 3]}, event: bell, test: , where: {by: {other_than: @self}, who.2: ann}}, \
         {bound: {noun: [bo, 3]}, when: spent}]"
    );
    let ends = world.state.end_conditions_of_record(record);
    assert_eq!(
        super::super::stored_value(ends, world.state.names()),
        *kept,
        "what is read is written again alike"
    );
}

#[test]
fn the_store_takes_its_own_form_only() {
    let mut world = World::new();
    let lines = [
        one("phase", 0),
        one("phase", "night"),
        end([("phase", 3.into()), ("number", 1.into())]),
        end([("turn", "end".into()), ("of", "bo".into())]),
        one("uses", 2),
        end([("uses", 3.into()), ("of", 2.into())]),
        one("rounds", "two"),
        one("never", true),
        end([("event", "bell".into()), ("test", 3.into())]),
        end([("event", "bell".into()), ("where", "bo".into())]),
        end([("uses", 1.into()), ("of", 1.into()), ("bound", true.into())]),
        Value::from("never"),
    ];
    for item in lines {
        let ends = Value::list([item]);
        let done = crate::store::tests::attach(
            &mut world.state,
            "ann",
            "mark",
            &[("@ends", ends.clone())],
        );
        assert_eq!(done.unwrap_err().code(), "store/bad-ends", "{ends}");
    }
    let on_entity = crate::store::tests::set(&mut world.state, "ann", "@ends", Value::list([]));
    assert_eq!(on_entity.unwrap_err().code(), "store/reserved-field");
    let other = crate::store::tests::attach(&mut world.state, "ann", "mark", &[]).unwrap();
    let other = world.state.names().text(other);
    for (partner, code) in [("nobody", "store/unknown-partner"), (&*other, "ok")] {
        let ends = Value::list([one("with", partner)]);
        let done = crate::store::tests::attach(&mut world.state, "ann", "mark", &[("@ends", ends)]);
        assert_eq!(crate::store::tests::code(done), code);
    }
}
