//! Adds unknown files to a running game, and edits them during play.

use arbiter_tests::{Game, Scratch};
use host::game::ReloadResult;
use host::script::Compiled;

fn reload_rules(game: &mut Game) -> ReloadResult {
    game.solo.session.reload(Compiled::default())
}

fn reload_difference(game: &mut Game) -> String {
    match reload_rules(game) {
        ReloadResult::Swapped { diff, .. } => diff.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_new_rule_a_new_command_and_new_content_work_without_a_change_of_the_host() {
    let home = Scratch::mini();
    home.write(
        "scripts/mini/charms/courage.luau",
        "--!strict\nreturn charm {\n  source = \"a stranger\",\n  summary = \"twice the mood, at most nine\",\n  modifiers = {\n    { stat = \"mood\", op = \"multiply\", value = 2 },\n    { stat = \"mood\", op = \"at_most\", value = 9 },\n  },\n}\n",
    );
    home.write(
        "scripts/mini/commands/wave.luau",
        "--!strict\nreturn command {\n  source = \"a stranger\",\n  summary = \"waves\",\n  syntax = \"wave [to {person: Person}]\",\n  run = function(act, args)\n    return act:done(\"waves to \" .. (args.person or \"everybody\"))\n  end,\n}\n",
    );
    home.write(
        "content/mini/people/cleo.yaml",
        "source: a stranger\nname: Cleo\nmood: 5\nlikes: [courage]\n",
    );
    let mut game = Game::of(&home);
    assert_eq!(game.findings(), "");
    assert_eq!(game.text("charm Cleo with courage"), "Cleo feels 9.");
    assert_eq!(game.text("charm Ann with courage"), "Ann feels 8.");
    assert_eq!(game.text("wave to Cleo"), "waves to cleo");
    assert_eq!(game.text("wave"), "waves to everybody");
}

#[test]
fn a_command_whose_file_is_broken_at_the_start_leads_to_its_error() {
    let home = Scratch::mini();
    home.edit("scripts/mini/commands/mood.luau", "return", "retrun");
    let mut game = Game::of_program(&home, "mini");
    let refusal = game.refusal("mood Ann");
    assert_eq!(refusal.code, "phrase/no-match");
    assert_eq!(
        refusal.hints.first().map(String::as_str),
        Some("scripts/mini/commands/mood.luau has an error: `check` shows it")
    );
    let other = game.refusal("moon Ann");
    assert!(!other.hints.iter().any(|hint| hint.contains("has an error")));
}

#[test]
fn the_next_command_follows_an_edited_rule_and_the_state_stays() {
    let home = Scratch::mini();
    let mut game = Game::of(&home);
    game.text("charm Ann with cheer");
    let before = game.hash();
    home.edit("scripts/mini/commands/mood.luau", " feels ", " is at ");
    assert_eq!(
        game.text("mood Ann"),
        "Ann feels 6.",
        "nothing changes before the reload"
    );
    assert_eq!(reload_difference(&mut game), "commands: 1 changed (mood)");
    assert_eq!(game.hash(), before);
    assert_eq!(game.text("mood Ann"), "Ann is at 6.");
    home.edit("scripts/mini/charms/cheer.luau", "value = 2", "value = 3");
    reload_difference(&mut game);
    assert_eq!(
        game.text("mood Ann"),
        "Ann is at 6.",
        "a past effect stays what it was"
    );
    assert_eq!(game.text("charm Bo with cheer"), "Bo feels 6.");
}

#[test]
fn a_broken_edit_leaves_the_old_rule_live_and_is_named_with_its_place() {
    let home = Scratch::mini();
    let mut game = Game::of(&home);
    home.edit(
        "scripts/mini/commands/mood.luau",
        "query = true,",
        "query = true, )",
    );
    let ReloadResult::Kept { findings } = reload_rules(&mut game) else {
        panic!("a broken rule was taken")
    };
    let place = findings[0].place.as_ref().unwrap();
    let at = place.source.position(place.span.start);
    assert_eq!(place.source.name(), "scripts/mini/commands/mood.luau");
    assert_eq!((at.line, at.column), (7, 17), "{findings:?}");
    assert!(
        !game
            .solo
            .session
            .generations()
            .rejected_findings()
            .is_empty()
    );
    assert_eq!(game.text("mood Ann"), "Ann feels 4.");
    home.edit(
        "scripts/mini/commands/mood.luau",
        "query = true, )",
        "query = true,",
    );
    assert!(matches!(reload_rules(&mut game), ReloadResult::Mended));
    assert!(
        game.solo
            .session
            .generations()
            .rejected_findings()
            .is_empty()
    );
}

/// Nothing of an unreadable file is used, so the rules stay as before.
#[test]
fn a_new_file_that_cannot_be_read_is_told_like_any_broken_one() {
    let home = Scratch::mini();
    let mut game = Game::of(&home);
    for (path, bytes, code) in [
        (
            "content/mini/people/cy.yaml",
            b"\xff\xfe".to_vec(),
            "content/encoding",
        ),
        (
            "scripts/mini/commands/dig.luau",
            vec![b'x'; (256 << 10) + 1],
            "limit/size",
        ),
        (
            "scripts/mini/commands/Dig it.luau",
            b"x".to_vec(),
            "content/path",
        ),
    ] {
        std::fs::write(home.path().join(path), bytes).unwrap();
        for _ in 0..2 {
            let ReloadResult::Kept { findings } = reload_rules(&mut game) else {
                panic!("{path} was passed over")
            };
            assert_eq!(&*findings[0].code, code);
            assert!(
                !game
                    .solo
                    .session
                    .generations()
                    .rejected_findings()
                    .is_empty(),
                "{path}"
            );
            assert_eq!(game.text("mood Ann"), "Ann feels 4.");
        }
        home.remove(path);
        assert!(matches!(reload_rules(&mut game), ReloadResult::Mended));
        assert!(
            game.solo
                .session
                .generations()
                .rejected_findings()
                .is_empty(),
            "{path}"
        );
    }
}

#[test]
fn what_was_edited_and_what_vanished_is_told_in_a_line_each() {
    let home = Scratch::mini();
    let mut game = Game::of(&home);
    home.remove("scripts/mini/charms/gloom.luau");
    home.write(
        "content/mini/people/dot.yaml",
        "source: a stranger\nname: Dot\n",
    );
    let told = reload_difference(&mut game);
    assert_eq!(told, "charms: 1 removed (gloom)\npeople: 1 added (dot)");
    assert_eq!(
        game.refusal("charm Ann with gloom").code,
        "phrase/unknown-name"
    );
}

#[test]
fn a_character_of_a_new_file_joins_with_the_line_that_the_reload_names() {
    let home = Scratch::shipped("fortune");
    let mut game = Game::of_program(&home, "fortune");
    assert_eq!(game.refusal("add Lea Tarn").code, "phrase/unknown-name");
    let mara = home.path().join("content/fortune/characters/mara.yaml");
    let mara = std::fs::read_to_string(mara).unwrap();
    for (file, name) in [("lea", "Lea Tarn"), ("nell", "Nell")] {
        let file = format!("content/fortune/characters/{file}.yaml");
        home.write(&file, mara.replace("Mara Quell", name));
    }
    let before = game.hash();
    assert_eq!(
        reload_difference(&mut game),
        "characters: 2 added (lea, nell)\nnot in this game yet: type `add Lea Tarn`, `add Nell`"
    );
    assert_eq!(game.hash(), before);
    assert_eq!(game.text("add Lea Tarn"), "Lea Tarn is in the game now.");
    assert!(game.text("show Lea Tarn").contains("Ropework:"));
    assert_eq!(game.refusal("add Lea Tarn").code, "phrase/unknown-name");
    game.text("undo");
    assert_eq!(game.hash(), before);
    assert_eq!(game.text("add Lea Tarn"), "Lea Tarn is in the game now.");
}

#[test]
fn a_poll_and_a_team_of_new_files_can_be_used_in_the_running_game() {
    let home = Scratch::shipped("wwrf");
    let mut game = Game::of_program(&home, "wwrf");
    game.text("new game of Wolf, Seer, Villager with Ann, Bo, Cy");
    let storm = home.path().join("content/wwrf/polls/storm");
    let storm = std::fs::read_to_string(storm).unwrap();
    home.write("content/wwrf/polls/gale", storm.replace("Storm", "Gale"));
    home.write(
        "content/wwrf/teams/gulls",
        "**Gulls**\n__Basics__\nThe gulls.\n\n__Formalized__\nWin Condition: @(Align:Gulls)\nOn Join: Reveal `Welcome` to @Joiner {Visitless}\n",
    );
    assert_eq!(
        reload_difference(&mut game),
        "polls: 1 added (gale)\nteams: 1 added (gulls)"
    );
    let told = game.text("let Ann Alignment Change @Self to `Gulls`");
    assert!(told.contains("Welcome"), "{told}");
    let told = game.text("let Ann Add `Gale` Poll");
    assert!(told.contains("Gale takes place one more time."), "{told}");
}

/// Returns the memory of this process; unit: pages.
fn resident_pages() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse().unwrap()
}

/// Measured in its own process; other tests of this process would disturb it.
#[test]
fn a_thousand_reloads_grow_memory_by_less_than_a_tenth() {
    const CHILD_PROCESS_MARK: &str = "ARBITER_RELOADS";
    if std::env::var_os(CHILD_PROCESS_MARK).is_none() {
        let name = "live_reload::a_thousand_reloads_grow_memory_by_less_than_a_tenth";
        let program = std::env::current_exe().unwrap();
        let output = std::process::Command::new(program)
            .args([name, "--exact", "--nocapture", "--test-threads", "1"])
            .env(CHILD_PROCESS_MARK, "1")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success() && text.contains("1 passed"),
            "{text}"
        );
        return;
    }
    let home = Scratch::mini();
    let mut game = Game::of(&home);
    let mut early = 0;
    for number in 0..1_000 {
        home.write(
            "scripts/mini/pipeline/note.luau",
            format!("--!strict\nreturn {{ number = {number} }}\n"),
        );
        reload_difference(&mut game);
        if number == 100 {
            early = resident_pages();
        }
    }
    let late = resident_pages();
    assert_eq!(game.text("mood Ann"), "Ann feels 4.");
    assert!(late * 10 <= early * 11, "from {early} to {late} pages");
}
