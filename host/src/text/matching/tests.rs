//! Tests the readings that matching finds.

use std::collections::BTreeMap;

use super::super::{
    Class, Context, Filled, Grammar, GrammarBuilder, GrammarLimits, NameFold, NameTable, Operators,
    Parse, TokenTable,
};
use crate::value::Value;

fn build(add: impl FnOnce(&mut GrammarBuilder)) -> Grammar {
    let mut builder = GrammarBuilder::new(TokenTable::default());
    add(&mut builder);
    let (grammar, findings) = builder.build();
    assert!(findings.is_empty(), "{findings:?}");
    grammar
}

fn people() -> BTreeMap<String, NameTable> {
    let mut table = NameTable::new(NameFold::Words);
    for (name, id) in [("Ann", "e1"), ("Ann Tanner", "e2"), ("Hill Guard 1", "e3")] {
        table.insert(name, id);
    }
    table.insert("Hill Guard 2", "e4");
    BTreeMap::from([(String::from("Person"), table)])
}

fn read(grammar: &Grammar, set: &str, text: &str) -> Result<Parse, String> {
    let people = people();
    let mut context = Context::new("command").with_names(&people);
    grammar
        .read(set, text, &mut context)
        .map_err(|miss| format!("{}: {}", miss.finding.code, miss.finding.message))
}

fn value(grammar: &Grammar, set: &str, text: &str) -> String {
    read(grammar, set, text).map_or_else(|miss| miss, |parse| parse.to_value().to_string())
}

#[test]
fn slots_hold_numbers_names_and_chosen_words() {
    let grammar = build(|builder| {
        builder
            .declare_names("Person", NameTable::default())
            .add_whole_templates(
                "Command",
                [
                    ("hit", "hit {whom: Person} [for {amount: Number}]"),
                    (
                        "hide",
                        "{how: Weakly|Very Strongly} hide {whom: Person} {lasts: (Integer?)}",
                    ),
                    ("roll", "roll [{count: Integer}]d{size: Integer}"),
                ],
            );
    });
    let value = |text| value(&grammar, "Command", text);
    assert_eq!(
        value("HIT  ann tanner for -1.50"),
        "{amount: -1.5, template: hit, whom: e2}"
    );
    assert_eq!(value("hit Ann"), "{template: hit, whom: e1}");
    assert_eq!(
        value("very  strongly hide ann (3)"),
        "{how: Very Strongly, lasts: 3, template: hide, whom: e1}"
    );
    assert_eq!(
        value("weakly hide ann"),
        "{how: Weakly, template: hide, whom: e1}"
    );
    assert_eq!(value("roll 3d8"), "{count: 3, size: 8, template: roll}");
    assert_eq!(value("roll d8"), "{size: 8, template: roll}");
    assert_eq!(
        value("roll d 8"),
        "phrase/no-match: after \"roll d\" expected a whole number, found \"8\""
    );
    let parse = read(&grammar, "Command", "hit ann for 01.50").unwrap();
    assert_eq!(parse.slots[1].text, "01.50");
    assert_eq!((parse.slots[0].span.start, parse.slots[0].span.end), (4, 7));
}

#[test]
fn a_blank_is_needed_only_between_words() {
    let grammar = build(|builder| {
        builder.add_whole_templates(
            "Command",
            [
                ("give", "give {a: Word} -> {b: Word}"),
                ("on", "on {n: Integer} x"),
            ],
        );
    });
    assert!(read(&grammar, "Command", "give a->b").is_ok());
    assert!(read(&grammar, "Command", "on 3 x").is_ok());
    assert!(read(&grammar, "Command", "on 3x").is_err());
    assert!(read(&grammar, "Command", "givea->b").is_err());
}

#[test]
fn names_are_exact_then_prefix_then_ambiguous_then_unknown() {
    let grammar = build(|builder| {
        let names = NameTable::default();
        builder
            .declare_names("Person", names)
            .add_whole_templates("Command", [("see", "see {whom: Person} now")]);
    });
    assert_eq!(
        value(&grammar, "Command", "see Ann now"),
        "{template: see, whom: e1}"
    );
    assert_eq!(
        value(&grammar, "Command", "see Ann Ta now"),
        "{template: see, whom: e2}"
    );
    assert_eq!(
        value(&grammar, "Command", "see hill now"),
        "phrase/ambiguous: \"hill\" may mean \"Hill Guard 1\" or \"Hill Guard 2\""
    );
    assert_eq!(
        value(&grammar, "Command", "see Bob now"),
        "phrase/unknown-name: no person is named \"Bob\""
    );
    let people = people();
    let mut whole = Context::new("line").with_names(&people).whole_names_only();
    assert!(
        grammar
            .read("Command", "see Ann Ta now", &mut whole)
            .is_err()
    );
    let parse = read(&grammar, "Command", "see Ann Ta now").unwrap();
    assert!(
        matches!(parse.get("whom"), Some(Filled::Name { exact: false, name, .. }) if name == "Ann Tanner")
    );
}

#[test]
fn a_type_may_begin_with_itself_and_hold_itself() {
    let grammar = build(|builder| {
        builder.add_whole_templates(
            "Sum",
            [
                ("plus", "{a: Sum} + {b: Integer}"),
                ("one", "{n: Integer}"),
                ("in", "({inner: Sum})"),
            ],
        );
    });
    assert_eq!(
        value(&grammar, "Sum", "1 + (2 + 3) + 4"),
        "phrase/no-match: after \"1 +\" expected a whole number, found \"(\""
    );
    assert_eq!(
        value(&grammar, "Sum", "(1 + 2) + 4"),
        "{a: {inner: {a: {n: 1, template: one}, b: 2, template: plus}, template: in}, b: 4, template: plus}"
    );
}

#[test]
fn types_that_begin_with_each_other_are_read_to_the_end() {
    let grammar = build(|builder| {
        builder
            .add_whole_templates("A", [("ab", "{b: B} a"), ("a", "a")])
            .add_whole_templates("B", [("ba", "{a: A} b"), ("b", "b")]);
    });
    assert!(read(&grammar, "A", "a b a b a").is_ok());
    assert!(read(&grammar, "B", "b a b a b").is_ok());
    assert!(read(&grammar, "A", "a b b").is_err());
}

#[test]
fn the_reading_with_more_literal_words_wins_then_more_names_then_the_first() {
    let grammar = build(|builder| {
        builder
            .declare_names("Person", NameTable::default())
            .add_whole_templates(
                "Command",
                [
                    ("free", "{a: Word} {b: Word}"),
                    ("named", "{a: Word} {b: Person}"),
                    ("words", "go {b: Word}"),
                    ("again", "go {c: Word}"),
                ],
            );
    });
    let template = |text| read(&grammar, "Command", text).unwrap().template;
    assert_eq!(template("go ann"), "words");
    assert_eq!(template("see ann"), "named");
    assert_eq!(template("see what"), "free");
}

#[test]
fn the_slot_in_front_is_the_longest() {
    let grammar = build(|builder| {
        builder.add_whole_templates("Command", [("name", "name {a: Text} as {b: Text}")]);
    });
    assert_eq!(
        value(&grammar, "Command", "name x as y as z"),
        "{a: x as y, b: z, template: name}"
    );
    assert_eq!(
        value(&grammar, "Command", "name \"x as\" as y"),
        "{a: x as, b: y, template: name}"
    );
}

#[test]
fn repeated_slots_take_blanks_and_separators() {
    let grammar = build(|builder| {
        builder
            .declare_names("Person", NameTable::default())
            .add_whole_templates(
                "Command",
                [
                    ("call", "call {all: Person...} [now]"),
                    ("use", "use {dice: Die...}"),
                ],
            );
        builder.add_whole_templates("Die", [("die", "d{size: Integer}")]);
    });
    assert_eq!(
        value(&grammar, "Command", "call ann, ann tanner ann now"),
        "{all: [e1, e2, e1], template: call}"
    );
    assert_eq!(
        value(&grammar, "Command", "use d4,d6"),
        "{dice: [{size: 4, template: die}, {size: 6, template: die}], template: use}"
    );
    assert!(read(&grammar, "Command", "use d4d6").is_err());
    assert!(read(&grammar, "Command", "use d4,").is_err());
}

#[test]
fn operators_bind_by_level_and_join_equals() {
    let grammar = build(|builder| {
        builder.add_whole_templates(
            "Test",
            [
                ("is", "{a: Word} is {b: Word}"),
                ("in", "({x: Word}) exists"),
            ],
        );
        let operators = Operators {
            atom: String::from("Test"),
            prefix: vec![String::from("not")],
            infix: vec![vec![String::from("or")], vec![String::from("and")]],
            brackets: ('(', ')'),
            bare: false,
        };
        builder.declare_operators("Condition", operators);
    });
    let shape = |text: &str| {
        fn show(value: &Value) -> String {
            let operands = value.get("operands").items();
            let word = value.get("template").as_str().unwrap();
            match operands {
                [] => value.get("a").to_string(),
                several => {
                    format!(
                        "{word}({})",
                        several.iter().map(show).collect::<Vec<_>>().join(",")
                    )
                }
            }
        }
        read(&grammar, "Condition", text).map(|parse| show(&parse.to_value()))
    };
    assert_eq!(shape("a is x").unwrap(), "a");
    assert_eq!(
        shape("(a is x) and (b is x) and not (c is x)").unwrap(),
        "and(a,b,not(c))"
    );
    assert_eq!(
        shape("(a is x) and (b is x) or (c is x)").unwrap(),
        "and(a,or(b,c))"
    );
    assert_eq!(
        shape("not ((a is x) and (b is x))").unwrap(),
        "not(and(a,b))"
    );
    assert_eq!(shape("(z) exists").unwrap(), "nil");
    assert_eq!(
        shape("(a is x) and b is x").unwrap_err(),
        "phrase/no-match: after \"(a is x) and\" expected \"(\" or \"not\", found \"b\""
    );
}

#[test]
fn interpolated_texts_keep_their_words_around_the_pieces() {
    let grammar = build(|builder| {
        builder
            .add_whole_templates("Piece", [("self", "@{name: Word}")])
            .declare_interpolated("Info", "Piece", false)
            .add_whole_templates("Command", [("tell", "tell {text: Info}")]);
    });
    assert_eq!(
        value(&grammar, "Command", "tell \"Hi  @Self, say @Other now\""),
        "{template: tell, text: [Hi  @Self, say , {name: Other, template: self},  now]}"
    );
}

#[test]
fn script_readers_take_the_bytes_they_say() {
    let grammar = build(|builder| {
        builder
            .declare_reader_type("Area")
            .add_whole_templates("Command", [("burn", "burn {area: Area} now")]);
    });
    let mut reader = |_: &str, text: &str, span: crate::diag::Span| {
        assert_eq!(span.start, 5);
        let end = text.find(" now").ok_or("an area ends before \"now\"")?;
        Ok((Value::from(&text[..end]), end))
    };
    let mut context = Context::new("command").with_reader(&mut reader);
    let parse = grammar
        .read("Command", "burn 3x4 (all) now", &mut context)
        .unwrap();
    assert_eq!(
        parse.to_value().to_string(),
        "{area: 3x4 (all), template: burn}"
    );
    let miss = grammar
        .read("Command", "burn 3x4 (all)", &mut context)
        .unwrap_err();
    assert!(
        miss.finding
            .hints
            .contains(&String::from("an area ends before \"now\"")),
        "{miss:?}"
    );
    let mut cuts = |_: &str, _: &str, _: crate::diag::Span| Ok((Value::Nil, 2));
    let mut context = Context::new("command").with_reader(&mut cuts);
    assert!(
        grammar
            .read("Command", "burn abc now", &mut context)
            .is_err()
    );
}

#[test]
fn classes_read_what_they_say() {
    let grammar = build(|builder| {
        builder
            .declare_class("Count", Class::Integer)
            .add_whole_templates(
                "Command",
                [
                    ("signed", "add {n: Signed}"),
                    ("count", "count {n: Count}"),
                    ("quote", "post {t: Quoted}"),
                    ("group", "pay {t: Group}"),
                    ("line", "({t: Line}) said"),
                    ("rest", "note {t: Rest}"),
                ],
            );
    });
    assert_eq!(
        value(&grammar, "Command", "add +3"),
        "{n: 3, template: signed}"
    );
    assert!(read(&grammar, "Command", "add 3").is_err());
    assert!(read(&grammar, "Command", "add + 3").is_err());
    assert!(read(&grammar, "Command", "count 1.5").is_err());
    assert!(read(&grammar, "Command", &format!("count {}", "9".repeat(40))).is_err());
    assert_eq!(
        value(&grammar, "Command", "post \" a (b \""),
        "{t:  a (b , template: quote}"
    );
    assert_eq!(
        value(&grammar, "Command", "pay (1, 2)"),
        "{t: 1, 2, template: group}"
    );
    assert_eq!(
        value(&grammar, "Command", "(what (he)) said"),
        "{t: what (he), template: line}"
    );
    assert_eq!(
        value(&grammar, "Command", "note a\n b"),
        "{t: a\n b, template: rest}"
    );
}

#[test]
fn too_much_work_and_too_deep_nesting_are_loud() {
    let grammar = build(|builder| {
        builder
            .add_whole_templates(
                "List",
                [
                    ("more", "{head: Word}, {tail: List}"),
                    ("last", "{head: Word}"),
                ],
            )
            .add_whole_templates("Long", [("long", "{all: Word...}")]);
    });
    let list = |n: usize| vec!["a"; n].join(", ");
    assert!(read(&grammar, "List", &list(100)).is_ok());
    assert_eq!(
        read(&grammar, "List", &list(200)).unwrap_err(),
        "phrase/too-complex: this command is nested too deeply"
    );
    assert!(read(&grammar, "Long", &list(10_000)).is_ok());
    let small = build(|builder| {
        builder.set_limits(GrammarLimits {
            steps: 50,
            depth: 128,
        });
        builder.add_whole_templates("Long", [("long", "{all: Word...}")]);
    });
    assert_eq!(
        read(&small, "Long", &list(100)).unwrap_err(),
        "phrase/too-complex: this command is too complex to read"
    );
}

#[test]
fn a_left_recursive_reading_may_not_nest_without_end() {
    let grammar = build(|builder| {
        builder.add_whole_templates(
            "Sum",
            [("plus", "{a: Sum} + {b: Integer}"), ("one", "{n: Integer}")],
        );
    });
    assert!(read(&grammar, "Sum", &vec!["1"; 100].join(" + ")).is_ok());
    assert!(
        read(&grammar, "Sum", &vec!["1"; 5000].join(" + "))
            .unwrap_err()
            .starts_with("phrase/too-complex")
    );
}

#[test]
fn a_name_as_it_is_written_wins_over_one_that_is_alike() {
    let grammar = build(|builder| {
        let templates = [("hit", "hit {whom: Person} with {how: Person}")];
        let persons = NameTable::default();
        builder
            .declare_names("Person", persons)
            .add_whole_templates("Command", templates);
    });
    let mut table = NameTable::new(NameFold::Words);
    for (name, id) in [("Mara", "e1"), ("mara", "e2"), ("Tide's End", "e3")] {
        table.insert(name, id);
    }
    let given = BTreeMap::from([(String::from("Person"), table)]);
    let value = |text: &str| {
        let mut context = Context::new("command").with_names(&given);
        let read = grammar.read("Command", text, &mut context);
        read.map_or_else(
            |miss| miss.finding.message,
            |parse| parse.to_value().to_string(),
        )
    };
    let cases = [
        ("hit Mara with mara", "{how: e2, template: hit, whom: e1}"),
        (
            "hit MARA with mara",
            "\"MARA\" may mean \"Mara\" or \"mara\"",
        ),
        (
            "hit tide’s  END with Tide's End",
            "{how: e3, template: hit, whom: e3}",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(value(text), expected, "{text}");
    }
}
