//! Exports a game in every format and for every kind of reader, compared with `export/`. Tests that
//! pages are complete and linked, and that no reader gets the text of others.
//!
//! `BLESS=1` writes the present export over the expected files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use arbiter_tests::{Scratch, assert_golden_file, project};
use assert_cmd::Command;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// The lines of the game: public and secret texts, typed dice, answers, corrections, and a ruling
/// that waits at the end.
const GAME_LINES: &str = r#"
as Ann
I go to mill
as gm
lay parry on Bo
next
dice next 12 3
as Fin
I strike Bo
as Bo
answer no
as Fin
I go to mill
as Dot
I go to <b>the mill</b>
I go to harbour
as gm
set ann health 3
undo
dice next 15
revert 9 yes
as Cai
I strike Eve
as gm
lay parry on Gus
set eve health 7 because she fell off the pier
as Bo
dispute 4 the parry was mine
as gm
settle 17 it came too late
as Dot
I strike Gus
"#;

/// Each format name of `--format`, with its file extension.
pub(crate) const FORMATS: [(&str, &str); 8] = [
    ("terminal", "txt"),
    ("markdown", "md"),
    ("bbcode", "bbcode"),
    ("discord", "discord"),
    ("html", "html"),
    ("rst", "rst"),
    ("csv", "csv"),
    ("json", "json"),
];

/// Returns the program with the tutorial rules, in its own folder.
fn arbiter_in_folder(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter-under-test"));
    command
        .current_dir(folder)
        .env_remove("ARBITER_GAMES")
        .env("ARBITER_HOME", project())
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env("NO_COLOR", "1")
        .args(arguments)
        .arg("--mods")
        .arg(project().join("tests/mini"));
    command
}

fn output_text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Plays lines in the folder `game`, and returns the output.
fn play_in_folder(folder: &Path, lines: &str) -> Output {
    let flags = [
        "run",
        "-",
        "--keep-going",
        "--ruleset",
        "harbour",
        "--seed",
        "an export",
        "--game",
        "game",
    ];
    arbiter_in_folder(folder, &flags)
        .write_stdin(lines)
        .output()
        .unwrap()
}

/// Returns a folder that contains a game.
fn folder_with_game() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let said = play_in_folder(folder.path(), GAME_LINES);
    assert!(
        output_text(&said.stderr).contains("typed"),
        "{}",
        output_text(&said.stderr)
    );
    folder
}

#[test]
fn others_read_what_stands_unless_they_ask_for_corrections() {
    let folder = tempfile::tempdir().unwrap();
    // Without the shield the stroke hits: the ruling that ran again is shown in its own place.
    let lines = "as gm\nnext\nset bo shield 30\ndice next 12 3\nas Fin\nI strike Bo\nI go to mill\n\
                 as Dot\nI go to harbour\nas gm\nundo\nrevert 3 yes\n";
    play_in_folder(folder.path(), lines);
    let stands = export_to_text(folder.path(), &[]);
    for gone in [
        "undone",
        "has no effect",
        "Dot goes",
        "Bo shield",
        "Ruled again",
        "ruled again",
        "It misses",
    ] {
        assert!(!stands.contains(gone), "{gone}: {stands}");
    }
    assert_eq!(stands.matches("Fin strikes at Bo").count(), 1, "{stands}");
    let (struck, went) = (stands.find("Bo loses"), stands.find("Fin goes to the mill"));
    assert!(
        struck.is_some() && struck < went,
        "it stands in its own place: {stands}"
    );
    let all = export_to_text(folder.path(), &["--corrections"]);
    for told in [
        "undone",
        "no longer has an effect",
        "Dot goes",
        "Bo shield",
        "It misses",
        "Ruled again:",
    ] {
        assert!(all.contains(told), "{told}: {all}");
    }
    let gm = export_to_text(folder.path(), &["--for", "gm"]);
    assert!(gm.contains("undone") && gm.contains("Ruled again:"), "{gm}");
}

/// Exports the game and returns the written text.
fn export_to_text(folder: &Path, arguments: &[&str]) -> String {
    let done = arbiter_in_folder(folder, &[&["export", "game"], arguments].concat())
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{arguments:?}: {}",
        output_text(&done.stderr)
    );
    output_text(&done.stdout)
}

/// Returns the exit code and the error output.
fn export_refusal(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let done = arbiter_in_folder(folder, &[&["export"], arguments].concat())
        .output()
        .unwrap();
    (done.status.code().unwrap(), output_text(&done.stderr))
}

/// Returns the number of unfinished files.
fn count_unfinished_files(folder: &Path) -> usize {
    let files = fs::read_dir(folder).unwrap();
    let names = files.map(|file| file.unwrap().file_name());
    names
        .filter(|name| name.to_string_lossy().starts_with('.'))
        .count()
}

fn assert_golden_export(name: &str, found: &str) {
    assert_golden_file(&project().join("tests/suites/export").join(name), found);
}

#[test]
fn one_game_in_every_format() {
    let folder = folder_with_game();
    for (format, ending) in FORMATS {
        let found = export_to_text(folder.path(), &["--format", format, "--style", "log"]);
        assert_golden_export(&format!("public.{ending}"), &found);
    }
    for (name, flags) in [
        ("story.html", &["--format", "html"][..]),
        ("story.md", &["--format", "markdown", "--style", "story"]),
        (
            "story-gm.html",
            &["--format", "html", "--for", "gm", "--corrections"],
        ),
    ] {
        assert_golden_export(name, &export_to_text(folder.path(), flags));
    }
    // A replay needs no name of its format.
    let replay = export_to_text(folder.path(), &["--style", "replay"]);
    assert_golden_export("replay.html", &replay);
    assert_policy_allows_the_script(&replay);
    let (exit, said) = export_refusal(
        folder.path(),
        &["game", "--format", "csv", "--style", "story"],
    );
    assert!(exit == 1 && said.contains("export/style"), "{exit} {said}");
    for (whom, name) in [("gm", "gm.md"), ("Bo", "bo.md")] {
        assert_golden_export(
            name,
            &export_to_text(folder.path(), &["--for", whom, "--format", "markdown"]),
        );
    }
}

/// The text of a waiting ruling is in no export, not even for the game master; undone lines are
/// marked.
#[test]
fn what_waits_is_not_told_and_what_was_undone_is_marked() {
    let folder = folder_with_game();
    for whom in ["public", "gm", "Dot", "Gus"] {
        let flags = ["--for", whom, "--format", "json", "--corrections"];
        let found = export_to_text(folder.path(), &flags);
        assert!(!found.contains("Dot strikes at Gus"), "{whom}: {found}");
        let struck = found.lines().find(|line| line.contains("Ann health = 3"));
        assert!(
            struck.is_some_and(|line| line.contains("\"fate\":\"undone")),
            "{whom}"
        );
    }
    let of_gus = export_to_text(folder.path(), &["--for", "gus", "--format", "markdown"]);
    assert!(
        of_gus.contains("may make a blow harder") && !of_gus.contains("lay parry"),
        "{of_gus}"
    );
}

fn exported_page_names(folder: &Path, whom: &str) -> BTreeSet<String> {
    let site = folder.join("site");
    export_to_text(
        folder,
        &["--for", whom, "--pages", "site", "--style", "log"],
    );
    let files = fs::read_dir(site).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| !name.starts_with('.')).collect()
}

/// Every page links all others by existing names, and an export replaces an earlier one completely.
#[test]
fn pages_know_each_other_and_take_the_place_of_earlier_ones() {
    let folder = folder_with_game();
    let of_gm = exported_page_names(folder.path(), "gm");
    assert_eq!(
        Vec::from_iter(&of_gm),
        [
            "changes.html",
            "disputes.html",
            "fiats.html",
            "index.html",
            "part-1.html",
            "part-2.html",
            "rolls.html"
        ]
    );
    fs::write(folder.path().join("site/CNAME"), "mine").unwrap();
    fs::create_dir(folder.path().join("site/pictures")).unwrap();
    let mut of_all = exported_page_names(folder.path(), "public");
    assert!(
        of_all.remove("CNAME") && of_all.remove("pictures"),
        "{of_all:?}"
    );
    assert_eq!(
        Vec::from_iter(&of_all),
        ["index.html", "part-1.html", "part-2.html"]
    );
    for name in &of_all {
        let page = fs::read_to_string(folder.path().join("site").join(name)).unwrap();
        let links = page
            .split("href=\"")
            .skip(1)
            .filter_map(|part| part.split('"').next());
        let links: BTreeSet<String> = links.map(str::to_owned).collect();
        let others = of_all.iter().filter(|other| *other != name).cloned();
        assert_eq!(links, others.collect(), "{name}");
        assert!(
            page.ends_with("</html>\n") && !page.contains("<script"),
            "{name}"
        );
    }
    assert_eq!(count_unfinished_files(folder.path()), 0);
}

/// The index links every page, a page its neighbours, and no page has a script.
#[test]
fn pages_of_a_story_lead_from_one_to_the_next() {
    let folder = folder_with_game();
    export_to_text(folder.path(), &["--pages", "story"]);
    let read = |name: &str| fs::read_to_string(folder.path().join("story").join(name)).unwrap();
    let links = |name: &str| -> BTreeSet<String> {
        let page = read(name);
        let links = page.split("href=\"").skip(1);
        let links = links.filter_map(|part| part.split('"').next().map(str::to_owned));
        links.filter(|link| !link.starts_with('#')).collect()
    };
    let set = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(links("index.html"), set(&["part-1.html", "part-2.html"]));
    assert_eq!(links("part-1.html"), set(&["index.html", "part-2.html"]));
    assert_eq!(links("part-2.html"), set(&["index.html", "part-1.html"]));
    for name in ["index.html", "part-1.html", "part-2.html"] {
        let page = read(name);
        assert!(
            page.ends_with("</html>\n") && page.contains("<html lang=\"en\">"),
            "{name}"
        );
        assert!(
            !page.contains("<script") && !page.contains(" style="),
            "{name}"
        );
        assert_policy_allows_the_style(&page);
    }
}

#[test]
fn a_cast_that_is_no_data_refuses_the_export() {
    let home = Scratch::harbour();
    home.edit(
        "scripts/harbour/ruleset.luau",
        "  setup =",
        "  story = { cast = function() return { print } end },\n  setup =",
    );
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str], lines: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter-under-test"));
        command
            .current_dir(folder.path())
            .env("ARBITER_HOME", home.path());
        command
            .env("XDG_STATE_HOME", folder.path().join("state"))
            .env("NO_COLOR", "1");
        command.args(arguments).write_stdin(lines).output().unwrap()
    };
    run(
        &["run", "-", "--ruleset", "harbour", "--game", "game"],
        "as Ann\nI go to mill\n",
    );
    let done = run(&["export", "game", "--out", "game.html"], "");
    let said = output_text(&done.stderr);
    assert!(
        said.contains("error[script/story]: `cast` of the ruleset does not return data"),
        "{said}"
    );
    assert!(!folder.path().join("game.html").exists());
    let log = run(
        &["export", "game", "--style", "log", "--out", "game.html"],
        "",
    );
    assert!(log.status.success(), "{}", output_text(&log.stderr));
}

#[test]
fn a_replay_is_one_page_for_everybody_or_the_game_master() {
    let folder = folder_with_game();
    for (flags, told) in [
        (&["--for", "Bo"][..], "not for one player"),
        (&["--corrections"], "no corrections"),
        (&["--format", "markdown"], "only be HTML, not markdown"),
        (&["--out", "game.md"], "only be HTML, not markdown"),
        (&["--pages", "site"], "one file, not pages"),
    ] {
        let arguments = [&["game", "--style", "replay"], flags].concat();
        let (exit, said) = export_refusal(folder.path(), &arguments);
        assert!(
            exit == 1 && said.contains("export/style") && said.contains(told),
            "{flags:?}: {exit} {said}"
        );
    }
    let said = play_in_folder(
        folder.path(),
        "export as replay\nexport for gm as replay to all.html\n",
    );
    let out = output_text(&said.stdout);
    assert!(out.contains("wrote game-public-replay.html"), "{out}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_golden_export("replay.html", &read("game-public-replay.html"));
    let all = read("all.html");
    assert!(all.contains("For the group shades"), "{all}");
    // What was undone or settled later is in no replay, not even for the game master.
    assert!(
        !all.contains("Ann health = 3") && !all.contains("settled in"),
        "{all}"
    );
}

/// The policy of a replay names the hashes of both styles and of the script, and nothing else is allowed.
fn assert_policy_allows_the_script(page: &str) {
    let hashes = |tag: &str| -> Vec<String> {
        let (begin, end) = (format!("<{tag}>"), format!("</{tag}>"));
        let parts = page.split(begin.as_str()).skip(1);
        let texts = parts.map(|part| part.split(end.as_str()).next().unwrap_or_default());
        let hashes =
            texts.map(|text| format!("'sha256-{}'", base64(&Sha256::digest(text.as_bytes()))));
        hashes.collect()
    };
    let policy = format!(
        "content=\"default-src 'none'; style-src {}; script-src {}\"",
        hashes("style").join(" "),
        hashes("script").join(" ")
    );
    assert!(page.contains(&policy), "{policy}: {page}");
    assert_eq!((hashes("style").len(), hashes("script").len()), (2, 1));
}

/// The policy of a page names the hash of its style, and nothing else is allowed.
fn assert_policy_allows_the_style(page: &str) {
    let (_, rest) = page.split_once("style-src 'sha256-").unwrap();
    let (named, _) = rest.split_once('\'').unwrap();
    let (_, rest) = page.split_once("<style>").unwrap();
    let (style, _) = rest.split_once("</style>").unwrap();
    assert_eq!(named, base64(&Sha256::digest(style.as_bytes())));
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for part in bytes.chunks(3) {
        let number = (0..3).fold(0_usize, |sum, at| {
            sum << 8 | usize::from(*part.get(at).unwrap_or(&0))
        });
        for at in 0..=3 {
            let letter = LETTERS[number >> (18 - 6 * at) & 63];
            text.push(if at <= part.len() {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    text
}

#[test]
fn a_place_that_is_not_ours_and_a_reader_who_is_nobody_are_refused() {
    let folder = folder_with_game();
    let own: PathBuf = folder.path().join("own");
    fs::create_dir(&own).unwrap();
    fs::write(own.join("index.html"), "mine").unwrap();
    let (exit, said) = export_refusal(folder.path(), &["game", "--pages", "own"]);
    assert!(
        exit == 1 && said.contains("export/folder-used"),
        "{exit} {said}"
    );
    assert_eq!(fs::read_to_string(own.join("index.html")).unwrap(), "mine");
    // A page does not overwrite a foreign file either.
    exported_page_names(folder.path(), "public");
    fs::write(folder.path().join("site/changes.html"), "mine").unwrap();
    let (exit, said) = export_refusal(folder.path(), &["game", "--for", "gm", "--pages", "site"]);
    assert!(
        exit == 1 && said.contains("has a file changes.html"),
        "{exit} {said}"
    );
    fs::remove_file(folder.path().join("site/changes.html")).unwrap();
    // A file that was changed since is also kept, unless the command allows its loss.
    let first = folder.path().join("site/index.html");
    fs::write(&first, "mine").unwrap();
    let (exit, said) = export_refusal(folder.path(), &["game", "--pages", "site"]);
    assert!(
        exit == 1 && said.contains("save/file-used") && said.contains("changed since"),
        "{exit} {said}"
    );
    assert_eq!(fs::read_to_string(&first).unwrap(), "mine");
    export_to_text(folder.path(), &["--pages", "site", "--anyway"]);
    assert_ne!(fs::read_to_string(&first).unwrap(), "mine");
    let (exit, said) = export_refusal(folder.path(), &["game", "--out", "game.htlm"]);
    assert!(
        exit == 1 && said.contains("export/ending") && said.contains("or \"html\"?"),
        "{exit} {said}"
    );
    let (exit, said) = export_refusal(folder.path(), &["game", "--for", "Anne"]);
    assert!(
        exit == 1 && said.contains("did you mean \"Ann\"?"),
        "{exit} {said}"
    );
    let (exit, said) = export_refusal(folder.path(), &["gmae"]);
    assert!(
        exit == 2 && said.contains("save/no-game") && said.contains("game"),
        "{exit} {said}"
    );
    let (exit, said) = export_refusal(folder.path(), &["game", "--out", "own", "--format", "rst"]);
    assert!(
        exit == 1 && said.contains("export/not-written"),
        "{exit} {said}"
    );
    assert_eq!(count_unfinished_files(folder.path()), 0);
}

/// On the command line too, the file extension selects the format.
#[test]
fn a_file_is_written_in_the_format_of_its_ending() {
    let folder = folder_with_game();
    for (format, ending) in FORMATS {
        let file = format!("game.{ending}");
        export_to_text(folder.path(), &["--out", &file]);
        let text = fs::read_to_string(folder.path().join(&file)).unwrap();
        assert_eq!(
            text,
            export_to_text(folder.path(), &["--format", format]),
            "{file}"
        );
    }
    export_to_text(folder.path(), &["--out", "game.txt", "--format", "html"]);
    let text = fs::read_to_string(folder.path().join("game.txt")).unwrap();
    assert!(text.starts_with("<!DOCTYPE html>"), "{text}");
}

/// In the REPL the file extension selects the format.
#[test]
fn the_prompt_writes_files_and_pages_and_posts() {
    let folder = folder_with_game();
    let lines = "export as log\nexport for Bo to bo.md\nexport for gm as csv to all.txt\nexport to site/\nexport for Bo as rst to site/\n";
    let said = play_in_folder(folder.path(), lines);
    let (out, talk) = (output_text(&said.stdout), output_text(&said.stderr));
    assert!(out.contains("wrote game-public.html"), "{out}");
    assert!(talk.contains("pages can only be HTML, not rst"), "{talk}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_golden_export("bo.md", &read("bo.md"));
    assert_golden_export("public.html", &read("game-public.html"));
    assert!(
        read("all.txt").contains("no.,what,was,is"),
        "{}",
        read("all.txt")
    );
    assert!(out.contains("the first is site/index.html"), "{out}");
    assert!(read("site/index.html").contains("part-2.html"));
}

#[test]
fn a_post_is_what_somebody_may_read_of_a_ruling_and_nothing_beside_it() {
    let folder = folder_with_game();
    let posted = |lines: &str| {
        let said = play_in_folder(folder.path(), lines);
        let out = output_text(&said.stdout);
        // Opening a game prints its status.
        let (_, out) = out.split_once("`questions` shows it\n").unwrap();
        (out.to_owned(), output_text(&said.stderr))
    };
    // The last ruling waits.
    let (out, talk) = posted("post\n");
    assert!(
        out.is_empty() && talk.contains("post/waits"),
        "{out} {talk}"
    );
    let (out, talk) = posted("post 7\n");
    assert_eq!(
        out,
        "Fin strikes at Bo: 14.\n\nBo loses 4 and has 6 left.\n"
    );
    assert!(
        talk.contains("line 7 `answer no`, for everybody: 50 of 32000 characters"),
        "{talk}"
    );
    let (out, _) = posted("format discord\npost 4 for Bo\n");
    assert!(
        out.contains("group\\:shades") && out.contains("Nobody was chosen."),
        "{out}"
    );
    let (out, talk) = posted("post 4 as bbcode\npost 10\npost 11\npost 99\n");
    assert!(out.is_empty(), "{out}");
    for code in [
        "post/nothing-said",
        "no longer valid: undone",
        "is not a ruling",
        "has no line 99",
    ] {
        assert!(talk.contains(code), "{code}: {talk}");
    }
    // For programs, a post is an object.
    let (out, _) = posted("format json\npost 7 as bbcode\n");
    let post = out.lines().last().unwrap_or_default();
    let post: serde_json::Value = serde_json::from_str(post).unwrap();
    assert_eq!(
        post["text"],
        "Fin strikes at Bo: 14.\n\nBo loses 4 and has 6 left."
    );
    let data = serde_json::json!({ "format": "bbcode", "post": 1, "of": 1 });
    assert_eq!(post["data"], data);
    // HTML, and the answer of a query.
    let (out, _) = posted("post 7 as html\n");
    assert_eq!(
        out,
        "<article>\n<p>Fin strikes at Bo: 14.</p>\n<p>Bo loses 4 and has 6 left.</p>\n</article>\n"
    );
    let (out, talk) = posted("mood of Bo\npost as html\npost as bbcode\n");
    assert!(
        out.ends_with("<article>\n<p>Bo feels 3.</p>\n</article>\nBo feels 3.\n"),
        "{out}"
    );
    assert!(
        talk.contains("`mood of Bo`, for everybody: 11 of 60000"),
        "{talk}"
    );
    // After a query nothing else is posted. A command of the host is posted too; one for others is
    // only shown.
    let (out, talk) = posted("help strike\npost\n");
    assert!(
        talk.contains("`help strike`, for everybody"),
        "{out} {talk}"
    );
    let (out, talk) = posted("log\npost\npost for gm\n");
    assert!(
        talk.contains("post/nothing-said]: `log` has no message for everybody")
            && talk.contains("`post for gm` posts the message for the game master")
            && talk.contains("the last one with a message: `post "),
        "{out} {talk}"
    );
    assert!(talk.contains("`log`, for the game master"), "{talk}");
    // A seat uses its own numbers, and cannot post a text that it may not read.
    let (out, talk) = posted("as Bo\npost for Fin\npost 2\n");
    assert!(
        talk.contains("post/not-yours") && out.contains("may make a blow harder"),
        "{out} {talk}"
    );
}

/// Files written by this program are replaced; files that somebody else wrote or changed are kept,
/// unless the command allows their loss.
#[test]
fn nothing_of_somebody_else_is_written_over() {
    let folder = folder_with_game();
    let mine = folder.path().join("mine.md");
    let is_mine = || fs::read_to_string(&mine).unwrap() == "mine";
    fs::write(&mine, "mine").unwrap();
    let out = ["game", "--out", "mine.md"];
    let (exit, said) = export_refusal(folder.path(), &out);
    assert!(
        exit == 1 && said.contains("save/file-used"),
        "{exit} {said}"
    );
    let flags = ["play", "game", "--read-only"];
    let said = arbiter_in_folder(folder.path(), &flags)
        .write_stdin("export to mine.md\n")
        .output()
        .unwrap();
    assert!(
        output_text(&said.stderr).contains("save/file-used"),
        "{}",
        output_text(&said.stderr)
    );
    let said = play_in_folder(folder.path(), "export to mine.md\n");
    assert!(
        output_text(&said.stderr).contains("save/file-used"),
        "{}",
        output_text(&said.stderr)
    );
    assert!(is_mine());
    let said = play_in_folder(
        folder.path(),
        "export to mine.md anyway\nexport to mine.md\n",
    );
    assert_eq!(
        output_text(&said.stdout).matches("wrote mine.md").count(),
        2,
        "{}",
        output_text(&said.stderr)
    );
    export_to_text(folder.path(), &["--out", "mine.md"]);
    fs::write(&mine, "mine").unwrap();
    let (_, said) = export_refusal(folder.path(), &out);
    assert!(said.contains("save/file-used") && is_mine(), "{said}");
    export_to_text(folder.path(), &["--out", "mine.md", "--anyway"]);
    assert!(!is_mine());
}

/// An export never replaces a file of a game, whatever the command allows.
#[test]
fn nothing_is_exported_into_the_folder_of_a_game() {
    let folder = folder_with_game();
    let files = ["secret", "journal.jsonl"].map(|name| folder.path().join("game").join(name));
    let read = || files.each_ref().map(|file| fs::read(file).unwrap());
    let before = read();
    for target in [
        &["--out", "game/secret", "--anyway"][..],
        &["--out", "game/journal.jsonl", "--anyway"],
        &["--out", "game/new.md"],
        &["--out", "game/new/new.md"],
        &["--pages", "game"],
        &["--pages", "game/pages", "--anyway"],
    ] {
        let arguments = [&["game", "--format", "markdown"][..], target].concat();
        let arguments = match target[0] {
            "--pages" => [&["game"], target].concat(),
            _ => arguments,
        };
        let (exit, said) = export_refusal(folder.path(), &arguments);
        assert!(exit == 1 && said.contains("save/within"), "{exit} {said}");
    }
    let lines = "export as markdown to game/secret anyway\nexport to game/pages/\n";
    let said = output_text(&play_in_folder(folder.path(), lines).stderr);
    assert_eq!(said.matches("save/within").count(), 2, "{said}");
    assert_eq!(read(), before);
    assert!(!folder.path().join("game/new").exists() && !folder.path().join("game/pages").exists());
}

/// One rule for all created names: a mistyped name creates no folder elsewhere, and no name that a
/// shell or another system reads differently.
#[test]
fn what_is_made_is_called_what_every_machine_can_keep() {
    let folder = folder_with_game();
    let lines = "save -rf\nsave CON\npack a/../..\nexport to ../not/there.md\nsave ~ann/x\nexport to ../site/not/\n";
    let said = output_text(&play_in_folder(folder.path(), lines).stderr);
    assert_eq!(said.matches("save/bad-path").count(), 6, "{said}");
    for arguments in [["--out", "nul.md"], ["--pages", "../not/there"]] {
        let (exit, said) = export_refusal(folder.path(), &[&["game"], &arguments[..]].concat());
        assert!(exit == 1 && said.contains("save/bad-path"), "{exit} {said}");
    }
    assert!(!folder.path().parent().unwrap().join("not").exists());
    for arguments in [
        &["play", "harbour", "--game", "CON"][..],
        &["play", "harbour", "--games", "a/../zz"],
        &["play", "harbour", "--games", "../not/there"],
        &["run", "-", "--ruleset", "harbour", "--game", "a:b"],
        &["run", "-", "--ruleset", "harbour", "--game", "../not/there"],
    ] {
        let done = arbiter_in_folder(folder.path(), arguments)
            .output()
            .unwrap();
        let said = output_text(&done.stderr);
        assert!(said.contains("save/bad-path"), "{arguments:?}: {said}");
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {said}");
    }
    for left in ["CON", "zz", "a", "a:b"] {
        assert!(!folder.path().join(left).exists(), "{left}");
    }
}
