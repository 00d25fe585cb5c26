//! Emits an event without the frame of `events_and_queues.luau`: every handler is called from Rust, with the same
//! guarantees. Only measurements use it.

use mlua::{Function, LuaString, Table, Value as LuaValue};

use crate::diag::Diagnostic;
use crate::script::border::stack_value::This;
use crate::script::engine::Engine;
use crate::script::run::Run;
use crate::script::run::event_frame::Frame;
use crate::script::run::event_recipients::{self, Address};
use crate::value::{Name, Value};

/// A handler with its arguments.
type Called = (Function, LuaString, LuaString);

/// Emits an event without filters `times` times, with each handler called from Rust. The recipients are found once.
///
/// Each handler has its own budget, its turn, and the equivalent of its savepoint. Errors: the errors of the handlers.
pub fn emit_one_by_one_from_rust(
    engine: &Engine,
    run: Run,
    event: Name,
    times: u32,
) -> (Run, Result<(), Diagnostic>) {
    engine.with_act(run, |act| {
        let rules = engine.rules();
        let listeners = rules.listeners();
        let event = listeners.event(event);
        let event = event.expect("invariant: measured events are declared");
        let this = This(act.to_pointer() as usize);
        let (recipients, called) = {
            let mut run = engine.host.ruling(this)?;
            let run = &mut *run;
            let chance = run.chance.as_mut();
            let found = event_recipients::ordered_recipients(
                &run.state,
                event,
                &Address::All,
                &Value::Nil,
                chance,
            );
            let found = found.expect("invariant: measured events have an order");
            let text = |name| engine.lua.create_string(&*engine.host.names.text(name));
            let called = found.iter().map(|one| {
                let function = event.listeners[one.listener].work.function().clone();
                Ok((function, text(one.element)?, text(one.bearer)?))
            });
            let called = called.collect::<mlua::Result<Vec<Called>>>()?;
            (found.into(), called)
        };
        for _ in 0..times {
            let fields: Table = engine.lua.create_table_from([("count", 0)])?;
            {
                let mut run = engine.host.ruling(this)?;
                let (shape, parent) = (
                    run.state.listening_version(),
                    run.motion.causes.cause_at_work(),
                );
                run.motion.frames.push(Frame {
                    event: event.clone(),
                    recipients: std::rc::Rc::clone(&recipients),
                    shape,
                    from: 0,
                    at: None,
                    savepoint: None,
                    parent,
                    is_late: false,
                    repeats: false,
                });
            }
            for (at, (function, element, bearer)) in called.iter().enumerate() {
                {
                    let mut run = engine.host.ruling(this)?;
                    let is_same = run
                        .motion
                        .frames
                        .last()
                        .is_some_and(|frame| frame.shape == run.state.listening_version());
                    assert!(is_same, "invariant: measured handlers change nothing");
                    run.begin_recipient_turn(at);
                }
                let _scope = engine.host.meter.enter_script_call();
                let result: LuaValue = function.call((act, &fields, element, bearer))?;
                assert!(
                    result.is_nil(),
                    "invariant: measured handlers return nothing"
                );
            }
            engine.host.ruling(this)?.motion.frames.pop();
        }
        Ok(())
    })
}
