//! Settings of an event besides its name: the order of its listeners and the limits of its emission.

use crate::script::declare::listener_order::Key;
use crate::value::Value;

/// The shape of `order` of an event.
const ORDER: &str = "[list of, [any of, 'one of priority, bearer, age, random, round', \
    { kinds: list of string }, { shuffle: list of string }, { participants: string }, { bearer: string }, { 'listener, formerly element': string }]]";

/// The settings of an event, or of all events of a collection: `ORDER` stands for the shape of an order.
const SETTINGS: &str = "'order?': ORDER, 'max_depth?': 'integer 1..64', 'max_repeats?': 'integer 1..10000', 'until_quiet?': boolean, 'fields?': list of string, 'traced?': boolean";

/// The meaning of each setting.
pub(super) const SETTING_TEXTS: [(&str, &str); 11] = [
    (
        "order",
        "In which order its listeners handle it, by one or more keys. Default: `priority`, then `age`.",
    ),
    (
        "order.kinds",
        "Listeners of these kinds come first, in this order.",
    ),
    ("order.shuffle", "Listeners of these kinds are shuffled."),
    (
        "order.participants",
        "Listeners follow the order of the rows in this field of the event.",
    ),
    (
        "order.bearer",
        "Listeners follow this field of their bearers.",
    ),
    (
        "order.listener",
        "Listeners follow this field of their own.",
    ),
    (
        "max_depth",
        "How many handlers may be inside each other, with the present one. Default: the limit of the host.",
    ),
    (
        "max_repeats",
        "How often it is emitted again if it is emitted during its own emission. Default: it is emitted at once.",
    ),
    (
        "until_quiet",
        "Whether it is emitted again while its emission writes something. Default: false.",
    ),
    (
        "fields",
        "The fields that its filters may name. Default: any field.",
    ),
    (
        "traced",
        "Whether `why` shows that it was emitted. Default: true, and false if definitions are events.",
    ),
];

/// The default number of repeats of an event that is emitted until nothing is written.
const UNTIL_QUIET: u32 = 10;

/// The key of a schema with definitions that are events, and of a definition with its own settings.
pub(crate) const EVENTS: &str = "events";
pub(crate) const EVENT: &str = "event";

/// The settings of an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventSettings {
    /// The keys that order its listeners. May be empty.
    pub(crate) order: Vec<Key>,
    /// The nesting limit of rules, including the present handler.
    pub(crate) max_depth: Option<usize>,
    /// The number of repeats if it is emitted during its own emission. Without a number, it is emitted at once, nested.
    pub(crate) max_repeats: Option<u32>,
    /// Whether it is emitted again while its emission writes something, and omitted if nothing was written since.
    pub(crate) until_quiet: Option<bool>,
    /// The declared fields. Without them, a filter may test any field.
    pub(crate) fields: Option<Vec<String>>,
    /// Whether `why` shows that it was emitted.
    pub(crate) traced: Option<bool>,
}

/// Returns the keys of an event as shapes have them.
pub(crate) fn settings_shape() -> String {
    SETTINGS.replace("ORDER", ORDER)
}

impl EventSettings {
    /// Reads a checked value. Nil has no settings.
    pub(crate) fn of_value(said: &Value) -> EventSettings {
        let number = |key: &str| u32::try_from(said.get(key).as_i64()?).ok();
        let truth = |key: &str| match said.get(key) {
            Value::Bool(truth) => Some(*truth),
            _ => None,
        };
        let order = said.get("order").items().iter();
        EventSettings {
            order: order.filter_map(Key::read_order_key).collect(),
            max_depth: number("max_depth").map(|most| most as usize),
            max_repeats: number("max_repeats"),
            until_quiet: truth("until_quiet"),
            // An empty table is a map; it declares that there are no fields.
            fields: match said.get("fields") {
                Value::Nil => None,
                fields => {
                    let fields = fields.items().iter().filter_map(Value::as_str);
                    Some(fields.map(str::to_owned).collect())
                }
            },
            traced: truth("traced"),
        }
    }

    /// Returns these settings. Missing ones are taken from `base`.
    pub(crate) fn with_defaults(self, base: &EventSettings) -> EventSettings {
        EventSettings {
            order: match self.order.is_empty() {
                true => base.order.clone(),
                false => self.order,
            },
            max_depth: self.max_depth.or(base.max_depth),
            max_repeats: self.max_repeats.or(base.max_repeats),
            until_quiet: self.until_quiet.or(base.until_quiet),
            fields: self.fields.or_else(|| base.fields.clone()),
            traced: self.traced.or(base.traced),
        }
    }

    /// Returns whether it is emitted until nothing is written.
    pub(crate) fn is_until_quiet(&self) -> bool {
        self.until_quiet == Some(true)
    }

    /// Returns the limit of repeated emissions. Returns nothing if an emission is never repeated.
    pub(crate) fn max_repeat_emissions(&self) -> Option<u32> {
        let until_quiet = self.is_until_quiet().then_some(UNTIL_QUIET);
        self.max_repeats.or(until_quiet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the fields of an event that declares these.
    fn fields_of(declared: Value) -> Option<Vec<String>> {
        EventSettings::of_value(&Value::map([("fields", declared)])).fields
    }

    #[test]
    fn an_event_with_an_empty_table_of_fields_has_none_and_one_without_may_have_any() {
        let empty: [(&str, Value); 0] = [];
        assert_eq!(fields_of(Value::map(empty)), Some(Vec::new()));
        assert_eq!(fields_of(Value::list([])), Some(Vec::new()));
        assert_eq!(fields_of(Value::Nil), None);
        let who = fields_of(Value::list([Value::Text("who".into())]));
        assert_eq!(who, Some(vec!["who".to_owned()]));
    }
}
