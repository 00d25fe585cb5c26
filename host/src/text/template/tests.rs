//! Tests the reading of templates.

use crate::diag::{Source, Span};

use super::super::token_table::TokenTable;
use super::*;

fn show(sequence: &Sequence) -> String {
    let mut out = String::new();
    for item in &sequence.items {
        if item.blank {
            out.push(' ');
        }
        match &item.piece {
            Piece::Word(word) => out.push_str(&format!("'{word}'")),
            Piece::Slot(slot) => {
                let dots = if slot.repeated { "..." } else { "" };
                out.push_str(&format!("{}={:?}{dots}", slot.name, slot.filler));
            }
            Piece::OneOf { options, optional } => {
                let options: Vec<_> = options.iter().map(show).collect();
                let mark = if *optional { "?" } else { "" };
                out.push_str(&format!("[{}]{mark}", options.join("|")));
            }
        }
    }
    out + if sequence.blank_after { " " } else { "" }
}

fn read(text: &str) -> Result<String, Vec<String>> {
    let source = Source::new("t", text);
    let (template, findings) = Template::parse(
        &TokenTable::default().without_structure(),
        "t",
        &source,
        Span::new(0, text.len()),
    );
    match template {
        Some(template) => Ok(show(&template.body)),
        None => Err(findings
            .iter()
            .map(|one| {
                let span = one.place.as_ref().unwrap().span;
                format!("{} {}..{} {}", one.code, span.start, span.end, one.message)
            })
            .collect()),
    }
}

#[test]
fn pieces_keep_their_blanks() {
    assert_eq!(
        read("{count: Number}d{size: Number}").unwrap(),
        "count=Type(\"Number\")'d'size=Type(\"Number\")"
    );
    assert_eq!(
        read("Protect {Player} from `{what: Kills|All & Any}` [by {by: Player}]").unwrap(),
        "'Protect' player=Type(\"Player\") 'from' '`'what=Choice([\"Kills\", \"All & Any\"])'`' \
         ['by' by=Type(\"Player\")]?"
    );
    assert_eq!(
        read("go {lasts: (Duration?)} {ActiveItem...}").unwrap(),
        "'go' ['('lasts=Type(\"Duration\")')']? active_item=Type(\"ActiveItem\")..."
    );
    assert_eq!(
        read("[up|down|] \\[x\\]").unwrap(),
        "['up'|'down']? '[''x'']'"
    );
    assert_eq!(read("{x: A?...} a").unwrap(), "[x=Type(\"A\")...]? 'a'");
}

#[test]
fn all_mistakes_come_in_one_pass_with_their_places() {
    assert_eq!(
        read("a {} ] {x: A|} [ ] {y: B} {y: C} [b {z").unwrap_err(),
        [
            "phrase/template 2..4 the slot names no type",
            "phrase/template 5..6 \"]\" closes nothing",
            "phrase/template 7..14 an alternative of the choice is empty",
            "phrase/template 15..18 the brackets are empty",
            "phrase/duplicate-slot 26..32 two slots have the name \"y\"",
            "phrase/template 36..37 the brace \"{\" is not closed",
            "phrase/template 33..34 the bracket \"[\" is not closed",
        ]
    );
    assert_eq!(
        read("[a]").unwrap_err(),
        ["phrase/template 0..3 the template matches an empty text"]
    );
    assert!(read(&"[a ".repeat(9)).unwrap_err()[0].starts_with("limit/depth"));
}

#[test]
fn alternatives_may_share_a_slot_name() {
    assert!(read("a [to {x: A}|from {x: B}]").is_ok());
    assert!(read("a [to {x: A}|from {x: B}] {x: C}").is_err());
}

#[test]
fn type_names_part_where_words_do() {
    assert_eq!(type_name_parts("ActiveItem"), ["active", "item"]);
    assert_eq!(type_name_parts("Maximum HP"), ["maximum", "hp"]);
}
