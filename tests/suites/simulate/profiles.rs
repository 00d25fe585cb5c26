//! Creates profiles with the program: of simulations, tests and runs; the games stay the same.

use std::fs;

use arbiter_tests::Scratch;

use crate::program::arbiter_in_project;

/// Runs the program in a home and returns its exit code, results and error output.
fn run_program(home: &Scratch, words: &str) -> (i32, String, String) {
    let mut command = arbiter_in_project();
    command
        .current_dir(home.path())
        .env("XDG_STATE_HOME", home.path().join("state"))
        .env("XDG_CACHE_HOME", home.path().join("cache"))
        .args(["--home", "."])
        .args(match words.contains("--ruleset") {
            true => &[][..],
            false => &["--ruleset", "harbour"],
        })
        .args(words.split_whitespace());
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let exit = output.status.code().unwrap();
    (exit, text(output.stdout), text(output.stderr))
}

/// Returns the flame graph, the stacks and the table of a profile.
fn profile_files(home: &Scratch, name: &str) -> [String; 3] {
    ["svg", "folded", "txt"].map(|ending| {
        let path = home.path().join(format!("{name}.{ending}"));
        fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
    })
}

#[test]
fn a_profile_tells_rules_functions_and_lines_and_changes_nothing() {
    let home = Scratch::harbour();
    let games = "simulate village --games 60 --seed s --jobs 2";
    let (_, plain, _) = run_program(&home, games);
    let (exit, out, talk) = run_program(&home, &format!("{games} --profile night.svg"));
    assert_eq!((exit, &out), (0, &plain), "{talk}");
    assert!(talk.contains("night.folded"), "{talk}");
    let [graph, stacks, table] = profile_files(&home, "night");
    assert!(
        graph.contains("<svg") && graph.contains("harbour/"),
        "{}",
        graph.len()
    );
    for line in stacks.lines() {
        let (stack, time) = line.rsplit_once(' ').unwrap();
        assert!(!stack.is_empty() && time.parse::<u64>().is_ok(), "{line}");
    }
    assert!(stacks.contains("harbour/"), "{stacks}");
    for part in [
        "What the host did",
        "collector",
        "Rules, including",
        "Functions",
        "Lines",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
    assert!(table.contains("plans/"), "the rule that ran: {table}");
}

/// Texts read by a schema are rules too, listed by the key of their handler.
#[test]
fn a_profile_of_a_village_names_the_lines_of_roles() {
    let home = Scratch::shipped("wwrf");
    let games = "simulate Quay --ruleset wwrf --games 30 --seed s --profile night";
    let (exit, _, talk) = run_program(&home, games);
    assert_eq!(exit, 0, "{talk}");
    let [_, _, table] = profile_files(&home, "night");
    let rules = table.split("Functions").next().unwrap();
    assert!(rules.contains("roles/"), "{rules}");
    assert!(rules.contains("plans/"), "{rules}");
}

/// Everything in the flame graph is in the table once; the parts add up to the whole.
#[test]
fn the_parts_of_a_profile_are_the_whole() {
    let home = Scratch::harbour();
    run_program(
        &home,
        "simulate village --games 60 --seed s --jobs 1 --profile night",
    );
    let [_, stacks, table] = profile_files(&home, "night");
    let sum: u64 = stacks
        .lines()
        .filter_map(|line| line.rsplit_once(' ')?.1.parse::<u64>().ok())
        .sum();
    let told = table.split_whitespace().next().unwrap();
    let whole: f64 = told.parse().unwrap();
    let whole = whole * 1_000.0;
    assert!(
        (whole - sum as f64).abs() < whole / 20.0 + 2_000.0,
        "{whole} {sum}"
    );
}

#[test]
fn tests_and_runs_have_profiles_too() {
    let home = Scratch::harbour();
    home.write("evening", "roll 3d6\n".repeat(50));
    let (exit, _, talk) = run_program(&home, "run evening --in-memory --profile rolls");
    assert_eq!(exit, 0, "{talk}");
    profile_files(&home, "rolls");
    let (exit, _, talk) = run_program(&home, "test scripts/harbour/moments --profile tests.txt");
    assert_eq!(exit, 0, "{talk}");
    assert!(profile_files(&home, "tests")[1].contains("harbour/"));
}

#[test]
fn a_file_of_somebody_else_stays() {
    let home = Scratch::harbour();
    home.write("night.txt", "mine");
    let (exit, out, talk) =
        run_program(&home, "simulate village --games 2 --seed s --profile night");
    assert_eq!((exit, out.as_str()), (2, ""), "{talk}");
    assert!(talk.contains("night.txt"), "{talk}");
    assert_eq!(
        fs::read_to_string(home.path().join("night.txt")).unwrap(),
        "mine"
    );
    assert!(!home.path().join("night.svg").exists());
}
