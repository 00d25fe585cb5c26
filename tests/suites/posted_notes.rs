//! Tests posts and the notes that they were published: on disk, in exports, as files, and beside the
//! dice, which notes do not change.

use std::fs;
use std::path::Path;
use std::process::Command as System;

use arbiter_tests::{Game, Scratch, project};
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

#[test]
fn only_the_game_master_reads_numbers_of_notes() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("evening");
    let lines = "charm Ann with cheer\npost 2 done\npost 2 for Ann done\nas Ann\ncharm Ann with cheer\n\
                 as gm\npost 5 done\nreplace 5 yes with charm Bo with cheer\nundo\nas Ann\npost 1\npost 3\n";
    let (_, talk) = run_in_game(&folder, lines);
    assert!(!talk.contains("log line"), "{talk}");
    let lines = "as gm\npost 5\n";
    let (_, talk) = run_in_game(&folder, lines);
    assert!(talk.contains("post/"), "{talk}");
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
