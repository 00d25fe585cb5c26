//! Makes toy games in a temporary folder for the tests of this crate.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use arbiter_tests::{Scratch, files_below};
use host::game::{Home, Reply, Seed, Solo};

use crate::arguments::Sync;
use crate::game_thread::{Start, Wanted, open_session};
use crate::save_pack_open::Disk;

/// Files of the toy that the program's own tests need besides the shipped ones.
const FILES: [(&str, &str); 5] = [
    (
        "content/mini/people/ann.yaml",
        "source: the program's own tests\nname: Ann\n",
    ),
    (
        "content/mini/people/hill-guard.yaml",
        "source: the program's own tests\nname: Hill Guard\n",
    ),
    (
        "scripts/mini/commands/cheer.luau",
        r#"--!strict
return command {
  source = "the program's own tests", summary = "makes somebody feel better",
  syntax = "cheer {person: Person} [by {amount: Integer}]",
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

/// A home with the toy ruleset and a few more files; there are no tests in it yet.
pub(crate) struct Toy {
    home: Scratch,
}

impl Toy {
    /// Returns a fresh home.
    pub(crate) fn new() -> Toy {
        let home = Scratch::mini();
        for file in files_below(home.path()) {
            if file.to_string_lossy().contains(".test.") {
                fs::remove_file(file).expect("the file is there");
            }
        }
        let toy = Toy { home };
        for (path, text) in FILES {
            toy.write(path, text);
        }
        toy
    }

    /// Returns a path in the home.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    /// Writes a file of the home.
    pub(crate) fn write(&self, path: &str, text: &str) {
        self.home.write(path, text);
    }

    /// Returns the home.
    pub(crate) fn home(&self) -> Home {
        self.home.home()
    }

    /// Returns the start of a game of the toy.
    pub(crate) fn start(&self) -> Start {
        Start {
            home: self.home(),
            game: Wanted::New {
                ruleset: "mini".to_owned(),
                seed: Seed::from_text("toy"),
                folder: None,
            },
            disk: Disk {
                games: self.path("games"),
                sync: Sync::Each,
            },
            profiler: None,
            cache: None,
        }
    }

    /// Returns a session of the toy.
    pub(crate) fn solo(&self) -> Solo {
        open_session(self.start(), Arc::default())
            .expect("the toy loads")
            .0
    }
}

/// Returns the text of a reply: its documents, else the reason of its refusal.
pub(crate) fn reply_text(reply: &Reply) -> String {
    let documents = reply.documents.iter().map(host::doc::plain);
    let refusal = reply
        .refusal
        .iter()
        .map(|refusal| format!("{}: {}", refusal.code, refusal.message));
    documents.chain(refusal).collect::<Vec<_>>().join("\n")
}
