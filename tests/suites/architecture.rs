//! Checks the invariants of the project in its own sources.

mod file_dependencies;
mod impl_places;
mod rooms;
mod rust_paths;
mod scripts;
mod session_values;
pub(crate) mod source_files;

use std::collections::{BTreeMap, BTreeSet};

use arbiter_tests::project;

use source_files::rust_files;

/// The modules of the host from the lowest to the highest; modules of one row do not use each
/// other.
const HOST_MODULE_LAYERS: [&[&str]; 7] = [
    &["diag"],
    &["value"],
    &["expr"],
    &["content", "dice", "doc", "store", "text", "thread"],
    &["words"],
    &["script"],
    &["game"],
];

/// Words of rule systems that are not names of rulesets; the host uses rows, records, phrases and
/// documents.
const RULE_WORDS: [&str; 30] = [
    "cantrip",
    "citizen",
    "disguise",
    "disguising",
    "dungeon",
    "dungeons",
    "fortune",
    "fumble",
    "ghast",
    "gndt",
    "goblin",
    "grappled",
    "infect",
    "initiative",
    "legendary",
    "lynch",
    "lynched",
    "mafia",
    "monster",
    "monsters",
    "opend6",
    "paladin",
    "prone",
    "spell",
    "spells",
    "villager",
    "werewolf",
    "wolf",
    "wolves",
    "wwrf",
];

#[test]
fn layers() {
    let place = |module: &str| {
        HOST_MODULE_LAYERS
            .iter()
            .position(|row| row.contains(&module))
    };
    let mut wrong = Vec::new();
    for file in rust_files("host/src") {
        let Some(own) = file.host_module() else {
            continue;
        };
        let Some(height) = place(&own) else {
            wrong.push(format!("{}: the module {own} has no layer", file.path));
            continue;
        };
        for used in file.used_host_modules() {
            if used != own && place(&used).is_none_or(|of_used| of_used >= height) {
                wrong.push(format!("{} uses {used}", file.path));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn no_rules_in_host() {
    let rulesets = std::fs::read_dir(project().join("scripts")).expect("there are scripts");
    let rulesets = rulesets
        .filter_map(Result::ok)
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut words: Vec<String> = rulesets
        .filter(|name| name != "library" && name != "features")
        .collect();
    words.extend(RULE_WORDS.map(str::to_owned));
    let mut found = Vec::new();
    for file in source_files::files_with_endings("host/src", &["rs", "luau", "txt", "md"]) {
        for word in file.text.split(|c: char| !c.is_alphanumeric()) {
            if words.contains(&word.to_lowercase()) {
                found.push(format!("{}: {word}", file.path));
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn one_mutator() {
    let state = rust_files("host/src/store/state.rs").remove(0);
    let (_, body) = state
        .code
        .split_once("pub struct State {")
        .expect("the state is a struct");
    let (body, _) = body.split_once('}').expect("it ends");
    let fields: Vec<&str> = body
        .split(',')
        .filter_map(|line| line.split_once(':'))
        .map(|(head, _)| head.trim())
        .collect();
    assert!(fields.len() > 5, "{fields:?}");
    let names: Vec<&str> = fields
        .iter()
        .filter_map(|field| field.strip_prefix("pub(super) "))
        .collect();
    assert_eq!(
        names.len(),
        fields.len(),
        "every field is for the store alone: {fields:?}"
    );
    let mut wrong = Vec::new();
    for file in rust_files("host/src/store") {
        if file.path.starts_with("host/src/store/apply") || file.path.contains("/tests") {
            continue;
        }
        for body in file
            .block_bodies("impl State {")
            .into_iter()
            .chain(file.block_bodies("for State {"))
        {
            if body.contains("&mut self") || body.contains("mut self") {
                wrong.push(format!("{}: a method changes the state", file.path));
            }
        }
        for name in &names {
            if file.code.contains("&mut State") && file.reads_field("state", name) {
                wrong.push(format!("{}: state.{name} beside a &mut State", file.path));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn pure_rulings() {
    let runner = rust_files("repl/src/transcript");
    assert!(
        runner
            .iter()
            .any(|file| file.code.contains("submit_twice(")),
        "tests run every command twice"
    );
    let once: Vec<String> = runner
        .into_iter()
        .filter(|file| file.code.contains(".submit("))
        .map(|file| file.path)
        .collect();
    assert_eq!(once, Vec::<String>::new(), "and none of them once");
}

#[test]
fn engine_in_one_place() {
    assert_crate_only_in("mlua", &["host/src", "repl/src"], &["host/src/script/"]);
}

#[test]
fn crates_in_one_place() {
    assert_crate_only_in(
        "serde_yaml",
        &["host/src", "repl/src"],
        &["host/src/content/yaml"],
    );
    assert_crate_only_in(
        "notify",
        &["host/src", "repl/src"],
        &["host/src/script/load/folder_watch.rs"],
    );
    assert_crate_only_in(
        "rustyline",
        &["host/src", "repl/src"],
        &["repl/src/editor.rs", "repl/src/editor/key_handler.rs"],
    );
    assert_crate_only_in(
        "rustix",
        &["host/src", "repl/src"],
        &[
            "host/src/content/files/folder.rs",
            "host/src/script/fuel/budget_clock.rs",
            "repl/src/editor/stray_bytes.rs",
        ],
    );
    assert_crate_only_in(
        "postcard",
        &["host/src", "repl/src"],
        &[
            "host/src/script/border/table_bytes",
            "host/src/script/rules/file_facts.rs",
        ],
    );
    assert_crate_only_in(
        "html5gum",
        &["host/src", "repl/src"],
        &["host/src/thread/html_tree.rs"],
    );
    assert_crate_only_in(
        "chrono",
        &["host/src", "repl/src"],
        &["host/src/thread/time.rs"],
    );
    assert_crate_only_in(
        "full_moon",
        &["host/src", "repl/src"],
        &[
            "host/src/script/source/former_options.rs",
            "host/src/script/source/kept_state_lint.rs",
            "host/src/script/source/record_literals.rs",
            "host/src/script/source/source_places.rs",
            "host/src/script/source/undeclared_names.rs",
        ],
    );
}

/// Reports each file of some folders that names a crate outside its allowed places.
fn assert_crate_only_in(word: &str, folders: &[&str], places: &[&str]) {
    let files = folders.iter().flat_map(|folder| rust_files(folder));
    let naming = files.filter(|file| file.code_words().any(|found| found == word));
    let wrong: Vec<String> = naming
        .map(|file| file.path)
        .filter(|path| !places.iter().any(|place| path.starts_with(place)))
        .collect();
    assert_eq!(
        wrong,
        Vec::<String>::new(),
        "{word} is named only in {places:?}"
    );
}

#[test]
fn disk_in_four_places() {
    let places = [
        "host/src/content/cache.rs",
        "host/src/content/files",
        "host/src/script/load/folder_watch.rs",
        "host/src/store/archive",
    ];
    let calls = [
        "std::fs",
        "fs::",
        "File::open",
        "File::create",
        "OpenOptions",
        "read_dir(",
        ".exists()",
        ".is_dir()",
        ".is_file()",
        ".is_symlink()",
        ".canonicalize(",
        ".metadata(",
        ".symlink_metadata(",
        ".read_link(",
        ".try_exists(",
        "std::io::stdin",
        "std::net",
        "std::process",
        "std::env",
    ];
    let mut wrong = Vec::new();
    for file in rust_files("host/src") {
        if places.iter().any(|place| file.path.starts_with(place)) {
            continue;
        }
        for call in calls
            .iter()
            .filter(|call| file.code_without_tests().contains(*call))
        {
            wrong.push(format!("{}: {call}", file.path));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn only_repl_prints() {
    let calls = [
        "println!",
        "print!(",
        "eprintln!",
        "eprint!(",
        "dbg!(",
        "io::stdout",
        "io::stderr",
    ];
    let mut wrong = Vec::new();
    for file in rust_files("host/src") {
        for call in calls.iter().filter(|call| file.code.contains(*call)) {
            wrong.push(format!("{}: {call}", file.path));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn unsafe_in_one_place() {
    assert_crate_only_in(
        "unsafe",
        &["host/src", "repl/src", "tests/src"],
        &["host/src/script/raw/"],
    );
    let allows: Vec<String> = rust_files("host/src")
        .into_iter()
        .chain(rust_files("repl/src"))
        .filter(|file| file.code.contains("allow(unsafe_code)"))
        .map(|file| file.path)
        .collect();
    assert_eq!(allows, ["host/src/script/raw/mod.rs"]);
    let mut wrong = Vec::new();
    for file in rust_files("host/src/script/raw") {
        for (number, line) in file.text.lines().enumerate() {
            let opens = line.contains("unsafe {") && !line.trim_start().starts_with("//");
            let above = file.text.lines().take(number).collect::<Vec<&str>>();
            if opens && !has_safety_comment(&above) {
                wrong.push(format!("{}:{}", file.path, number + 1));
            }
        }
    }
    assert_eq!(
        wrong,
        Vec::<String>::new(),
        "each unsafe block says why it is safe"
    );
}

/// All functions with unsafe code, by file, each with its benefit.
const UNSAFE_FUNCTIONS: [(&str, &str, &str); 10] = [
    (
        "atom",
        "atom_of_text from_stack install_atoms",
        "a name is a number: fast methods know their arguments by it",
    ),
    (
        "callback_panics",
        "keep_panic raise_panic",
        "panics go around the frames of the machine",
    ),
    (
        "error_reporting_call",
        "call_reporting_errors error_reporting_call note_raised_error raised_text",
        "an error names its line although memory ran out, which allows nothing else to look",
    ),
    (
        "fast_function",
        "answer_call answer_sampled_call each_entry fast_function",
        "a stat read takes 2.0 empty calls, a write 2.5, `exists` 1.6; `rows` wins 15 % of an encounter: the benchmark `raced` tells the shares in whole games",
    ),
    (
        "interrupt",
        "enforce_limits inherit_thread_data install_interrupt interrupt interrupt_and_sample set_thread_data",
        "a safe point costs a tenth of what it costs through mlua",
    ),
    (
        "protected_call",
        "call_protected place_reporting_protected_call protected_call",
        "that memory ran out is known by a flag, not by a message",
    ),
    (
        "stack_arguments",
        "from_stack from_stack_args from_stack_multi",
        "wrong arguments are refused by name; numbers and texts come without a detour",
    ),
    (
        "stack_frames",
        "bytes_of_c_text new next with_frames",
        "the profiler and errors see the frames where nothing may be allocated",
    ),
    (
        "stack_results",
        "give_values push_entry push_into_stack push_large push_nested push_rows push_text push_value",
        "a stat read takes 2.0 empty calls instead of 3.5, a method with two results 2.1 instead of 5.8; a list of read values goes the same way",
    ),
    (
        "stack_slot",
        "atom has_declared_layout number table text",
        "fast methods read their arguments without calls",
    ),
];

#[test]
fn unsafe_code_is_worth_it() {
    let mut found = Vec::new();
    for file in rust_files("host/src/script/raw") {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        let name = name.trim_end_matches(".rs");
        let functions = unsafe_functions(&file.code);
        if name != "tests" && !functions.is_empty() {
            let functions: Vec<&str> = functions.into_iter().collect();
            found.push((name.to_owned(), functions.join(" ")));
        }
    }
    found.sort();
    let listed: Vec<(String, String)> = UNSAFE_FUNCTIONS
        .iter()
        .map(|(file, functions, _)| ((*file).to_owned(), (*functions).to_owned()))
        .collect();
    assert_eq!(
        found, listed,
        "each unsafe function stands in the list with what it wins"
    );
    assert!(UNSAFE_FUNCTIONS.iter().all(|(_, _, wins)| !wins.is_empty()));
}

/// Returns the functions of a file that contain the word `unsafe`.
fn unsafe_functions(code: &str) -> BTreeSet<&str> {
    let mut last = "";
    let mut found = BTreeSet::new();
    for line in code.lines() {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        let is_unsafe = words.clone().any(|word| word == "unsafe");
        if words.any(|word| word == "fn") {
            last = words.next().unwrap_or_default();
        }
        if is_unsafe {
            found.insert(last);
        }
    }
    found
}

/// Returns whether the comment directly above a block begins with `SAFETY:`. The statement that
/// contains the block may stand in between.
fn has_safety_comment(above: &[&str]) -> bool {
    let near = above.iter().rev().take(6).map(|line| line.trim());
    let mut near = near.take_while(|line| !line.is_empty() && !line.ends_with('}'));
    near.any(|line| line.starts_with("// SAFETY:"))
}

#[test]
fn every_file_says_what_it_is() {
    let mut wrong = Vec::new();
    for folder in ["host/src", "repl/src", "tests/src", "tests/suites"] {
        for file in rust_files(folder) {
            let first = file.text.lines().next().unwrap_or_default();
            let text = first.strip_prefix("//! ").unwrap_or_default();
            let is_stated = text.starts_with(char::is_uppercase);
            // The content is compared, not only its presence.
            if !is_stated || text.starts_with("This module") {
                wrong.push(format!("{}: {first}", file.path));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn stable_order() {
    let manifest =
        std::fs::read_to_string(project().join("Cargo.toml")).expect("there is a manifest");
    for lint in [
        "iter_over_hash_type",
        "unwrap_used",
        "print_stdout",
        "print_stderr",
        "dbg_macro",
        "todo",
        "semicolon_if_nothing_returned",
        "uninlined_format_args",
        "match_wildcard_for_single_variants",
        "disallowed_methods",
        "disallowed_types",
        "unreachable_pub",
    ] {
        assert!(
            manifest.contains(&format!("{lint} = \"warn\"")),
            "the lint {lint} is on"
        );
    }
    assert!(manifest.contains("unsafe_code = \"deny\""));
    for member in ["host", "repl", "tests"] {
        let text = std::fs::read_to_string(project().join(member).join("Cargo.toml"))
            .expect("a member has a manifest");
        assert!(
            text.contains("[lints]\nworkspace = true"),
            "{member} keeps the lints of the workspace"
        );
    }
    let allowed: Vec<String> = rust_files("host/src")
        .into_iter()
        .filter(|file| file.code.contains("clippy::iter_over_hash_type"))
        .map(|file| file.path)
        .collect();
    assert_eq!(allowed, Vec::<String>::new(), "and nobody leaves them");
}

#[test]
fn every_ban_has_its_reason() {
    let text =
        std::fs::read_to_string(project().join("clippy.toml")).expect("clippy is configured");
    let bans: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("path = "))
        .collect();
    assert!(bans.len() > 3);
    for ban in bans {
        let reason = ban
            .split_once("reason = \"")
            .and_then(|(_, rest)| rest.split('"').next())
            .unwrap_or_default();
        assert!(reason.len() > 20, "{ban}");
    }
}

#[test]
fn exceptions_have_their_reason() {
    let mut wrong = Vec::new();
    for file in rust_files("host/src")
        .into_iter()
        .chain(rust_files("repl/src"))
    {
        let attributes = file
            .code
            .match_indices("#[allow(")
            .chain(file.code.match_indices("#[expect("));
        for (at, _) in attributes {
            let attribute = file.code[at..].split(")]").next().unwrap_or_default();
            if !attribute.contains("reason = ") {
                wrong.push(format!("{}: {attribute})]", file.path));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn files_stay_readable() {
    let sizes: BTreeMap<String, usize> = rust_files("host/src")
        .into_iter()
        .chain(rust_files("repl/src"))
        .filter(|file| !file.path.contains("tests"))
        .map(|file| (file.path, file.text.lines().count()))
        .filter(|(_, lines)| *lines > 700)
        .collect();
    assert_eq!(
        sizes,
        BTreeMap::new(),
        "a file of this length holds several ideas"
    );
}
