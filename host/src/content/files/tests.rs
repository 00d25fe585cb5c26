//! Tests reading from disk: order, limits, links, hostile names, mods.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use tempfile::TempDir;

use super::folder::Folder;
use super::path::is_hidden_or_leftover;
use super::*;

fn write(root: &TempDir, path: &str, bytes: impl AsRef<[u8]>) {
    let place = root.path().join(path);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, bytes).unwrap();
}

fn read(root: &TempDir) -> (Tree, Vec<Diagnostic>) {
    Tree::read_mod_folder(root.path(), "scripts/demo", &mut Budget::default())
}

fn paths(tree: &Tree) -> Vec<&str> {
    tree.files.iter().map(|file| &*file.path).collect()
}

/// Returns the findings as `code path: message`.
fn told(findings: &[Diagnostic]) -> Vec<String> {
    let show = |one: &Diagnostic| {
        format!(
            "{} {}: {}",
            one.code,
            one.place.as_ref().unwrap().source.name(),
            one.message
        )
    };
    findings.iter().map(show).collect()
}

#[test]
fn files_come_sorted_with_text_and_hash() {
    let root = TempDir::new().unwrap();
    for path in [
        "b.luau",
        "a/z.luau",
        "a.luau",
        "a/b/c.yaml",
        ".git/x",
        "a/b.luau~",
        "#a#",
        "a/.b.swp",
    ] {
        write(&root, path, format!("-- {path}\r\n"));
    }
    let (tree, findings) = read(&root);
    assert_eq!(findings, []);
    assert_eq!(paths(&tree), ["a.luau", "a/b/c.yaml", "a/z.luau", "b.luau"]);
    let file = &tree.files[3];
    assert_eq!(
        (file.source.name(), file.source.text()),
        ("scripts/demo/b.luau", "-- b.luau\n")
    );
    let hash: [u8; 32] = Sha256::digest(b"-- b.luau\r\n").into();
    assert_eq!(file.hash, hash, "the hash is of the bytes on disk");
}

#[test]
fn a_folder_that_is_no_mod_may_have_names_with_blanks() {
    let root = TempDir::new().unwrap();
    for path in ["Medium Question", "b/grandma's house", ".git/x", "a:b"] {
        write(&root, path, "x");
    }
    std::os::unix::fs::symlink(
        root.path().join("Medium Question"),
        root.path().join("link"),
    )
    .unwrap();
    let (tree, findings) = Tree::read_data_folder(root.path(), "../books", &mut Budget::default());
    assert_eq!(paths(&tree), ["Medium Question", "b/grandma's house"]);
    assert_eq!(tree.files[0].source.name(), "../books/Medium Question");
    let told = told(&findings);
    assert!(
        told[0].starts_with("content/path ../books/a:b: "),
        "{told:?}"
    );
    assert!(
        told[1].starts_with("content/path ../books/link: "),
        "{told:?}"
    );
    assert_eq!(told.len(), 2);
}

#[test]
fn bad_files_are_findings_and_the_others_are_read() {
    let root = TempDir::new().unwrap();
    write(&root, "good.luau", "return 1");
    write(&root, "latin.luau", b"\xe4\n");
    write(&root, "zero.luau", b"a\0");
    write(&root, "long.luau", vec![b'a'; (256 << 10) + 1]);
    write(&root, "edge.luau", vec![b'a'; 256 << 10]);
    write(&root, "a b.luau", "x");
    write(&root, "nul.luau", "x");
    let (tree, findings) = read(&root);
    assert_eq!(paths(&tree), ["edge.luau", "good.luau"]);
    assert_eq!(
        told(&findings),
        [
            "content/path scripts/demo/a b.luau: the name \"a b.luau\" contains a character that some systems do not allow",
            "content/encoding scripts/demo/latin.luau: the file is not valid UTF-8 from here on",
            "limit/size scripts/demo/long.luau: the file has more than 256 KiB",
            "content/path scripts/demo/nul.luau: the name \"nul.luau\" is a device name on some systems",
            "content/character scripts/demo/zero.luau: the file contains the invisible character U+0000",
        ]
    );
    for finding in &findings {
        assert!(crate::diag::render(finding, false).contains("scripts/demo/"));
    }
}

#[test]
fn images_and_archives_are_counted_in_one_line_and_never_read() {
    let root = TempDir::new().unwrap();
    write(&root, "good.luau", "return 1");
    write(&root, "cover art.PNG", vec![0xff; 300 << 10]);
    write(&root, "parts/hull", b"\x89PNG\0\xff");
    write(&root, "parts/all.zip", b"PK\0\xff");
    write(&root, "parts/no.luau", b"\x89PNG\0\xff");
    let (tree, findings) = read(&root);
    assert_eq!(paths(&tree), ["good.luau"]);
    assert_eq!(
        told(&findings),
        [
            "content/encoding scripts/demo/parts/no.luau: the file is not valid UTF-8 from here on",
            "content/binary scripts/demo: 3 files are not texts (for example images) and are not read: in parts (2), the folder itself (1)",
        ]
    );
}

#[test]
fn a_folder_named_like_a_file_is_a_finding() {
    let root = TempDir::new().unwrap();
    write(&root, "good.luau", "return 1");
    write(&root, "roles.yaml/a.yaml", "x");
    write(&root, "commands/dig.luau/x.txt", "x");
    let (tree, findings) = read(&root);
    assert_eq!(paths(&tree), ["good.luau"]);
    assert_eq!(
        told(&findings),
        [
            "content/path scripts/demo/commands/dig.luau: expected a file, found a folder",
            "content/path scripts/demo/roles.yaml: expected a file, found a folder",
        ]
    );
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let (root, outside) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write(&outside, "secret.txt", "secret");
    write(&root, "a.luau", "x");
    std::os::unix::fs::symlink(
        outside.path().join("secret.txt"),
        root.path().join("b.luau"),
    )
    .unwrap();
    std::os::unix::fs::symlink(outside.path(), root.path().join("c")).unwrap();
    std::os::unix::fs::symlink(root.path(), root.path().join("loop")).unwrap();
    let (tree, findings) = read(&root);
    assert_eq!(paths(&tree), ["a.luau"]);
    assert_eq!(findings.len(), 3);
    assert!(
        findings
            .iter()
            .all(|one| one.message == "this is a link, and links are not followed")
    );
    // A file that was replaced by a link after the listing is not opened.
    let folder = Folder::open_root(root.path()).unwrap();
    assert!(folder.open_inner("c").is_err());
    assert!(
        folder
            .read_file("b.luau")
            .is_err_and(|fault| fault.code == "content/path")
    );
    // The files of a folder that is replaced by a link during the reading are not opened.
    write(&root, "d/e.luau", "x");
    let inner = folder.open_inner("d").unwrap();
    fs::rename(root.path().join("d"), root.path().join("f")).unwrap();
    std::os::unix::fs::symlink(outside.path(), root.path().join("d")).unwrap();
    assert!(inner.read_file("secret.txt").is_err());
    assert!(inner.read_file("e.luau").is_ok_and(|bytes| bytes == b"x"));
}

#[cfg(unix)]
#[test]
fn of_parts_that_are_no_folders_nothing_is_read() {
    let (root, outside) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write(&outside, "secret.txt", "secret");
    write(&root, "a/b.luau", "x");
    write(&root, "file", "x");
    std::os::unix::fs::symlink(outside.path(), root.path().join("link")).unwrap();
    let parts = ["a", "absent", "file", "link"].map(str::to_owned);
    let (tree, findings) = Tree::read_subfolders(root.path(), &parts, "", &mut Budget::default());
    assert_eq!(
        (paths(&tree), told(&findings)),
        (vec!["a/b.luau"], Vec::<String>::new())
    );
}

#[test]
fn limits_of_a_mod_hold_over_its_folders() {
    let root = TempDir::new().unwrap();
    for name in ["a", "b", "c", "d"] {
        write(&root, name, "1234");
    }
    let mut budget = Budget {
        files: 3,
        bytes: 100,
        entries: 100,
        spent: false,
    };
    let (tree, findings) = Tree::read_mod_folder(root.path(), "", &mut budget);
    assert_eq!(paths(&tree), ["a", "b", "c"]);
    assert_eq!(
        told(&findings),
        ["limit/size d: the mod has more than 2,000 files, the rest is not read"]
    );
    let (tree, findings) = Tree::read_mod_folder(root.path(), "", &mut budget);
    assert_eq!((tree.files.len(), findings.len()), (0, 0), "told once");
    let mut budget = Budget {
        files: 100,
        bytes: 8,
        entries: 100,
        spent: false,
    };
    let (tree, findings) = Tree::read_mod_folder(root.path(), "", &mut budget);
    assert_eq!((paths(&tree), findings.len()), (vec!["a", "b"], 1));
    let mut budget = Budget {
        files: 100,
        bytes: 100,
        entries: 3,
        spent: false,
    };
    let (tree, findings) = Tree::read_mod_folder(root.path(), "", &mut budget);
    assert_eq!((tree.files.len(), findings.len()), (2, 1));
}

#[test]
fn deep_folders_and_twins_of_case_are_found() {
    let root = TempDir::new().unwrap();
    write(&root, &format!("{}x.luau", "d/".repeat(20)), "x");
    write(&root, "Pool.luau", "x");
    write(&root, "pool.luau", "x");
    let told = told(&read(&root).1);
    assert!(told[0].starts_with("limit/depth scripts/demo/d/d/"));
    if told.len() > 1 {
        assert_eq!(
            told[1],
            "content/path scripts/demo/pool.luau: the path differs from Pool.luau only in upper and lower case"
        );
    }
    let (tree, findings) =
        Tree::read_mod_folder(&root.path().join("missing"), "x", &mut Budget::default());
    assert_eq!(
        (tree.files.len(), &*findings[0].code),
        (0, "content/unreadable")
    );
}

#[test]
fn data_files_are_read_or_explained() {
    let root = TempDir::new().unwrap();
    write(&root, "players.yaml", "a: 1");
    write(&root, "big.json", vec![b' '; (8 << 20) + 1]);
    let told = |name: &str| {
        let (file, findings) = read_data_file(&root.path().join(name));
        assert!(file.is_none());
        format!("{} {}", findings[0].message, findings[0].hints.join(""))
    };
    let (file, findings) = read_data_file(&root.path().join("players.yaml"));
    assert_eq!((file.unwrap().source.text(), findings.len()), ("a: 1", 0));
    assert_eq!(
        told("plyers.yaml"),
        "no file named plyers.yaml did you mean \"players.yaml\"?"
    );
    assert_eq!(
        told("zzz"),
        "no file named zzz in this folder: big.json, players.yaml"
    );
    assert!(told("no/such/x").starts_with("no file named x there is no folder "));
    assert_eq!(
        told("."),
        "this is a folder, not a file in this folder: big.json, players.yaml"
    );
    assert_eq!(
        told("big.json"),
        "the file has more than 8192 KiB split the file"
    );
}

#[test]
fn mods_are_found_below_home_and_beside() {
    let (home, more) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    for path in [
        "scripts/demo/a.luau",
        "content/demo/a.yaml",
        "content/other/a.yaml",
        "scripts/README.md",
        "scripts/host.d.luau",
        "scripts/lost.luau",
        "scripts/Bad Name/a.luau",
    ] {
        write(&home, path, "x");
    }
    write(&more, "scripts/demo/a.luau", "x");
    write(&more, "scripts/extra/a.luau", "x");
    let (mods, findings) = discover_mods(
        home.path(),
        &[
            more.path().to_owned(),
            home.path().join("none"),
            home.path().join("content/.."),
            more.path().to_owned(),
        ],
    );
    let names: Vec<_> = mods
        .iter()
        .map(|one| (&*one.name, one.scripts.is_some(), one.content.is_some()))
        .collect();
    assert_eq!(
        names,
        [
            ("demo", true, true),
            ("extra", true, false),
            ("other", false, true)
        ]
    );
    assert_eq!(
        mods[0].scripts,
        Some(home.path().join("scripts/demo")),
        "the first one stays"
    );
    let codes: Vec<&str> = findings.iter().map(|one| &*one.code).collect();
    assert_eq!(
        codes,
        [
            "content/mod-name",
            "content/stray-file",
            "content/duplicate-mod",
            "content/missing-folder"
        ]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn hostile_names_and_bytes_are_taken_or_told(
        files in prop::collection::vec(("[^/\\x00]{1,12}|[a-z]{1,3}", prop::collection::vec(any::<u8>(), 0..16)), 0..6)
    ) {
        let root = TempDir::new().unwrap();
        for (name, bytes) in &files {
            if name != "." && name != ".." {
                fs::write(root.path().join(name), bytes).unwrap();
            }
        }
        let (tree, findings) = read(&root);
        for file in &tree.files {
            prop_assert!(file.path.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)));
            prop_assert!(!file.source.text().contains(['\0', '\r']));
        }
        for finding in &findings {
            prop_assert!(!finding.message.chars().any(char::is_control));
            let shown = crate::diag::render(finding, false);
            prop_assert!(!shown.contains('\u{1b}'), "an escape in a finding");
        }
        let kept = fs::read_dir(root.path()).unwrap().filter(|entry| !is_hidden_or_leftover(&entry.as_ref().unwrap().file_name().to_string_lossy())).count();
        prop_assert!(tree.files.len() <= kept && tree.files.len() + findings.len() >= kept);
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_is_named_is_not_reached_through_a_link_out_of_its_folder() {
    use std::os::unix::fs::symlink;
    let (root, outside) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write(&outside, "secret.txt", "secret");
    write(&root, "maps/a.txt", "a");
    let secret = outside.path().join("secret.txt");
    symlink(&secret, root.path().join("maps/b.txt")).unwrap();
    symlink(outside.path(), root.path().join("out")).unwrap();
    symlink(root.path().join("maps"), root.path().join("in")).unwrap();
    let refused = |path: &Path| {
        outside_link_refusal(root.path(), path).map(|finding| finding.code.to_string())
    };
    for inside in ["maps/a.txt", "in/a.txt", "./maps/a.txt", "not-there.txt"] {
        assert_eq!(refused(Path::new(inside)), None, "{inside}");
    }
    for out in ["maps/b.txt", "out/secret.txt"] {
        assert_eq!(
            refused(Path::new(out)).as_deref(),
            Some("content/link"),
            "{out}"
        );
    }
    // A file that the user names itself is accepted. A link to it is not.
    assert_eq!(refused(&secret), None);
    let whole = root.path().join("maps/b.txt");
    assert_eq!(refused(&whole).as_deref(), Some("content/link"));
    let hint = outside_link_refusal(root.path(), &whole).unwrap().hints[0].clone();
    assert!(hint.ends_with("secret.txt"), "{hint}");
}
