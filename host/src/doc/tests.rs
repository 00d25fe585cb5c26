//! Tests documents as a whole: round trips, secrets, and one document in every format.

mod any;
mod formats;
mod hostile;
mod posts;
mod readers;

use any::{SECRETS, any_document};
use proptest::prelude::*;

use super::*;
use crate::doc::build::{
    bar, bar_chart, blocks_for, code, emphasis, fields, heading, item, line, list, muted,
    numbered_list, paragraph, quote, right_column, rule_line, span, strike, strong, table, text,
};
use crate::value::{Number, Value};

/// One document with every block, style and audience.
fn document_with_every_part() -> Document {
    let gm = || Audience::Gm;
    let styles = [
        text("plain "),
        strong("strong"),
        text(" "),
        emphasis("emphasis"),
        text(" "),
        strike("struck out"),
        text(" "),
        span(Style::Code, "roll 2d6"),
        text(" "),
        muted("muted"),
        span(Style::Good, " good"),
        span(Style::Warn, " warn"),
        span(Style::Bad, " bad"),
    ];
    let people = table([
        Column::from("Name"),
        right_column("HP"),
        Column::from("Role").for_audience(gm()),
    ])
    .row(["Ann", "12", "smith"])
    .row(["Bo *the* |Bold|", "9", "baker"])
    .caption("Who is here");
    Document::new([
        heading(1, "Night 2"),
        paragraph("The village sleeps.\nNobody is awake."),
        paragraph(line(styles)),
        heading(2, "What is known"),
        list([
            item("bread", []),
            item("tools", [numbered_list(["saw", "axe & <hammer>"])]),
        ]),
        people.into(),
        bar_chart([
            bar("2", Number::from(1), "1/36"),
            bar("7", Number::from(6), "1/6"),
            bar("12", Number::from(1), "1/36"),
        ]),
        fields([("HP", "12 of 14"), ("Armour class", "3")]),
        quote([paragraph("It was not me.\x1b[2J"), paragraph("- Bo")]),
        code("luau", "local a = 1\n\tprint(`{a}`)\n"),
        rule_line(),
        paragraph([text("Ann met "), text("Bo").for_audience(gm()), text(".")]),
        blocks_for(
            Audience::Group("red".into()),
            [paragraph("The reds win."), paragraph("Soon.")],
        ),
    ])
    .data(Value::map([
        ("night", Value::from(2)),
        ("@gm", Value::map([("met", Value::from("bo"))])),
    ]))
}

fn assert_golden(actual: &str, expected: &str) {
    assert_eq!(format!("{actual}\n"), expected, "\n{actual}\n");
}

#[test]
fn everything_on_a_screen() {
    let screen = Screen {
        width: 60,
        ..Screen::default()
    };
    assert_golden(
        &terminal(&document_with_every_part(), &screen),
        include_str!("golden/terminal.txt"),
    );
}

#[test]
fn everything_in_colour() {
    let screen = Screen {
        width: 60,
        color: true,
        label: true,
    };
    let secret = document_with_every_part().limit_to_audience(Audience::Seat("Ann".into()));
    let shown = terminal(&secret, &screen).replace('\x1b', "ESC");
    assert_golden(&shown, include_str!("golden/color.txt"));
}

#[test]
fn everything_as_markdown() {
    assert_golden(
        &markdown(&document_with_every_part()),
        include_str!("golden/markdown.txt"),
    );
}

#[test]
fn everything_as_json() {
    assert_golden(
        &json(&document_with_every_part(), Some(7)),
        include_str!("golden/json.txt"),
    );
}

#[test]
fn everything_as_bbcode() {
    assert_golden(
        &bbcode(&document_with_every_part()),
        include_str!("golden/bbcode.txt"),
    );
}

#[test]
fn everything_as_discord() {
    assert_golden(
        &discord(&document_with_every_part()),
        include_str!("golden/discord.txt"),
    );
}

#[test]
fn everything_as_html() {
    assert_golden(
        &html(&document_with_every_part()),
        include_str!("golden/html.txt"),
    );
}

#[test]
fn everything_as_rst() {
    assert_golden(
        &rst(&document_with_every_part()),
        include_str!("golden/rst.txt"),
    );
}

#[test]
fn everything_as_csv() {
    let shown = csv(&document_with_every_part());
    let lines: Vec<&str> = shown.split_terminator("\r\n").collect();
    assert_golden(&lines.join("\n"), include_str!("golden/csv.txt"));
}

#[test]
fn everything_for_the_public() {
    let seen = for_viewer(&document_with_every_part(), &Viewer::Public).unwrap();
    assert_golden(&markdown(&seen), include_str!("golden/public.txt"));
}

#[test]
fn everything_for_a_seat() {
    let seen = for_viewer(&document_with_every_part(), &Viewer::seat("Ann", ["red"])).unwrap();
    assert_golden(&bbcode(&seen), include_str!("golden/seat.txt"));
}

/// A post is short enough to be read here, and long enough for most blocks to be whole.
#[test]
fn everything_in_posts() {
    let limits = Limits {
        length: Some(300),
        numbered: true,
    };
    let posts = split_into_posts(&[document_with_every_part()], Forum::Discord, &limits);
    assert_golden(&posts.join("\n=====\n"), include_str!("golden/posts.txt"));
}

#[test]
fn what_the_removal_emptied_goes_too() {
    let secret = || text("x").for_audience(Audience::Gm);
    let hidden = Document::new([
        paragraph(secret()),
        list([secret()]),
        fields([("Role", secret())]),
        table(["Name"]).row([secret()]).into(),
        quote([paragraph(secret())]),
        blocks_for(Audience::Gm, [rule_line()]),
    ])
    .data(Value::map([("@gm", Value::from(1))]));
    let left = for_viewer(&hidden, &Viewer::Public).unwrap();
    assert_eq!(left, Document::default());
    assert_eq!(for_viewer(&hidden, &Viewer::Gm), Some(hidden.clone()));
    let private = hidden.limit_to_audience(Audience::Seat("Ann".into()));
    assert_eq!(for_viewer(&private, &Viewer::Public), None);
}

#[test]
fn data_behind_a_key_that_names_nobody_is_the_game_masters() {
    let data = Value::map([("@", Value::from(1)), ("@group:red", Value::from(2))]);
    let seen = |viewer| for_viewer(&Document::new([]).data(data.clone()), &viewer).unwrap();
    let red = Value::map([("@group:red", Value::from(2))]);
    assert_eq!(seen(Viewer::seat("Ann", ["red"])).data, Some(red));
    assert_eq!(seen(Viewer::Public).data, None);
}

#[test]
fn blocks_deeper_than_the_limit_are_not_drawn() {
    let mut block = paragraph("core");
    for _ in 0..40 {
        block = quote([block]);
    }
    let deep = Document::new([block]);
    assert!(!plain(&deep).contains("core") && plain(&deep).contains('…'));
    assert!(!markdown(&deep).contains("core") && markdown(&deep).contains('…'));
}

/// Swaps the two secrets in every part of a value.
fn swap_secrets(value: &Value) -> Value {
    match value {
        Value::Text(text) => match SECRETS.iter().position(|secret| **secret == **text) {
            Some(at) => Value::from(SECRETS[1 - at]),
            None => value.clone(),
        },
        Value::List(items) => Value::list(items.iter().map(swap_secrets)),
        Value::Map(map) => Value::map(
            map.iter()
                .map(|(key, value)| (key.clone(), swap_secrets(value))),
        ),
        Value::Nil | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn in_all_formats(document: &Document) -> Vec<String> {
    let screen = Screen {
        width: 50,
        color: true,
        label: true,
    };
    let formats = Format::ALL.into_iter();
    formats
        .map(|format| format.render(document, Some(1), &screen))
        .collect()
}

proptest! {
    #[test]
    fn documents_round_trip(document in any_document()) {
        let value = document.to_value();
        prop_assert_eq!(Document::from_value(&value), Ok(document.clone()));
        let json = crate::value::to_json(&value).to_string();
        let read = crate::value::from_json(&serde_json::from_str(&json).unwrap()).unwrap();
        prop_assert_eq!(Document::from_value(&read), Ok(document));
    }

    #[test]
    fn swapping_two_secrets_changes_nothing_for_others(document in any_document()) {
        let other = Document::from_value(&swap_secrets(&document.to_value())).unwrap();
        for viewer in [Viewer::Public, Viewer::seat("Ann", ["blue"])] {
            let seen = in_all_formats(&for_viewer(&document, &viewer).unwrap());
            let others = in_all_formats(&for_viewer(&other, &viewer).unwrap());
            prop_assert_eq!(&seen, &others);
            prop_assert!(!seen.concat().contains("SEC"));
        }
    }

    #[test]
    fn the_game_master_sees_all(document in any_document()) {
        prop_assert_eq!(for_viewer(&document, &Viewer::Gm), Some(document));
    }

    #[test]
    fn a_view_of_a_view_is_the_view(document in any_document()) {
        let ann = Viewer::seat("Bo", ["blue"]);
        let seen = for_viewer(&document, &ann).unwrap();
        prop_assert_eq!(for_viewer(&seen, &ann), Some(seen));
    }

    #[test]
    fn renderings_are_gated(document in any_document(), text: String) {
        let mut document = document;
        document.blocks.push(heading(2, text.as_str()));
        document.blocks.push(table([text.as_str(), "b"]).row([text.as_str(), "c"]).into());
        document.blocks.push(code(text.as_str(), text.as_str()));
        document.blocks.push(fields([(text.as_str(), text.as_str())]));
        let open = blocks_for(Audience::Seat(format!("x{text}")), [paragraph(text.as_str())]);
        document.blocks.push(open);
        for format in Format::ALL {
            let shown = format.render(&document, None, &Screen::default());
            let shown = shown.replace("\r\n", "\n");
            let is_hidden = hidden_character_gate::is_hidden_character;
            prop_assert!(!shown.chars().any(is_hidden), "{format:?} {shown:?}");
        }
    }
}
