//! Plays, checks, tests and formats with content in folders that are not mods.

use std::fs;
use std::path::Path;

use arbiter_tests::Scratch;
use serde_json::Value as Json;

use super::game_transfer::{MINI_ARGUMENTS, arbiter_in_home, run_and_collect_answers};

/// The folder, as a person in the home types it.
const BOOK_FOLDER: &str = "Ann's books";

/// Returns a home with a toy ruleset with people, and another folder with other people.
fn home_with_external_people() -> Scratch {
    let home = Scratch::mini();
    home.write(
        "Ann's books/people/cy.yaml",
        "source: x\nname: Cy\nmood: 7\n",
    )
    .write("Ann's books/people/Old Letters/di's.md", "not yet read\n")
    .write("Ann's books/people/.hidden.yaml", "name: [\n");
    home
}

struct ProgramResult {
    exit: i32,
    result: String,
    talk: String,
}

fn run_program(home: &Scratch, arguments: &[&str]) -> ProgramResult {
    let output = arbiter_in_home(home, arguments).output().unwrap();
    ProgramResult {
        exit: output.status.code().unwrap(),
        result: String::from_utf8(output.stdout).unwrap(),
        talk: String::from_utf8(output.stderr).unwrap(),
    }
}

fn read_file(home: &Scratch, path: &str) -> String {
    fs::read_to_string(home.path().join(path)).unwrap()
}

#[test]
fn a_game_is_played_with_content_that_lies_elsewhere() {
    let home = home_with_external_people();
    let with = [&MINI_ARGUMENTS[..], &["--content", BOOK_FOLDER]].concat();
    let (exit, texts, talk) = run_and_collect_answers(&home, &with, "mood Cy\n");
    assert_eq!((exit, texts), (0, vec!["Cy feels 7.".to_owned()]), "{talk}");
    let (exit, texts, _) = run_and_collect_answers(&home, &with, "mood Ann\n");
    assert_eq!((exit, texts), (1, vec!["phrase/unknown-name".to_owned()]));
    let missing = [&MINI_ARGUMENTS[..], &["--content", "Ann's boks"]].concat();
    let (exit, texts, _) = run_and_collect_answers(&home, &missing, "mood Cy\n");
    assert_eq!(
        (exit, texts),
        (2, vec!["content/missing-folder".to_owned()])
    );
}

#[test]
fn a_game_keeps_the_content_it_was_played_with() {
    let home = home_with_external_people();
    let with = ["--content", BOOK_FOLDER, "--game", "g"];
    let (exit, texts, talk) = run_and_collect_answers(
        &home,
        &[&MINI_ARGUMENTS[..], &with].concat(),
        "charm Cy with cheer\n",
    );
    assert_eq!(exit, 0, "{texts:?} {talk}");
    let (_, texts, talk) = run_and_collect_answers(&home, &with, "mood Cy\n");
    assert_eq!(texts.last().unwrap(), "Cy feels 9.", "{texts:?} {talk}");
    assert!(!talk.contains("other rules"), "{talk}");
    let verified = run_program(&home, &["verify", "g", "--dice"]);
    assert_eq!(verified.exit, 0, "{}{}", verified.result, verified.talk);
    fs::rename(home.path().join(BOOK_FOLDER), home.path().join("gone")).unwrap();
    let verified = run_program(&home, &["verify", "g"]);
    assert_eq!(verified.exit, 0, "{}{}", verified.result, verified.talk);
    let recorded = ["--game", "g", "--rules", "recorded"];
    let (exit, texts, talk) = run_and_collect_answers(&home, &recorded, "charm Cy with gloom\n");
    assert_eq!(exit, 0, "{texts:?} {talk}");
    let kept = fs::read_dir(home.path().join("g/rules")).unwrap();
    let lists = kept.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let lists: Vec<String> = lists
        .filter(|text| text.contains("  scripts/mini/ruleset.luau\n"))
        .collect();
    assert_eq!(lists.len(), 1);
    for kept in ["people/cy.yaml", "people/Old Letters/di's.md"] {
        assert!(lists[0].contains(&format!("  content/mini/{kept}\n")));
    }
    assert!(!lists[0].contains("ann.yaml") && !lists[0].contains("hidden"));
}

#[test]
fn findings_name_files_as_the_folder_was_typed() {
    let home = home_with_external_people();
    home.write("Ann's books/people/di.yaml", "source: x  \nnmae: Di\n")
        .write("scripts/mini/odd/a.luau", "return {}\n");
    for typed in [BOOK_FOLDER, "Ann's books/", "./Ann's books"] {
        let ways = [
            ["check", "--ruleset", "mini", typed, "--format", "json"],
            ["check", "--content", typed, typed, "--format", "json"],
        ];
        for way in ways {
            let found = run_program(&home, &way);
            assert_eq!(found.exit, 1, "{}", found.talk);
            let findings: Vec<Json> = found
                .result
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            let told: Vec<(&str, &str)> = findings
                .iter()
                .map(|one| (one["path"].as_str().unwrap(), one["code"].as_str().unwrap()))
                .collect();
            let path = format!("{}/people/di.yaml", typed.trim_end_matches('/'));
            let expected = [
                (&*path, "schema/missing-key"),
                (&*path, "content/trailing-blank"),
                (&*path, "schema/unknown-key"),
            ];
            assert_eq!(told, expected, "{way:?}");
            let last = found.talk.lines().last().unwrap();
            assert!(
                last.starts_with("2 errors, 1 warning in 3 files; --fix can fix 2"),
                "{last}"
            );
        }
    }
    let all = run_program(&home, &["check", "--content", BOOK_FOLDER]);
    assert!(
        all.result.contains("scripts/mini/odd/a.luau"),
        "{}",
        all.result
    );
    assert!(
        all.result.contains("Ann's books/people/di.yaml"),
        "{}",
        all.result
    );
    let fixed = run_program(&home, &["check", "--ruleset", "mini", BOOK_FOLDER, "--fix"]);
    assert_eq!((fixed.exit, &*fixed.result), (0, ""), "{}", fixed.talk);
    assert!(
        fixed
            .talk
            .ends_with("2 fixed, 0 errors, 0 warnings in 3 files\n"),
        "{}",
        fixed.talk
    );
    assert_eq!(
        read_file(&home, "Ann's books/people/di.yaml"),
        "source: x\nname: Di\n"
    );
}

#[test]
fn of_scripts_only_errors_are_told_when_a_folder_elsewhere_is_checked() {
    let home = home_with_external_people();
    home.write("scripts/mini/commands/dig.luau", "return command {\n");
    let found = run_program(&home, &["check", "--ruleset", "mini", BOOK_FOLDER]);
    assert_eq!(found.exit, 1);
    assert!(
        found.result.contains("scripts/mini/commands/dig.luau"),
        "{}",
        found.result
    );
    assert!(found.talk.ends_with("in 2 files\n"), "{}", found.talk);
}

#[test]
fn what_cannot_be_read_as_a_folder_of_content_is_refused_with_what_to_do() {
    let home = home_with_external_people();
    let cases: [(&[&str], &str); 4] = [
        (&[BOOK_FOLDER], "--ruleset NAME"),
        (
            &["--ruleset", "mini", "Ann's books/people/cy.yaml"],
            "whole folder",
        ),
        (&["--ruleset", "mini", BOOK_FOLDER, "scripts"], "alone"),
        (&["--ruleset", "minni", BOOK_FOLDER], "mini"),
    ];
    for verb in ["check", "fmt"] {
        for (arguments, said) in cases {
            let refused = run_program(&home, &[&[verb], arguments].concat());
            assert_eq!((refused.exit, &*refused.result), (2, ""), "{arguments:?}");
            assert!(refused.talk.contains(said), "{}", refused.talk);
        }
    }
}

#[test]
fn tests_run_with_content_that_lies_elsewhere() {
    let home = home_with_external_people();
    home.write(
        "scripts/mini/commands/mood.test.txt",
        "--- Cy is in the book\n> mood Cy\n| Cy feels 7.\n",
    );
    let path = "scripts/mini/commands/mood.luau";
    assert_eq!(run_program(&home, &["test", path]).exit, 1);
    let with = run_program(&home, &["test", path, "--content", BOOK_FOLDER]);
    assert_eq!(with.exit, 0, "{}{}", with.result, with.talk);
}

#[test]
fn content_is_written_in_its_canonical_form() {
    let home = home_with_external_people();
    let (cy, di) = ("Ann's books/people/cy.yaml", "Ann's books/people/di.yaml");
    home.write(cy, "source: x \nname: Cy\t\n");
    let listed = run_program(&home, &["fmt", "--ruleset", "mini", BOOK_FOLDER, "--check"]);
    assert_eq!(
        (listed.exit, &*listed.result),
        (1, "Ann's books/people/cy.yaml\n")
    );
    assert!(
        read_file(&home, cy).contains("x \n"),
        "--check writes nothing"
    );
    let written = run_program(&home, &["fmt", "--ruleset", "mini", BOOK_FOLDER]);
    assert_eq!(
        (written.exit, &*written.talk),
        (0, "1 file formatted, 0 already formatted\n")
    );
    assert_eq!(read_file(&home, cy), "source: x\nname: Cy\n");
    let listed = run_program(&home, &["fmt", "--ruleset", "mini", BOOK_FOLDER, "--check"]);
    assert_eq!(
        (listed.exit, &*listed.result, &*listed.talk),
        (0, "", "0 files to format, 1 already formatted\n")
    );
    home.write(di, "source: x \nnmae: Di\n");
    let left = run_program(&home, &["fmt", "--ruleset", "mini", BOOK_FOLDER]);
    assert_eq!(left.exit, 1);
    assert!(left.talk.contains("schema/unknown-key"), "{}", left.talk);
    assert!(
        left.talk
            .ends_with("0 files formatted, 1 already formatted, 1 skipped because of errors\n"),
        "{}",
        left.talk
    );
    assert_eq!(read_file(&home, di), "source: x \nnmae: Di\n");
    let own = run_program(&home, &["fmt", "content/mini/people"]);
    assert_eq!(
        (own.exit, &*own.talk),
        (0, "0 files formatted, 2 already formatted\n")
    );
}

/// A link in such a folder is reported and not followed.
#[cfg(unix)]
#[test]
fn no_link_is_followed_in_a_folder_elsewhere() {
    let home = home_with_external_people();
    home.write("secret.yaml", "source: x\nname: Eve\n");
    let link = home.path().join(BOOK_FOLDER).join("people/eve.yaml");
    std::os::unix::fs::symlink(Path::new("../../secret.yaml"), link).unwrap();
    let found = run_program(&home, &["check", "--ruleset", "mini", BOOK_FOLDER]);
    assert_eq!(found.exit, 1);
    assert!(found.result.contains("content/path"), "{}", found.result);
}

/// A ruleset that reads letters: `To NAME`, then lines that begin with a dash.
const LETTERS_RULESET: &str = r#"return ruleset {
  source = "x", name = "Post", summary = "Letters: a game small enough to read and write texts with.",
  texts = {
    head = function(file)
      local name = string.match(file.text, "^%s*[Tt]o%s+(%a+)")
      if not name then
        return nil, { code = "nobody", message = "a letter begins with To and a name" }
      end
      return { collection = "letters", id = string.lower(name), name = name }
    end,
    begin = function()
      return {}
    end,
    read = function(_, file, head, report)
      local lines = {}
      for at, line in string.gmatch(file.text, "()%-[ \t]*([^\n]*)") do
        local word = string.gsub(line, "%s+$", "")
        if word == "" then
          report { from = at, to = at, code = "empty", message = "the line says nothing", severity = "warning" }
        elseif word == "loop" then
          while true do end
        elseif word == "Yuo" then
          local from = string.find(file.text, "Yuo", 1, true)
          report { from = from, to = from + 2, code = "slip", message = "it is You", fix = "You" }
        elseif word == "Tired" then
          report { from = at, code = "tired", message = "nobody writes that", fully_read = true }
        elseif #lines == 0 and string.find(word, "^Or ") then
          report { from = at, code = "or", message = "there is no other line", fully_read = true }
        end
        table.insert(lines, word)
      end
      return { name = head.name, lines = lines }
    end,
    structure = function(letter)
      if letter.lines[1] == "odd" then error("too odd") end
      return { name = letter.name, lines = letter.lines }
    end,
    write = function(letter, file)
      local said = { "To " .. letter.name }
      for _, line in letter.lines do
        table.insert(said, "- " .. line)
      end
      return table.concat(said, "\n") .. "\n"
    end,
  },
}
"#;

const LETTER_SCHEMA: &str = r#"return schema {
  source = "x", summary = "A letter.", folder = "letters", format = "text", keys = { name = "name" },
}
"#;

/// Returns a home whose ruleset reads letters, and a folder of them.
fn home_with_letters() -> Scratch {
    let home = Scratch::mini();
    home.write("scripts/post/schemas/letter.luau", LETTER_SCHEMA);
    home.write("scripts/post/ruleset.luau", LETTERS_RULESET);
    home.write("Ann's books/to bo/Old Bo", "To Bo\n- Hello\n- You\n");
    home.write("Ann's books/cy's", "to  Cy\n\n-   Hello  \n");
    home
}

const CHECK_ARGUMENTS: [&str; 4] = ["check", "--ruleset", "post", BOOK_FOLDER];
const FMT_ARGUMENTS: [&str; 4] = ["fmt", "--ruleset", "post", BOOK_FOLDER];

#[test]
fn the_structure_of_texts_is_one_object_by_path() {
    let home = home_with_letters();
    let expected = r#"{"cy's":{"lines":["Hello"],"name":"Cy"},"to bo/Old Bo":{"lines":["Hello","You"],"name":"Bo"}}"#;
    let with = [&CHECK_ARGUMENTS[..], &["--structure"]].concat();
    let told = run_program(&home, &with);
    assert_eq!(
        (told.exit, &*told.result, &*told.talk),
        (
            0,
            &*format!("{expected}\n"),
            "0 errors, 0 warnings in 2 files\n"
        )
    );
    // A broken text is included as far as it was read, and its errors are printed. A text that
    // `structure` cannot handle is left out.
    home.write("Ann's books/nobody", "Hello\n")
        .write("Ann's books/ed", "To Ed\n- Yuo\n")
        .write("Ann's books/di", "To Di\n- odd\n");
    let told = run_program(&home, &[&with[..], &["--format", "json"]].concat());
    let expected = expected.replace("\"to bo", r#""ed":{"lines":["Yuo"],"name":"Ed"},"to bo"#);
    assert_eq!((told.exit, &*told.result), (1, &*format!("{expected}\n")));
    let found: Vec<Json> = told
        .talk
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let codes: Vec<&str> = found
        .iter()
        .map(|one| one["code"].as_str().unwrap())
        .collect();
    assert_eq!(
        codes,
        ["script/error", "post/slip", "post/nobody"],
        "{}",
        told.talk
    );
    assert_eq!(found[0]["path"], "Ann's books/di");
    let plain = run_program(
        &home,
        &[&CHECK_ARGUMENTS[..], &["--format", "json"]].concat(),
    );
    assert!(plain.result.contains("post/nobody"), "{}", plain.result);
    // Without the function, the result is the structure of the loaded definition.
    home.edit("scripts/post/ruleset.luau", "structure =", "structures =");
    let told = run_program(&home, &with);
    assert!(
        told.result.contains(r#""path":"Ann's books/cy's""#),
        "{}",
        told.result
    );
}

#[test]
fn what_shows_only_beside_other_texts_stands_at_its_words_and_texts_with_errors_count() {
    let home = home_with_external_people();
    home.write(
        "Ann's books/letters/first",
        "**Come late** from the mill\n• Fly to the mill\n• Bring `a coat` [twice]\n",
    )
    .write(
        "Ann's books/letters/second",
        "**Come soon** from the pier\n• Bring `a coat`\n",
    );
    let told = run_program(&home, &["check", "--ruleset", "mini", BOOK_FOLDER]);
    assert_eq!(told.exit, 1, "{}", told.talk);
    let place = |code: &str| {
        let said = told.result.split_once(code).map(|(_, behind)| behind);
        let line = said.and_then(|said| said.lines().nth(1));
        line.unwrap_or_else(|| panic!("{code}: {}", told.result))
    };
    assert_eq!(
        place("[mini/no-wish]"),
        " --> Ann's books/letters/first:2:3"
    );
    assert_eq!(
        place("[mini/wanted-twice]: Come late wants that too"),
        " --> Ann's books/letters/second:2:9"
    );
}

#[test]
fn slips_in_texts_are_mended_where_the_ruleset_is_certain() {
    let home = home_with_letters();
    home.write("Ann's books/cy's", "To Cy\n- Yuo\n");
    assert_eq!(run_program(&home, &CHECK_ARGUMENTS).exit, 1);
    let fixed = run_program(&home, &[&CHECK_ARGUMENTS[..], &["--fix"]].concat());
    assert_eq!(fixed.exit, 0, "{}{}", fixed.result, fixed.talk);
    assert!(
        fixed
            .talk
            .starts_with("fixed Ann's books/cy's:2:3: Yuo is now You\n"),
        "{}",
        fixed.talk
    );
    assert_eq!(read_file(&home, "Ann's books/cy's"), "To Cy\n- You\n");
}

#[test]
fn texts_are_written_as_their_ruleset_writes_them() {
    let home = home_with_letters();
    let check = [&FMT_ARGUMENTS[..], &["--check"]].concat();
    let listed = run_program(&home, &check);
    assert_eq!(
        (listed.exit, &*listed.result, &*listed.talk),
        (
            1,
            "Ann's books/cy's\n",
            "1 file to format, 1 already formatted\n"
        )
    );
    let json = run_program(&home, &[&check[..], &["--format", "json"]].concat());
    assert_eq!(json.result, "{\"path\":\"Ann's books/cy's\"}\n");
    // A file with an error is kept and reported; a file with a warning is written.
    home.write("Ann's books/nobody", "Hello\n")
        .write("Ann's books/slip", "to Di\n- Yuo\n")
        .write("Ann's books/eve", "To Eve\r\n-\r\n- x\r\n");
    let written = run_program(&home, &FMT_ARGUMENTS);
    assert_eq!(written.exit, 1);
    assert!(written.talk.contains("post/nobody"), "{}", written.talk);
    assert!(written.talk.contains("post/slip"), "{}", written.talk);
    assert!(
        written
            .talk
            .ends_with("2 files formatted, 1 already formatted, 2 skipped because of errors\n"),
        "{}",
        written.talk
    );
    assert_eq!(read_file(&home, "Ann's books/cy's"), "To Cy\n- Hello\n");
    assert_eq!(read_file(&home, "Ann's books/slip"), "to Di\n- Yuo\n");
    assert_eq!(
        read_file(&home, "Ann's books/eve"),
        "To Eve\r\n- \r\n- x\r\n"
    );
    assert_eq!(run_program(&home, &check).result, "");
}

#[test]
fn a_text_with_errors_is_written_if_all_of_it_was_read() {
    let home = home_with_letters();
    let (tired, both) = ("To Di\n-  Tired\n", "to Flo\n- Tired\n- Yuo\n");
    home.write("Ann's books/tired", tired)
        .write("Ann's books/both", both);
    let written = run_program(&home, &FMT_ARGUMENTS);
    assert_eq!(written.exit, 1);
    assert_eq!(read_file(&home, "Ann's books/tired"), "To Di\n- Tired\n");
    assert_eq!(read_file(&home, "Ann's books/both"), both);
    let why = "hint: the file was not changed, because this part could not be read";
    assert_eq!(written.talk.matches(why).count(), 1, "{}", written.talk);
    let behind = written.talk.split("post/slip").nth(1);
    assert!(behind.unwrap().contains(why), "{}", written.talk);
    let last = "2 files formatted, 1 already formatted, 1 skipped because of errors\n";
    assert!(written.talk.ends_with(last), "{}", written.talk);
}

#[test]
fn a_text_that_would_get_another_error_is_left_alone() {
    let home = home_with_letters();
    let text = "to Di\n- Tired\n- Or Not\n";
    home.write("Ann's books/di", text);
    home.edit(
        "scripts/post/ruleset.luau",
        "for _, line in letter.lines do",
        "for at = #letter.lines, 1, -1 do local line = letter.lines[at]",
    );
    let written = run_program(&home, &FMT_ARGUMENTS);
    let why = "the new text has an error that the old one did not have: there is no other line";
    assert!(written.talk.contains(why), "{}", written.talk);
    assert_eq!(read_file(&home, "Ann's books/di"), text);
}

#[test]
fn what_a_ruleset_writes_wrongly_costs_nobody_a_file() {
    let wrong = [
        (
            r#"return "Hello""#,
            "the new text has an error that the old one did not have: a letter begins with To",
        ),
        (
            r#"return file.text .. " ""#,
            "writing the new text again gives yet another text",
        ),
        (
            r#"return "To " .. letter.name .. "\n""#,
            "the new text has another meaning",
        ),
        (
            r#"return "To\0""#,
            "it contains characters that files must not contain",
        ),
        ("return 7", "it returns a number instead of a text"),
        (r#"return "To \xff""#, "a text must be UTF-8"),
        ("error(7)", "fails at scripts/post/ruleset.luau"),
        ("while true do end", "left out"),
    ];
    for (body, why) in wrong {
        let home = home_with_letters();
        for name in ["di", "eve", "flo"] {
            home.write(
                &format!("Ann's books/{name}"),
                format!("To {name}\n- Hello\n"),
            );
        }
        home.edit(
            "scripts/post/ruleset.luau",
            "local said =",
            &format!("if true then {body} end local said ="),
        );
        let written = run_program(&home, &FMT_ARGUMENTS);
        assert_eq!(written.exit, 1, "{body}");
        assert!(written.talk.contains(why), "{body}: {}", written.talk);
        assert!(
            written.talk.contains("0 files formatted"),
            "{}",
            written.talk
        );
        assert_eq!(
            read_file(&home, "Ann's books/cy's"),
            "to  Cy\n\n-   Hello  \n"
        );
        assert_eq!(
            read_file(&home, "Ann's books/to bo/Old Bo"),
            "To Bo\n- Hello\n- You\n"
        );
    }
}

#[test]
fn what_cannot_be_compared_is_left_alone() {
    let whether = "it is not known whether the new text has the same meaning";
    let cases = [
        (
            "return { name = head.name, lines = lines, said = report }",
            "",
            format!("{whether}: a function is not plain data"),
        ),
        (
            "return { name = head.name, lines = lines, big = string.rep(lines[1] or '', 20000) }",
            "",
            "the new text has another meaning".to_owned(),
        ),
        (
            "return { name = head.name }",
            "error('too odd')",
            format!("{whether}: `structure` of `texts` returns nothing for it"),
        ),
    ];
    for (returned, fails, why) in cases {
        let home = home_with_letters();
        // The ruleset loses the lines, because `structure` does not contain them.
        home.edit(
            "scripts/post/ruleset.luau",
            "lines = letter.lines }",
            "lines = {} }",
        )
        .edit(
            "scripts/post/ruleset.luau",
            "for _, line in letter.lines do",
            "for _, line in {} do",
        )
        .edit(
            "scripts/post/ruleset.luau",
            "return { name = head.name, lines = lines }",
            returned,
        )
        .edit(
            "scripts/post/ruleset.luau",
            "structure = function(letter)",
            &format!("structure = function(letter) {fails}"),
        );
        let written = run_program(&home, &FMT_ARGUMENTS);
        assert_eq!(written.exit, 1, "{why}");
        assert!(written.talk.contains(&why), "{why}: {}", written.talk);
        assert!(
            written.talk.contains("0 files formatted"),
            "{}",
            written.talk
        );
        assert_eq!(
            read_file(&home, "Ann's books/cy's"),
            "to  Cy\n\n-   Hello  \n"
        );
    }
}

#[test]
fn broken_scripts_write_no_texts() {
    let home = home_with_letters();
    home.write("scripts/post/commands/dig.luau", "return command {\n");
    home.write("content/post/letters/cy", "to Cy\n");
    for arguments in [&FMT_ARGUMENTS[..], &["fmt", "content/post/letters"]] {
        let left = run_program(&home, arguments);
        assert_eq!(left.exit, 1);
        assert!(
            left.talk.contains("the scripts of post have errors"),
            "{}",
            left.talk
        );
        assert!(left.talk.contains("0 files formatted"), "{}", left.talk);
    }
    fs::remove_file(home.path().join("scripts/post/commands/dig.luau")).unwrap();
    let written = run_program(&home, &["fmt", "content/post"]);
    assert_eq!(
        (written.exit, &*written.talk),
        (0, "1 file formatted, 0 already formatted\n")
    );
    assert_eq!(read_file(&home, "content/post/letters/cy"), "To Cy\n");
}

#[test]
fn a_letter_that_never_ends_hides_no_other() {
    let home = home_with_letters();
    home.write("Ann's books/loop", "To Loop\n- loop\n");
    let told = run_program(&home, &[&CHECK_ARGUMENTS[..], &["--structure"]].concat());
    assert_eq!(told.exit, 1);
    assert!(told.result.contains("Old Bo"), "{}", told.result);
    assert!(!told.result.contains("Loop"), "{}", told.result);
}
