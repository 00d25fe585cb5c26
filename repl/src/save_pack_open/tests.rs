//! Tests the messages about saved, packed and opened games.

use super::*;
use crate::toy_game::{Toy, reply_text};

#[test]
fn what_stands_behind_open_is_a_name_and_words() {
    let read = |text: &str| Request::parse(text).map_err(|refusal| refusal.message);
    let request = |place: &str, rules, read_only, anyway| {
        let place = place.to_owned();
        Ok(Request {
            place,
            rules,
            read_only,
            anyway,
        })
    };
    assert_eq!(read("games/a"), request("games/a", None, false, false));
    assert_eq!(
        read("my games/a b anyway"),
        request("my games/a b", None, false, true)
    );
    let recorded = Some(RulesOf::Recorded);
    for line in [
        "a --rules recorded",
        "a --rules=recorded",
        "\"a\"  --rules recorded",
    ] {
        assert_eq!(read(line), request("a", recorded, false, false), "{line}");
    }
    assert_eq!(
        read("a --read-only --rules now anyway"),
        request("a", Some(RulesOf::Now), true, true)
    );
    // A game may be called as the words are.
    assert_eq!(read("anyway"), request("anyway", None, false, false));
    assert_eq!(read("'a anyway'"), request("a anyway", None, false, false));
    for (line, why) in [
        ("a --rules", "--rules must be now or recorded, not \"\""),
        (
            "a --rules old",
            "--rules must be now or recorded, not \"old\"",
        ),
        ("a --force", "unknown word \"--force\" after `open`"),
        ("''", "the folder of the game is missing after `open`"),
    ] {
        assert_eq!(read(line), Err(why.to_owned()), "{line}");
    }
}

#[test]
fn a_packed_game_ends_in_tar_and_lies_beside_its_folder() {
    assert_eq!(
        with_tar_ending(Path::new("games/a")),
        Path::new("games/a.tar")
    );
    assert_eq!(with_tar_ending(Path::new("a.TAR")), Path::new("a.TAR"));
    assert_eq!(with_tar_ending(Path::new("a.b")), Path::new("a.b.tar"));
    assert_eq!(size_text(1), "1 KiB");
    assert_eq!(size_text(3 << 20), "3 MiB");
}

#[test]
fn a_game_in_memory_is_kept_and_a_kept_one_is_copied() {
    let toy = Toy::new();
    let disk = toy.start().disk;
    let mut solo = toy.solo();
    let mut reply_to_line = |line: &str| {
        let reply = solo.submit("gm", line);
        reply_text(&disk.carry_out_disk_request(&mut solo, reply))
    };
    reply_to_line("cheer ann");
    assert_eq!(
        reply_to_line("pack"),
        "save/not-kept: the game is not saved in a folder"
    );
    let refused = reply_to_line("open elsewhere");
    assert_eq!(
        refused,
        "save/not-kept: this game is only in memory and would be lost"
    );
    let kept = toy.path("games/mini-1");
    assert!(reply_to_line("save").starts_with(&format!("saved in {} from now on", kept.display())));
    assert!(game_folder::is_game_folder(&kept));
    assert!(
        reply_to_line("save").contains("is already saved in"),
        "nothing is copied without a name"
    );
    let copy = toy.path("copy");
    let said = reply_to_line(&format!("save {}", copy.display()));
    assert!(
        said.starts_with(&format!("copied to {}: 2 log lines", copy.display())),
        "{said}"
    );
    assert!(said.contains("this game continues in"), "{said}");
    let again = reply_to_line(&format!("save \"{}\"", copy.display()));
    assert!(again.starts_with("save/folder-used"), "{again}");
    let said = reply_to_line("pack");
    assert!(
        said.contains("mini-1.tar") && said.contains("compute future dice"),
        "{said}"
    );
    assert!(reply_to_line("pack").starts_with("save/file-used"));
    // Nothing of that is an operation of the game.
    assert_eq!(solo.timeline().history().operations().len(), 2);
    let (to, _) =
        unpack_to_folder(&toy.path("games/mini-1.tar"), Some(&toy.path("third"))).unwrap();
    assert!(game_folder::is_game_folder(&to));
    let refusal = unpack_to_folder(&toy.path("games/mini-1.tar"), None).unwrap_err();
    assert!(
        refusal.hints[0].contains("continues there"),
        "{:?}",
        refusal.hints
    );
}

#[test]
fn a_seat_reaches_no_disk() {
    let toy = Toy::new();
    let mut solo = toy.solo();
    for line in ["save x", "pack x", "open x anyway"] {
        let refusal = solo.submit("Ann", line).refusal.unwrap();
        assert_eq!(refusal.code, "host/gm-only", "{line}");
    }
    let reply = solo.submit("gm", "open x anyway");
    assert_eq!(
        reply.program_request,
        Some(ProgramRequest::Open("x anyway".to_owned()))
    );
}

#[test]
fn a_game_that_is_synced_in_groups_is_not_called_safe() {
    let toy = Toy::new();
    let disk = Disk {
        sync: Sync::Group,
        ..toy.start().disk
    };
    let mut solo = toy.solo();
    let mut reply_to_line = |line: &str| {
        let reply = solo.submit("gm", line);
        reply_text(&disk.carry_out_disk_request(&mut solo, reply))
    };
    for _ in 0..2 {
        let said = reply_to_line("save");
        assert!(said.contains("--sync"), "{said}");
    }
}
