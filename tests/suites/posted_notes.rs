//! Tests posts and the notes that they were published: on disk, in exports, as files, and beside the
//! dice, which notes do not change.

use std::fs;
use std::path::Path;
use std::process::Command as System;

use arbiter_tests::{Game, Scratch, project};
use host::diag::Diagnostic;
use host::game::Reply;

use super::program::arbiter_in_project;

/// Runs lines in a saved game of mini; returns its standard output and its error output.
fn run_in_game(folder: &Path, lines: &str) -> (String, String) {
    let mut command = arbiter_in_project();
    command.args(["run", "-", "--ruleset", "mini", "--mods", "tests/mini"]);
    command.args(["--keep-going", "--game"]).arg(folder);
    let output = command.write_stdin(lines).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

fn export_of_game(folder: &Path, more: &[&str]) -> String {
    let mut command = arbiter_in_project();
    command.args(["export", "--mods", "tests/mini"]).arg(folder);
    let output = command.args(more).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn notes_are_saved_and_verified_and_count_after_a_restart() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("evening");
    let (said, talk) = run_in_game(
        &folder,
        "charm Ann with cheer\npost 2 done\nexport done up to 2\npost not done\n",
    );
    assert!(
        said.contains("noted as posted: 2 for everybody"),
        "{said}{talk}"
    );
    assert!(
        said.contains("no longer noted as posted: 1 to 2 for everybody"),
        "{said}"
    );
    let journal = fs::read_to_string(folder.join("journal.jsonl")).unwrap();
    let note =
        r#"{"v":2,"seq":3,"kind":"posted","to":["public"],"lines":[[2,2]],"after":2,"by":"gm""#;
    assert!(journal.contains(note), "{journal}");
    assert!(
        journal.contains(r#"{"v":2,"seq":5,"kind":"withdrawn","of":4,"#),
        "{journal}"
    );
    let verified = arbiter_in_project()
        .args(["verify", "--dice"])
        .arg(&folder)
        .output()
        .unwrap();
    assert!(verified.status.success(), "{verified:?}");
    let checked = System::new("python3")
        .arg(project().join("tests/verify.py"))
        .arg(&folder)
        .output()
        .unwrap();
    assert!(checked.status.success(), "{checked:?}");
    let (said, talk) = run_in_game(&folder, "undo\npost corrections\n");
    let told = "posted for everybody and corrected since: line 2; `post corrections` writes the correction";
    assert!(said.contains(told), "{said}{talk}");
    assert!(
        said.contains("Correction of line 2: this no longer holds."),
        "{said}"
    );
}

#[test]
fn a_story_names_what_was_published_and_corrected_and_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("evening");
    run_in_game(
        &folder,
        "charm Ann with cheer\npost 2 done\nundo\ncharm Bo with cheer\nundo\n",
    );
    let page = export_of_game(&folder, &["--format", "html"]);
    let line = "Correction: “Ann feels 6.” was published and no longer holds.";
    assert!(page.contains(line), "{page}");
    assert!(!page.contains("Bo feels"), "{page}");
    let story = export_of_game(&folder, &["--style", "story", "--format", "terminal"]);
    assert!(story.contains(line), "{story}");
}

fn reply_faces(reply: &Reply) -> String {
    reply.documents.iter().map(host::doc::plain).collect()
}

#[test]
fn a_note_changes_no_dice_and_no_state() {
    let mut with = Game::of_program(&Scratch::mini(), "mini");
    let mut without = Game::of_program(&Scratch::mini(), "mini");
    for game in [&mut with, &mut without] {
        game.line("throw 3d20");
    }
    let before = with.solo.timeline().state().hash();
    let noted = with.line("post 2 done");
    assert!(noted.refusal.is_none(), "{:?}", noted.refusal);
    assert_eq!(with.solo.timeline().state().hash(), before);
    let faces = [&mut with, &mut without].map(|game| reply_faces(&game.line("throw 5d20")));
    assert_eq!(faces[0], faces[1]);
    let undone = with.text("undo");
    assert!(undone.contains("undone: 4 throw 5d20"), "{undone}");
    let undone = with.text("undo");
    assert!(undone.contains("undone: 2 throw 3d20"), "{undone}");
    assert!(
        undone.contains("posted for everybody and corrected since: line 2"),
        "{undone}"
    );
}

#[test]
fn a_post_of_a_corrected_line_says_so() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("evening");
    let lines =
        "charm Ann with cheer\npost 2 done\nreplace 2 yes with charm Bo with cheer\npost 4\n";
    let (said, talk) = run_in_game(&folder, lines);
    assert!(
        talk.contains("warning[post/corrected]: line 2 was posted before it was corrected"),
        "{talk}"
    );
    assert!(said.contains("Bo feels"), "{said}");
    let (said, _) = run_in_game(&folder, "post 4 done\npost corrections\n");
    assert!(!said.contains("corrected since"), "{said}");
}

/// Returns all numbers in the texts of findings.
fn numbers_in_findings<'a>(findings: impl IntoIterator<Item = &'a Diagnostic>) -> Vec<u64> {
    let texts = findings
        .into_iter()
        .flat_map(|one| std::iter::once(&one.message).chain(&one.hints));
    let text: Vec<&str> = texts.map(String::as_str).collect();
    let text = text.join(" ");
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.filter_map(|number| number.parse().ok()).collect()
}

/// The log of a player has two lines, and that of the game master more than ten: a number above two counts what others
/// did.
#[test]
fn only_the_game_master_reads_numbers_of_notes() {
    let mut game = Game::of_program(&Scratch::mini(), "mini");
    for omen in 1..=10 {
        game.line(&format!("set Ann omen {omen} because I say"));
    }
    game.solo.submit("Ann", "charm Ann with cheer");
    let line = game.last_operation().seq;
    assert!(line > 10);
    game.text(&format!("post {line} for Ann done"));
    game.text(&format!("replace {line} yes with charm Bo with cheer"));
    let refusal = |reply: Reply| reply.refusal.expect("the line does not hold");
    let by_gm = refusal(game.line(&format!("post {line} for Ann")));
    let noted = format!("log line {} notes that it was posted", line + 1);
    assert!(
        by_gm.hints.iter().any(|hint| hint.starts_with(&noted)),
        "{by_gm:?}"
    );
    let by_ann = refusal(game.solo.submit("Ann", "post 1 for Ann"));
    assert_eq!(by_ann.code, "post/does-not-hold");
    let told = "it was posted: `post corrections for Ann` posts the correction";
    assert!(by_ann.hints.iter().any(|hint| hint == told), "{by_ann:?}");
    let seen = game.solo.submit("Ann", "post 2 for Ann");
    assert!(seen.refusal.is_none(), "{seen:?}");
    let numbers = numbers_in_findings(seen.findings.iter().chain([&by_ann]));
    assert!(numbers.iter().all(|number| *number <= 2), "{numbers:?}");
    let seen = game.line(&format!("post {} for Ann", line + 2));
    assert!(
        numbers_in_findings(&seen.findings).contains(&line),
        "{seen:?}"
    );
}

#[test]
fn a_correction_is_told_in_the_chapter_of_its_text() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("quay");
    let lines = "new game Quay with Ann, Bo, Cy, Dee, Eve, Fay\nnext\nnext\nfor Bo: vote Cy in Lynch\nnext\n\
                 post phase day 1 done\nundo\nfor Dee: vote Cy in Lynch\nnext\n";
    let mut command = arbiter_in_project();
    command.args(["run", "-", "--ruleset", "wwrf", "--seed", "quay", "--game"]);
    let output = command.arg(&folder).write_stdin(lines).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let story = export_of_game(&folder, &["--style", "story", "--format", "terminal"]);
    let at = |text: &str| {
        let found = story.find(text);
        found.unwrap_or_else(|| panic!("{text} is not in {story}"))
    };
    let corrected = at("Correction: “Harbourmaster Election");
    assert!(
        at("\nDay 1\n") < corrected && corrected < at("\nNight 2\n"),
        "{story}"
    );
}

#[test]
fn a_ruleset_refuses_a_post_with_its_reason() {
    let home = Scratch::mini();
    let text = "return post { source = 'tests', summary = 'tests', write = function(act, reader) \
                if reader == 'Bo' then return 'a word for Bo' end \
                return act:fail('no-lamp', `there is no lamp for {reader}`, 'light one') end }";
    home.write("scripts/mini/posts/lamp.luau", text);
    home.write("scripts/mini/posts/map.luau", text);
    let mut game = Game::of_program(&home, "mini");
    let refusal = game.refusal("post lamp");
    assert_eq!(refusal.code, "mini/no-lamp");
    assert_eq!(refusal.message, "there is no lamp for public");
    assert_eq!(
        refusal.hints,
        ["light one", "`post lamp for Bo` has something for Bo"]
    );
    let by_ann = game.solo.submit("Ann", "post lamp").refusal.unwrap();
    assert_eq!(by_ann.hints, ["light one"]);
    for post in ["post lamp for each", "post map for each"] {
        assert_eq!(game.text(post), "a word for Bo");
    }
}

#[test]
fn a_post_for_a_group_shows_the_numbers_of_the_person_who_posts() {
    let home = Scratch::harbour();
    let text = "return command { source = 'tests', summary = 'tests', syntax = 'signal', run = function(act) \
                act:say('group:shades', { { 'Signal ', { log_line = '?' } } }) return act:done() end }";
    home.write("scripts/harbour/commands/signal.luau", text);
    let mut game = Game::of_program(&home, "harbour");
    game.line("set Bo health 3 anyway because of the weather");
    let line = game.line("signal").op.expect("it is a ruling");
    let shown = game.text(&format!("post {line} for shades"));
    assert_eq!(shown, format!("Signal {line}"));
    assert_eq!(
        game.text(&format!("post {line} to {line} for shades")),
        shown
    );
}

#[test]
fn a_posted_correction_makes_known_what_it_repeats_and_no_other_message_of_its_rulings() {
    let home = Scratch::mini();
    for mood in [4, 5] {
        let body = format!("act:set('ann', 'mood', {mood}) return act:done()");
        home.command(&format!("mood_{mood}"), &body);
    }
    home.command(
        "ring",
        "act:say('public', 'The bell rings.') act:say('Ann', `You feel {act:get('ann', 'mood')}.`) return act:done()",
    );
    let mut game = Game::of_program(&home, "mini");
    game.line("mood_4");
    let first = game.last_operation().seq;
    game.line("ring");
    game.text(&format!("replace {first} yes with mood_5"));
    let correction = game.last_operation().seq;
    let posted = game.text(&format!("post {correction} for Ann"));
    assert!(
        posted.contains("You feel 5.") && !posted.contains("The bell rings."),
        "{posted}"
    );
    game.text(&format!("post {correction} for Ann done"));
    game.text("undo");
    game.text("undo");
    let told = game.text("post corrections for Ann");
    assert!(
        told.contains("You feel 5.") && !told.contains("The bell rings."),
        "{told}"
    );
}

#[test]
fn a_post_that_is_no_document_is_refused() {
    let home = Scratch::mini();
    let text = |body: &str| {
        format!(
            "return post {{ source = 'tests', summary = 'tests', write = function(act, reader) {body} end }}"
        )
    };
    home.write("scripts/mini/posts/odd.luau", text("return print"));
    home.write(
        "scripts/mini/posts/lamp.luau",
        text("return `for {reader} by {act:by()}`"),
    );
    home.write(
        "scripts/mini/posts/omen.luau",
        text("return { text = 'a secret', audience = 'gm' }"),
    );
    let mut game = Game::of_program(&home, "mini");
    assert_eq!(game.refusal("post odd").code, "script/post");
    assert!(game.text("post lamp").contains("for public by public"));
    assert!(game.text("post lamp for Ann").contains("for Ann by Ann"));
    assert!(game.text("post lamp for gm").contains("for gm by gm"));
    assert_eq!(game.refusal("post omen for Ann").code, "post/nothing-said");
    assert!(game.text("post omen for gm").contains("a secret"));
    let unknown = game.refusal("post lampp");
    assert!(
        unknown.hints.iter().any(|hint| hint.contains("lamp")),
        "{unknown:?}"
    );
    let listed = game.text("help posts");
    assert!(
        listed.contains("lamp") && listed.contains("omen"),
        "{listed}"
    );
}

#[test]
fn each_reader_gets_a_file_and_files_of_others_stay() {
    let home = Scratch::mini();
    home.command(
        "whisper",
        "act:say('public', 'a whisper') act:say('Ann', 'the word is lamp') return act:done()",
    );
    let run = |lines: &str| {
        let mut command = arbiter_in_project();
        command.current_dir(home.path());
        command.args(["run", "-", "--ruleset", "mini", "--keep-going"]);
        command.env("XDG_STATE_HOME", home.path().join("state"));
        let output = command.write_stdin(lines).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (exit, talk) = run("whisper\npost for each as bbcode into letters\n");
    assert_eq!(exit, Some(0), "{talk}");
    let letter = |name: &str| fs::read_to_string(home.path().join("letters").join(name));
    assert_eq!(letter("public.bbcode").unwrap(), "a whisper\n");
    assert!(letter("Ann.bbcode").unwrap().contains("the word is lamp"));
    assert!(letter("Bo.bbcode").is_err());
    let (exit, talk) = run("throw d6\npost for each into letters\n");
    assert_eq!(exit, Some(0), "{talk}");
    assert!(
        talk.contains("removed") && talk.contains("Ann.bbcode"),
        "{talk}"
    );
    assert!(letter("public.md").is_ok());
    assert!(letter("Ann.bbcode").is_err() && letter("public.bbcode").is_err());
    run("whisper\npost for Ann as bbcode into letters\n");
    assert!(letter("public.md").is_ok() && letter("Ann.bbcode").is_ok());
    home.write("letters/Ann.bbcode", "my letter");
    home.write("letters/notes.md", "my notes");
    let (_, talk) = run("throw d6\npost for each into letters\n");
    assert!(talk.contains("Ann.bbcode stays"), "{talk}");
    assert_eq!(letter("Ann.bbcode").unwrap(), "my letter");
    assert_eq!(letter("notes.md").unwrap(), "my notes");
    home.remove("letters/Ann.bbcode");
    run("whisper\npost for each as bbcode into letters\n");
    home.write("letters/public.bbcode", "mine");
    let (exit, talk) = run("whisper\npost for each as bbcode into letters\n");
    assert_eq!(exit, Some(1), "{talk}");
    assert!(talk.contains("save/file-used"), "{talk}");
    assert_eq!(letter("public.bbcode").unwrap(), "mine");
}

#[test]
fn the_longest_post_is_chosen_for_a_post() {
    let home = Scratch::mini();
    home.command(
        "recite",
        "return act:done(string.rep('a word and another. ', 60))",
    );
    let run = |lines: &str| {
        let mut command = arbiter_in_project();
        command
            .args(["run", "-", "--ruleset", "mini", "--home"])
            .arg(home.path());
        let output = command.write_stdin(lines).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let talk = run("recite\npost at most 500\npost\n");
    assert!(
        talk.contains("post 1 of 3") && talk.contains("of 500 characters"),
        "{talk}"
    );
    assert!(talk.contains("of 32000 characters"), "{talk}");
    assert!(run("recite\npost at most 20\n").contains("post/length"));
}
