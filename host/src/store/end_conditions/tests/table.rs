//! The table of ends: each kind, alone and combined, with the actions and the reason of the end.

use super::{World, end, list};
use crate::value::Value;

mod clock;
mod counts;

use clock::{phases, turns};
use counts::{asking, combined, counts};

/// An action in the world.
enum Do {
    /// The next phase begins.
    Phase,
    /// A named phase begins.
    Jump(&'static str),
    /// Rounds begin with ann, bo and cy.
    Rounds,
    /// The next turn begins.
    Turn,
    /// Rounds end.
    Peace,
    /// Seconds pass.
    Pass(i64),
    /// An event is emitted with a field `who`, and a field `both` with that value in second place.
    Tell(&'static str, &'static str),
    /// The record is used.
    Use,
    /// A row is removed.
    Remove(&'static str),
    /// A field of ann is set, and expressions are tested.
    Set(&'static str),
    /// The record is attached to ann.
    Attach,
}

use Do::{Attach, Jump, Pass, Peace, Phase, Remove, Rounds, Set, Tell, Turn, Use};

fn one(key: &str, value: impl Into<Value>) -> Value {
    end([(key, value.into())])
}

fn turn(edge: &str, of: &str, nth: Option<i64>) -> Value {
    let nth = nth.map_or(Value::Nil, Value::from);
    end([("turn", edge.into()), ("of", of.into()), ("nth", nth)])
}

fn event(kind: &str, who: &str) -> Value {
    let fields = Value::map([("who", Value::from(who))]);
    end([("event", kind.into()), ("where", fields)])
}

/// Returns an end by an event with these fields at their paths, if a test holds. Without data the host answers
/// the test.
fn asked(filters: Value, test: &str, bound: impl Into<Option<bool>>) -> Value {
    let bound = bound.into().map_or(Value::Nil, Value::from);
    let test = if test.is_empty() {
        Value::Nil
    } else {
        test.into()
    };
    end([
        ("event", "bell".into()),
        ("where", filters),
        ("test", test),
        ("bound", bound),
    ])
}

/// A line of the table: name, ends, actions, and the reason of the end (none: the record lasts).
type Line = (&'static str, Value, Vec<Do>, Option<&'static str>);

fn play(world: &mut World, ends: &Value, deeds: &[Do]) {
    let mut record = None;
    for deed in deeds {
        match deed {
            Attach => record = Some(world.attach("ann", "mark", ends).unwrap()),
            Phase => world.next_phase(None),
            Jump(name) => world.next_phase(Some(name)),
            Rounds => world.begin_rounds(&["ann", "bo", "cy"]),
            Turn => world.next_turn(),
            Peace => world.end_rounds(),
            Pass(seconds) => world.pass_seconds(*seconds),
            Tell(kind, who) => {
                let both = list(["dot".into(), (*who).into()]);
                world.event(kind, &end([("who", (*who).into()), ("both", both)]));
            }
            Use => drop(world.use_record_once(record.unwrap())),
            Remove(id) => world.remove(id),
            Set(field) => {
                world.set("ann", field);
                world.test();
            }
        }
    }
}

#[test]
fn each_end_ends_its_record_and_is_named() {
    for (name, ends, deeds, expected) in
        [phases(), turns(), counts(), asking(), combined()].concat_lines()
    {
        let mut world = World::new();
        play(&mut world, &ends, &deeds);
        let told = world
            .ended
            .iter()
            .filter_map(|told| told.strip_prefix("mark: "));
        assert_eq!(told.collect::<Vec<_>>(), Vec::from_iter(expected), "{name}");
        let mark = world.state.names().intern("mark");
        let left = world.state.rows_of_kind(mark).count();
        assert_eq!(left, usize::from(expected.is_none()), "{name}");
    }
}

/// A record that lasts can be ended with a reason.
#[test]
fn what_lasts_can_be_ended() {
    for (name, ends, deeds, expected) in
        [phases(), turns(), counts(), asking(), combined()].concat_lines()
    {
        if expected.is_none() {
            let mut world = World::new();
            play(&mut world, &ends, &deeds);
            world.remove("mark#1");
            assert_eq!(world.ended.last().unwrap(), "mark: removed", "{name}");
        }
    }
}

trait Lines {
    fn concat_lines(self) -> Vec<Line>;
}

impl<const N: usize> Lines for [Vec<Line>; N] {
    fn concat_lines(self) -> Vec<Line> {
        self.into_iter().flatten().collect()
    }
}
