//! Tests the grammar as a whole: on hostile input, on generated phrases, with many templates.

use proptest::prelude::*;

use super::{
    Context, Filled, Grammar, GrammarBuilder, GrammarLimits, NameFold, NameTable, Operators,
    TokenTable,
};

/// One piece of a generated template, with the part of a text that fits it.
#[derive(Clone, Debug)]
enum Part {
    Word(usize),
    Slot(&'static str, String),
    Choice(usize),
    Optional(usize, bool),
    Many(Vec<u16>),
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        (0..5usize).prop_map(Part::Word),
        "[a-y]{1,4}".prop_map(|word| Part::Slot("{NAME: Word}", word)),
        any::<u16>().prop_map(|n| Part::Slot("{NAME: Integer}", n.to_string())),
        (any::<i16>(), 1..9u8).prop_map(|(n, d)| Part::Slot("{NAME: Number}", format!("{n}.{d}"))),
        "[a-y (]{0,6}".prop_map(|text| Part::Slot("{NAME: Quoted}", format!("\"{text}\""))),
        "[a-y]{1,4}".prop_map(|word| Part::Slot("{NAME: (Word?)}", format!("({word})"))),
        Just(Part::Slot("{NAME: (Word?)}", String::new())),
        (0..3usize).prop_map(Part::Choice),
        (0..5usize, any::<bool>()).prop_map(|(word, there)| Part::Optional(word, there)),
        prop::collection::vec(any::<u16>(), 1..4).prop_map(Part::Many),
    ]
}

const CHOICES: [&str; 3] = ["za", "za zb", "->"];

/// Returns template, text and the expected texts of the filled slots.
fn phrase(parts: &[Part]) -> (String, String, Vec<(String, String)>) {
    let (mut template, mut text, mut slots) = (vec!["zz".into()], vec!["zz".into()], Vec::new());
    for (at, part) in parts.iter().enumerate() {
        let name = format!("s{at}");
        let mut fill = |written: String| {
            if !written.is_empty() {
                slots.push((name.clone(), written.clone()));
                text.push(written);
            }
        };
        match part {
            Part::Word(word) => {
                template.push(format!("zw{}", ["a", "b", "-c", "'d", "e"][*word]));
                text.push(template[template.len() - 1].clone());
            }
            Part::Slot(slot, written) => {
                template.push(format!("{} zend", slot.replace("NAME", &name)));
                fill(written.clone());
                text.push("zend".into());
            }
            Part::Choice(chosen) => {
                template.push(format!("{{{name}: {}}}", CHOICES.join("|")));
                fill(CHOICES[*chosen].to_owned());
            }
            Part::Optional(word, there) => {
                template.push(format!("[zo{word}q]"));
                if *there {
                    text.push(format!("zo{word}q"));
                }
            }
            Part::Many(numbers) => {
                // A word after the slot separates its numbers from the next slot, as above.
                template.push(format!("{{{name}: Integer...}} zend"));
                let numbers: Vec<String> = numbers.iter().map(u16::to_string).collect();
                fill(numbers.join(", "));
                text.push("zend".into());
            }
        }
    }
    (template.join(" "), text.join(" "), slots)
}

fn one(template: &str) -> Grammar {
    let mut builder = GrammarBuilder::new(TokenTable::default());
    builder.add_whole_templates("Phrase", [("one", template)]);
    let (grammar, findings) = builder.build();
    assert!(findings.is_empty(), "{template}: {findings:?}");
    grammar
}

proptest! {
    #[test]
    fn a_text_made_from_a_template_reads_back_as_its_slots(parts in prop::collection::vec(part(), 0..7)) {
        let (template, text, expected) = phrase(&parts);
        let grammar = one(&template);
        let mut context = Context::new("phrase");
        let parse = grammar.read("Phrase", &text, &mut context);
        let parse = parse.map_err(|miss| TestCaseError::fail(format!("{template} / {text}: {miss:?}")))?;
        // An optional slot holds what is between its brackets.
        let bare = |text: &String| text.trim_matches(['(', ')']).to_owned();
        let found: Vec<_> = parse.slots.iter().map(|slot| (slot.name.clone(), bare(&slot.text))).collect();
        let expected: Vec<_> = expected.iter().map(|(name, text)| (name.clone(), bare(text))).collect();
        prop_assert_eq!(found, expected, "{} / {}", template, text);
    }

    /// A matcher that records failures, as with a script reader, finds the same reading as one that does not.
    #[test]
    fn a_silent_reading_is_the_same_as_one_that_remembers(
        all in prop::collection::vec(prop::collection::vec(part(), 0..4), 1..5),
        which in any::<prop::sample::Index>(),
    ) {
        let phrases: Vec<_> = all.iter().map(|parts| phrase(parts)).collect();
        let mut builder = GrammarBuilder::new(TokenTable::default());
        builder.add_whole_templates("Inner", [("only", "{Piece}")]).add_whole_templates("Free", [("free", "{a: Inner} {b: Text}")]);
        builder.add_whole_templates("Phrase", [("free", "{Free}"), ("whose", "{a: Inner} zend {b: Inner}")]);
        for (at, (template, _, _)) in phrases.iter().enumerate() {
            builder.add_whole_templates("Phrase", [(format!("t{at}").as_str(), template.as_str())]);
        }
        let (grammar, _) = builder.build();
        let text = &phrases[which.index(phrases.len())].1;
        for text in [text.clone(), format!("x {text}"), format!("{text} zend y")] {
            let mut reader = |_: &str, _: &str, _| Err("none".to_owned());
            let loud = grammar.read("Phrase", &text, &mut Context::new("phrase").with_reader(&mut reader));
            let silent = grammar.read("Phrase", &text, &mut Context::new("phrase"));
            prop_assert_eq!(silent, loud, "{}", text);
        }
    }

    #[test]
    fn case_and_repeated_blanks_mean_nothing(
        parts in prop::collection::vec(part(), 0..6),
        blanks in "[ \t]{1,3}",
    ) {
        // Spaces within quotes are part of the value.
        let quoted = |part: &Part| matches!(part, Part::Slot("{NAME: Quoted}", _));
        let parts: Vec<Part> = parts.into_iter().filter(|part| !quoted(part)).collect();
        let (template, text, _) = phrase(&parts);
        let mut context = Context::new("phrase");
        let written = text.to_uppercase().replace(' ', &blanks);
        let first = one(&template).read("Phrase", &text, &mut context).unwrap();
        let second = one(&template).read("Phrase", &written, &mut context).unwrap();
        let lower = |value: String| value.to_lowercase();
        prop_assert_eq!(lower(first.to_value().to_string()), lower(second.to_value().to_string()));
    }

    #[test]
    fn hostile_templates_and_texts_neither_panic_nor_exceed_the_budget(
        templates in prop::collection::vec("(a|b|\\{X\\}|\\{y: Y\\?\\}|\\{z: Z\\.\\.\\.\\}|\\{w: Text\\}|\\{n: Name\\}|\\{c: a\\|b c\\}|\\[|\\]|\\||\\(|\\)| |\\\\|\\{|\\PC){0,10}", 1..6),
        text in "(a|b|c| |\\(|\\)|,|\"|1|not|and|\\PC){0,24}",
    ) {
        let mut builder = GrammarBuilder::new(TokenTable::default());
        builder.set_limits(GrammarLimits { steps: 3_000, depth: 24 });
        let mut names = NameTable::new(NameFold::Letters);
        names.insert("a b", 1);
        names.insert("a c", 2);
        builder.declare_names("Name", names).declare_interpolated("Z", "X", true);
        for (at, template) in templates.iter().enumerate() {
            builder.add_whole_templates(["X", "Y"][at % 2], [("t", template.as_str()), ("u", "a {y: Y}")]);
        }
        builder.add_whole_templates("Y", [("v", "{x: X} b")]).declare_operators("O", operators("X"));
        let (grammar, _) = builder.build();
        let mut context = Context::new("phrase");
        for set in ["X", "Y", "Z", "O", "Name"] {
            if let Ok(parse) = grammar.read(set, &text, &mut context) {
                prop_assert_eq!(parse.text.as_str(), text.trim());
            }
            if let Ok(scan) = grammar.scan(set, &text, &mut context) {
                let mut at = 0;
                for item in &scan.items {
                    prop_assert!(item.span.start >= at && !item.text.is_empty());
                    prop_assert_eq!(&text[item.span.start..item.span.end], item.text.as_str());
                    at = item.span.end;
                }
            }
            for expected in grammar.expected_after(set, &text, &mut context) {
                prop_assert!(text.is_char_boundary(expected.start));
            }
        }
    }
}

fn operators(atom: &str) -> Operators {
    Operators {
        atom: atom.to_owned(),
        prefix: vec![String::from("not")],
        infix: vec![vec![String::from("and")], vec![String::from("or")]],
        brackets: ('(', ')'),
        bare: true,
    }
}

#[test]
fn deep_brackets_are_refused_before_the_stack_ends() {
    let mut builder = GrammarBuilder::new(TokenTable::default());
    builder
        .add_whole_templates("Atom", [("one", "{n: Integer}")])
        .declare_operators("Test", operators("Atom"));
    let (grammar, _) = builder.build();
    let mut context = Context::new("condition");
    let mut read = |depth: usize| {
        let text = format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
        grammar
            .read("Test", &text, &mut context)
            .map_err(|miss| miss.finding.code)
    };
    assert!(read(16).is_ok());
    assert_eq!(read(5000).unwrap_err(), "phrase/too-complex");
}

#[test]
fn the_deepest_template_within_itself_is_refused_before_the_stack_ends() {
    let template = format!("1 {}({{inner: Nest}}){}", "[x|".repeat(8), "]".repeat(8));
    let mut builder = GrammarBuilder::new(TokenTable::default());
    builder.add_whole_templates("Nest", [("in", template.as_str()), ("one", "1")]);
    let (grammar, findings) = builder.build();
    assert!(findings.is_empty());
    let mut context = Context::new("nest");
    let mut read = |depth: usize| {
        let text = format!("{}1{}", "1 (".repeat(depth), ")".repeat(depth));
        grammar
            .read("Nest", &text, &mut context)
            .map_err(|miss| miss.finding.code)
    };
    assert!(read(16).is_ok());
    assert_eq!(read(1000).unwrap_err(), "phrase/too-complex");
}

#[test]
fn one_of_many_templates_costs_no_more_than_one_of_few() {
    let word = |n: u8| {
        format!(
            "do{}{}",
            char::from(b'a' + n / 25),
            char::from(b'a' + n % 25)
        )
    };
    let lines = (0..250).map(|n| format!("{} {{a: Integer}} [and {{b: Word}}]", word(n)));
    let lines: Vec<String> = lines.collect();
    let mut builder = GrammarBuilder::new(TokenTable::default());
    builder.set_limits(GrammarLimits {
        steps: 20,
        depth: 8,
    });
    builder.add_whole_templates("Command", lines.iter().map(|line| ("do", line.as_str())));
    let (grammar, findings) = builder.build();
    assert!(findings.is_empty());
    let mut context = Context::new("command");
    let parse = grammar
        .read("Command", "dogb 3 and more", &mut context)
        .unwrap();
    assert!(matches!(parse.get("b"), Some(Filled::Value(value)) if value.as_str() == Some("more")));
    assert_eq!(grammar.forms("Command").len(), 250);
}

#[test]
fn all_mistakes_of_declarations_come_in_one_pass() {
    let mut builder = GrammarBuilder::new(TokenTable::default());
    builder
        .add_whole_templates(
            "Command",
            [
                ("a", "go {to: Persn} {how: Integr}"),
                ("b", "stay"),
                ("c", "bad {"),
            ],
        )
        .add_whole_templates("Person", [("p", "{kind: Word|Integer} {x: Text}")])
        .declare_operators("Test", operators("Nothing"))
        .declare_reader_type("Person")
        .add_whole_templates("Word", [("w", "word")]);
    let twice: Vec<&String> = builder.types_declared_twice().iter().collect();
    assert_eq!(twice, ["Person"]);
    let (grammar, findings) = builder.build();
    let shown = findings.iter().map(|one| {
        let start = one.place.as_ref().map_or(0, |place| place.span.start);
        format!(
            "{} {start} {} {}",
            one.code,
            one.message,
            one.hints.join(" ")
        )
    });
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            "phrase/template 4 the brace \"{\" is not closed close it with }, or write \\{ for the character itself",
            "phrase/unknown-type 8 unknown slot type \"Persn\" did you mean \"Person\"?",
            "phrase/unknown-type 21 unknown slot type \"Integr\" did you mean \"Integer\"?",
            "phrase/choice-of-types 7 all words of this choice are names of slot types declare a type whose templates are {One} and {Other}",
            "phrase/unknown-type 0 the slot type \"Test\" uses the unknown slot type \"Nothing\" ",
        ]
    );
    let mut context = Context::new("command");
    assert!(grammar.read("Command", "stay", &mut context).is_ok());
    assert!(grammar.read("Word", "word", &mut context).is_ok());
    assert_eq!(
        grammar
            .read("Comand", "stay", &mut context)
            .unwrap_err()
            .finding
            .code,
        "phrase/unknown-type"
    );
}

#[test]
fn the_longest_text_is_read_or_refused_within_the_budget() {
    let mut builder = GrammarBuilder::new(TokenTable::default());
    builder.add_whole_templates(
        "Item",
        [
            ("say", "say {a: Text} so {b: Text}"),
            ("end", "x {a: Rest}"),
        ],
    );
    builder.declare_interpolated("Info", "Item", true);
    let (grammar, _) = builder.build();
    let mut context = Context::new("item");
    let words = |word: &str| word.repeat(64 * 1024 / word.len());
    for word in ["say ", "say so ", "x", "x1", "x 1 ", "(", "\"", "é", "so"] {
        let (text, tail) = (words(word), format!("say {}", words(word)));
        for set in ["Item", "Info"] {
            let _ = grammar.read(set, &text, &mut context);
            let _ = grammar.read(
                set,
                &tail[..tail.floor_char_boundary(64 * 1024)],
                &mut context,
            );
            let _ = grammar.scan(set, &text, &mut context);
        }
    }
    let miss = grammar
        .scan("Item", &words("say so "), &mut context)
        .unwrap_err();
    assert_eq!(miss.finding.code, "phrase/too-complex");
    let miss = grammar
        .read("Item", &words("12345678").repeat(2), &mut context)
        .unwrap_err();
    assert_eq!(miss.finding.code, "limit/size");
}

#[test]
fn a_choice_may_have_one_word_and_a_type_that_is_nearly_meant_is_none() {
    let build = |template: &str| {
        let mut builder = GrammarBuilder::new(TokenTable::default());
        builder.add_whole_templates("Command", [("c", template)]);
        builder.build()
    };
    let (grammar, findings) = build("pay {nobody: nobody else} now");
    assert!(findings.is_empty(), "{findings:?}");
    let mut context = Context::new("command");
    let read = grammar.read("Command", "pay NOBODY else now", &mut context);
    let read = read.expect("it is read");
    let filled = read.get("nobody").map(Filled::to_value);
    assert_eq!(filled, Some("nobody else".into()));
    for template in ["pay {nobody}", "pay {x: integer}", "pay {x: Nobody}"] {
        let (_, findings) = build(template);
        assert_eq!(findings[0].code, "phrase/unknown-type", "{template}");
    }
}
