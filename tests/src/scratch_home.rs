//! Home folders for tests: the project itself, and temporary copies of the toy ruleset.

use std::fs;
use std::path::{Path, PathBuf};

use host::game::Home;
use tempfile::TempDir;

use crate::folder_copy;

/// Returns the folder of the project.
pub fn project() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests
        .parent()
        .expect("the tests lie in the project")
        .to_path_buf()
}

/// Returns every file below a folder, sorted; a folder that does not exist has none.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
    {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A home folder of its own with the library and the toy ruleset; it is removed when this value is dropped.
pub struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// Returns a home without any file.
    pub fn empty() -> Scratch {
        let folder = TempDir::new().expect("a folder for temporary files");
        Scratch { folder }
    }

    /// Returns a fresh copy of the library and the toy ruleset.
    pub fn mini() -> Scratch {
        Scratch::of_toy_ruleset("mini")
    }

    /// Returns a fresh copy of the library and the tutorial ruleset.
    pub fn harbour() -> Scratch {
        Scratch::of_toy_ruleset("harbour")
    }

    /// Returns a fresh copy of the library and a shipped ruleset.
    pub fn shipped(ruleset: &str) -> Scratch {
        Scratch::copy_of_ruleset(&project(), ruleset)
    }

    /// Lets several rulings of the tutorial ruleset wait at the same time.
    pub fn let_several_rulings_wait(&self) -> &Scratch {
        let ruleset = "scripts/harbour/ruleset.luau";
        self.edit(ruleset, "one_at_a_time = true", "one_at_a_time = false")
    }

    /// Returns a copy of the toy ruleset with listeners: moods (`whim`, records whose field `whim` names one) and rules
    /// for the whole game (`custom`).
    pub fn with_listener_collections() -> Scratch {
        let home = Scratch::mini();
        let records = "{ kind = \"whim\", field = \"whim\" }";
        for (collection, elements) in [("whim", records), ("custom", "\"game\"")] {
            home.write(
                &format!("scripts/mini/schemas/{collection}.luau"),
                format!(
                    "return schema {{ source = \"x\", summary = \"what hears events\",
  folder = \"{collection}s\", format = \"luau\", listeners = {elements}, keys = {{ source = \"string\" }} }}"
                ),
            );
        }
        home
    }

    /// Returns a copy of the toy ruleset with commands that ask, that are refused, and that have many effects at once.
    pub fn with_lasting_commands() -> Scratch {
        let home = Scratch::mini();
        for (name, body) in LASTING {
            home.write(&format!("scripts/mini/commands/{name}.luau"), body);
        }
        home
    }

    /// Leaves the folder in place, so that people can read it.
    pub fn keep_folder(self) -> PathBuf {
        self.folder.keep()
    }

    fn of_toy_ruleset(ruleset: &str) -> Scratch {
        Scratch::copy_of_ruleset(&project().join("tests/mini"), ruleset)
    }

    /// Copies the library, and a ruleset of a folder.
    fn copy_of_ruleset(from: &Path, ruleset: &str) -> Scratch {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let home = Scratch { folder };
        home.copy(&project().join("scripts/library"), "scripts/library");
        for part in ["scripts", "content"] {
            let place = format!("{part}/{ruleset}");
            home.copy(&from.join(&place), &place);
        }
        home
    }

    /// Returns the path of the home.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the home for sessions.
    pub fn home(&self) -> Home {
        Home {
            folder: self.path().to_path_buf(),
            mods: Vec::new(),
            content: None,
        }
    }

    /// Writes a file and the folders above it.
    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> &Scratch {
        folder_copy::write_file(self.path(), path, bytes);
        self
    }

    /// Writes a command of the toy ruleset that has the syntax of its name and runs `body`.
    pub fn command(&self, name: &str, body: &str) -> &Scratch {
        self.impure_command(name, "", body)
    }

    /// Writes a mood of [`Scratch::with_listener_collections`] with these handlers.
    pub fn whim(&self, name: &str, handlers: &str) -> &Scratch {
        self.write_listener("whim", name, handlers)
    }

    /// Writes a rule for the whole game of [`Scratch::with_listener_collections`] with these handlers.
    pub fn custom(&self, name: &str, handlers: &str) -> &Scratch {
        self.write_listener("custom", name, handlers)
    }

    fn write_listener(&self, collection: &str, name: &str, handlers: &str) -> &Scratch {
        self.write(
            &format!("scripts/mini/{collection}s/{name}.luau"),
            format!("return {collection} {{ source = \"x\", on = {{ {handlers} }} }}"),
        )
    }

    /// Writes a command like `command`, with lines of Luau above it that every run shares: no rule should have them.
    pub fn impure_command(&self, name: &str, above: &str, body: &str) -> &Scratch {
        self.write(
            &format!("scripts/mini/commands/{name}.luau"),
            command_source(name, above, body),
        )
    }

    /// Replaces a text in a file, which must contain it.
    pub fn edit(&self, path: &str, old: &str, new: &str) -> &Scratch {
        let text = fs::read_to_string(self.path().join(path)).expect("the file is there");
        assert!(text.contains(old), "{path} does not hold {old}");
        self.write(path, text.replace(old, new))
    }

    /// Removes a file.
    pub fn remove(&self, path: &str) -> &Scratch {
        fs::remove_file(self.path().join(path)).expect("the file is there");
        self
    }

    /// Copies every file below a folder.
    pub fn copy(&self, from: &Path, to: &str) {
        for (inner, bytes) in folder_copy::files_by_path(from) {
            self.write(&format!("{to}/{inner}"), bytes);
        }
    }
}

/// Returns the source of a command; a text that `body` returns is shown.
pub(crate) fn command_source(name: &str, above: &str, body: &str) -> String {
    let words = name.replace('-', " ");
    format!(
        "{above}
local function body(act, args)
{body}
end
return command {{
  source = \"the host's own tests\", summary = \"a test\", syntax = \"{words}\",
  run = function(act, args)
    local result = body(act, args)
    if type(result) == \"string\" then
      return act:done(result)
    end
    return result
  end,
}}
"
    )
}

/// Commands of [`Scratch::with_lasting_commands`].
const LASTING: [(&str, &str); 4] = [
    (
        "dare",
        "return command { source = \"the host's own tests\", summary = \"asks once\", syntax = \"dare {person: Person}\",
  run = function(act, args)
    local sure = act:ask({ to = \"gm\", key = \"sure\", type = \"YesNo\", text = \"Sure?\" })
    act:set(args.person, \"mood\", if sure then 9 else 1)
    return act:done(\"dared\")
  end }",
    ),
    (
        "duel",
        "return command { source = \"the host's own tests\", summary = \"asks twice, with dice between\", syntax = \"duel\",
  run = function(act)
    local first = act:ask({ to = \"Ann\", key = \"first\", type = \"YesNo\", text = \"First?\" })
    local face = act:roll(\"d20\", \"duel\")
    local second = act:ask({ to = \"Bo\", key = \"second\", type = \"YesNo\", text = `{face}: second?` })
    act:set(\"ann\", \"mood\", face + if first then 20 else 0)
    act:set(\"bo\", \"mood\", if second then 30 else face)
    return act:done(`fought: {face}`)
  end }",
    ),
    (
        "raise",
        "return command { source = \"the host's own tests\", summary = \"raises or lowers a guard\", syntax = \"raise {person: Person} to {guard: Integer}\",
  run = function(act, args)
    act:set(args.person, \"guard\", args.guard)
    return act:done(\"raised\")
  end }",
    ),
    (
        "hoard",
        "return command { source = \"the host's own tests\", summary = \"leads to more than a line of a journal holds\", syntax = \"hoard {much: Integer}\",
  run = function(act, args)
    for number = 1, 350 do
      act:create(\"heap\", { what = string.rep(`{args.much}-{number} `, 600) })
    end
    return act:done(\"hoarded\")
  end }",
    ),
];
