//! Methods of `act`, with which a running rule reads and changes the game, uses chance and sends messages.

use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, Table};

use super::Library;
use super::fast_act_methods::{
    FastBase, FastExists, FastGet, FastHasListeners, FastIsTallied, FastKind, FastRows, FastSet,
    FastStat, FastWritten,
};
use super::library::{ANSWER, argument_check_function};
use crate::script::former_names;
use crate::script::host::safe_fallback::{new_place_reporting_protected_call, protected_call};
use crate::script::host::sandbox::constant_globals;
use crate::script::host::{Host, RecipientTables};
use crate::script::profile::Work;
use crate::script::run::event_cursor::EventCursor;
use fast_event_methods::{FastEmitAgain, FastEndEmission};

mod address;
mod chance_methods;
mod clock_steps;
mod command_output;
mod endless_rules;
pub(super) mod event_emission;
mod event_followup;
mod fast_event_methods;
pub(crate) mod fiat;
mod field_values;
mod frame_values;
mod handler_error;
mod handler_turns;
mod host_records;
mod named_file_methods;
pub(crate) mod named_work;
pub(crate) mod past_changes;
mod question_methods;
pub(crate) mod queue_methods;
mod record_attachment;
mod record_endings;
mod refusal_fields;
pub(super) mod row_arguments;
pub(super) mod row_methods;
mod rule_savepoints;
mod stored_handlers;
pub(crate) mod thread_methods;
mod try_counts;
mod unknown_field;
mod visibility;
mod watched_writes;

pub(super) use clock_steps::clock_of_run;
pub(in crate::script) use command_output::code_with_area;
pub(crate) use command_output::send_unsent_lines;
pub(super) use host_records::{add_host_record, host_records_of_kind};
pub(super) use record_attachment::check_visible_to;
pub(in crate::script) use refusal_fields::{diagnostic_of_refusal, read_refusal_place};

/// Registry key of the methods and the metatable of every `act`.
const METATABLE: &str = "arbiter.act";

/// Registry key of the function that ends records when an expression turns true.
const SETTLE: &str = "arbiter.settle";

/// Registry key of the hooks that are called when rows reach a deadline.
pub(super) const HOOKS: &str = "arbiter.hooks";

/// Frames of the methods that end records and move the clock.
pub(crate) const CLOCK: &str = include_str!("clock_methods.luau");

/// Frames of the methods that call functions of rules.
const MOTION: &str = include_str!("events_and_queues.luau");

/// Registers the methods of `act`.
pub(super) fn register_act_methods(lua: &Lua, host: &Rc<Host>, raw: bool) -> mlua::Result<()> {
    let methods = Library::new(lua, host, "Act")?
        .with_work_kind(Work::Reads)
        .add_fast::<FastGet, _, _>("get", raw, field_values::get_value)?
        .add("get_decimal", field_values::get_decimal)?
        .add_fast::<FastBase, _, _>("base", raw, field_values::base_value)?
        .add_fast::<FastStat, _, _>("stat", raw, field_values::shown_and_base)?
        .add_fast::<FastExists, _, _>("exists", raw, row_methods::row_exists)?
        .add_fast::<FastKind, _, _>("kind", raw, row_methods::kind_of_row)?
        .add("row", row_methods::read_row)?
        .add("find", row_methods::find_row_ids)?
        .add_fast::<FastRows, _, _>("rows", raw, row_methods::find_rows_with_fields)?
        .add("kinds", row_methods::entity_kinds)?
        .add("changes", past_changes::past_changes)?
        .add("roll", chance_methods::roll)?
        .add("roll_tree", chance_methods::roll_tree)?
        .add("roll_faces", chance_methods::roll_faces)?
        .add("pick", chance_methods::pick_candidate)?
        .add("shuffle", chance_methods::shuffle_candidates)?
        .add("by", command_output::giver_of_command)?
        .add("ruling_number", command_output::ruling_number)?
        .add("log_line", command_output::log_line_number)?
        .add("version", watched_writes::state_version)?
        .add("writes", watched_writes::count_run_writes)?
        .add("keys", named_file_methods::file_keys)?
        .add("place", named_file_methods::file_place)?
        .add("judge_thread", thread_methods::judge_thread)?
        .add("test", visibility::trace_condition)?
        .add("may_see", visibility::may_see)?
        .add("visible_row", visibility::visible_row)?
        .add("unknown_field", unknown_field::near_fields_if_unknown)?
        .add_fast::<FastIsTallied, _, _>("is_tallied", raw, try_counts::are_tries_counted)?
        .add("speaker", visibility::first_played_entity)?
        .add("seat", visibility::seat_of_row)?
        .add("is_in", visibility::is_giver_in_group)?
        .add("time_text", clock_steps::time_text)?
        .add("bearer", event_emission::bearer_of_row)?
        .add_fast::<FastHasListeners, _, _>("has_listeners", raw, event_emission::has_listeners)?
        .add("is_running", handler_turns::is_handler_running)?
        .with_work_kind(Work::Writes)
        .add_fast::<FastSet, _, _>("set", raw, field_values::set_field)?
        .add("add", field_values::add_to_field)?
        .add("create", row_methods::create_row)?
        .add("attach", record_attachment::attach_record)?
        .add("prompt", question_methods::prompt)?
        .add("fiat", fiat::declare_fiat)?
        .add("tally", try_counts::count_try_under_names)?
        .with_work_kind(Work::Documents)
        .add("ask", question_methods::ask)?
        .add("ask_all", question_methods::ask_all)?
        .add("say", command_output::say_document)?
        .add("done", command_output::done_result)?
        .add("add_line", command_output::add_line)?
        .add("lines", command_output::added_lines)?
        .add("fail", command_output::fail_result)?
        .add("tell", visibility::say_to_player_of_row)?
        .with_work_kind(Work::Events)
        .add("enqueue", queue_methods::enqueue)?
        .add("queued", queue_methods::queue_contents)?
        .into_table();
    let clock = clock_methods(lua, host, &methods)?;
    for made in [
        callback_methods(lua, host, &clock, raw)?,
        clock.raw_get("methods")?,
    ] {
        for (name, frame) in made.pairs::<String, Function>().flatten() {
            methods.raw_set(name, frame)?;
        }
    }
    for (old, now) in former_names::METHODS {
        methods.raw_set(old, methods.raw_get::<Function>(now)?)?;
    }
    methods.set_readonly(true);
    let metatable = lua.create_table()?;
    metatable.set("__index", methods)?;
    metatable.set("__metatable", "act")?;
    metatable.set_readonly(true);
    lua.set_named_registry_value(METATABLE, metatable)
}

/// Returns the `methods` that end records and move the clock. Their steps run in Rust. Between the steps Luau emits
/// events.
fn clock_methods(lua: &Lua, host: &Rc<Host>, methods: &Table) -> mlua::Result<Table> {
    let steps = Library::new(lua, host, "Act")?
        .with_work_kind(Work::Reads)
        .add("clock", clock_steps::read_clock)?
        .with_work_kind(Work::Events)
        .add("after_event", record_endings::end_records_after_event)?
        .add("begin_settled", event_followup::begin_settled_if_due)?
        .with_work_kind(Work::Writes)
        .add("remove", record_endings::remove_row)?
        .add("detach", record_endings::detach_record)?
        .add("use", record_endings::use_record_once)?
        .add("turned_true", record_endings::end_records_turned_true)?
        .add("next_phase", clock_steps::prepare_next_phase)?
        .add("end_phase", clock_steps::end_phase_records)?
        .add("begin_phase", clock_steps::begin_phase)?
        .add("begin_rounds", clock_steps::begin_rounds)?
        .add("reorder", clock_steps::reorder_turns)?
        .add("next_turn", clock_steps::prepare_next_turn)?
        .add("end_turn", clock_steps::remove_present_turn)?
        .add("end_rounds", clock_steps::remove_present_turn)?
        .add("turn_ends", clock_steps::end_turn_records)?
        .add("begin_turn", clock_steps::begin_next_turn)?
        .add("end_round", clock_steps::end_round)?
        .add("pass_time", clock_steps::time_goal)?
        .add("pass_to", clock_steps::pass_to_next_due)?
        .into_table();
    let made: Table = lua
        .load(&host.compiled_bytecode(CLOCK)?[..])
        .set_mode(ChunkMode::Binary)
        .set_name("=host/clock_methods.luau")
        .call((steps, methods))?;
    lua.set_named_registry_value(HOOKS, made.raw_get::<Table>("hooks")?)?;
    lua.set_named_registry_value(SETTLE, made.raw_get::<Function>("settle")?)?;
    Ok(made)
}

/// Returns the methods that are frames in Luau around functions of rules. Their calls of the host have the name of the
/// method, because messages about arguments show that name.
fn callback_methods(lua: &Lua, host: &Rc<Host>, clock: &Table, raw: bool) -> mlua::Result<Table> {
    let asked = Library::new_for_luau_frames(lua, host, "Act")?
        .with_work_kind(Work::Events)
        .add_with_fuel("emit", ANSWER, event_emission::begin_emission_for_frame)?
        .add("fire", handler_turns::begin_late_handler)?
        .add("memo", watched_writes::watch_fields_and_kinds)?
        .add("drain", queue_methods::take_waiting_rows)?
        .add("with_cause", named_work::begin_named_cause)?
        .add("run_rule", rule_savepoints::begin_rule)?
        .into_table();
    let checked = Library::new_for_luau_frames(lua, host, "Act")?
        .with_work_kind(Work::Events)
        .add("drain", queue_methods::read_drain_options)?
        .into_table();
    let given = Library::new(lua, host, "motion")?
        .with_work_kind(Work::Events)
        .add_fast::<FastEmitAgain, _, _>(
            "told_again",
            raw,
            event_emission::repeat_emission_fallback,
        )?
        .add("present", event_emission::begin_recipient_turn)?
        .add("begin_turn", handler_turns::begin_handler_turn)?
        .add("over_limit", handler_turns::limit_reaction)?
        .add_fast::<FastWritten, _, _>("written", raw, watched_writes::count_watched_writes)?
        .add("failed", handler_error::handle_broken_handler)?
        .add_fast::<FastEndEmission, _, _>("leave", raw, event_emission::end_emission)?
        .add("remembered", watched_writes::seal_memo_table)?
        .add("writes", watched_writes::count_run_writes)?
        .add("rest", event_followup::note_event_at_rest)?
        .add("cause", event_emission::current_cause)?
        .add("endless", queue_methods::stop_refilling_queue)?
        .add("drop_rest", queue_methods::drop_waiting_rows)?
        .add_with_fuel("uncounted", 0, handler_turns::call_without_fuel)?
        .add("over", named_work::resume_cause)?
        .add("rule_failed", rule_savepoints::handle_broken_rule)?
        .add("rule_over", rule_savepoints::end_rule)?
        .with_work_kind(Work::Documents)
        .add("refuse", handler_error::refuse_command)?
        .into_table();
    given.raw_set("recipients", asked.raw_get::<Function>("emit")?)?;
    given.raw_set("watch", asked.raw_get::<Function>("memo")?)?;
    given.raw_set("late", asked.raw_get::<Function>("fire")?)?;
    given.raw_set("begin", asked.raw_get::<Function>("with_cause")?)?;
    given.raw_set("begin_rule", asked.raw_get::<Function>("run_rule")?)?;
    given.raw_set("draining", checked.raw_get::<Function>("drain")?)?;
    given.raw_set("take", asked.raw_get::<Function>("drain")?)?;
    given.raw_set("after_event", clock.raw_get::<Function>("after_event")?)?;
    let turn = EventCursor::new(lua)?;
    given.raw_set("turn", turn.buffer())?;
    host.set_event_cursor(turn);
    let lists = RecipientTables {
        places: lua.create_table()?,
        rows: lua.create_table()?,
        works: lua.create_table()?,
    };
    given.raw_set("lists", &lists.places)?;
    given.raw_set("rows", &lists.rows)?;
    given.raw_set("works", &lists.works)?;
    host.set_recipient_tables(lists);
    given.raw_set("check", argument_check_function(lua, host, "Act")?)?;
    given.raw_set("protected", new_place_reporting_protected_call(lua, raw)?)?;
    given.raw_set("quietly", protected_call(lua, raw)?)?;
    lua.load(&host.compiled_bytecode(MOTION)?[..])
        .set_mode(ChunkMode::Binary)
        .set_name("=host/events_and_queues.luau")
        .set_environment(constant_globals(
            lua,
            &["buffer", "next", "table", "tostring", "type"],
        )?)
        .call(given)
}

/// Ends records when an expression turned true, and emits the events about them.
pub(crate) fn end_records_by_expression(lua: &Lua, act: &Table) -> mlua::Result<()> {
    let settle: Function = lua.named_registry_value(SETTLE)?;
    settle.call(act)
}

/// Returns a fresh `act`. The next fresh `act` makes this one invalid.
pub(crate) fn new_act(lua: &Lua) -> mlua::Result<Table> {
    let act = lua.create_table()?;
    act.set_metatable(Some(lua.named_registry_value(METATABLE)?))?;
    act.set_readonly(true);
    Ok(act)
}
