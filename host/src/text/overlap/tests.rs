//! Tests the search for templates that read the same line.

use std::collections::BTreeMap;

use super::super::{GrammarBuilder, NameFold, NameTable, TokenTable};

/// Returns the commands of a set that read the same line, as `first = second: line`.
fn found(templates: &[&str]) -> Vec<String> {
    let mut builder = GrammarBuilder::new(TokenTable::default());
    builder.declare_names("Person", NameTable::new(NameFold::Words));
    builder.declare_names("Place", NameTable::new(NameFold::Words));
    builder.declare_choice(
        "Pace",
        ["fast", "slow"].map(|word| (word.to_owned(), word.into())),
    );
    builder.declare_reader_type("Read");
    builder.add_whole_templates("Item", [("item", "[big] {what: Word}")]);
    let ids: Vec<String> = (0..templates.len()).map(|at| at.to_string()).collect();
    let ids = ids.iter().map(String::as_str);
    builder.add_whole_templates("Command", ids.zip(templates.iter().copied()));
    let (grammar, findings) = builder.build();
    assert_eq!(findings, []);
    let mut names = BTreeMap::new();
    for (set, name) in [("Person", "Ann Tanner"), ("Place", "the mill")] {
        let mut table = NameTable::new(NameFold::Words);
        table.insert(name, name);
        names.insert(set.to_owned(), table);
    }
    let overlaps = grammar
        .overlapping_templates("Command", &names, |_| true, |_, _| true)
        .into_iter();
    let told = overlaps.map(|one| format!("{} = {}: {}", one.first.id, one.second.id, one.line));
    told.collect()
}

#[test]
fn two_templates_that_read_a_line_equally_well_are_found_with_the_line() {
    let cases: [(&[&str], &str); 14] = [
        (&["go {x: Word}", "go {y: Word}"], "go something"),
        (&["go {x: Word}", "go {y: Rest}"], "go something"),
        (&["go {x: Rest}", "go {y: Integer}"], "go 3"),
        (&["go", "[softly] go"], "go"),
        (
            &["go [far] {x: Word}", "go {y: Word} [far]"],
            "go something",
        ),
        (&["go {x: Word} home", "go far {y: Word}"], "go far home"),
        (&["go {x: Text} now", "go at once {y: Rest}"], ""),
        (&["go {x: Pace}", "go {y: fast|home}"], "go fast"),
        (
            &["greet {x: Person}", "greet {y: Person} [loudly]"],
            "greet Ann Tanner",
        ),
        (&["greet {x: Person}", "greet {y: Place}"], ""),
        (&["take {x: Item}", "take {y: Word}"], "take something"),
        (&["go {x: Word}", "walk {y: Word}"], ""),
        (&["go {x: Word}", "go {y: Integer}"], ""),
        (&["go {x: Read}", "go {y: Read}"], ""),
    ];
    for (templates, line) in cases {
        let expected: Vec<String> = [line]
            .iter()
            .filter(|line| !line.is_empty())
            .map(|line| format!("0 = 1: {line}"))
            .collect();
        assert_eq!(found(templates), expected, "{templates:?}");
    }
}

#[test]
fn a_template_that_reads_a_line_better_is_no_slip() {
    assert!(found(&["go {x: Word}", "go home"]).is_empty());
    assert!(found(&["go {x: Rest}", "go {y: Word} home"]).is_empty());
    assert!(found(&["greet {x: Word}", "greet {y: Person}"]).is_empty());
}

#[test]
fn a_line_that_a_third_template_reads_better_is_no_example() {
    let both = found(&["go {x: Word}", "go {y: Word}", "go something"]);
    assert_eq!(both, ["0 = 1: go go"]);
}
