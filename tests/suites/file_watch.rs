//! Tests that every way to save a file is reported, and that a burst of saves is one change.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use arbiter_tests::Scratch;
use host::script::Watch;
use tempfile::TempDir;

/// The longest wait for a report on a busy machine.
const REPORT_PATIENCE: Duration = Duration::from_secs(10);
/// After this quiet time nothing more is reported; it is longer than the longest settling time.
const QUIET_TIME: Duration = Duration::from_millis(500);

fn start_watch() -> (TempDir, Watch, Receiver<()>) {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.luau"), "return 0").unwrap();
    let (sender, reports) = channel();
    let folders = [folder.path().to_path_buf()];
    let (watch, warning) = Watch::start(&folders, move |_| {
        let _ = sender.send(());
    })
    .unwrap();
    assert_eq!(warning, None);
    (folder, watch, reports)
}

fn overwrite_file(path: &Path) {
    fs::write(path, "return 1").unwrap();
}

fn write_and_rename(path: &Path) {
    let other = path.with_extension("tmp");
    overwrite_file(&other);
    fs::rename(other, path).unwrap();
}

fn remove_and_create(path: &Path) {
    fs::remove_file(path).unwrap();
    overwrite_file(path);
}

/// The old file becomes the backup before the new one takes its place.
fn rename_away_and_over(path: &Path) {
    fs::rename(path, path.with_extension("luau~")).unwrap();
    write_and_rename(path);
}

fn truncate_and_append(path: &Path) {
    let mut file = OpenOptions::new()
        .write(true)
        .truncate(true)
        .open(path)
        .unwrap();
    for part in ["ret", "urn", " 1"] {
        file.write_all(part.as_bytes()).unwrap();
        file.flush().unwrap();
    }
}

#[test]
fn each_way_to_save_is_reported_again_and_again() {
    let (folder, _watch, reports) = start_watch();
    let path = folder.path().join("a.luau");
    for _ in 0..2 {
        for save in [
            overwrite_file,
            write_and_rename,
            remove_and_create,
            rename_away_and_over,
            truncate_and_append,
        ] {
            save(&path);
            reports.recv_timeout(REPORT_PATIENCE).unwrap();
            while reports.recv_timeout(Duration::from_millis(60)).is_ok() {}
        }
    }
}

#[test]
#[expect(
    clippy::disallowed_types,
    reason = "how long a busy machine pauses; no rule sees it"
)]
fn a_burst_of_saves_is_at_most_three_reports() {
    let (folder, _watch, reports) = start_watch();
    // 60 files in 240 ms. If the machine pauses in between, a burst may end early and the rest is
    // one more report.
    let (_silent, pause) = channel::<()>();
    let mut pauses = 0;
    for number in 0..60 {
        let before = std::time::Instant::now();
        overwrite_file(&folder.path().join(format!("file{number}.luau")));
        assert!(pause.recv_timeout(Duration::from_millis(4)).is_err());
        pauses += usize::from(before.elapsed() > Duration::from_millis(12));
    }
    reports.recv_timeout(REPORT_PATIENCE).unwrap();
    let more = std::iter::from_fn(|| reports.recv_timeout(QUIET_TIME).ok()).count();
    assert!(
        more <= 2 + 2 * pauses,
        "{} reports, {pauses} pauses",
        more + 1
    );
}

/// A pipe opens only when both ends are open: a watch that read it would block.
#[cfg(unix)]
#[test]
fn a_pipe_among_the_files_does_not_hold_the_watch() {
    let (folder, _watch, reports) = start_watch();
    let pipe = folder.path().join("pipe.luau");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    reports.recv_timeout(REPORT_PATIENCE).unwrap();
    overwrite_file(&folder.path().join("a.luau"));
    reports.recv_timeout(REPORT_PATIENCE).unwrap();
}

/// Like a tool that replaces the whole mod with another version.
#[test]
fn a_mod_that_is_taken_away_and_put_back_is_still_watched() {
    let home = Scratch::mini();
    let (sender, reports) = channel();
    let (_watch, _) = Watch::start(&home.home().folders(), move |_| {
        let _ = sender.send(());
    })
    .unwrap();
    let drain = || {
        reports.recv_timeout(REPORT_PATIENCE).unwrap();
        while reports.recv_timeout(QUIET_TIME).is_ok() {}
    };
    let folder = home.path().join("scripts/mini");
    let away = home.path().join("away");
    fs::rename(&folder, &away).unwrap();
    drain();
    home.copy(&away, "scripts/mini");
    drain();
    overwrite_file(&folder.join("commands/mood.luau"));
    drain();
    home.write("content/another/people/cy.yaml", "source: x\n");
    drain();
}
