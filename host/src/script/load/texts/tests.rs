//! Tests content that is plain text, with a toy language of letters.

use proptest::prelude::*;

use super::*;
use crate::content::File;
use crate::diag::{Severity, Span};
use crate::script::load::{Compiled, Engine, EngineOptions, ModFiles, load_rules};

const RULESET: &str = r#"
local reader = outline.reader { headline = true, quotes = { "``" }, tails = { "[]" } }
return ruleset {
  source = "s", name = "Toy", summary = "s",
  tokens = { quotes = { "``" }, inner = "-" },
  types = { Letter = { collection = "letters" } },
  texts = {
    head = function(file)
      local title = string.match(file.text, "^%*%*(.-)%*%*")
      if title == "loop" then while true do end end
      if title == "fail" then error("no idea") end
      if title == "bare" then return { collection = "letters" } end
      if title == "strange" then return { collection = "bells", id = "x" } end
      if title == "extra" then return { collection = "letters", id = "x", name = "X", colour = "red" } end
      if title == "prose" then return false end
      if title == nil then
        return nil, { code = "no-title", message = "a letter begins with **its title**", from = 1, to = 2 }
      end
      return { collection = "letters", id = text.folded(title), name = title }
    end,
    begin = function() return { seen = {} } end,
    read = function(shared, file, head, report)
      shared.seen[#shared.seen + 1] = head.id
      local read = reader:read(file.text)
      local lines, is_slip = {}, head.id == "slip"
      for index, body in read.bodies do
        local id, line, slots, miss = phrase.fields("Line", body)
        if id == nil then
          local from = read.froms[index]
          report { from = from + miss.from - 1, to = from + miss.to - 1, code = "line", message = miss.message, hint = miss.hint,
            fix = not is_slip and "hello" or nil, mend = is_slip, instead = is_slip and string.find(body, "^gret") and { "sya", "say", "greet" } or nil }
        else
          lines[#lines + 1] = { id = id, line = line, to = slots.who }
        end
      end
      if read.headline == "**nothing**" then return nil end
      local known = definitions.get("letters", head.id)
      return { name = head.name, lines = lines, at = #shared.seen, is_head = known.lines == nil and known.name == head.name }
    end,
    slips = { marks = { "," }, written = { tell = "greet" } },
  },
}
"#;

const LETTER: &str = r#"return schema { source = "s", summary = "s", folder = "letters", format = "text", keys = { name = "string" },
  check = function(definition, report)
    if definition.lines[3] then report { from = 3, to = 5, code = "long", message = "three lines are many", severity = "warning" } end
  end }"#;

const LINE: &str = r#"return schema { source = "s", summary = "s", folder = "lines", format = "luau", slot_type = "*", keys = { source = "string", name = "string", syntax = "any", forms = "any?" } }"#;

const GREET: &str = r#"return line { source = "s", name = "Line", syntax = "greet {who: Letter}", forms = { { syntax = "say {what: Piece}" } } }"#;

fn file(path: &str, text: &str) -> File {
    File::new(path, Source::new(format!("content/toy/{path}"), text))
}

fn files(ruleset: &str, content: &[(&str, &str)]) -> ModFiles {
    let scripts = [
        ("ruleset.luau", ruleset),
        ("schemas/letter.luau", LETTER),
        ("schemas/line.luau", LINE),
        ("lines/greet.luau", GREET),
    ];
    ModFiles {
        name: "toy".to_owned(),
        scripts: scripts.map(|(path, text)| file(path, text)).to_vec(),
        content: content
            .iter()
            .map(|(path, text)| file(path, text))
            .collect(),
    }
}

fn loaded(content: &[(&str, &str)]) -> (Engine, Vec<Diagnostic>) {
    load_rules(
        &[files(RULESET, content)],
        &[],
        &EngineOptions::default(),
        Compiled::default(),
    )
    .unwrap()
}

/// Returns findings with code, place and message.
fn told(findings: &[Diagnostic]) -> Vec<String> {
    let told = findings.iter().map(|one| {
        let place = one.place.as_ref();
        let place = place.map_or_else(String::new, |place| {
            format!(
                "{}:{}-{}",
                place.source.name(),
                place.span.start,
                place.span.end
            )
        });
        format!("{} {place} {}", one.code, one.message)
    });
    told.collect()
}

fn asked(engine: &Engine, script: &str) -> String {
    let value: LuaValue = engine
        .lua
        .load(script)
        .set_environment(engine.globals.clone())
        .eval()
        .unwrap();
    value.to_string().unwrap()
}

#[test]
fn texts_are_definitions_that_names_and_other_texts_know() {
    let (engine, findings) = loaded(&[
        ("b/Zoe", "**Zoe**\ngreet ann [twice]\nsay `well met`\n"),
        ("a/ann", "**Ann**\ngreet Zoe\n"),
        ("notes.txt", "no letter"),
        ("b/Zoe.test.case", "no letter"),
    ]);
    assert_eq!(told(&findings), Vec::<String>::new());
    let rules = engine.rules();
    let ids: Vec<&str> = rules
        .registry
        .of_collection("letters")
        .map(|one| &*one.id)
        .collect();
    assert_eq!(ids, ["ann", "zoe"]);
    let zoe = rules.registry.get("letters", "zoe").unwrap();
    assert_eq!(zoe.value.to_string(), "{name: Zoe}");
    drop(rules);
    let script = r#"local zoe = definitions.get("letters", "zoe")
      local shown = { zoe.id, zoe.at, tostring(zoe.is_head), zoe.lines[1].to, zoe.lines[2].id, zoe.lines[2].line }
      return table.concat(shown, " ") .. " " .. tostring(table.isfrozen(zoe.lines)) .. tostring(definitions.keys("letters", "zoe"))"#;
    assert_eq!(asked(&engine, script), "zoe 2 true ann greet 2 truenil");
}

#[test]
fn files_that_are_no_texts_are_counted_in_one_note() {
    let (_, findings) = loaded(&[
        ("README", "**prose**"),
        ("guides/one", "**prose**"),
        ("guides/two", "**prose**"),
        ("ann", "**Ann**\nsay 1\n"),
    ]);
    let [note] = &findings[..] else {
        panic!("{findings:?}");
    };
    assert_eq!(note.severity, Severity::Note);
    assert_eq!(
        note.message,
        "3 files are not texts of the ruleset and are not read: in guides (2), the folder itself (1)"
    );
    let (_, findings) = loaded(&[("notes", "**prose**")]);
    assert_eq!(
        findings[0].message,
        "1 file is not a text of the ruleset and is not read: in the folder itself (1)"
    );
}

#[test]
fn a_text_with_errors_is_known_to_those_who_ask_with_what_was_read_and_found() {
    let (engine, _) = loaded(&[
        ("ann", "**Ann**\nsay 1\ngreet bob\n"),
        ("bo", "**Bo**\nsay 1\nsay 2\nsay 3\n"),
    ]);
    let script = r#"local found = definitions.faulty("letters")
      local ann = found[1]
      local first = ann.findings[1]
      local shown = { #found, ann.id, ann.definition.name, #ann.definition.lines, first.code, first.severity, first.line, first.column }
      return table.concat(shown, " ") .. tostring(definitions.get("letters", "ann")) .. tostring(table.isfrozen(ann.definition))"#;
    assert_eq!(
        asked(&engine, script),
        "1 ann Ann 1 toy/line error 3 7niltrue"
    );
}

#[test]
fn what_is_wrong_in_a_text_stands_at_its_bytes_and_takes_it_out() {
    let (engine, findings) = loaded(&[
        ("ann", "**Änn**\ngreet bob\nsay x y\n"),
        ("bo", "**Bo**\nsay 1\nsay 2\nsay 3\n"),
        ("cy", "Cy"),
        ("nothing", "**nothing**"),
    ]);
    assert_eq!(
        told(&findings),
        [
            "toy/line content/toy/ann:15-18 no letter is named \"bob\"",
            "toy/line content/toy/ann:25-26 after \"say x\" expected nothing more, found \"y\"",
            "toy/long content/toy/bo:2-5 three lines are many",
            "toy/no-title content/toy/cy:0-2 a letter begins with **its title**",
            "script/no-definition content/toy/nothing:0-11 `read` of `texts` returns nothing instead of the definition",
        ]
    );
    assert_eq!(findings[0].fix.as_ref().unwrap().span, Span::new(15, 18));
    assert_eq!(findings[0].hints, ["did you mean \"Bo\"?"]);
    let rules = engine.rules();
    let ids: Vec<&str> = rules
        .registry
        .of_collection("letters")
        .map(|one| &*one.id)
        .collect();
    assert_eq!(ids, ["bo"]);
}

#[test]
fn a_head_that_says_nothing_hides_no_other() {
    let (engine, findings) = loaded(&[
        ("a", "**bare**"),
        ("b", "**strange**"),
        ("c", "**extra**"),
        ("d", "**fail**"),
        ("e", "**Ann**"),
        ("f", "**ann**"),
    ]);
    let expected = [
        "script/no-definition content/toy/a:0-8 `head` of `texts` does not say what the file is: it has no `id`",
        "schema/texts content/toy/b:0-11 `head` of `texts` names \"bells\", which is not a collection of texts",
        "schema/unknown-key content/toy/c:0-9",
        "script/error content/toy/d:0-8 `head` of `texts` fails at content/toy/ruleset.luau:11: no idea",
        "content/duplicate-id content/toy/f:0-7 the letter \"ann\" is defined twice, first at content/toy/e:1",
    ];
    let told = told(&findings);
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for (found, expected) in told.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}");
    }
    assert_eq!(engine.rules().registry.of_collection("letters").count(), 1);
}

#[test]
fn a_loop_without_an_end_is_stopped_and_after_some_no_more_is_read() {
    let names: Vec<String> = (0..6).map(|at| format!("n{at}")).collect();
    let content: Vec<(&str, &str)> = names
        .iter()
        .map(|name| (name.as_str(), "**loop**"))
        .collect();
    let (_, findings) = loaded(&content);
    let codes: Vec<&str> = findings.iter().map(|one| &*one.code).collect();
    assert_eq!(
        codes
            .iter()
            .filter(|code| code.starts_with("limit/"))
            .count(),
        3,
        "{codes:?}"
    );
    assert!(codes.contains(&"schema/unread"), "{codes:?}");
}

/// Returns the loaded texts for a `check` of `texts` with this body.
fn checked(body: &str, content: &[(&str, &str)]) -> (Engine, Vec<Diagnostic>) {
    let check = format!("check = function(shared, definition, report) {body} end,\n    read =");
    let ruleset = RULESET.replacen("read =", &check, 1);
    load_rules(
        &[files(&ruleset, content)],
        &[],
        &EngineOptions::default(),
        Compiled::default(),
    )
    .unwrap()
}

#[test]
fn when_all_are_read_each_is_checked_and_none_is_missing_for_its_errors() {
    let body = r#"local order = table.concat(shared.seen, " ")
      local own = `{definition.id} {#definition.lines} {tostring(table.isfrozen(definition.lines))}`
      report { from = 3, to = 4, code = "seen", severity = "note", message = `{own}: {order}` }
      if definition.id == "cy" then report { from = 1, to = 2, code = "wrong", message = "not Cy" } end"#;
    let content = [
        ("b", "**Bo**\nsay x y\n"),
        ("a", "**Ann**\nsay 1\n"),
        ("c", "**Cy**"),
        ("nothing", "**nothing**"),
    ];
    let (engine, findings) = checked(body, &content);
    assert_eq!(
        told(&findings),
        [
            "toy/seen content/toy/a:2-4 ann 1 true: ann bo cy nothing",
            "toy/seen content/toy/b:2-4 bo 0 true: ann bo cy nothing",
            "toy/line content/toy/b:13-14 after \"say x\" expected nothing more, found \"y\"",
            "toy/wrong content/toy/c:0-2 not Cy",
            "toy/seen content/toy/c:2-4 cy 0 true: ann bo cy nothing",
            "script/no-definition content/toy/nothing:0-11 `read` of `texts` returns nothing instead of the definition",
        ]
    );
    let rules = engine.rules();
    let ids: Vec<&str> = rules
        .registry
        .of_collection("letters")
        .map(|one| &*one.id)
        .collect();
    assert_eq!(ids, ["ann"]);
}

#[test]
fn a_check_that_fails_or_never_ends_takes_its_text_out_and_after_some_no_more_are_checked() {
    let body = "if definition.id == 'a' then error('no idea') else while true do end end";
    let content = ["a", "b", "c", "d", "e"].map(|name| (name, format!("**{name}**")));
    let content: Vec<_> = content
        .iter()
        .map(|(name, text)| (*name, &**text))
        .collect();
    let (engine, findings) = checked(body, &content);
    let codes: Vec<&str> = findings.iter().map(|one| &*one.code).collect();
    let limits = codes.iter().filter(|code| code.starts_with("limit/"));
    assert_eq!(limits.count(), 3, "{codes:?}");
    let messages: Vec<&str> = findings.iter().map(|one| one.message.as_str()).collect();
    let starts = "checking the letter \"a\" fails at content/toy/ruleset.luau:";
    assert!(messages[0].starts_with(starts), "{messages:?}");
    let left = "`check` of `texts` exceeds its limits, so 1 more texts are not checked";
    assert!(messages.contains(&left), "{messages:?}");
    let rules = engine.rules();
    let ids: Vec<&str> = rules
        .registry
        .of_collection("letters")
        .map(|one| &*one.id)
        .collect();
    assert_eq!(ids, ["e"]);
}

#[test]
fn of_very_many_findings_in_one_text_it_is_told_how_many_more_there_are() {
    let of = |severity: &str| {
        let body = format!(
            "for n = 1, 137 do report {{ from = 1, to = 2, code = 'many', severity = n > 100 and '{severity}' or 'note', message = `{{n}}` }} end"
        );
        checked(&body, &[("a", "**Ann**"), ("b", "**Bo**")])
    };
    let (engine, findings) = of("warning");
    let more: Vec<String> = told(&findings)
        .into_iter()
        .filter(|one| one.starts_with("limit/"))
        .collect();
    assert_eq!(
        more,
        [
            "limit/findings content/toy/a:0-7 37 more findings here are not shown, only the first 100",
            "limit/findings content/toy/b:0-6 37 more findings here are not shown, only the first 100",
        ]
    );
    assert_eq!(findings.len(), 202);
    assert_eq!(engine.rules().registry.of_collection("letters").count(), 2);
    let (engine, findings) = of("error");
    assert!(
        findings
            .iter()
            .any(|one| one.is_error() && one.code == "limit/findings")
    );
    assert_eq!(engine.rules().registry.of_collection("letters").count(), 0);
}

#[test]
fn what_is_said_of_untold_findings_is_as_bad_as_the_worst_of_them() {
    let of = |said: &str| {
        let untold = format!("if n > 100 then one.severity = 'error' {said} end");
        let body = format!(
            "for n = 1, 103 do local one: any = {{ code = 'many', severity = 'note', message = `{{n}}` }} {untold} report(one) end"
        );
        let read = format!("read = function(shared, file, head, report) {body}");
        let ruleset = RULESET.replace("read = function(shared, file, head, report)", &read);
        let files = files(&ruleset, &[("a", "**Ann**")]);
        let options = EngineOptions::default();
        let (engine, findings) = load_rules(&[files], &[], &options, Compiled::default()).unwrap();
        let more = findings.iter().find(|one| one.code == "limit/findings");
        let more = more.expect("some are untold").clone();
        let source = more.place.as_ref().map(|place| Arc::clone(&place.source));
        let unread = crate::script::first_unread_finding(&engine, &source.unwrap());
        (more.severity, unread.map(|one| one.code.into_owned()))
    };
    assert_eq!(
        of("one.severity = nil"),
        (Severity::Error, Some("limit/findings".to_owned()))
    );
    assert_eq!(of("one.fully_read = true"), (Severity::Error, None));
    assert_eq!(
        of("one.fully_read = n ~= 102"),
        (Severity::Error, Some("limit/findings".to_owned()))
    );
    assert_eq!(of("one.severity = 'note'"), (Severity::Note, None));
    assert_eq!(
        of("one.severity = n == 102 and 'warning' or 'note'"),
        (Severity::Warning, None)
    );
}

#[test]
fn whole_and_key_are_true_or_false() {
    for key in ["fully_read", "key"] {
        let body = format!("report {{ code = 'many', message = 'x', {key} = 'yes' }}");
        let (_, findings) = checked(&body, &[("a", "**Ann**")]);
        let why = format!("`{key}` is neither true nor false");
        let is_told = findings.iter().any(|one| one.message.contains(&why));
        assert!(is_told, "{:?}", told(&findings));
    }
}

#[test]
fn begin_that_fails_takes_all_texts_out() {
    let ruleset = RULESET.replace(
        "begin = function() return { seen = {} } end",
        "begin = function() error('no books') end",
    );
    let files = files(&ruleset, &[("a", "**Ann**"), ("b", "**Bo**")]);
    let (engine, findings) = load_rules(
        &[files],
        &[],
        &EngineOptions::default(),
        Compiled::default(),
    )
    .unwrap();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(
        findings[0]
            .message
            .starts_with("`begin` of `texts` fails at "),
        "{findings:?}"
    );
    assert_eq!(engine.rules().registry.of_collection("letters").count(), 0);
}

#[test]
fn texts_need_functions_that_read_them() {
    let ruleset = "return ruleset { source = 's', name = 'Toy', summary = 's', types = { Letter = { collection = 'letters' } } }";
    let files = files(ruleset, &[("a", "**Ann**")]);
    let (_, findings) = load_rules(
        &[files],
        &[],
        &EngineOptions::default(),
        Compiled::default(),
    )
    .unwrap();
    let messages: Vec<&str> = findings.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        messages,
        ["letters are read from texts, and the ruleset has no `texts`"]
    );
}

#[test]
fn of_a_text_the_whole_file_counts() {
    let registry = |text: &str| {
        let (engine, _) = loaded(&[("a", text)]);
        engine
            .rules()
            .registry
            .get("letters", "ann")
            .cloned()
            .unwrap()
    };
    let one = registry("**Ann**\nsay 1");
    assert!(one.has_same_content(&registry("**Ann**\nsay 1")));
    assert!(!one.has_same_content(&registry("**Ann**\nsay 2")));
}

/// Returns the findings of a letter with typing mistakes: message, hints, and the letter with the suggested edits.
fn mended(lines: &str) -> Vec<(String, Vec<String>, Option<String>)> {
    let text = format!("**Slip**\n{lines}");
    let (_, findings) = loaded(&[("slip", &text), ("zoe", "**Zoe**\ngreet slip\n")]);
    let told = findings.into_iter().map(|one| {
        let advice = one.advice.as_deref().cloned();
        let made = advice.map(|edit| crate::diag::apply_fixes(&text, &[edit]).0);
        let made = made.map(|text| text["**Slip**\n".len()..].to_owned());
        (one.message, one.hints, made)
    });
    told.collect()
}

#[test]
fn one_edit_that_makes_a_line_right_is_told() {
    let made = |lines: &str| -> Vec<Option<String>> {
        let told = mended(lines);
        told.into_iter().map(|(_, _, made)| made).collect()
    };
    assert_eq!(
        mended("tell zoe\n")[0].1,
        ["write greet for tell"],
        "the hint says what to write"
    );
    for (typed, meant) in [
        ("tell zoe\n", "greet zoe\n"),
        ("geret zoe\n", "greet zoe\n"),
        ("zoe greet\n", "greet zoe\n"),
        ("greet greet zoe\n", "greet zoe\n"),
    ] {
        assert_eq!(made(typed), [Some(meant.to_owned())], "{typed}");
    }
    // Each mistake is fixed separately, and right lines stay.
    assert_eq!(
        made("tell zoe\ngreet zoe\nsya 1\n"),
        [
            Some("greet zoe\ngreet zoe\nsya 1\n".to_owned()),
            Some("tell zoe\ngreet zoe\nsay 1\n".to_owned())
        ]
    );
}

#[test]
fn what_does_not_make_a_line_right_is_not_said() {
    let told = mended("one two three four five\n");
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].2, None);
    // Of several suggestions, the nearest right one is reported, in the words of the report.
    let told = mended("gret zoe\n");
    assert_eq!(told[0].2.as_deref(), Some("greet zoe\n"));
}

#[test]
fn readings_that_look_for_edits_are_no_readings() {
    let (engine, _) = loaded(&[
        ("slip", "**Slip**\ntell zoe\n"),
        ("zoe", "**Zoe**\ngreet zoe\n"),
    ]);
    // The second of those that were read, however often the first was looked at.
    let script = r#"return tostring(definitions.get("letters", "zoe").at)"#;
    assert_eq!(asked(&engine, script), "2");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// With any contents, each file is read or has a finding, and another load gives the same result.
    #[test]
    fn any_text_is_read_or_told_about(
        texts in prop::collection::vec("(\\*\\*[a-dÄ]{1,2}\\*\\*)?[\\PC\n `\\[\\]*]{0,30}(\ngreet [a-d]|\nsay [`x\\[]{1,4})?", 1..6),
    ) {
        let names: Vec<String> = (0..texts.len()).map(|at| format!("n{at}")).collect();
        let content: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
        let (engine, findings) = loaded(&content);
        let (_, again) = loaded(&content);
        prop_assert_eq!(&findings, &again);
        let rules = engine.rules();
        for (name, _) in &content {
            let shown = format!("content/toy/{name}");
            let is_read = rules.registry.of_collection("letters").any(|one| one.source.name() == shown);
            let is_told = findings.iter().any(|one| {
                one.is_error() && one.place.as_ref().is_some_and(|place| place.source.name() == shown)
            });
            prop_assert_ne!(is_read, is_told, "{}", name);
        }
    }
}
