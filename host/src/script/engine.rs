//! One machine with one generation of rules: it loads, calls and ends them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mlua::{FromLuaMulti, Function, IntoLuaMulti, Lua, Table};

use crate::content::Cache;
use crate::diag::{Diagnostic, Source};
use crate::script::api::{self, new_act};
use crate::script::border::Charger;
use crate::script::border::printed_lines::Printed;
use crate::script::border::stack_value::This;
use crate::script::former_names;
use crate::script::fuel::Meter;
use crate::script::fuel::{Limit, Limits};
use crate::script::host::error_findings::{HostError, diagnose};
use crate::script::host::modules::Modules;
use crate::script::host::read_only_tables::seal_deeply;
use crate::script::host::safe_fallback::install_interrupt;
use crate::script::host::sandbox;
use crate::script::host::try_counts::TryCounts;
use crate::script::host::{ErrorReportingCall, Host, Stop};
use crate::script::inquiry::expression_callbacks::look_with_rules;
use crate::script::profile::{Profiler, Sampler};
use crate::script::raw::{carry_panics, error_reporting_call, install_atoms, resume_panic};
use crate::script::rules::Rules;
use crate::script::rules::compile_cache::Compiled;
use crate::script::run::Run;
use crate::script::run::checks_in_force::Checks;
use crate::script::run::trace;
use crate::script::source::sources::Sources;
use crate::script::source::undeclared_names::{Visible, undeclared_name_findings};
use crate::script::source::unknown_name;
use crate::store::{Explanation, State};
use crate::value::{Name, Names};

/// The options for building a machine.
#[derive(Clone)]
pub struct EngineOptions {
    /// The limits of scripts.
    pub limits: Limits,
    /// Set by another thread to end the present work: the script, and the rest of its line. The code that gives lines
    /// clears it between them.
    pub interrupt: Arc<AtomicBool>,
    /// The names of the game, shared with its state.
    pub names: Rc<Names>,
    /// The checks that apply to its rules while they are loaded, and when they are only asked.
    pub checks: Checks,
    /// Whether the fast unsafe parts are used. The safe parts have the same results and are slower.
    pub raw: bool,
    /// The profiler. It needs the fast parts.
    pub profiler: Option<Profiler>,
    /// The cache for the facts that loads find, from one start to the next. Without it each load finds them by itself.
    pub cache: Option<Cache>,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            limits: Limits::default(),
            interrupt: Arc::default(),
            names: Rc::default(),
            checks: Checks::Now,
            raw: true,
            profiler: None,
            cache: None,
        }
    }
}

/// One machine with one generation of rules.
///
/// Field order matters: the machine goes before the host that it points to.
pub struct Engine {
    pub(super) lua: Lua,
    pub(super) host: Rc<Host>,
    pub(super) globals: Table,
    /// The files of the rules: for functions that require one while they run, and the tests beside them.
    pub(super) modules: RefCell<Option<Rc<Modules>>>,
    /// Memory in use after the last collection, in bytes.
    kept: Cell<usize>,
}

/// Bytes of the files of a line for which the line gets the fuel of a command.
const PART: u64 = 16 << 10;

impl Engine {
    /// Returns a machine with the API and without rules. `compiled` is the bytecode known so far.
    ///
    /// Errors: memory.
    pub(crate) fn new(options: &EngineOptions, compiled: Compiled) -> mlua::Result<Engine> {
        let lua = sandbox::new_machine(options.limits.memory)?;
        let meter = Meter::new(options.limits.clone(), Arc::clone(&options.interrupt));
        if options.raw {
            carry_panics(&lua)?;
        }
        let atoms = install_atoms(&lua, &options.names, options.raw);
        let mut host = Host::new(meter, atoms, Rc::clone(&options.names), compiled);
        host.checks = options.checks;
        let profiler = options.profiler.as_ref().filter(|_| options.raw);
        host.sampler = profiler.map(Sampler::sampler_of_thread);
        let host = Rc::new(host);
        host.enable_profiler(&lua);
        let globals = sandbox::make_globals(&lua, &host, options.raw)?;
        api::add_api_tables(&lua, &host, &globals, options.raw)?;
        seal_deeply(&globals)?;
        seal_deeply(&lua.globals())?;
        install_interrupt(&lua, &host, options.raw);
        host.set_error_reporting_call(match options.raw {
            true => ErrorReportingCall::Raw(error_reporting_call::<Host>(&lua)?),
            false => ErrorReportingCall::safe(&lua, &host)?,
        });
        let (charged, running) = (Rc::clone(&host), Rc::clone(&host));
        Charger::install(
            &lua,
            move |work| charged.charge(work),
            move || running.is_live_line(),
        );
        Ok(Engine {
            lua,
            host,
            globals,
            modules: RefCell::default(),
            kept: Cell::default(),
        })
    }

    /// Returns the rules.
    pub fn rules(&self) -> Rc<Rules> {
        Rc::clone(&self.host.rules.borrow())
    }

    /// Returns the fuel that the last command used, in the unit of the limits.
    pub fn fuel_used(&self) -> u64 {
        self.host.meter.fuel_used()
    }

    /// Returns the memory that the machine holds, in bytes.
    pub fn memory_used(&self) -> usize {
        self.lua.used_memory()
    }

    /// Takes the output that scripts printed since the last call.
    pub fn take_printed(&self) -> Printed {
        self.host.take_printed()
    }

    /// Takes the bytecode of this generation, for the next machine.
    pub fn take_compile_cache(&self) -> Compiled {
        let mut compiled = self.host.take_compile_cache();
        compiled.forget_unused();
        compiled
    }

    /// Returns how the shown value of a stat of a row is computed, with the present rules. Errors: stacking fails.
    pub fn explain_stat(
        &self,
        state: &State,
        row: Name,
        stat: Name,
    ) -> Result<Explanation, Diagnostic> {
        let run = Run::read_only(state.fork(), &self.rules().ruleset_id);
        let (_, explained) = self.with_act(run, |act| {
            let run = self.host.ruling(This(act.to_pointer() as usize))?;
            look_with_rules(&self.lua, &self.host, run, |look| {
                look.explain_stat(row, stat)
            })
        });
        explained
    }

    /// Returns the refusal for an interruption by a user, if there is one now.
    pub(crate) fn interruption_refusal(&self) -> Option<Diagnostic> {
        let is_interrupted = self.host.meter.is_interrupted();
        is_interrupted.then(|| Diagnostic::error("limit/interrupted", "the run was interrupted"))
    }

    /// Calls a function of a script: an error names its place, for every kind of error.
    pub(super) fn call_script_function<R: FromLuaMulti>(
        &self,
        function: &Function,
        given: impl IntoLuaMulti,
    ) -> mlua::Result<R> {
        self.host.call_reporting_errors(&self.lua, function, given)
    }

    /// Calls `body` with a live `act`, inside the budgets of a command.
    pub(super) fn with_act<R>(
        &self,
        run: Run,
        body: impl FnOnce(&Table) -> mlua::Result<R>,
    ) -> (Run, Result<R, Diagnostic>) {
        self.with_act_and_sources(run, &self.rules().sources, body)
    }

    /// Does the same, and finds places in `sources`.
    pub(super) fn with_act_and_sources<R>(
        &self,
        mut run: Run,
        sources: &Sources,
        body: impl FnOnce(&Table) -> mlua::Result<R>,
    ) -> (Run, Result<R, Diagnostic>) {
        // Earlier writes of the host are not an act of the rules that are called now.
        trace::note_writes(&self.lua, &mut run);
        self.sample_outside_scripts(0);
        self.host.meter.begin_command();
        let act = match new_act(&self.lua) {
            Ok(made) => made,
            Err(error) => return (run, Err(diagnose(&error, None, sources))),
        };
        if run.is_traced() || !run.files.is_empty() {
            self.host.meter.stop_clock();
        }
        let bytes: u64 = run.files.iter().map(|file| file.text_bytes()).sum();
        let is_traced = run.is_traced();
        self.host.begin_run(run, &act);
        let result = match self.host.meter.enter_script_call() {
            Ok(_scope) => {
                // A file is taken at once: its length decides the fuel, and the waiting user may interrupt.
                let commands = if bytes > 0 { 1 + bytes / PART } else { 0 };
                // A run that is traced calls the host more often than the run itself did.
                match is_traced {
                    true => self.host.meter.add_command_fuel(2 * commands.max(1)),
                    false if commands > 0 => self.host.meter.add_command_fuel(commands),
                    false => {}
                }
                body(&act)
            }
            Err(limit) => Err(HostError::error_of_limit(limit)),
        };
        self.sample_outside_scripts(self.host.meter.fuel_used());
        resume_panic(&self.lua);
        let run = self
            .host
            .end_run()
            .expect("invariant: the ruling stays in until it is taken out");
        if let Err(error) = &result {
            self.host.meter.note_if_out_of_memory(error);
        }
        let passed = self.host.passed_limit();
        let result = match self.host.stop_reason() {
            Some(Stop::Refused(finding)) => Err(HostError::error_of_finding(finding)),
            None => result,
        };
        let at_limit = |finding| self.host.rules.borrow().add_limit_context(&run, finding);
        let result = match (result, passed) {
            (Ok(_), Some(limit)) => Err(self
                .host
                .diagnose(&HostError::error_of_limit(limit), sources)),
            (Err(error), Some(_)) => Err(at_limit(self.host.diagnose(&error, sources))),
            (Ok(value), None) => Ok(value),
            (Err(error), _) => {
                let finding = self.host.diagnose(&error, sources);
                Err(unknown_name::add_unknown_name(finding, &self.globals))
            }
        };
        if passed == Some(Limit::Memory) || self.wants_garbage_collection() {
            let _ = self.lua.gc_collect();
            self.kept.set(self.lua.used_memory());
        }
        (run, result)
    }

    /// Takes a sample for the profiler while no script runs. `over` is the fuel of a finished command.
    fn sample_outside_scripts(&self, over: u64) {
        if let Some(sampler) = self.host.sampler() {
            sampler.sample_outside_scripts(over);
        }
    }

    /// Drops the ruling that a panic of the host left, if any.
    pub fn drop_run_after_panic(&self) {
        drop(self.host.end_run());
    }

    /// Takes the ruling out after a panic of the host.
    pub fn take_run_after_panic(&self) -> Run {
        self.host
            .end_run()
            .expect("invariant: a ruling that panicked is still in")
    }

    /// Returns the names that every script of the rules sees.
    pub fn names_visible_to_scripts(&self) -> Visible {
        let own = ["require", "ruleset", "schema"].map(str::to_owned);
        let names: BTreeSet<String> = unknown_name::text_keys(&self.globals)
            .into_iter()
            .filter(|name| former_names::present_global(name).is_none())
            .chain(own)
            .collect();
        let table = |name: &String| {
            let table = self.globals.raw_get::<Table>(name.as_str()).ok()?;
            let members = unknown_name::text_keys(&table).into_iter().collect();
            (table.metatable().is_none()).then_some((name.clone(), members))
        };
        Visible {
            tables: names.iter().filter_map(table).collect(),
            methods: unknown_name::group_functions("Act").into_iter().collect(),
            names,
        }
    }

    /// Returns a finding for each undeclared name in a file of a mod, and for each that its table does not have.
    pub fn undeclared_name_findings(
        &self,
        mod_name: &str,
        source: &Arc<Source>,
        visible: &Visible,
    ) -> Vec<Diagnostic> {
        let modules = self.modules.borrow();
        undeclared_name_findings(source, visible, &|path| {
            modules.as_ref()?.module_members(mod_name, path)
        })
    }

    /// Starts or stops counting the attempts that rules report, and takes the counts so far.
    pub fn switch_counting_and_take_tries(&self, counts: bool) -> TryCounts {
        self.host.switch_counting_and_take_tries(counts)
    }

    /// Gives bytecode back that another machine used.
    pub fn return_compile_cache(&self, compiled: Compiled) {
        self.host.absorb_compile_cache(compiled);
    }

    /// Returns whether the machine must be rebuilt from the state: memory is still short after a collection.
    pub fn is_memory_short_after_collection(&self) -> bool {
        self.lua.used_memory() > self.short_memory_threshold()
    }

    /// Returns whether garbage may keep the next command from its memory: the machine does not collect when it is
    /// short.
    fn wants_garbage_collection(&self) -> bool {
        let quarter = self.host.meter.limits().memory / 4;
        self.lua.used_memory() > quarter.max(self.kept.get().saturating_mul(2))
    }

    fn short_memory_threshold(&self) -> usize {
        self.host.meter.limits().memory / 4 * 3
    }
}
