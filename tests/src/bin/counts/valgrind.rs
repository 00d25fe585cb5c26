//! Runs this program under valgrind and reads its counts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path as Place, PathBuf};
use std::process::{Command, Stdio};

/// Number of processes that count in parallel.
const SHARDS: usize = 2;

/// Settings of the C library. Functions for which processors choose a variant use the plain one. The sizes above which
/// copies use another method are fixed too, because these sizes come from caches.
const LIBRARY: &str = "glibc.cpu.hwcaps=-AVX2,-AVX,-ERMS,-FSRM,-AVX512VL:\
                       glibc.cpu.x86_non_temporal_threshold=0xc0000:\
                       glibc.cpu.x86_rep_movsb_threshold=0x100000:\
                       glibc.cpu.x86_rep_stosb_threshold=0x100000";

/// Counts of a run.
pub(crate) struct Counted {
    /// Instructions of each path.
    pub(crate) counts: BTreeMap<String, u64>,
    /// Features of the processor that valgrind presents.
    pub(crate) features: String,
}

/// Counts the instructions of the paths with names that contain `part`. Errors: valgrind is missing or fails.
pub(crate) fn count_instructions(part: &str) -> Result<Counted, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let library = compile_fixed_clock_library(folder.path())?;
    let shards: Vec<Result<Counted, String>> = std::thread::scope(|scope| {
        let (folder, library) = (folder.path(), library.as_path());
        let threads =
            (1..=SHARDS).map(|one| scope.spawn(move || count_shard(folder, library, one, part)));
        let threads: Vec<_> = threads.collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined
            .map(|one| one.expect("invariant: a shard returns its errors"))
            .collect()
    });
    let mut all = Counted {
        counts: BTreeMap::new(),
        features: String::new(),
    };
    for one in shards {
        let one = one?;
        all.counts.extend(one.counts);
        all.features = one.features;
    }
    Ok(all)
}

/// Compiles the library that fixes clock and random numbers. Errors: the compiler is missing or fails.
fn compile_fixed_clock_library(folder: &Place) -> Result<PathBuf, String> {
    let library = folder.join("fixed.so");
    let ran = Command::new("c++")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(arbiter_tests::project().join("tests/counts/fixed.cpp"))
        .output();
    let ran = ran.map_err(|error| format!("c++ cannot be run ({error})"))?;
    match ran.status.success() {
        true => Ok(library),
        false => Err(String::from_utf8_lossy(&ran.stderr).into_owned()),
    }
}

fn count_shard(folder: &Place, fixed: &Place, one: usize, part: &str) -> Result<Counted, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    // Temporary folders have the same names in each run, so each shard has its own place for them.
    let place = folder.join(one.to_string());
    fs::create_dir(&place).map_err(|error| error.to_string())?;
    let dumps = place.join("counted");
    let ran = Command::new("valgrind")
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("TMPDIR", &place)
        .env("LD_PRELOAD", fixed)
        .args(["--quiet", "--tool=callgrind", "--combine-dumps=no"])
        .args(["--dump-line=no", "--dump-before=*a_batch_of_counts_ends*"])
        .arg(format!("--callgrind-out-file={}", dumps.display()))
        .arg(program)
        .arg(part)
        .arg(format!("--play={one}/{SHARDS}"))
        .env("GLIBC_TUNABLES", LIBRARY)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .map_err(|error| format!("valgrind cannot be run ({error}): apt-get install valgrind"))?;
    if !ran.status.success() {
        return Err(String::from_utf8_lossy(&ran.stderr).into_owned());
    }
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    let total = |number: usize| dump_total(&dumps.with_extension(number.to_string()));
    let mut counted = Counted {
        counts: BTreeMap::new(),
        features: String::new(),
    };
    for (at, line) in said.lines().enumerate() {
        let (times, name) = line
            .split_once('\t')
            .ok_or("the paths say something else")?;
        if times == "features" {
            counted.features = name.to_owned();
            continue;
        }
        let times: u64 = times.parse().map_err(|_| "a batch has no size")?;
        // Each path has three dumps: the steps before its first batch, that batch, and the batch of twice the size.
        let (once, twice) = (total(3 * at + 2)?, total(3 * at + 3)?);
        let each = twice.saturating_sub(once) / times;
        counted.counts.insert(name.to_owned(), each);
    }
    Ok(counted)
}

/// Reads the instructions of a dump. Errors: it does not exist, or it has no total.
fn dump_total(dump: &Place) -> Result<u64, String> {
    let text = fs::read_to_string(dump).map_err(|error| format!("{}: {error}", dump.display()))?;
    let number = |line: &str| line.strip_prefix("summary: ")?.trim().parse().ok();
    let found = text.lines().find_map(number);
    found.ok_or_else(|| format!("{} has no summary", dump.display()))
}
