//! This module makes toy games in a temporary folder for the tests of this crate.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use host::game::{Home, Reply, Seed, Session};
use tempfile::TempDir;

use crate::game_thread::{Start, open_session};

const FILES: [(&str, &str); 7] = [
    (
        "scripts/library/contracts/command.luau",
        include_str!("../../scripts/library/contracts/command.luau"),
    ),
    (
        "scripts/mini/ruleset.luau",
        r#"--!strict
return ruleset {
  source = "the program's own tests", name = "Mini", summary = "A toy.",
  stats = { mood = { base = 3, summary = "how somebody feels" } },
  types = { Person = { kind = "person" } },
  setup = function(act)
    act:create("person", { name = "Ann" }, "ann")
    act:create("person", { name = "Hill Guard", secret = "spy" }, "hill-guard")
  end,
  test = function(act, settings)
    for key, value in settings do
      if key ~= "mood" then return act:fail("setting", `there is no setting {key}`) end
      act:set("ann", "mood", tonumber(value))
    end
  end,
}
"#,
    ),
    (
        "scripts/mini/commands/mood.luau",
        r#"--!strict
return command {
  source = "the program's own tests", summary = "tells how somebody feels",
  syntax = "mood {person: Person}", query = true,
  run = function(act, args) return act:done(`{act:get(args.person, "name")} feels {act:get(args.person, "mood")}.`) end,
}
"#,
    ),
    (
        "scripts/mini/commands/cheer.luau",
        r#"--!strict
return command {
  source = "the program's own tests", summary = "makes somebody feel better",
  syntax = "cheer {person: Person} [by {amount: Whole}]",
  run = function(act, args)
    local amount = args.amount or 1
    if amount > 5 then return act:fail("too-much", `{amount} is too much`, "at most 5") end
    act:add(args.person, "mood", amount)
    act:say("gm", `{args.person} was cheered`)
    return act:done(`cheered by {act:by()}`)
  end,
}
"#,
    ),
    (
        "scripts/mini/commands/throw.luau",
        r#"--!strict
return command {
  source = "the program's own tests", summary = "rolls dice",
  syntax = "throw {dice: Dice}",
  run = function(act, args) return act:done(act:roll_tree(args.dice, "throw").text) end,
}
"#,
    ),
    (
        "scripts/mini/commands/spin.luau",
        r#"--!strict
return command {
  source = "the program's own tests", summary = "never ends",
  syntax = "spin",
  run = function(act) while true do end end,
}
"#,
    ),
    (
        "scripts/mini/pipeline/sum.luau",
        "--!strict\nlocal sum = {}\nfunction sum.of(a, b) return a + b end\nreturn sum\n",
    ),
];

/// A home with the ruleset `mini`.
pub(crate) struct Toy {
    folder: TempDir,
}

impl Toy {
    /// Returns a fresh home.
    pub(crate) fn new() -> Toy {
        let toy = Toy {
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        for (path, text) in FILES {
            toy.write(path, text);
        }
        fs::create_dir_all(toy.path("content/mini")).unwrap();
        toy
    }

    /// Returns a path in the home.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(Path::new(path))
    }

    /// Writes a file of the home.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Returns the home.
    pub(crate) fn home(&self) -> Home {
        Home {
            folder: self.folder.path().to_path_buf(),
            mods: Vec::new(),
        }
    }

    /// Returns what a game of the toy begins with.
    pub(crate) fn start(&self) -> Start {
        Start {
            home: self.home(),
            ruleset: "mini".to_owned(),
            seed: Seed::from_text("toy"),
        }
    }

    /// Returns a session of the toy.
    pub(crate) fn session(&self) -> Session {
        open_session(self.start(), Arc::default())
            .expect("the toy loads")
            .0
    }
}

/// Returns the text of a reply: its documents, else why it was refused.
pub(crate) fn text(reply: &Reply) -> String {
    let documents = reply.documents.iter().map(host::doc::plain);
    let refusal = reply
        .refusal
        .iter()
        .map(|refusal| format!("{}: {}", refusal.code, refusal.message));
    documents.chain(refusal).collect::<Vec<_>>().join("\n")
}
