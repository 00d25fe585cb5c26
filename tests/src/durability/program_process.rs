//! The program in its own process, which plays lines of a pipe until it is killed.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// A line that is not a command: its refusal names the number of the line, so all lines before it were answered.
const FENCE: &str = "@";

/// The running program.
pub(crate) struct Talk {
    child: Child,
    output: Receiver<String>,
    reader: JoinHandle<()>,
    writer: JoinHandle<()>,
    seen: Seen,
}

/// Output on the screen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// Whether there was any output.
    pub(crate) anything: bool,
    /// Number of answered fences; the first is before the first line.
    pub(crate) fences: usize,
    /// Whether there was output after the last of them.
    pub(crate) more: bool,
}

impl Seen {
    /// Returns the number of answered lines, the last perhaps in part.
    pub(crate) fn answered_lines(&self) -> usize {
        self.fences.saturating_sub(1) + usize::from(self.fences > 0 && self.more)
    }

    fn note_output(&mut self, text: &str) {
        self.anything = true;
        let object: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        let is_fence = object["error"]["line"].as_u64() == Some(2 * self.fences as u64 + 1);
        self.more = !is_fence;
        self.fences += usize::from(is_fence);
    }
}

/// Arguments with which `long` becomes the program that runs lines of the toy ruleset.
pub const RUN: [&str; 8] = [
    "arbiter",
    "run",
    "-",
    "--ruleset",
    "mini",
    "--keep-going",
    "--format",
    "json",
];

/// Place and options of a game.
pub(crate) struct Table<'a> {
    pub(crate) program: &'a Path,
    pub(crate) home: &'a Path,
    pub(crate) game: &'a Path,
    pub(crate) seed: &'a str,
    pub(crate) sync: &'a str,
}

impl Talk {
    /// Starts the program on a game and writes lines to it, as fast as it reads them.
    pub(crate) fn start(table: &Table<'_>, lines: &[String]) -> Talk {
        let mut command = Command::new(table.program);
        command
            .args(RUN)
            .env("ARBITER_NO_CACHE", "true")
            .args(["--seed", table.seed, "--sync", table.sync, "--home"])
            .arg(table.home)
            .arg("--game")
            .arg(table.game)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        let mut input = child.stdin.take().expect("it has an input");
        let text: String = lines.iter().flat_map(|line| [line, "\n@\n"]).collect();
        let writer = std::thread::spawn(move || {
            // A killed program does not read any more.
            let _ = input.write_all(format!("{FENCE}\n{text}").as_bytes());
        });
        let mut pipe = BufReader::new(child.stdout.take().expect("it has an output"));
        let (said, output) = channel();
        let reader = std::thread::spawn(move || {
            let mut line = Vec::new();
            while pipe
                .read_until(b'\n', &mut line)
                .is_ok_and(|count| count > 0)
            {
                let text = String::from_utf8_lossy(&line).into_owned();
                line.clear();
                if said.send(text).is_err() {
                    return;
                }
            }
        });
        Talk {
            child,
            output,
            reader,
            writer,
            seen: Seen::default(),
        }
    }

    /// Waits for a number of answered lines and then for a moment, and kills the program.
    pub(crate) fn kill_after(mut self, answered: Option<usize>, moment: Duration) -> Seen {
        while answered.is_some_and(|count| self.seen.fences < count + 1) {
            match self.output.recv() {
                Ok(text) => self.seen.note_output(&text),
                Err(_) => break,
            }
        }
        // Output during the wait is read: the moment ends at its time or at an output, and both are random.
        match self.output.recv_timeout(moment) {
            Ok(text) => self.seen.note_output(&text),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        self.child.kill().expect("our own child can be killed");
        self.wait_for_end().0
    }

    /// Waits for the end of the program and of its output.
    pub(crate) fn wait_for_end(mut self) -> (Seen, ExitStatus) {
        while let Ok(text) = self.output.recv() {
            self.seen.note_output(&text);
        }
        let status = self.child.wait().expect("our own child ends");
        let _ = (self.reader.join(), self.writer.join());
        (self.seen, status)
    }
}
