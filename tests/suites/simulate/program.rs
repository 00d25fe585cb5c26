//! Simulates with the program: the same report for all numbers of threads and shares, refusals, and
//! exit codes.

use arbiter_tests::Scratch;
use serde_json::Value as Json;

use super::{DOZING_FILE, RULESET_FILE, SIMULATION_DECLARATION, VOTE_LINE, count_votes_in_rules};
use crate::program::arbiter_in_project;

/// Runs the program in a home and returns its exit code, results and error output.
fn run_program(home: &Scratch, arguments: &[&str]) -> (i32, String, String) {
    let mut command = arbiter_in_project();
    let output = command
        .current_dir(home.path())
        .args(["simulate", "--ruleset", "harbour", "--home", "."])
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn data_of_result(told: &str) -> Json {
    let object: Json = serde_json::from_str(told.trim()).unwrap();
    object["data"].clone()
}

#[test]
fn the_same_seed_gives_the_same_report_whatever_the_threads_and_shares() {
    let home = Scratch::harbour();
    let games = ["village", "--games", "21", "--seed", "s"];
    let with = |more: &[&str]| run_program(&home, &[&games[..], more].concat());
    let (exit, whole, talk) = with(&["--jobs", "1"]);
    assert_eq!((exit, talk.as_str()), (0, ""));
    assert!(
        whole.contains("village: 21 games") && whole.contains("shade"),
        "{whole}"
    );
    assert_eq!(with(&["--jobs", "2"]).1, whole);
    for shard in ["3/3", "1/3", "2/3"] {
        let file = format!("share-{}", &shard[..1]);
        let (exit, out, talk) = with(&["--shard", shard, "--out", &file]);
        assert_eq!((exit, out.as_str()), (0, ""));
        assert!(talk.contains(&file), "{talk}");
    }
    let files = ["--merge", "share-1", "share-2", "share-3"];
    assert_eq!(
        run_program(&home, &files),
        (0, whole.clone(), String::new())
    );
    assert_eq!(
        run_program(&home, &[&["village"][..], &files[..]].concat()).1,
        whole
    );
    let json = with(&["--format", "json"]).1;
    assert_eq!(
        run_program(&home, &[&files[..], &["--format", "json"]].concat()).1,
        json
    );
    assert_eq!(data_of_result(&json)["games"], 21);

    let (exit, out, _) = with(&["--out", "report.md"]);
    assert_eq!((exit, out.as_str()), (0, ""));
    let unknown = with(&["--out", "report.doc"]);
    assert!(
        unknown.0 == 2 && unknown.2.contains("--format markdown"),
        "{}",
        unknown.2
    );
    let written = std::fs::read_to_string(home.path().join("report.md")).unwrap();
    assert!(written.starts_with("# village: 21 games\n"), "{written}");
    assert_ne!(
        run_program(&home, &["village", "--games", "21", "--seed", "t"]).1,
        whole
    );

    let missing = run_program(&home, &files[..3]);
    assert_eq!(
        (missing.0, missing.2.contains("missing: 3/3")),
        (2, true),
        "{}",
        missing.2
    );
    let double = run_program(&home, &[&files[..], &["share-2"]].concat());
    assert!(
        double.0 == 2 && double.2.contains("both shard 2/3"),
        "{}",
        double.2
    );
    let (_, _, _) = run_program(
        &home,
        &[
            "village", "--games", "21", "--seed", "t", "--shard", "2/3", "--out", "other",
        ],
    );
    let foreign = run_program(&home, &["--merge", "share-1", "other", "share-3"]);
    assert!(
        foreign.0 == 2
            && foreign
                .2
                .contains("the seed is \"t\" here, and \"s\" there"),
        "{}",
        foreign.2
    );
    let setup = run_program(&home, &[&["siege"][..], &files[..]].concat());
    assert!(
        setup.0 == 2
            && setup
                .2
                .contains("for the setup \"village\", not for \"siege\""),
        "{}",
        setup.2
    );
    for file in ["report.md", "nowhere"] {
        let none = run_program(&home, &["--merge", file]);
        assert!(
            none.0 == 2 && none.2.contains("simulate/no-shard"),
            "{}",
            none.2
        );
    }
    // Changed rules give different games.
    home.edit(DOZING_FILE, "siege = {", "sieg = {");
    let (_, _, _) = with(&["--shard", "2/3", "--out", "share-2"]);
    let foreign = run_program(&home, &files);
    assert!(
        foreign.0 == 2 && foreign.2.contains("the hash of the rules"),
        "{}",
        foreign.2
    );
}

#[test]
fn a_report_in_json_holds_all_numbers_and_every_format_is_written() {
    let home = Scratch::harbour();
    let games = ["village", "--games", "12", "--seed", "s", "--verify"];
    let with = |format: &str| run_program(&home, &[&games[..], &["--format", format]].concat()).1;
    let data = data_of_result(&with("json"));
    let sum = |list: &Json| -> u64 {
        let each = list.as_array().unwrap().iter();
        each.map(|one| one["games"].as_u64().unwrap()).sum()
    };
    assert_eq!(
        sum(&data["winners"]) + data["nobody"]["games"].as_u64().unwrap(),
        12
    );
    let rate = &data["winners"][0];
    for key in ["winner", "games", "rate", "low", "high"] {
        assert!(!rate[key].is_null(), "{key}: {rate}");
    }
    let lengths = data["lengths"].as_array().unwrap();
    assert_eq!(
        lengths.iter().map(|one| &one["length"]).collect::<Vec<_>>(),
        ["days", "out"]
    );
    for length in lengths {
        assert_eq!(sum(&length["values"]), 12);
        for key in ["mean", "low", "high", "median", "least", "most"] {
            assert!(length[key].is_number(), "{key}: {length}");
        }
    }
    assert_eq!(
        (&data["errors"], &data["differing"]),
        (&Json::Array(vec![]), &Json::Array(vec![]))
    );
    for format in [
        "terminal", "markdown", "bbcode", "discord", "html", "rst", "csv",
    ] {
        let text = with(format);
        for part in [
            "village: 12 games",
            "shade",
            "all 12 games replay to the same hash",
        ] {
            assert!(text.contains(part), "{format}: {part}: {text}");
        }
    }
}

#[test]
fn games_that_come_to_no_end_are_counted_by_code_and_the_program_fails() {
    let home = Scratch::harbour();
    home.edit(RULESET_FILE, "most = 40", "most = 4");
    let broken = "  if act:roll(\"d8\", \"fault\") == 1 then\n    error(\"a fault\")\n  end\n";
    home.edit(DOZING_FILE, VOTE_LINE, &format!("{VOTE_LINE}{broken}"));
    let games = [
        "village", "--games", "30", "--seed", "s", "--format", "json",
    ];
    let (exit, told_one, talk) = run_program(&home, &[&games[..], &["--jobs", "1"]].concat());
    assert_eq!(exit, 1);
    assert!(talk.starts_with("--seed s --show "), "{talk}");
    let found = data_of_result(&told_one);
    let errors = found["errors"].as_array().unwrap();
    let codes: Vec<&Json> = errors.iter().map(|one| &one["code"]).collect();
    assert_eq!(codes, ["script/error", "simulate/endless"]);
    let failed: u64 = errors
        .iter()
        .map(|one| one["games"].as_u64().unwrap())
        .sum();
    assert_eq!(found["ended"].as_u64().unwrap() + failed, 30);
    assert!(errors[0]["first"].as_u64().unwrap() <= 30);
    assert!(
        errors[0]["place"]
            .as_str()
            .unwrap()
            .starts_with("scripts/harbour/pipeline/dozing.luau:")
    );
    assert_eq!(
        run_program(&home, &[&games[..], &["--jobs", "2"]].concat()).1,
        told_one
    );
}

#[test]
fn a_game_by_its_number_is_written_whole() {
    let home = Scratch::harbour();
    let broken = "  if act:roll(\"d8\", \"fault\") == 1 then\n    error(\"a fault\")\n  end\n";
    home.edit(DOZING_FILE, VOTE_LINE, &format!("{VOTE_LINE}{broken}"));
    let seed = ["village", "--seed", "s"];
    let report = run_program(
        &home,
        &[&seed[..], &["--games", "30", "--format", "json"]].concat(),
    )
    .1;
    let first = data_of_result(&report)["errors"][0]["first"].to_string();
    let (exit, text, talk) = run_program(&home, &[&seed[..], &["--show", &first]].concat());
    assert!(exit == 4 && talk.contains("a fault"), "{exit}: {talk}");
    assert!(text.contains("The village dozes."), "{text}");
    let other = (1..=30).map(|number| number.to_string());
    let ends = |number: &String| run_program(&home, &[&seed[..], &["--show", number]].concat());
    let whole = other
        .map(|number| ends(&number))
        .find(|(exit, _, _)| *exit == 0)
        .unwrap();
    assert!(whole.1.contains("win") && whole.2.is_empty(), "{whole:?}");
    let (exit, _, talk) = run_program(&home, &["village", "--show", "3"]);
    assert!(
        exit == 2 && talk.contains("--seed TEXT of the report"),
        "{talk}"
    );
}

#[test]
fn games_that_do_something_else_when_they_are_run_again_are_worse_than_errors() {
    let home = Scratch::harbour();
    home.edit(
        DOZING_FILE,
        "local dozing = {}\n",
        "local dozing = {}\nlocal count = 0\n",
    );
    let kept = "  count += 1\n  act:set(\"village\", \"count\", count)\n";
    home.edit(DOZING_FILE, VOTE_LINE, &format!("{VOTE_LINE}{kept}"));
    let (exit, text, _) = run_program(
        &home,
        &["village", "--games", "2", "--seed", "s", "--verify"],
    );
    assert_eq!(exit, 6);
    assert!(
        text.contains("2 of 2 games replay to something else: game 1: the last state"),
        "{text}"
    );
}

#[test]
fn what_cannot_be_simulated_is_refused_with_what_to_write() {
    let home = Scratch::harbour();
    let (exit, out, talk) = run_program(&home, &["vilage"]);
    assert_eq!((exit, out.as_str()), (2, ""));
    for part in [
        "simulate/unknown-setup",
        "unknown setup \"vilage\"",
        "did you mean \"village\"?",
    ] {
        assert!(talk.contains(part), "{talk}");
    }
    let (exit, _, talk) = run_program(&home, &["village", "--shard", "1/2"]);
    assert!(exit == 2 && talk.contains("same --seed TEXT"), "{talk}");
    home.edit(
        DOZING_FILE,
        "  return nil, `unknown",
        "  return 3, `unknown",
    );
    let (exit, _, talk) = run_program(&home, &["vilage"]);
    assert!(
        exit == 4 && talk.contains("script/simulation"),
        "{exit}: {talk}"
    );
    home.edit(
        DOZING_FILE,
        "  local lines = SETUPS[setup]",
        "  error(\"a fault\")\n  local lines = SETUPS[setup]",
    );
    let (exit, _, talk) = run_program(&home, &["village"]);
    assert!(exit == 4 && talk.contains("a fault"), "{exit}: {talk}");
    home.edit(RULESET_FILE, SIMULATION_DECLARATION, "");
    let (exit, _, talk) = run_program(&home, &["village"]);
    assert!(
        exit == 2 && talk.contains("write in scripts/harbour/ruleset.luau: simulation = {"),
        "{talk}"
    );
}

#[test]
fn the_schema_of_a_ruleset_knows_simulations() {
    let home = Scratch::harbour();
    let found = |said: &str| {
        home.edit(RULESET_FILE, SIMULATION_DECLARATION, said);
        let mut command = arbiter_in_project();
        let output = command
            .current_dir(home.path())
            .args(["check", "--home", "."])
            .output()
            .unwrap();
        home.edit(RULESET_FILE, said, SIMULATION_DECLARATION);
        format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    };
    let unknown = SIMULATION_DECLARATION.replace("outcome =", "outcom =");
    let text = found(&unknown);
    assert!(
        text.contains("outcom") && text.contains("outcome"),
        "{text}"
    );
    for (old, new) in [
        ("most = 40", "most = 0"),
        ("\"next\"", "3"),
        ("dozing.begin", "\"begin\""),
    ] {
        let text = found(&SIMULATION_DECLARATION.replace(old, new));
        assert!(text.contains("error["), "{new}: {text}");
    }
    let text =
        found(&SIMULATION_DECLARATION.replace("most = 40", "most = 40, answers = \"sometimes\""));
    assert!(text.contains("sometimes"), "{text}");
}

#[test]
fn what_never_happened_and_what_always_failed_is_listed_whatever_the_shares() {
    let home = Scratch::harbour();
    count_votes_in_rules(&home);
    let games = ["village", "--games", "6", "--seed", "s"];
    let with = |more: &[&str]| run_program(&home, &[&games[..], more].concat());
    let (_, whole, _) = with(&[]);
    let (_, lists) = whole.split_once("what never happened").unwrap();
    let (never, rest) = lists.split_once("what always failed").unwrap();
    let (failed, absent) = rest.split_once("took part in no game").unwrap();
    assert!(
        never.contains("votes  never") && !never.contains("lost"),
        "{never}"
    );
    assert!(
        failed.contains("votes  lost") && !failed.contains("closed"),
        "{failed}"
    );
    assert!(absent.contains("the cat"), "{absent}");
    for shard in ["1/2", "2/2"] {
        with(&["--shard", shard, "--out", &format!("part-{}", &shard[..1])]);
    }
    let merged = run_program(&home, &["--merge", "part-1", "part-2"]);
    assert_eq!(merged.1, whole);
    let json = data_of_result(&with(&["--format", "json"]).1);
    let rows = json["tried"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|one| one["of"].as_str().unwrap()).collect();
    assert_eq!(names, ["the cat", "votes"]);
}
