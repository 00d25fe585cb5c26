//! Tests the messages of near misses.

use std::collections::BTreeMap;

use super::super::{Context, GrammarBuilder, NameTable, Operators, TokenTable};

/// Returns code, found text, message and hints, one a line.
fn miss(text: &str) -> String {
    let mut people = NameTable::default();
    for name in ["Galdyn", "Hill Guard", "Hill Giant", "Lurtz"] {
        people.insert(name, name);
    }
    let given = BTreeMap::from([(String::from("Creature"), people)]);
    let mut builder = GrammarBuilder::new(TokenTable::default());
    let operators = Operators {
        atom: String::from("Test"),
        prefix: vec![String::from("not")],
        infix: vec![vec![String::from("and")]],
        brackets: ('(', ')'),
        bare: false,
    };
    builder
        .declare_names("Creature", NameTable::default())
        .add_whole_templates("Test", [("is", "{who: Creature} is {what: alive|dead}")])
        .declare_operators("Condition", operators)
        .add_whole_templates(
            "Command",
            [
                ("attack", "attack {who: Creature} -> {target: Creature}"),
                ("attach", "attach {text: Quoted} [to {whom: Creature}]"),
                (
                    "when",
                    "when {condition: Condition}: attack {who: all|Creature}",
                ),
                ("wait", "wait {count: Integer} [rounds|turns|]"),
                ("wake", "wake [all|{who: Creature}]"),
            ],
        );
    let (grammar, _) = builder.build();
    let mut context = Context::new("command").with_names(&given);
    let miss = grammar.read("Command", text, &mut context).unwrap_err();
    let span = miss.finding.span;
    let mut out = format!("{} `{}`: ", miss.finding.code, &text[span.start..span.end]);
    out.push_str(&miss.finding.message);
    for hint in &miss.finding.hints {
        out.push_str(&format!("\n  {hint}"));
    }
    out
}

#[test]
fn an_unknown_first_word_lists_the_nearest() {
    assert_eq!(
        miss("atack Galdyn"),
        "phrase/no-match `atack`: unknown command \"atack\"\n  did you mean \"attack\" or \"attach\"?"
    );
    assert_eq!(
        miss("xyzzy"),
        "phrase/no-match `xyzzy`: unknown command \"xyzzy\""
    );
    assert_eq!(
        miss(" "),
        "phrase/no-match ``: expected a command, found nothing"
    );
}

#[test]
fn a_word_that_begins_no_template_of_a_slot_lists_the_nearest_that_do() {
    let mut builder = GrammarBuilder::new(TokenTable::default());
    builder
        .add_whole_templates(
            "Choice",
            [
                ("use", "use {dice: Rest}"),
                ("tumble", "tumble {die: Word}"),
            ],
        )
        .add_whole_templates("Command", [("choose", "choose {choice: Choice}")]);
    let (grammar, _) = builder.build();
    let mut context = Context::new("command");
    let miss = grammar
        .read("Command", "choose tumbl d8", &mut context)
        .unwrap_err();
    assert_eq!(miss.finding.hints[0], "did you mean \"tumble\"?");
}

#[test]
fn the_furthest_place_says_what_was_expected() {
    assert_eq!(
        miss("attack Galdyn to Lurtz"),
        "phrase/no-match `to`: after \"attack Galdyn\" expected \"->\", found \"to\"\n  \
         write: attack {who: Creature} -> {target: Creature}"
    );
    assert_eq!(
        miss("attack  Galdyn"),
        "phrase/no-match ``: after \"attack Galdyn\" expected \"->\", found the end\n  \
         write: attack {who: Creature} -> {target: Creature}"
    );
    assert_eq!(
        miss("wait 3 tunrs"),
        "phrase/no-match `tunrs`: after \"wait 3\" expected \"rounds\", \"turns\" or nothing more, found \"tunrs\"\n  \
         did you mean \"turns\"?\n  write: wait {count: Integer} [rounds|turns|]"
    );
    assert_eq!(
        miss("wait long"),
        "phrase/no-match `long`: after \"wait\" expected a whole number, found \"long\"\n  \
         write: wait {count: Integer} [rounds|turns|]"
    );
}

/// Returns the hints of a miss in a grammar of two templates; the first begins with a slot for any text.
fn hints_beside_anything(text: &str) -> Vec<String> {
    let mut builder = GrammarBuilder::new(TokenTable::default());
    builder.add_whole_templates(
        "Command",
        [
            ("make", "{what: Word} making [for {who: Word}]"),
            ("halt", "halt [at {place: Word}]"),
        ],
    );
    let (grammar, _) = builder.build();
    let mut context = Context::new("command");
    grammar
        .read("Command", text, &mut context)
        .unwrap_err()
        .finding
        .hints
}

#[test]
fn a_template_whose_words_are_there_is_told_before_one_whose_slots_take_anything() {
    let (make, halt) = (
        "write: {what: Word} making [for {who: Word}]",
        "write: halt [at {place: Word}]",
    );
    assert_eq!(hints_beside_anything("halt now"), [halt, make]);
    assert_eq!(hints_beside_anything("halt at"), [halt]);
    assert_eq!(hints_beside_anything("halt making now"), [make]);
    assert_eq!(hints_beside_anything("bread now"), [make]);
}

#[test]
fn nested_types_say_how_far_they_came() {
    assert_eq!(
        miss("when (Galdyn is alive) and (Lurtz is daed): attack all"),
        "phrase/no-match `daed`: after \"when (Galdyn is alive) and (Lurtz is\" expected \"alive\" or \"dead\", found \"daed\"\n  \
         did you mean \"dead\"?\n  write: when {condition: Condition}: attack {who: all|Creature}"
    );
    assert_eq!(
        miss("when ) is"),
        "phrase/no-match `)`: after \"when\" expected a condition, found \")\"\n  \
         write: when {condition: Condition}: attack {who: all|Creature}\n  the bracket \")\" closes nothing"
    );
}

#[test]
fn an_unknown_name_lists_the_nearest_names() {
    assert_eq!(
        miss("attack Galdin -> Lurtz"),
        "phrase/unknown-name `Galdin`: no creature is named \"Galdin\"\n  did you mean \"Galdyn\"?\n  \
         write: attack {who: Creature} -> {target: Creature}"
    );
    assert_eq!(
        miss("attack Galdyn -> hlil guard"),
        "phrase/unknown-name `hlil guard`: no creature is named \"hlil guard\"\n  did you mean \"Hill Guard\"?\n  \
         write: attack {who: Creature} -> {target: Creature}"
    );
    assert_eq!(
        miss("attack Galdynn at once"),
        "phrase/unknown-name `Galdynn`: no creature is named \"Galdynn\"\n  did you mean \"Galdyn\"?\n  \
         write: attack {who: Creature} -> {target: Creature}"
    );
    assert_eq!(
        miss("attack Xavier -> Lurtz"),
        "phrase/unknown-name `Xavier`: no creature is named \"Xavier\"\n  \
         for a creature, write \"Galdyn\", \"Hill Giant\", \"Hill Guard\" or \"Lurtz\"\n  \
         write: attack {who: Creature} -> {target: Creature}"
    );
    assert_eq!(
        miss("wake Galdin"),
        "phrase/unknown-name `Galdin`: no creature is named \"Galdin\"\n  did you mean \"Galdyn\"?\n  \
         expected \"all\" or a creature\n  write: wake [all|{who: Creature}]"
    );
    assert_eq!(
        miss("when Galdin is dead: attack all"),
        "phrase/unknown-name `Galdin`: no creature is named \"Galdin\"\n  did you mean \"Galdyn\"?\n  \
         write: when {condition: Condition}: attack {who: all|Creature}"
    );
}

#[test]
fn a_name_that_goes_on_within_its_word_is_unknown() {
    assert_eq!(
        miss("attack Galdyn2 -> Lurtz"),
        "phrase/unknown-name `Galdyn2`: no creature is named \"Galdyn2\"\n  did you mean \"Galdyn\"?\n  \
         write: attack {who: Creature} -> {target: Creature}"
    );
    assert_eq!(
        miss("attack Galdyn->Lurtz2"),
        "phrase/unknown-name `Lurtz2`: no creature is named \"Lurtz2\"\n  did you mean \"Lurtz\"?\n  \
         write: attack {who: Creature} -> {target: Creature}"
    );
    assert_eq!(
        miss("attack Galdyn->"),
        "phrase/no-match ``: after \"attack Galdyn->\" expected a creature, found the end\n  \
         for a creature, write \"Galdyn\", \"Hill Giant\", \"Hill Guard\" or \"Lurtz\"\n  \
         write: attack {who: Creature} -> {target: Creature}"
    );
}

#[test]
fn an_ambiguous_name_lists_the_candidates() {
    assert_eq!(
        miss("attack hill -> Lurtz"),
        "phrase/ambiguous `hill`: \"hill\" may mean \"Hill Giant\" or \"Hill Guard\"\n  write more of the name"
    );
}

#[test]
fn a_broken_quote_is_named_with_the_miss() {
    assert_eq!(
        miss("attach \"text to Lurtz"),
        "phrase/no-match `\"`: after \"attach\" expected a text in quotes, found \"\"\"\n  \
         write: attach {text: Quoted} [to {whom: Creature}]\n  the quote \"\"\" is not closed on its line"
    );
}

#[test]
fn a_name_that_goes_wrong_behind_its_beginning_lists_the_nearest() {
    let near = "no creature is named \"Hill Gurd\"\n  did you mean \"Hill Guard\"?";
    assert_eq!(
        miss("attack Hill Gurd -> Lurtz"),
        format!(
            "phrase/unknown-name `Hill Gurd`: {near}\n  write: attack {{who: Creature}} -> {{target: Creature}}"
        )
    );
    assert_eq!(
        miss("wake Gal Lurz"),
        "phrase/no-match `Lurz`: after \"wake Gal\" expected nothing more, found \"Lurz\"\n  write: wake [all|{who: Creature}]"
    );
    assert_eq!(
        miss("attack Hill Guard to Lurtz"),
        "phrase/no-match `to`: after \"attack Hill Guard\" expected \"->\", found \"to\"\n  write: attack {who: Creature} -> {target: Creature}"
    );
}
