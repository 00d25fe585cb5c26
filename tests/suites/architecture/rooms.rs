//! Tests the order of the project's files: rooms use only lower rooms, circles are small, and paths
//! lead up at most two modules.

use std::collections::BTreeSet;

use super::file_dependencies::{Dependencies, dependencies_between_files, dependency_circles};
use super::source_files::rust_files;

/// A folder whose files are in rooms.
struct RoomFolder {
    folder: &'static str,
    /// The rooms from the lowest to the highest; rooms of one row do not use each other.
    rows: &'static [&'static [&'static str]],
    /// Files of the folder that are not yet in a room.
    unsorted: &'static [&'static str],
}

/// The rooms of `script`, from the machine up to the calls of a game.
const SCRIPT_ROOMS: RoomFolder = RoomFolder {
    folder: "host/src/script",
    rows: &[
        &["border"],
        &["fuel"],
        &["profile", "former_names"],
        &["raw"],
        &["source"],
        &["declare"],
        &["run"],
        &["rules"],
        &["host"],
        &["inquiry"],
        &["api"],
        &["engine"],
        &["load"],
        &["call"],
    ],
    unsorted: &[],
};

/// The rooms of `game`, from its rules up to the determinism checks.
const GAME_ROOMS: RoomFolder = RoomFolder {
    folder: "host/src/game",
    rows: &[
        &["rules"],
        &["timeline"],
        &["ruling"],
        &["question"],
        &["attempt"],
        &["completion"],
        &["command"],
        &["answer"],
        &["past"],
        &["report"],
        &["import"],
        &["session"],
        &["simulation"],
        &["determinism"],
        &["limits"],
    ],
    unsorted: &[],
};

/// The folders whose files are in rooms.
const ROOM_FOLDERS: [&RoomFolder; 2] = [&SCRIPT_ROOMS, &GAME_ROOMS];

/// The crates of the workspace.
const WORKSPACE_CRATES: [&str; 4] = ["host/src", "repl/src", "tests/src", "tests/suites"];

/// The largest number of files in one circle; a larger circle cannot be understood file by file.
const MAX_CIRCLE_FILES: usize = 5;

impl RoomFolder {
    /// Returns the first name below the folder on the path to a file; nothing for the file that
    /// declares the rooms.
    fn room_of_file<'a>(&self, file: &'a str) -> Option<&'a str> {
        let inner = file.strip_prefix(self.folder)?.strip_prefix('/')?;
        let name = inner.split('/').next()?.trim_end_matches(".rs");
        (name != "mod").then_some(name)
    }

    fn row_of_room(&self, name: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.contains(&name))
    }

    /// Returns the files outside of all rooms, and the names of `unsorted` that no file has any
    /// longer.
    fn files_in_no_room(&self, files: &[&str]) -> Vec<String> {
        let names: BTreeSet<&str> = files
            .iter()
            .filter_map(|file| self.room_of_file(file))
            .collect();
        let is_known =
            |name: &&str| self.row_of_room(name).is_some() || self.unsorted.contains(name);
        let homeless = names.iter().filter(|name| !is_known(name));
        let homeless = homeless.map(|name| format!("{}/{name} lies in no room", self.folder));
        let gone = self.unsorted.iter().filter(|name| !names.contains(*name));
        let gone = gone.map(|name| format!("{}/{name} is sorted now", self.folder));
        homeless.chain(gone).collect()
    }

    /// Returns the dependencies that lead to a room that is not lower.
    fn upward_dependencies(&self, arrows: &Dependencies) -> Vec<String> {
        let place = |file: &str| {
            let name = self.room_of_file(file)?;
            Some((self.row_of_room(name)?, name.to_owned()))
        };
        let all = arrows
            .iter()
            .flat_map(|(file, used)| used.iter().map(move |used| (file, used)));
        let wrong = all.filter(|(file, used)| match (place(file), place(used)) {
            (Some((from, room)), Some((to, other))) => to >= from && room != other,
            _ => false,
        });
        wrong
            .map(|(file, used)| format!("{file} uses {used}"))
            .collect()
    }
}

#[test]
fn rooms() {
    let files = rust_files("host/src");
    let arrows = dependencies_between_files("host/src", &files);
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    for house in ROOM_FOLDERS {
        assert_eq!(house.files_in_no_room(&paths), Vec::<String>::new());
        assert_eq!(house.upward_dependencies(&arrows), Vec::<String>::new());
    }
}

#[test]
fn no_room_is_named_twice() {
    for house in [SCRIPT_ROOMS, GAME_ROOMS] {
        let rooms: Vec<&&str> = house.rows.iter().copied().flatten().collect();
        let once: BTreeSet<&&&str> = rooms.iter().collect();
        assert_eq!(rooms.len(), once.len(), "{}", house.folder);
    }
}

#[test]
fn no_large_circles() {
    let mut wrong = Vec::new();
    for folder in WORKSPACE_CRATES {
        let arrows = dependencies_between_files(folder, &rust_files(folder));
        let found = oversized_circles(&arrows).into_iter();
        wrong.extend(found.map(|circle| format!("{} files: {circle:?}", circle.len())));
    }
    assert_eq!(wrong, Vec::<String>::new());
}

fn oversized_circles(arrows: &Dependencies) -> Vec<BTreeSet<&str>> {
    let circles = dependency_circles(arrows).into_iter();
    circles
        .filter(|circle| circle.len() > MAX_CIRCLE_FILES)
        .collect()
}

#[test]
fn no_way_leads_up_three_modules() {
    let files = WORKSPACE_CRATES
        .iter()
        .flat_map(|folder| rust_files(folder));
    let wrong: Vec<String> = files
        .filter(|file| names_three_modules_up(&file.code))
        .map(|file| file.path)
        .collect();
    assert_eq!(wrong, Vec::<String>::new(), "write `crate::` there");
}

/// Returns whether code names an item three modules above it.
fn names_three_modules_up(code: &str) -> bool {
    code.contains(&["super"; 3].join("::"))
}

#[cfg(test)]
mod tests {
    use super::super::source_files::File;
    use super::*;

    const TOY_ROOMS: RoomFolder = RoomFolder {
        folder: "host/src/toy",
        rows: &[&["low"], &["left", "right"], &["high"]],
        unsorted: &["old"],
    };

    fn dependencies_of_toy_files(files: &[(&str, &str)]) -> Dependencies {
        let files: Vec<File> = files
            .iter()
            .map(|(path, code)| File {
                path: format!("host/src/{path}"),
                text: (*code).to_owned(),
                code: (*code).to_owned(),
            })
            .collect();
        dependencies_between_files("host/src", &files)
    }

    fn count_upward_dependencies(files: &[(&str, &str)]) -> usize {
        TOY_ROOMS
            .upward_dependencies(&dependencies_of_toy_files(files))
            .len()
    }

    #[test]
    fn an_arrow_leads_to_a_lower_room() {
        let rooms = [
            ("toy/mod.rs", "mod low; pub use high::D;"),
            ("toy/left.rs", "pub struct B;"),
            ("toy/right.rs", "pub struct C;"),
            ("toy/high/mod.rs", "pub mod d; pub use d::D;"),
            ("toy/high/d.rs", "pub struct D;"),
            ("toy/old.rs", "use super::high::D;"),
        ];
        let with = |path: &'static str, code: &'static str| {
            count_upward_dependencies(&[&rooms[..], &[(path, code)]].concat())
        };
        assert_eq!(
            with("toy/high/e.rs", "use crate::toy::left::B; use super::d::D;"),
            0
        );
        for up in [
            "use crate::toy::high::d::D;",
            "use crate::toy::high::D;",
            "use crate::toy::D;",
            "pub use crate::toy::high::d::D;",
            "use super::super::left::B;",
            "fn f() { crate::toy::right::C; }",
            "use crate::toy::high; fn f() { high::d::D; }",
            "use crate::toy::{right::{C as E}};",
        ] {
            assert_eq!(with("toy/low/a.rs", up), 1, "{up}");
        }
        for fine in [
            "pub use crate::other::D;",
            "use crate::toy::old::X;",
            "#[cfg(test)]\nmod tests { use crate::toy::D; }",
        ] {
            assert_eq!(with("toy/low/a.rs", fine), 0, "{fine}");
        }
        let row = [("toy/left.rs", "use super::right::C;"), rooms[2]];
        assert_eq!(
            count_upward_dependencies(&row),
            1,
            "neighbours do not know each other"
        );
        let tests = [
            rooms[3],
            rooms[4],
            ("toy/low.rs", "#[cfg(test)] mod trial;"),
            ("toy/low/trial.rs", "use crate::toy::high::D;"),
        ];
        assert_eq!(count_upward_dependencies(&tests), 0, "tests may use all");
    }

    #[test]
    fn every_file_lies_in_a_room() {
        let files = [
            "host/src/toy/low/a.rs",
            "host/src/toy/new.rs",
            "host/src/b.rs",
        ];
        let wrong = [
            "host/src/toy/new lies in no room",
            "host/src/toy/old is sorted now",
        ];
        assert_eq!(TOY_ROOMS.files_in_no_room(&files), wrong);
    }

    #[test]
    fn six_files_in_a_circle_are_too_many() {
        let ring = |many: usize| {
            let file = |at: usize| {
                let next = (at + 1) % many;
                (format!("f{at}.rs"), format!("use crate::f{next}::X{next};"))
            };
            let files: Vec<(String, String)> = (0..many).map(file).collect();
            let files = files
                .iter()
                .map(|(path, code)| (path.as_str(), code.as_str()));
            oversized_circles(&dependencies_of_toy_files(&files.collect::<Vec<_>>())).len()
        };
        assert_eq!((ring(5), ring(6)), (0, 1));
    }

    #[test]
    fn three_modules_up_are_too_many() {
        assert!(names_three_modules_up(&format!(
            "use {}::X;",
            ["super"; 3].join("::")
        )));
        assert!(!names_three_modules_up("use super::super::X;"));
    }
}
