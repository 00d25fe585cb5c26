//! Compiles the scripts of a load on threads beside it, so that most are ready when the load needs them.
//!
//! The load takes scripts from the front, and compiles a script itself if it gets there first. The threads take scripts
//! from the back. The result is the same on each thread. Plain data only.

use std::borrow::Borrow;
use std::cmp::Ordering as Order;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use crate::diag::Source;
use crate::script::source::script_compiler::script_compiler;

/// For fewer scripts a thread is not worth its start.
const FEW: usize = 8;

/// More threads than this are no faster: the load's own work takes longer.
const THREADS: usize = 4;

/// The stack size of a game: scripts with the deepest allowed nesting are compiled here too.
/// unit: bytes
const STACK: usize = 16 << 20;

/// The scripts of a load.
#[derive(Debug)]
struct Scripts {
    sources: Vec<Arc<Source>>,
    /// The bytecode of each script. None for a text that does not compile.
    made: Vec<OnceLock<Option<Arc<Vec<u8>>>>>,
    /// How many the threads have taken.
    taken: AtomicUsize,
    is_over: AtomicBool,
}

impl Scripts {
    fn compiled_at(&self, at: usize) -> Option<Arc<Vec<u8>>> {
        let compile = || script_compiler().compile(self.sources[at].text()).ok();
        self.made[at]
            .get_or_init(|| compile().map(Arc::new))
            .clone()
    }

    /// Compiles one script after another from the back, until none is left or the load no longer needs them.
    fn compile_all(&self) {
        while !self.is_over.load(Ordering::Relaxed) {
            let taken = self.taken.fetch_add(1, Ordering::Relaxed);
            let Some(at) = self.sources.len().checked_sub(taken + 1) else {
                return;
            };
            self.compiled_at(at);
        }
    }
}

/// A source that is found by its text.
#[derive(Debug)]
struct ByText(Arc<Source>);

impl Borrow<str> for ByText {
    fn borrow(&self) -> &str {
        self.0.text()
    }
}

impl PartialEq for ByText {
    fn eq(&self, other: &ByText) -> bool {
        self.0.text() == other.0.text()
    }
}

impl Eq for ByText {}

impl PartialOrd for ByText {
    fn partial_cmp(&self, other: &ByText) -> Option<Order> {
        Some(self.cmp(other))
    }
}

impl Ord for ByText {
    fn cmp(&self, other: &ByText) -> Order {
        self.0.text().cmp(other.0.text())
    }
}

/// The scripts that threads compile. They stop when it is dropped.
#[derive(Debug)]
pub(super) struct CompileThreads {
    scripts: Arc<Scripts>,
    /// The index of each text among the scripts.
    at: BTreeMap<ByText, usize>,
}

impl CompileThreads {
    /// Begins to compile scripts on threads. Returns none for too few scripts, or if no thread can be started.
    pub(super) fn begin_compiling(sources: Vec<Arc<Source>>) -> Option<CompileThreads> {
        let beside = thread::available_parallelism().map_or(0, |all| all.get() - 1);
        if sources.len() < FEW || beside == 0 {
            return None;
        }
        let scripts = Arc::new(Scripts {
            made: sources.iter().map(|_| OnceLock::new()).collect(),
            taken: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            sources,
        });
        let begin = |_: &usize| {
            let scripts = Arc::clone(&scripts);
            let thread = thread::Builder::new().name("compiler".to_owned());
            let thread = thread.stack_size(STACK);
            thread.spawn(move || scripts.compile_all()).is_ok()
        };
        if (0..beside.min(THREADS)).filter(begin).count() == 0 {
            return None;
        }
        let own = scripts.sources.iter().enumerate();
        let at = own.map(|(at, source)| (ByText(Arc::clone(source)), at));
        let at = at.collect();
        Some(CompileThreads { scripts, at })
    }

    /// Returns the bytecode of a text, which is compiled now if it is not yet. Returns none for a text that is not one
    /// of the scripts, or has an error.
    pub(super) fn bytecode_of_text(&self, text: &str) -> Option<Arc<Vec<u8>>> {
        self.scripts.compiled_at(*self.at.get(text)?)
    }
}

impl Drop for CompileThreads {
    fn drop(&mut self) {
        self.scripts.is_over.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_threads_compile_is_what_is_compiled_without_them() {
        let text = |at: usize| match at {
            13 => "return (".to_owned(),
            _ => format!("local made = {{ {at}, function(x) return x + {at} end }} return made"),
        };
        let sources: Vec<_> = (0..200).map(|at| Source::new("own", text(at))).collect();
        for round in 0..20 {
            let Some(ahead) = CompileThreads::begin_compiling(sources.clone()) else {
                return assert!(thread::available_parallelism().is_ok_and(|all| all.get() == 1));
            };
            for at in (0..200).skip(round) {
                let made = ahead.bytecode_of_text(&text(at)).map(|made| made.to_vec());
                assert_eq!(made, script_compiler().compile(text(at)).ok(), "{at}");
            }
            assert_eq!(ahead.bytecode_of_text("return 1"), None);
        }
    }

    #[test]
    fn few_scripts_start_no_thread_and_threads_stop_when_nobody_waits() {
        assert!(
            CompileThreads::begin_compiling(vec![Source::new("own", "return 1"); FEW - 1])
                .is_none()
        );
        let sources = (0..5000).map(|at| Source::new("own", format!("return {at}")));
        let Some(ahead) = CompileThreads::begin_compiling(sources.collect()) else {
            return;
        };
        let scripts = Arc::downgrade(&ahead.scripts);
        drop(ahead);
        let mut left = 1_u32 << 24;
        while scripts.strong_count() > 0 {
            left = left.checked_sub(1).expect("the threads do not stop");
            thread::yield_now();
        }
    }
}
