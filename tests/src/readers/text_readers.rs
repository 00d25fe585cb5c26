//! The readers of texts: dice, expressions, phrases and their declarations, outlines, trees of content.

use std::sync::Arc;

use host::content::{Node, TreeLimits, read_tree};
use host::diag::{Diagnostic, Source, Span};
use host::dice::{Budget, Notation};
use host::expr::{Dialect, ExprError, Fraction, Item, Scope, Signature, compile};
use host::game::Stream;
use host::text::{
    Context, Grammar, GrammarBuilder, Heading, Levels, NameFold, NameTable, Outline, OutlineTable,
    TokenTable,
};

use host::value::Number;

use super::{CHECK, Read, Reader, check_fits_screen, read_one_by_one};

/// Of this number of notations, the odds of only one are computed, because that may take long.
const ODDS: u32 = 16;

pub(super) const DICE: Reader = Reader {
    name: "dice",
    seeds: || {
        bytes_of_texts(&[
            "4d6kh3+2",
            "2d20kl1",
            "10d10!",
            "3d6!p>4",
            "(2d8+1d4)*3-1",
            "5d6r1",
            "6d6>=5",
            "d%",
            "2d6ro<3 # why",
            "1d20+5-2d4",
            "8dF",
            "{2d6,3d4}kh1",
            "-(1d6)/2",
            "12d6e6",
            "100d100",
            "d1000000",
            "3d6 + STR",
        ])
    },
    marks: &[
        "d", "D", "kh", "kl", "!", "!!", "!p", "r", "ro", ">", ">=", "<", "=", "+", "-", "*", "/",
        "(", ")", "{", "}", ",", "1", "6", "100", "999999", "%", "F", "#", "e", "c", "s", "f",
    ],
    check: CHECK,
    together: 1,
    begin: || {
        let mut count = 0;
        read_each_text(move |text| {
            count += 1;
            read_dice(text, count % ODDS == 0)
        })
    },
};

fn read_dice(text: &str, with_odds: bool) -> Result<(), String> {
    let notation = match Notation::parse(text) {
        Ok(notation) => notation,
        Err(found) if found.is_empty() => return Err("refused without a finding".to_owned()),
        Err(found) => return check_findings(&found, text),
    };
    let (mut one, mut other) = (Stream::new(1), Stream::new(1));
    let rolled = notation.roll(&mut one, &mut Budget::default());
    let rolled = rolled.map(|roll| roll.total());
    let total = notation.roll_total(&mut other, &mut Budget::default());
    if rolled.as_ref().ok() != total.as_ref().ok() {
        return Err(format!("rolled {rolled:?}, in all {total:?}"));
    }
    if with_odds && let (Ok(odds), _) = notation.distribution_and_step_count() {
        let (outcomes, counted) = (
            odds.outcome_count(),
            odds.iter().map(|(_, ways)| ways).sum(),
        );
        if outcomes != counted {
            return Err(format!("{outcomes} outcomes, and {counted} of all totals"));
        }
    }
    Ok(())
}

pub(super) const POSTFIX: Reader = Reader {
    name: "postfix",
    seeds: || {
        bytes_of_texts(&[
            "self.HP 2 / 10 +",
            "a,b,distance,5,<=",
            "1 2 3 + - abs",
            "x 0 = y 1 = and not",
            "7.5 2 ^ round",
            "self creature.HELD distance 30 > none or",
            "3,store thing,1,+",
            "1 0 /",
            "2 64 ^ 2 64 ^ *",
            "5 chance",
        ])
    },
    marks: &[
        "+", "-", "*", "/", "^", "=", "!=", "<", "<=", ">", ">=", "and", "or", "not", "min", "max",
        "abs", "round", "floor", "ceil", "if", "distance", "chance", "store", "self", "self.HP",
        "none", "1", "0", "-1", "0.1", ",", "64", "(", ")", "\"",
    ],
    check: CHECK,
    together: 1,
    begin: || {
        let dialects = postfix_dialects();
        read_each_text(move |text| {
            dialects
                .iter()
                .try_for_each(|dialect| read_postfix(text, dialect))
        })
    },
};

fn postfix_dialects() -> [Dialect; 2] {
    let signature = |operands, quotes| Signature { operands, quotes };
    let functions = [
        ("distance".into(), signature(2, false)),
        ("chance".into(), signature(0, false)),
        ("store".into(), signature(2, true)),
    ];
    let blanks = Dialect {
        functions: functions.into(),
        ..Dialect::default()
    };
    let commas = Dialect {
        variables: Some(["self".into(), "a".into()].into()),
        bits: Some(128),
        commas_only: true,
        ..blanks.clone()
    };
    [blanks, commas]
}

fn read_postfix(text: &str, dialect: &Dialect) -> Result<(), String> {
    let said = |error: &ExprError| {
        check_span_in_text(error.at, text)?;
        check_fits_screen(&error.to_diagnostic())
    };
    match compile(text, dialect) {
        Err(errors) if errors.is_empty() => Err("refused without a finding".to_owned()),
        Err(errors) => errors.iter().try_for_each(said),
        Ok(program) => match program.evaluate(&mut Names) {
            Ok(_) => Ok(()),
            Err(error) => said(&error),
        },
    }
}

/// Values of every kind by name; functions return their arguments.
struct Names;

impl Scope for Names {
    type Error = ExprError;

    fn variable(&mut self, number: usize, name: &str) -> Result<Item, ExprError> {
        Ok(match number % 4 {
            0 => Item::Text(name.into()),
            1 => Item::Nil,
            2 => Item::Bool(true),
            _ => Item::Number(Fraction::from(Number::from(7_i64))),
        })
    }

    fn call(&mut self, _: &str, operands: &[Item]) -> Result<Item, ExprError> {
        Ok(operands.first().cloned().unwrap_or(Item::Nil))
    }
}

/// Templates of every form.
const FORMS: [(&str, &str); 12] = [
    ("roll", "roll {dice: Rest}"),
    (
        "give",
        "give {amount: Integer} {thing: Thing} to {who: Person...}",
    ),
    ("say", "say in {place: Word}: {said: Rest}"),
    ("pay", "pay [up to] {amount: Number}[ gold]"),
    ("turn", "turn {way: left|right|around}"),
    ("quote", "quote {text: Quoted} [by {who: Person}]"),
    ("maybe", "{who: Person} {may: (Word?)} go"),
    ("many", "sum {numbers: Integer...} now"),
    ("arrow", "{from: Person} -> {to: Person}"),
    ("inner", "if {test: Test} then {then: Rest}"),
    ("word", "{any: Word}"),
    ("text", "write {text: Text}"),
];

pub(super) const PHRASES: Reader = Reader {
    name: "phrases",
    seeds: || {
        bytes_of_texts(&[
            "roll 3d6 + 2",
            "give 3 rope to Ann, Bo-Peep and D'Arcy",
            "say in Tavern: hello there",
            "pay up to 2.5 gold",
            "turn around",
            "quote \"some words\" by Ann",
            "Ann (soon) go",
            "sum 1, 2 3 now",
            "Ann -> Bo-Peep",
            "if Ann is here then turn left",
            "write a long text (with [brackets])",
            "GIVE 03 long rope TO ann",
        ])
    },
    marks: &[
        "roll",
        "give",
        "say",
        "in",
        "to",
        "pay",
        "up",
        "turn",
        "left",
        "quote",
        "by",
        "sum",
        "now",
        "->",
        ":",
        ",",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "\"",
        "Ann",
        "Bo-Peep",
        "D'Arcy",
        "rope",
        "long rope",
        "3",
        "-2",
        "2.5",
        "is here",
        "if",
        "then",
        "and",
    ],
    check: CHECK,
    together: 1,
    begin: || {
        let grammar = phrase_grammar(&FORMS);
        read_each_text(move |text| read_phrase(&grammar, text))
    },
};

fn phrase_grammar(forms: &[(&str, &str)]) -> Grammar {
    let mut builder = GrammarBuilder::new(TokenTable::default());
    let people = ["Ann", "Bo-Peep", "D'Arcy", "Ann of the Hill"];
    let things = ["rope", "long rope", "lamp"];
    let table = |names: &[&str]| {
        let mut table = NameTable::new(NameFold::default());
        names.iter().for_each(|name| table.insert(*name, *name));
        table
    };
    builder
        .declare_names("Person", table(&people))
        .declare_names("Thing", table(&things));
    builder.add_whole_templates(
        "Test",
        [("here", "{who: Person} is here"), ("not", "not {of: Test}")],
    );
    builder.add_whole_templates("Phrase", forms.iter().copied());
    builder.build().0
}

fn read_phrase(grammar: &Grammar, text: &str) -> Result<(), String> {
    match grammar.read("Phrase", text, &mut Context::new("phrase")) {
        Ok(parse) => {
            check_span_in_text(parse.span, text)?;
            parse
                .slots
                .iter()
                .try_for_each(|slot| check_span_in_text(slot.span, text))
        }
        Err(miss) => {
            check_span_in_text(miss.finding.span, text)?;
            let source = Source::new("phrase", text);
            check_fits_screen(&miss.finding.to_diagnostic(&source, 0))
        }
    }
}

pub(super) const TEMPLATES: Reader = Reader {
    name: "templates",
    seeds: || {
        FORMS
            .iter()
            .map(|(_, form)| form.as_bytes().to_vec())
            .collect()
    },
    marks: &[
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        ":",
        "|",
        "...",
        "?",
        "Word",
        "Integer",
        "Number",
        "Rest",
        "Text",
        "Quoted",
        "Person",
        "Test",
        "a",
        "to",
        "->",
        "\\",
        "\"",
        "{x: Word}",
        "[maybe]",
        ".",
        "-",
    ],
    check: CHECK,
    together: 1,
    begin: || {
        read_each_text(|text| {
            let source = Source::new("template", text);
            let mut builder = GrammarBuilder::new(TokenTable::default());
            builder.add_template("Phrase", "one", &source, Span::new(0, text.len()));
            let (grammar, found) = builder.build();
            check_findings(&found, text)?;
            read_phrase(&grammar, text)?;
            read_phrase(&grammar, "give 3 rope to Ann")
        })
    },
};

pub(super) const OUTLINES: Reader = Reader {
    name: "outlines",
    seeds: || {
        bytes_of_texts(&[
            "**Fox** | Forest  \r\n\r\n__Basics__\nTalk: much\n__Rules__\nInherit: `Pack: one`\nAt Night:\n• Do `a: b` x\n    ‣ if: then\n",
            "Title\n# One\n- a: b\n  - c (d) [e]\n    - f\n## Two\n* g: `h: i` \"j: k\"\n",
        ])
    },
    marks: &[
        "•", "‣", "◦", "__", "**", "# ", "- ", "* ", "  ", "\n", ": ", ":", "`", "\"", "(", ")",
        "[", "]", "x",
    ],
    check: CHECK,
    together: 1,
    begin: || {
        let tables = [
            OutlineTable::default(),
            OutlineTable {
                headings: vec![Heading::Between("__".into(), "__".into())],
                levels: Levels::Characters(vec!['•', '‣', '◦']),
                tails: vec![('(', ')'), ('[', ']')],
                ..OutlineTable::default()
            },
        ];
        read_each_text(move |text| {
            tables
                .iter()
                .try_for_each(|table| read_outline(table, text))
        })
    },
};

fn read_outline(table: &OutlineTable, text: &str) -> Result<(), String> {
    let outline = Outline::read(table, text);
    for section in &outline.sections {
        check_span_in_text(section.title_span, text)?;
        check_span_in_text(section.inside, text)?;
        for line in &section.lines {
            check_span_in_text(line.span, text)?;
            if line.level > table.max_level {
                return Err(format!("a line at level {}", line.level));
            }
        }
    }
    outline.findings.iter().try_for_each(|one| {
        check_span_in_text(one.span, text)?;
        check_fits_screen(&Diagnostic::error(one.code, &*one.message))
    })
}

pub(super) const YAML: Reader = Reader {
    name: "yaml",
    seeds: || {
        bytes_of_texts(&[
            "source: here\nname: Ann\nmood: 3\nlist:\n  - one\n  - two: 2\n    three: [1, 2.5, -3]\n",
            "a: &x { b: 'c', d: \"e\\n\" }\nf: *x\ng: |\n  text\n  more\nh: >-\n  folded\n  text\n# end\n",
            "? key\n: value\n--- \n- ~\n- true\n- 0x1f\n- 1e3\n- !!str 5\n- 2026-01-02\n...\n",
        ])
    },
    marks: &[
        ":", "- ", "? ", "&a", "*a", "!!int", "!x", "|", ">", "'", "\"", "\\", "{", "}", "[", "]",
        ",", "#", "---", "...", "\n", "\n  ", "~", "null", "<<", "%YAML", "@", "`", "a: ",
    ],
    check: CHECK,
    together: 1,
    begin: || read_each_text(|text| read_content("a.yaml", text)),
};

pub(super) const JSON: Reader = Reader {
    name: "json",
    seeds: || {
        bytes_of_texts(&[
            r#"{"source": "here", "name": "Ann", "mood": 3, "list": ["one", {"two": 2.5e0, "three": [null, true, false]}]}"#,
            r#"[{"a": "\u00e9\ud83d\ude00\n", "b": -0.0, "c": 1E+2}, [[[[]]]], {}]"#,
        ])
    },
    marks: &[
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "null", "true", "1", "-", ".",
        "e", "E+", "//", "/*", "\"a\":", "\n", "'",
    ],
    check: CHECK,
    together: 1,
    begin: || read_each_text(|text| read_content("a.json", text)),
};

fn read_content(name: &str, text: &str) -> Result<(), String> {
    let source: Arc<Source> = Source::new(name, text);
    let (node, found) = read_tree(&source, TreeLimits::CONTENT);
    check_findings(&found, text)?;
    let is_refused = found.iter().any(Diagnostic::is_error);
    match node {
        Some(node) => check_spans_of_tree(&node, text),
        None if is_refused || text.trim().is_empty() => Ok(()),
        None => Err(format!("nothing was read, and nothing found: {found:?}")),
    }
}

fn check_spans_of_tree(node: &Node, text: &str) -> Result<(), String> {
    let mut rest = vec![node];
    while let Some(node) = rest.pop() {
        check_span_in_text(node.span, text)?;
        rest.extend(node.items());
        rest.extend(node.entries().iter().map(|entry| &entry.node));
    }
    Ok(())
}

fn bytes_of_texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Reads inputs as text, one after the other.
fn read_each_text(mut read: impl FnMut(&str) -> Result<(), String> + 'static) -> Box<Read> {
    read_one_by_one(move |input| read(&String::from_utf8_lossy(input)))
}

/// Checks that all findings are short and lie within the text.
fn check_findings(found: &[Diagnostic], text: &str) -> Result<(), String> {
    found.iter().try_for_each(|one| {
        let place = one.place.as_ref();
        let place = place.ok_or_else(|| format!("no place: {} {}", one.code, one.message))?;
        check_span_in_text(place.span, text)?;
        check_fits_screen(one)
    })
}

fn check_span_in_text(span: Span, text: &str) -> Result<(), String> {
    match text.get(span.start..span.end) {
        Some(_) => Ok(()),
        None => Err(format!("{span:?} is no part of the text")),
    }
}
