//! The profiler as its starter holds it, and the timer that decides when to sample.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use super::profile_costs::{Cost, Frame, Profile};

/// The time between two samples of a thread; unit: wall time.
const EVERY: Duration = Duration::from_millis(1);

/// Collects the costs of the threads with machines that are built with it.
#[derive(Clone, Debug)]
pub struct Profiler(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    profile: Mutex<Profile>,
    threads: Mutex<Vec<Weak<AtomicBool>>>,
}

impl Profiler {
    /// Starts the timer. Errors: a thread cannot be started.
    pub fn start() -> std::io::Result<Profiler> {
        let shared = Arc::new(Shared::default());
        let weak = Arc::downgrade(&shared);
        let timer = thread::Builder::new().name("profiler".to_owned());
        timer.spawn(move || {
            while let Some(shared) = weak.upgrade() {
                shared.set_thread_flags();
                drop(shared);
                #[expect(
                    clippy::disallowed_methods,
                    reason = "a look each millisecond is what the timer is for"
                )]
                thread::sleep(EVERY);
            }
        })?;
        Ok(Profiler(shared))
    }

    /// Takes the costs that were collected so far.
    pub fn take_profile(&self) -> Profile {
        std::mem::take(
            &mut *self
                .0
                .profile
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }

    /// Returns a flag that is set whenever a sample of the thread is due.
    pub(super) fn add_thread_flag(&self) -> Arc<AtomicBool> {
        let flag = Arc::<AtomicBool>::default();
        let mut threads = self
            .0
            .threads
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        threads.push(Arc::downgrade(&flag));
        flag
    }

    pub(super) fn add(&self, rule: Option<&str>, stack: &[Frame], cost: Cost) {
        let mut profile = self
            .0
            .profile
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        profile.add(rule, stack, cost);
    }

    /// Returns whether it is the same one.
    pub(super) fn is_same_profiler(&self, other: &Profiler) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Shared {
    fn set_thread_flags(&self) {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        threads.retain(|flag| match flag.upgrade() {
            Some(flag) => {
                flag.store(true, Ordering::Relaxed);
                true
            }
            None => false,
        });
    }
}
