//! Samples a thread when the timer asks for it: the time since the last sample is charged to the present place.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::profile_costs::{Cost, Frame, Work};
use super::timer::Profiler;
use crate::script::fuel::processor_time;

/// The profile data of one thread. Its machines share it.
#[derive(Debug)]
pub(crate) struct Sampler {
    profiler: Profiler,
    is_due: Arc<AtomicBool>,
    /// The processor time at the last look.
    looked: Cell<Duration>,
    /// The fuel at the last look, and the fuel of the commands that are over.
    fuel: Cell<u64>,
    over: Cell<u64>,
    /// The present work of the host for scripts, one inside the other.
    open: RefCell<Vec<(Work, Rc<str>)>>,
    /// The work around that.
    parts: RefCell<Vec<&'static str>>,
}

/// A frame of the machine: chunk, line, function.
pub(crate) type MachineFrame<'a> = (&'a [u8], usize, &'a [u8]);

thread_local! {
    static OWN: RefCell<Option<Rc<Sampler>>> = const { RefCell::new(None) };
}

impl Sampler {
    /// Returns the sampler of this thread.
    pub(crate) fn sampler_of_thread(profiler: &Profiler) -> Rc<Sampler> {
        OWN.with_borrow_mut(|own| {
            if let Some(own) = own
                .as_ref()
                .filter(|own| own.profiler.is_same_profiler(profiler))
            {
                return Rc::clone(own);
            }
            let new = Rc::new(Sampler {
                is_due: profiler.add_thread_flag(),
                profiler: profiler.clone(),
                looked: Cell::new(processor_time().unwrap_or_default()),
                fuel: Cell::default(),
                over: Cell::default(),
                open: RefCell::default(),
                parts: RefCell::default(),
            });
            *own = Some(Rc::clone(&new));
            new
        })
    }

    /// Returns whether it is time for a look.
    #[inline]
    pub(crate) fn is_due(&self) -> bool {
        self.is_due.load(Ordering::Relaxed)
    }

    /// Charges the time since the last look to a stack, its innermost frame first. `used` is the fuel of the command
    /// that runs. `work` is the present work of the host on top of the stack.
    #[cold]
    pub(crate) fn take_sample<'a>(
        &self,
        (rule, used): (Option<&str>, u64),
        frames: impl Iterator<Item = MachineFrame<'a>>,
        work: Option<(Work, &str)>,
    ) {
        let mut stack: Vec<Frame> = Vec::new();
        stack.extend(work.map(|(work, what)| Frame::Host(work.frame_name(what))));
        let open = self.open.borrow();
        let mut open = open.iter().rev();
        for (chunk, line, name) in frames {
            let chunk = String::from_utf8_lossy(chunk);
            let chunk = chunk.trim_start_matches(['=', '@']);
            let name = String::from_utf8_lossy(name);
            match (chunk, &*name) {
                // A function of the host has no name of its own.
                ("[C]", "") => stack.extend(
                    open.next()
                        .map(|(work, what)| Frame::Host(work.frame_name(what))),
                ),
                ("[C]", name) => stack.push(Frame::Host(Work::Library.frame_name(name))),
                (chunk, name) => {
                    let name = if name.is_empty() { "(file)" } else { name };
                    stack.push(Frame::Script {
                        function: format!("{chunk}:{name}"),
                        line: format!("{chunk}:{line}"),
                    });
                }
            }
        }
        let parts = self.parts.borrow();
        stack.extend(
            parts
                .iter()
                .rev()
                .map(|part| Frame::Host(Work::Beside.frame_name(part))),
        );
        if stack.is_empty() {
            stack.push(Frame::Host(Work::Beside.frame_name("")));
        }
        stack.reverse();
        self.note_sample(rule, &stack, used);
    }

    /// Charges the time while no script ran, if a sample is due. `over` is the fuel of a finished command.
    pub(crate) fn sample_outside_scripts(&self, over: u64) {
        self.over.set(self.over.get() + over);
        if self.is_due() {
            self.take_sample((None, 0), std::iter::empty(), None);
        }
    }

    /// Notes that the host begins a piece of work for a script, or ends the last that it began.
    pub(crate) fn begin_host_work(&self, work: Work, what: &Rc<str>) {
        self.open.borrow_mut().push((work, Rc::clone(what)));
    }

    pub(crate) fn end_host_work(&self) {
        self.open.borrow_mut().pop();
    }

    fn note_sample(&self, rule: Option<&str>, stack: &[Frame], used: u64) {
        self.is_due.store(false, Ordering::Relaxed);
        let now = processor_time().unwrap_or_default();
        let fuel = self.over.get() + used;
        let cost = Cost {
            time: now.saturating_sub(self.looked.replace(now)),
            fuel: fuel.saturating_sub(self.fuel.replace(fuel)),
            samples: 1,
        };
        self.profiler.add(rule, stack, cost);
    }
}

/// A part of the host's work while no script runs, until it is dropped.
#[derive(Debug)]
pub struct Part(Option<Rc<Sampler>>);

/// Names the host's work on this thread until the returned value is dropped. Does nothing without a profiler.
pub fn begin_named_host_work(name: &'static str) -> Part {
    let sampler = OWN.with_borrow(Clone::clone);
    if let Some(sampler) = &sampler {
        sampler.sample_outside_scripts(0);
        sampler.parts.borrow_mut().push(name);
    }
    Part(sampler)
}

impl Drop for Part {
    fn drop(&mut self) {
        if let Some(sampler) = &self.0 {
            sampler.sample_outside_scripts(0);
            sampler.parts.borrow_mut().pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames() -> Vec<MachineFrame<'static>> {
        vec![
            (b"=[C]", 0, b""),
            (b"=a.luau", 4, b"walk"),
            (b"=[C]", 0, b"pcall"),
            (b"=a.luau", 9, b""),
        ]
    }

    #[test]
    fn a_stack_names_what_the_host_does_between_scripts() {
        let profiler = Profiler::start().unwrap();
        let sampler = Sampler::sampler_of_thread(&profiler);
        sampler.begin_host_work(Work::Events, &"act:drain".into());
        let _part = begin_named_host_work("answers");
        sampler.take_sample((Some("charms/luck"), 70), frames().into_iter(), None);
        sampler.end_host_work();
        sampler.sample_outside_scripts(100);
        sampler.take_sample(
            (None, 20),
            frames().into_iter().skip(1),
            Some((Work::Reads, "act:get")),
        );
        let profile = profiler.take_profile();
        let folded = profile.folded_stacks();
        let begins = |text: &str| folded.iter().any(|line| line.starts_with(text));
        assert!(
            begins(
                "[beside rules] answers;a.luau:(file);[library] pcall;a.luau:walk;[events] act:drain "
            ),
            "{folded:?}"
        );
        assert!(
            begins(
                "[beside rules] answers;a.luau:(file);[library] pcall;a.luau:walk;[reads] act:get "
            ),
            "{folded:?}"
        );
        assert_eq!(profile.cost_by_rule()[0].1.fuel, 70);
        assert_eq!(profile.total_cost().fuel, 120);
    }

    #[test]
    fn a_flag_is_set_again_and_again() {
        let profiler = Profiler::start().unwrap();
        let sampler = Sampler::sampler_of_thread(&profiler);
        for _ in 0..3 {
            while !sampler.is_due() {
                std::hint::spin_loop();
            }
            sampler.sample_outside_scripts(0);
        }
        let total = profiler.take_profile().total_cost();
        assert!(
            total.samples >= 3 && total.time > Duration::ZERO,
            "{total:?}"
        );
    }

    #[test]
    fn where_no_profile_is_made_a_part_is_nothing() {
        std::thread::spawn(|| assert!(begin_named_host_work("answers").0.is_none()))
            .join()
            .unwrap();
    }
}
