//! Turns the files of mods into one generation of rules: schemas, ruleset, definitions, grammar.
//!
//! Nothing stops a load: every file that can be used is used, everything else is a finding, all in one pass.

pub(in crate::script) mod definition_calls;
pub(in crate::script) mod definition_handlers;
mod definitions;
mod file_keys;
pub(crate) mod folder_watch;
mod languages;
pub(crate) mod literal_checks;
mod loader;
mod ruleset;
mod schema_checks;
mod schemas;
pub(crate) mod script_report;
mod table_file;
#[cfg(test)]
mod tests;
pub(in crate::script) mod text_forms;
mod texts;
mod value_cache;

use std::cell::RefCell;
use std::rc::Rc;

use self::file_keys::FileKeys;
use crate::diag::{Diagnostic, RENAMED};
use crate::script::declare::taken_over_words::taken_over_words;
use crate::script::declare::template_owner::HostPhrase;
use crate::script::engine::{Engine, EngineOptions};
use crate::script::load::loader::{Loader, no_machine_finding};
use crate::script::rules::command_lines::command_findings;
use crate::script::rules::compile_cache::Compiled;
use crate::script::rules::defined_events::duplicate_event_findings;
use crate::script::rules::faulty_text::FaultyText;
use crate::script::rules::file_facts::Shelf;
use crate::script::rules::plans::plan_findings;
use crate::script::rules::start_lines::start_line_findings;
use crate::script::rules::{Rules, grammar};
use crate::script::run::checks_in_force::Checks;
use crate::script::run::event::add_defined_events;
use crate::script::run::listeners::{self, Listeners};
use crate::script::run::read_handler::ReadHandlers;
use crate::script::source::mod_files::{RULESET, is_script};

pub use loader::ModFiles;
pub use text_forms::Forms;

/// Loads one generation of rules. The last mod is the ruleset. It builds on the mods before it.
///
/// Errors: memory, so that no machine can be built.
pub fn load_rules(
    mods: &[ModFiles],
    host_phrases: &[HostPhrase],
    options: &EngineOptions,
    mut compiled: Compiled,
) -> Result<(Engine, Vec<Diagnostic>), Diagnostic> {
    let scripts = mods.iter().flat_map(|files| &files.scripts);
    let scripts = scripts
        .filter(|file| is_script(&file.path))
        .map(|file| &file.source);
    compiled
        .compile_on_threads(scripts.filter(|source| source.text().len() <= options.limits.source));
    let shelf = options.cache.as_ref().map(|cache| Shelf {
        cache,
        key: file_keys::ruleset_key(mods, options.checks),
    });
    let scripts = file_keys::scripts_key(mods, host_phrases, options);
    let keys = FileKeys::new(mods, scripts);
    compiled.file_facts.begin_load(scripts, shelf.as_ref());
    let engine = Engine::new(options, compiled).map_err(|error| no_machine_finding(&error))?;
    // The tables that files leave are mostly kept: collecting step by step would visit the same tables again and again.
    // A machine short of memory collects all the same.
    engine.lua.gc_stop();
    let mut loader = Loader::new(&engine, mods, &options.names);
    engine.host.meter.begin_command();
    for files in mods {
        engine.host.meter.begin_command();
        loader.read_schemas(files);
        loader
            .make_mod_environment(files)
            .map_err(|error| no_machine_finding(&error))?;
        loader.read_ruleset_file(files);
        loader.note_defined_events(files);
        loader.read_definition_scripts(files);
        loader.read_content_files(files);
        loader
            .read_text_heads(files)
            .map_err(|error| no_machine_finding(&error))?;
        loader.run_unrequired_modules(files);
    }
    loader.read_languages(mods);
    loader.report_unreadable_texts();
    let definitions = loader.read.iter().map(|read| &*read.kept.definition);
    let taken = taken_over_words(definitions, host_phrases, &mut loader.findings);
    loader
        .enter_definitions(&taken)
        .map_err(|error| no_machine_finding(&error))?;
    loader.check_definition_references();
    loader
        .kept
        .end_generation(|chunk| loader.modules.modules_required_by(chunk));
    *engine.host.definition_cache() = loader.kept;
    let (mut rules, mut findings) = (loader.rules, loader.findings);
    let listen = |rules: &mut Rules, handlers: &ReadHandlers| {
        let (schemas, registry) = (&rules.schemas, &rules.registry);
        let events = add_defined_events(loader.events.clone(), schemas, registry);
        let said = listeners::Said {
            schemas,
            registry,
            tables: &rules.tables,
            interpreters: &rules.interpreters,
            handlers,
        };
        let listeners = Listeners::of(&said, events, &options.names);
        rules.listeners = RefCell::new(Rc::new(listeners));
    };
    let finish = |rules: &mut Rules, findings: &mut Vec<Diagnostic>| {
        let mut known = engine.host.last_clean_grammar();
        grammar::build_grammar(rules, host_phrases, &taken, &mut known, findings);
    };
    listen(&mut rules, &ReadHandlers::new());
    finish(&mut rules, &mut findings);
    findings.extend(plan_findings(&rules));
    findings.extend(command_findings(&rules));
    findings.extend(duplicate_event_findings(&rules));
    let ruleset = mods.last().and_then(|one| {
        let mut scripts = one.scripts.iter();
        scripts.find(|file| file.path == RULESET)
    });
    let ruleset = ruleset.map(|file| &file.source);
    findings.extend(start_line_findings(&rules, host_phrases, ruleset));
    *engine.modules.borrow_mut() = Some(loader.modules);
    let put = |rules: Rules| {
        *engine.host.rules.borrow_mut() = Rc::new(rules);
        let known = engine.host.fill_known_definitions(&engine.lua);
        known.map_err(|error| no_machine_finding(&error))
    };
    put(rules)?;
    // Rules that a limit cut off may be there the next time, and then other facts follow from the same files.
    let keys_unless = |is_cut: bool| (!is_cut).then_some(&keys);
    let is_limit = |found: &Diagnostic| found.code.starts_with("limit/");
    let mut is_cut = findings.iter().any(is_limit);
    let texts = texts::read_known_texts(&engine, keys_unless(is_cut), &mut loader.read);
    let texts = texts.map_err(|error| no_machine_finding(&error))?;
    findings.extend(texts.checked.findings);
    let mut rules = engine.host.take_rules();
    rules.tables.extend(texts.tables);
    schema_checks::remove_definitions(&mut rules, &texts.checked.broken);
    rules
        .faulty
        .extend(texts.faulty.into_iter().map(FaultyText::new));
    rules.unread = texts.unread;
    put(rules)?;
    is_cut |= texts.checked.is_cut;
    let checks = &loader.checks;
    let checked =
        schema_checks::cached_or_run_checks(&engine, keys_unless(is_cut), checks, &loader.read);
    let checked = checked.map_err(|error| no_machine_finding(&error))?;
    is_cut |= checked.is_cut;
    findings.extend(checked.findings);
    if !checked.broken.is_empty() || !texts.checked.broken.is_empty() {
        let mut rules = engine.host.take_rules();
        let faulty = schema_checks::texts_among_definitions(&rules, &checked.broken);
        rules.faulty.extend(faulty.into_iter().map(FaultyText::new));
        schema_checks::remove_definitions(&mut rules, &checked.broken);
        finish(&mut rules, &mut Vec::new());
        put(rules)?;
    }
    let handlers =
        definition_handlers::read_definition_handlers(&engine, keys_unless(is_cut), &mut findings);
    let handlers = handlers.map_err(|error| no_machine_finding(&error))?;
    let is_changed = !checked.broken.is_empty() || !texts.checked.broken.is_empty();
    if is_changed || !handlers.is_empty() {
        let mut rules = engine.host.take_rules();
        listen(&mut rules, &handlers);
        *engine.host.rules.borrow_mut() = Rc::new(rules);
    }
    if options.checks == Checks::Then {
        // Recorded rules keep their names.
        findings.retain(|found| found.code != RENAMED);
    }
    findings.sort_by_key(Diagnostic::sort_key);
    merge_same_findings(&mut findings);
    give_findings_to_faulty_texts(&engine, &findings);
    engine.host.stop_compiling();
    let mut facts = engine.host.file_facts();
    // What languages lack says nothing about scripts.
    if findings
        .iter()
        .all(|found| found.code.starts_with("language/"))
    {
        facts.keep_clean_load();
    }
    facts.end_load(shelf.as_ref().filter(|_| !is_cut));
    drop(facts);
    engine.lua.gc_restart();
    Ok((engine, findings))
}

/// Leaves one of several equal findings for the same place. A broken module is found by itself and by each file that
/// requires it, and one of those stays as its trace.
fn merge_same_findings(findings: &mut Vec<Diagnostic>) {
    findings.dedup_by(|later, first| {
        let trace = std::mem::take(&mut later.trace);
        let kept = std::mem::take(&mut first.trace);
        let is_same = later == first;
        match is_same && kept.is_empty() {
            true => first.trace = trace,
            false => (first.trace, later.trace) = (kept, trace),
        }
        is_same
    });
}

/// Gives texts with errors the findings about them.
fn give_findings_to_faulty_texts(engine: &Engine, findings: &[Diagnostic]) {
    let mut rules = engine.host.take_rules();
    for text in &mut rules.faulty {
        text.take_findings(findings);
    }
    *engine.host.rules.borrow_mut() = Rc::new(rules);
}
