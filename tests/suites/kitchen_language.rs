//! Reads recipes in a language without functions: the findings, their suggestions, and the
//! canonical form.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use arbiter_tests::folder_copy::{copy_folder, files_by_path, write_file};
use arbiter_tests::{files_below, project};
use host::diag::{Diagnostic, apply_fixes};
use host::game::{Home, canonical_content, check_ruleset_with_texts, host_phrases};
use repl::COMMANDS;
use tempfile::TempDir;

/// The largest number of lines that declare a complete language.
const MAX_DECLARATION_LINES: usize = 40;

/// A recipe; `MISTYPED_LINES` are its mistyped lines.
const RECIPE_LINES: [&str; 9] = [
    "Bread",
    "Serves 4",
    "200 g Rye Flour",
    "2 Egg",
    "300 ml Milk",
    "1 pinch Salt",
    "Mix Rye Flour and Egg and Milk",
    "Rest for 20 min",
    "Fry on medium heat for 4 min",
];

/// The mistyped lines of the recipe, with their findings.
const MISTYPED_LINES: [(&str, &str, &str); 14] = [
    ("a letter of a word that is missing", "Srves 4", "Serves 4"),
    ("words that are glued", "Serves4", "Serves 4"),
    (
        "letters that changed places",
        "200 g Rye Fluor",
        "200 g Rye Flour",
    ),
    ("a letter too many in a name", "2 Eggg", "2 Egg"),
    ("a unit that is none", "300 mll Milk", "300 ml Milk"),
    ("a name that lost its end", "300 ml Mil", "300 ml Milk"),
    ("a unit that lost letters", "1 pnch Salt", "1 pinch Salt"),
    (
        "a joining word that is lost",
        "Mix Rye Flour Egg and Milk",
        "Mix Rye Flour and Egg and Milk",
    ),
    (
        "a joining word that is doubled",
        "Mix Rye Flour and and Egg and Milk",
        "Mix Rye Flour and Egg and Milk",
    ),
    ("a word that is lost", "Rest 20 min", "Rest for 20 min"),
    (
        "the last word that is lost",
        "Rest for 20",
        "Rest for 20 min",
    ),
    (
        "a word of a choice",
        "Fry on mediun heat for 4 min",
        "Fry on medium heat for 4 min",
    ),
    (
        "a word that is lost inside",
        "Fry on medium for 4 min",
        "Fry on medium heat for 4 min",
    ),
    (
        "a word that changed places",
        "Fry medium on heat for 4 min",
        "Fry on medium heat for 4 min",
    ),
];

fn shipped_kitchen() -> PathBuf {
    project().join("tests/mini/content/kitchen")
}

fn home_with_recipes(book: &Path) -> Home {
    Home {
        folder: project(),
        mods: vec![project().join("tests/mini")],
        content: Some(book.to_path_buf()),
    }
}

/// Returns the shipped kitchen with additional recipes.
fn kitchen_with_recipes(recipes: &BTreeMap<String, String>) -> TempDir {
    let book = copy_folder(&shipped_kitchen());
    for (name, text) in recipes {
        write_file(book.path(), &format!("recipes/{name}"), text);
    }
    book
}

/// Returns the findings in some recipes, by recipe name.
fn findings_by_recipe(recipes: &BTreeMap<String, String>) -> BTreeMap<String, Vec<Diagnostic>> {
    let book = kitchen_with_recipes(recipes);
    let checked = check_ruleset_with_texts(
        &home_with_recipes(book.path()),
        "kitchen",
        &host_phrases(&COMMANDS),
    )
    .unwrap();
    let mut found: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
    for finding in checked.findings.into_iter().filter(|one| !one.is_note()) {
        let name = finding.place.as_ref().unwrap().source.name();
        let name = name.rsplit('/').next().unwrap().to_owned();
        found.entry(name).or_default().push(finding);
    }
    found
}

fn recipe(lines: &[&str]) -> String {
    lines.join("\n") + "\n"
}

#[test]
fn a_language_is_declared_in_forty_lines_without_a_function() {
    let own = ["scripts/kitchen", "content/kitchen/lines"]
        .map(|folder| project().join("tests/mini").join(folder));
    let files = own.iter().flat_map(|folder| files_below(folder));
    let files = files.filter(|file| !file.to_str().unwrap().contains(".test."));
    let text: String = files
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    let lines = text.lines().map(str::trim);
    let lines: Vec<&str> = lines
        .filter(|line| !line.is_empty() && !line.starts_with("--"))
        .collect();
    assert!(
        lines.len() <= MAX_DECLARATION_LINES,
        "{} lines",
        lines.len()
    );
    assert!(!text.contains("function") && !text.contains("require"));
}

#[test]
fn what_is_said_of_a_mistyped_line_makes_it_right() {
    let typed = |number: usize| {
        let (_, typed, meant) = MISTYPED_LINES[number];
        let lines = RECIPE_LINES.map(|line| if line == meant { typed } else { line });
        assert!(lines.contains(&typed));
        recipe(&lines)
    };
    let name = |number: usize| format!("bread_{number}");
    let named = |number: usize| {
        (
            name(number),
            typed(number).replacen("Bread", &format!("Bread {number}"), 1),
        )
    };
    let found = findings_by_recipe(&(0..MISTYPED_LINES.len()).map(named).collect());
    let mut wrong = Vec::new();
    for (number, (what, line, meant)) in MISTYPED_LINES.iter().enumerate() {
        let own = found.get(&name(number)).map_or(&[][..], Vec::as_slice);
        let made = own.first().and_then(|finding| {
            let place = finding.place.as_ref()?;
            let at = place.source.position(place.span.start).line;
            let (text, _) = apply_fixes(
                place.source.text(),
                std::slice::from_ref(finding.fix_or_advice()?),
            );
            Some((at, text.lines().nth(at - 1)?.to_owned()))
        });
        let is_right = own.len() == 1
            && made
                .as_ref()
                .is_some_and(|(at, made)| made == meant && RECIPE_LINES[at - 1] == *meant);
        if !is_right {
            wrong.push(format!("{what}: {line}: {made:?} {own:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_no_slip_explains_is_found_where_it_stands() {
    let recipes = [
        (
            "bare",
            "Bare\n",
            &["1:1 text-lacks", "1:1 text-lacks", "1:1 text-lacks"][..],
        ),
        (
            "twice",
            "Twice\nServes 1\nServes 2\n1 Egg\nRest for 1 min\n",
            &["3:1 text-more"],
        ),
        (
            "odd",
            "Odd\nServes 1\n1 Egg\nMix Egg and\nBake it\n",
            &["4:11 text-line", "5:1 text-line"],
        ),
        ("nameless", "\nServes 1\n", &["1:1 text-name"]),
        (
            "blank",
            "Blank\n\u{a0}\u{3000}Serves 1\n1 Egg\n\u{a0}Rest for 1 mn\n",
            &["4:13 text-line"],
        ),
        (
            "indented",
            "  Indented\nServes 1\n1 Egg\n",
            &["1:3 text-lacks"],
        ),
    ];
    let written = recipes
        .iter()
        .map(|(name, text, _)| ((*name).to_owned(), (*text).to_owned()));
    let found = findings_by_recipe(&written.collect());
    for (name, _, expected) in recipes {
        let told = found[name].iter().map(|finding| {
            let place = finding.place.as_ref().unwrap();
            let at = place.source.position(place.span.start);
            format!(
                "{}:{} {}",
                at.line,
                at.column,
                finding.code.trim_start_matches("kitchen/")
            )
        });
        assert_eq!(told.collect::<Vec<_>>(), expected, "{name}");
    }
}

#[test]
fn a_recipe_is_written_in_its_canonical_form() {
    let typed = "Bread\nrest for  20 MIN\n1  PINCH salt\nmix rye flour AND egg\n\n\nserves   4\n200 G rye  flour\n";
    let meant = "Bread\n\nServes 4\n\n1 pinch Salt\n200 g Rye Flour\n\nRest for 20 min\nMix Rye Flour and Egg";
    let book = kitchen_with_recipes(&BTreeMap::from([("bread".to_owned(), typed.to_owned())]));
    let written = canonical_content(
        &home_with_recipes(book.path()),
        "kitchen",
        &host_phrases(&COMMANDS),
    )
    .unwrap();
    let text = |name: &str| {
        let mut files = written.files.iter();
        let file = files
            .find(|file| file.source.name().ends_with(&format!("recipes/{name}")))
            .unwrap();
        (file.source.text().to_owned(), file.text.clone().unwrap())
    };
    assert_eq!(text("bread").1.trim_end(), meant);
    let (shipped, written) = text("pancakes");
    assert_eq!(shipped.trim_end(), written.trim_end());
}

/// Returns the findings of the kitchen after one text in its declaration was replaced.
fn findings_of_changed_declaration(meant: &str, typed: &str) -> Vec<String> {
    let own = tempfile::tempdir().unwrap();
    let mini = project().join("tests/mini");
    for folder in ["scripts/kitchen", "content/kitchen"] {
        for (path, text) in files_by_path(&mini.join(folder)) {
            let text = String::from_utf8(text).unwrap().replace(meant, typed);
            write_file(own.path(), &format!("{folder}/{path}"), text);
        }
    }
    let home = Home {
        folder: project(),
        mods: vec![own.path().to_path_buf()],
        content: None,
    };
    let checked = check_ruleset_with_texts(&home, "kitchen", &host_phrases(&COMMANDS)).unwrap();
    let told = checked.findings.iter().map(|one| {
        let hints: String = one.hints.iter().map(|hint| format!(" ({hint})")).collect();
        format!("{}{hints}", one.message)
    });
    told.collect()
}

#[test]
fn a_wrong_declaration_is_told_once_and_nothing_that_follows_from_it() {
    let begins = "`begin` of `texts` fails at scripts/kitchen/ruleset.luau:";
    let cases = [
        (
            "reads = \"Step\"",
            "reads = \"Stp\"",
            format!("{begins} unknown slot type \"Stp\" (did you mean \"Step\"?)"),
        ),
        (
            "least = 1, most",
            "leest = 1, most",
            "phrase.language, recipes: a kind of lines has no leest: it has key, reads, least and most".to_owned(),
        ),
        (
            "key = \"steps\"",
            "key = \"name\"",
            "phrase.language, recipes: there is another name in the definition".to_owned(),
        ),
    ];
    for (meant, typed, expected) in cases {
        assert_eq!(findings_of_changed_declaration(meant, typed), [expected]);
    }
}
