//! Tests the outline reader.

use proptest::prelude::*;

use super::*;

fn roles() -> OutlineTable {
    OutlineTable {
        headings: vec![Heading::Between("__".into(), "__".into())],
        levels: Levels::Characters(vec!['•', '‣', '◦']),
        ..OutlineTable::default()
    }
}

fn shown(outline: &Outline) -> Vec<String> {
    let mut out = Vec::new();
    for section in &outline.sections {
        out.push(format!("{} {}", section.level, section.title));
        for line in &section.lines {
            let entry = line
                .entry
                .as_ref()
                .map(|one| format!("{} = {}", one.key, one.value));
            out.push(format!(
                "  {} {}",
                line.level,
                entry.unwrap_or_else(|| line.text.to_owned())
            ));
        }
    }
    out
}

#[test]
fn sections_levels_and_keys_are_found() {
    let text = "**Fox** | Forest  \r\n\r\n__Basics__\nTalk: much\n__Rules__\nInherit: `Pack: one`\nAt Night:\n\
                  • Do `a: b` x\n    ‣ if: then\n";
    let outline = Outline::read(&roles(), text);
    assert_eq!(outline.headline.as_ref().unwrap().text, "**Fox** | Forest");
    assert_eq!(
        shown(&outline),
        [
            "0 ",
            "1 Basics",
            "  0 Talk = much",
            "1 Rules",
            "  0 Inherit = `Pack: one`",
            "  0 At Night = ",
            "  1 Do `a: b` x",
            "  2 if = then",
        ]
    );
    let rules = outline.section_titled("rules").unwrap();
    let places = rules.lines.iter().map(|line| (line.number, line.end));
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    assert!(places.eq((6..=9).map(|number| (number, ends[number - 1]))));
    assert_eq!(outline.headline.as_ref().unwrap().number, 1);
    let entry = rules.lines[3].entry.as_ref().unwrap();
    assert_eq!(&text[entry.value_span.start..entry.value_span.end], "then");
    assert_eq!(&text[rules.title_span.start..rules.title_span.end], "Rules");
}

#[test]
fn levels_come_from_indentation_or_repetition() {
    let text = "# One\n- a\n   - b\n     text\n   - c\n## Two\n* d";
    let table = OutlineTable {
        headline: false,
        ..OutlineTable::default()
    };
    let outline = Outline::read(&table, text);
    assert_eq!(
        shown(&outline),
        [
            "0 ", "1 One", "  1 a", "  2 b", "  0 text", "  1 c", "2 Two", "  1 d"
        ]
    );
    let table = OutlineTable {
        headline: false,
        headings: vec![Heading::Suffix(':')],
        levels: Levels::Repeated(vec!['*', '-']),
        ..OutlineTable::default()
    };
    let outline = Outline::read(&table, "Title:\n* a:\n** b\n**bold** c\n  no:\n");
    assert_eq!(
        shown(&outline),
        [
            "0 ",
            "1 Title",
            "  1 a = ",
            "  2 b",
            "  0 **bold** c",
            "  0 no = "
        ]
    );
}

#[test]
fn size_lines_and_levels_have_limits() {
    let codes = |text: &str| {
        let table = OutlineTable {
            levels: Levels::Repeated(vec!['*']),
            ..OutlineTable::default()
        };
        let outline = Outline::read(&table, text);
        let lines: usize = outline
            .sections
            .iter()
            .map(|section| section.lines.len())
            .sum();
        (
            outline
                .findings
                .iter()
                .map(|one| one.code)
                .collect::<Vec<_>>(),
            lines,
        )
    };
    assert_eq!(codes(&"a\n".repeat(512)), (vec![], 511));
    assert_eq!(codes(&"a\n".repeat(513)), (vec!["limit/size"], 511));
    assert_eq!(codes(&"a".repeat(64 * 1024 + 1)).0, ["limit/size"]);
    assert_eq!(codes(&format!("x\n{} \nb", "a".repeat(2048))), (vec![], 2));
    assert_eq!(
        codes(&format!("x\n{}\nb", "a".repeat(2049))),
        (vec!["limit/size"], 1)
    );
    let levels = |n: usize| format!("x\n{} a\n{} b", "*".repeat(n), "*".repeat(n));
    assert_eq!(codes(&levels(16)), (vec![], 2));
    assert_eq!(codes(&levels(17)), (vec!["limit/depth"], 2));
}

fn noted() -> OutlineTable {
    OutlineTable {
        quotes: vec![('`', '`')],
        tails: vec![('[', ']'), ('⟨', '⟩'), ('{', '}'), ('|', '|')],
        ..roles()
    }
}

/// Returns text, key, value and tail of the only line of a text without headline.
fn parts(text: &str) -> [Option<String>; 4] {
    let table = OutlineTable {
        headline: false,
        ..noted()
    };
    let outline = Outline::read(&table, text);
    let line = &outline.sections[0].lines[0];
    let (entry, tail) = (line.entry.as_ref(), line.tail);
    if let Some((tail, span)) = tail {
        assert_eq!(&text[span.start..span.end], tail);
    }
    let parts = [
        Some(line.text),
        entry.map(|one| one.key),
        entry.map(|one| one.value),
        tail.map(|(tail, _)| tail),
    ];
    parts.map(|part| part.map(str::to_owned))
}

#[test]
fn a_line_ends_with_groups_that_stand_free() {
    let cases = [
        (
            "At Once: [Quantity: 2] |fox.1|",
            ["At Once:", "At Once", "", "[Quantity: 2] |fox.1|"],
        ),
        (
            "On Call [!Aiming]: [If: @X is 1] {Quiet}",
            [
                "On Call [!Aiming]:",
                "On Call [!Aiming]",
                "",
                "[If: @X is 1] {Quiet}",
            ],
        ),
        (
            "• Put `A` on @Self (~Night) [If: has `B]`]",
            ["Put `A` on @Self (~Night)", "-", "-", "[If: has `B]`]"],
        ),
        ("Ask @Chosen[trade]", ["Ask @Chosen[trade]", "-", "-", "-"]),
        ("|fox.1|", ["", "-", "-", "|fox.1|"]),
        ("a | b | [x [y], z]", ["a | b |", "-", "-", "[x [y], z]"]),
        ("a [b] c [d] ⟨e⟩", ["a [b] c", "-", "-", "[d] ⟨e⟩"]),
        ("a [b] c", ["a [b] c", "-", "-", "-"]),
        ("a ] b [c] (d", ["a ] b [c] (d", "-", "-", "-"]),
        ("a [ b {c} [d]", ["a [ b", "-", "-", "{c} [d]"]),
        ("a [b](c)", ["a [b](c)", "-", "-", "-"]),
    ];
    for (text, expected) in cases {
        let found = parts(text).map(|part| part.unwrap_or_else(|| "-".to_owned()));
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn groups_have_items() {
    let table = noted();
    let shown = |text: &str| -> Vec<String> {
        let groups = table.tail_groups(text);
        let items = |group: &Group| -> Vec<String> {
            let items = group.items.iter();
            items
                .map(|(item, at)| {
                    assert_eq!(&text[*at..*at + item.len()], *item);
                    (*item).to_owned()
                })
                .collect()
        };
        groups
            .iter()
            .map(|group| format!("{}{}", group.open, items(group).join("/")))
            .collect()
    };
    assert_eq!(
        shown("[a, b (c, d),e,  `f, g` ] {h} |i, j| []"),
        ["[a/b (c, d),e/`f, g`", "{h", "|i, j", "["]
    );
    assert_eq!(shown("x [a] y"), ["[a"]);
    assert_eq!(shown("[a"), Vec::<String>::new());
}

#[test]
fn of_a_text_only_some_sections_are_read() {
    let table = OutlineTable {
        headline: false,
        ..noted()
    };
    let text = "a\n__Rules__\nb: c [d]\n__Notes__\ne\n__RULES__\nf\n";
    let lines = |only: Option<&str>| -> Vec<String> {
        let outline = Outline::read_sections(&table, text, only);
        let shown = |section: &Section| {
            let lines = section.lines.iter().map(|line| line.text);
            format!("{}:{}", section.title, lines.collect::<Vec<_>>().join(","))
        };
        outline.sections.iter().map(shown).collect()
    };
    assert_eq!(lines(None), [":a", "Rules:b: c", "Notes:e", "RULES:f"]);
    assert_eq!(
        lines(Some("rules")),
        [":", "Rules:b: c", "Notes:", "RULES:f"]
    );
    assert_eq!(lines(Some("")), [":a", "Rules:", "Notes:", "RULES:"]);
    assert_eq!(lines(Some("none")), [":", "Rules:", "Notes:", "RULES:"]);
}

#[test]
fn a_section_holds_all_up_to_the_next_heading() {
    let text = "\n**Fox**\r\n\n before\n__Rules__\na\n • b \n\n__None__\n__Last__\n  ä";
    let table = OutlineTable {
        max_line_bytes: 3,
        ..roles()
    };
    let outline = Outline::read(&table, text);
    let said = |outline: &Outline| -> Vec<String> {
        let sections = outline.sections.iter();
        sections
            .map(|one| one.section_text(text).to_owned())
            .collect()
    };
    let all = ["\n before\n", "a\n • b \n\n", "", "  ä"];
    assert_eq!(said(&outline), all);
    let lines = &outline.sections[0].lines;
    assert_eq!(lines, &[], "a line is left out, and not of the section");
    assert_eq!(
        said(&Outline::read_sections(&table, text, Some("Last"))),
        all
    );
    let bare = OutlineTable {
        headline: false,
        ..table
    };
    assert_eq!(
        Outline::read(&bare, text).sections[0].inside,
        Span::new(0, 19)
    );
    // The text after the limits is not part of a section.
    let short = OutlineTable {
        max_lines: 6,
        ..roles()
    };
    assert_eq!(said(&Outline::read(&short, text)), ["\n before\n", "a\n"]);
    let empty = Outline::read(&roles(), "");
    assert_eq!(empty.sections[0].section_text(""), "");
}

#[test]
fn long_lines_of_brackets_are_read_in_one_pass() {
    let table = OutlineTable {
        headline: false,
        ..noted()
    };
    for piece in ["[ ", "[` ", "|a ", "] [", "[a] ", ", [", "`"] {
        let text = format!("{}]", piece.repeat(64 * 1024 / piece.len() - 1));
        Outline::read(&table, &text);
        table.tail_groups(&text);
    }
}

proptest! {
    #[test]
    fn tails_and_items_are_where_they_say(text in "[ a:,`\\[\\]{}|⟨⟩()•\n]{0,40}") {
        let outline = Outline::read(&OutlineTable { headline: false, ..noted() }, &text);
        for line in outline.sections.iter().flat_map(|section| &section.lines) {
            prop_assert_eq!(&text[line.span.start..line.span.end], line.text);
            let Some((tail, span)) = line.tail else { continue };
            prop_assert_eq!(&text[span.start..span.end], tail);
            prop_assert!(span.start >= line.span.end);
            let groups = noted().tail_groups(tail);
            prop_assert!(!groups.is_empty(), "{}", tail);
            for (item, at) in groups.iter().flat_map(|group| &group.items) {
                prop_assert_eq!(&tail[*at..*at + item.len()], *item);
            }
        }
    }

    #[test]
    fn spans_are_in_order_and_say_the_text(text in "[\\PC\n a-c:•‣_#*`-]{0,80}", kind in 0..3) {
        let levels = [
            Levels::Characters(vec!['•', '‣']),
            Levels::Repeated(vec!['*', '-']),
            Levels::Indented(vec!['*', '•']),
        ];
        let headings = vec![Heading::Between("__".into(), "__".into()), Heading::Prefix('#'), Heading::Suffix(':')];
        let table = OutlineTable { headings, levels: levels[kind as usize].clone(), max_lines: 5, ..OutlineTable::default() };
        let outline = Outline::read(&table, &text);
        let mut at = outline.headline.as_ref().map_or(0, |line| line.span.end);
        for section in &outline.sections {
            prop_assert!(section.title.is_empty() || section.title_span.start >= at);
            at = at.max(section.title_span.end);
            for line in &section.lines {
                prop_assert!(line.span.start >= at);
                prop_assert_eq!(&text[line.span.start..line.span.end], line.text);
                at = line.span.end;
            }
        }
    }
}
