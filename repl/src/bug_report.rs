//! Handles panics of the host: the game goes on, and a report for the authors of the host is written.
//!
//! In: a session and the work to do with it. Out: the answer, or `host/bug` with the file of the report.

use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::io::Write;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;

use host::diag::Diagnostic;
use host::game::{Reply, Session, Solo};

use crate::history_file;

/// Maximum number of reports in a folder; at this number the oldest must be removed first.
const MOST: usize = 100;

thread_local! {
    /// Whether a panic of this thread is caught and reported as a finding.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
    /// Text about the last panic of this thread.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Place where reports are written.
#[derive(Clone, Debug)]
pub(crate) struct Reports {
    /// Folder of the reports; `None` if the user has no folder for them.
    pub(crate) folder: Option<PathBuf>,
}

impl Reports {
    /// Returns the reports in the folder beside the history of the user.
    pub(crate) fn in_user_folder() -> Reports {
        let folder =
            history_file::make_history_path().and_then(|file| Some(file.parent()?.join("reports")));
        Reports { folder }
    }

    /// Submits a line to the game.
    pub(crate) fn submit_line(&self, solo: &mut Solo, by: &str, line: &str) -> Reply {
        let mut reply = run_noting_panics(|| solo.submit(by, line));
        if let Some(noted) = LAST.take() {
            let refusal = reply.refusal.take();
            reply.refusal = refusal
                .map(|bug| self.write_report_and_hint(bug, &format!("{by}: {line}"), &noted));
        }
        reply
    }

    /// Runs a function with the game; a panic becomes a finding.
    ///
    /// Errors: `host/bug`, its report written.
    pub(crate) fn run_guarded<T>(
        &self,
        session: &mut Session,
        what: &str,
        body: impl FnOnce(&mut Session) -> T,
    ) -> Result<T, Diagnostic> {
        run_noting_panics(|| session.catch_panic(body)).map_err(|bug| {
            let noted = LAST.take().unwrap_or_default();
            self.write_report_and_hint(bug, what, &noted)
        })
    }

    /// Writes a report and names it in a hint of the finding.
    fn write_report_and_hint(&self, bug: Diagnostic, what: &str, noted: &str) -> Diagnostic {
        let text = format!(
            "arbiter {}\ncommand: {what}\n{noted}\n",
            env!("CARGO_PKG_VERSION")
        );
        let written = self
            .folder
            .as_deref()
            .and_then(|folder| write_report(folder, &text));
        match written {
            Some(path) => bug.hint(format!("please report it with the file {}", path.display())),
            None => bug.hint("please report it with the command"),
        }
    }
}

/// Writes a report under the first free name.
fn write_report(folder: &Path, text: &str) -> Option<PathBuf> {
    fs::create_dir_all(folder).ok()?;
    (1..=MOST).find_map(|number| {
        let path = folder.join(format!("bug-{number}.txt"));
        let mut file = File::create_new(&path).ok()?;
        file.write_all(text.as_bytes()).ok()?;
        Some(path)
    })
}

/// Runs a function whose panics the session catches; the last panic is noted.
fn run_noting_panics<T>(body: impl FnOnce() -> T) -> T {
    install_panic_hook();
    LAST.take();
    let outer = IS_GUARDED.replace(true);
    let done = body();
    IS_GUARDED.set(outer);
    done
}

/// Runs a library function that may panic; returns `None` if it panics.
pub(crate) fn catch_panic<T>(body: impl FnOnce() -> T) -> Option<T> {
    run_noting_panics(|| panic::catch_unwind(AssertUnwindSafe(body)).ok())
}

/// Notes text, place and backtrace of caught panics, instead of printing them over the prompt.
fn install_panic_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if IS_GUARDED.get() {
                let noted = format!("{panic}\n\n{}", Backtrace::force_capture());
                LAST.set(Some(noted));
            } else {
                print(panic);
            }
        }));
    });
}
