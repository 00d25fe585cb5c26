//! The rules of one generation: schemas, definitions, grammar and stats, ready to run.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Table};

use crate::content::{Definition, NAME, Node, Registry, check_name};
use crate::diag::Diagnostic;
use crate::script::declare::name_type::NameType;
use crate::script::declare::schema::{Schema, syntax_lines};
use crate::script::declare::template_owner::{DICE, Owner, owner_of_template};
use crate::script::rules::faulty_text::FaultyText;
use crate::script::run::handler_interpreter::Interpreter;
use crate::script::run::listeners::Listeners;
use crate::script::run::trace::RulePlace;
use crate::script::source::source_places;
use crate::script::source::sources::Sources;
use crate::store::clock::{Phases, Times};
use crate::store::{State, Stats};
use crate::text::{Grammar, GrammarBuilder, TokenTable};
use crate::value::{Name, Text, Value};

pub(crate) mod command_lines;
pub(crate) mod command_words;
pub(crate) mod compile_cache;
pub(crate) mod defined_events;
pub(crate) mod definition_cache;
pub(crate) mod faulty_text;
mod field_words;
pub(crate) mod file_facts;
pub(crate) mod grammar;
pub(crate) mod plans;
mod running_text;
pub(crate) mod same_lines;
pub(crate) mod start_lines;
pub(crate) mod unseen_words;
pub(crate) mod written_words;

/// The rules of one generation.
pub struct Rules {
    /// Name, summary and the other plain data of the ruleset.
    pub ruleset: Value,
    /// Id of the ruleset: the folder name.
    pub ruleset_id: String,
    /// Collections by name.
    pub schemas: BTreeMap<String, Schema>,
    /// All definitions as plain data.
    pub registry: Registry,
    /// What people may type.
    pub grammar: Arc<Grammar>,
    /// Slot types whose values are names found in the game or in a collection.
    pub name_types: BTreeMap<String, NameType>,
    /// The declared stats.
    pub stats: Rc<Stats>,
    /// The declared phases.
    pub phases: Rc<Phases>,
    /// What each stat is.
    pub stat_summaries: BTreeMap<String, String>,
    /// The queues that last no longer than a run.
    pub(crate) transient: HashSet<Name>,
    /// Who listens to events.
    pub(crate) listeners: RefCell<Rc<Listeners>>,
    /// The schemas that read the handlers of their definitions, by collection.
    pub(crate) interpreters: BTreeMap<String, Interpreter>,
    /// The sources of scripts by chunk name.
    pub(crate) sources: Sources,
    /// The tables of definitions by collection and id.
    pub(crate) tables: HashMap<(String, String), Table>,
    /// Lists of them by collection, as scripts asked for them; see [`Rules::forget_definition_lists`].
    pub(crate) lists: RefCell<HashMap<String, Table>>,
    /// Texts with errors, which are no part of the rules, and what was read of them.
    pub(crate) faulty: Vec<FaultyText>,
    /// The first thing in a text that could not be read, by the name of its file.
    pub(crate) unread: BTreeMap<String, Diagnostic>,
    /// Their trees: content in the order in which it is written, scripts in order of key.
    pub(crate) trees: HashMap<(String, String), Arc<Node>>,
    /// The table of `ruleset.luau`.
    pub(crate) ruleset_table: Option<Table>,
    /// Whether there is a `ruleset.luau` that could not be loaded: what it declares is not known to be missing.
    pub(crate) is_ruleset_lost: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            ruleset: Value::Nil,
            ruleset_id: String::new(),
            schemas: BTreeMap::new(),
            registry: Registry::default(),
            grammar: Arc::new(GrammarBuilder::new(TokenTable::default()).build().0),
            name_types: BTreeMap::new(),
            stats: Rc::default(),
            phases: Rc::default(),
            stat_summaries: BTreeMap::new(),
            transient: HashSet::new(),
            listeners: RefCell::default(),
            interpreters: BTreeMap::new(),
            sources: Sources::new(),
            tables: HashMap::new(),
            lists: RefCell::default(),
            faulty: Vec::new(),
            unread: BTreeMap::new(),
            trees: HashMap::new(),
            ruleset_table: None,
            is_ruleset_lost: false,
        }
    }
}

impl Rules {
    /// Returns what answers the ends that ask in the ruleset's own language.
    pub(crate) fn end_test_function(&self) -> Option<Function> {
        let expressions: Table = self.ruleset_table.as_ref()?.raw_get("expressions").ok()?;
        expressions.raw_get("test").ok()
    }

    /// Returns the definition that a rule belongs to, by its name: `collection/id`, and of a text the number of the rule behind that.
    pub(crate) fn definition_of_rule(&self, rule: &str) -> Option<&Definition> {
        let (collection, id) = rule.split_once('/')?;
        let text = id.rsplit_once(':').map_or(id, |(text, _)| text);
        let found = self.registry.get(collection, id);
        found
            .or_else(|| self.registry.get(collection, text))
            .map(|found| &**found)
    }

    /// Forgets the lists that scripts asked for, since definitions came or went.
    pub(crate) fn forget_definition_lists(&mut self) {
        self.lists.get_mut().clear();
    }

    /// Tells a state what the rules say of its fields: the stats, and which rows listen to events.
    pub fn equip_state(&self, state: &mut State) {
        state.declare_stats(Rc::clone(&self.stats));
        state.set_time_display(self.time_display());
        state.index_listeners(Rc::clone(&self.listeners().rules));
    }

    /// Returns whether the ruleset says what it is: its source, its name and its summary are what they have to be.
    pub fn has_introduction(&self) -> bool {
        let text = |key: &str| self.ruleset.get(key).as_str();
        let is_name = |name: &str| check_name(name, NAME).is_ok();
        text("source").is_some() && text("summary").is_some() && text("name").is_some_and(is_name)
    }

    /// Returns what game time is for people: `dates` of the clock says so.
    pub fn time_display(&self) -> Times {
        match self.ruleset.get("clock").get("dates").as_str() {
            Some(_) => Times::Dates,
            None => Times::Passed,
        }
    }

    /// Returns the events that rules may emit and hear: name and what each says, in order of name.
    pub fn event_summaries(&self) -> Vec<(Text, Text)> {
        let listeners = self.listeners();
        let events = listeners.events();
        let told = events.map(|event| ((&*event.name).into(), event.summary_with_fields().into()));
        told.collect()
    }

    /// Returns who listens to events.
    #[inline]
    pub(crate) fn listeners(&self) -> Rc<Listeners> {
        Rc::clone(&self.listeners.borrow())
    }

    /// Returns whether any definition listens to an event.
    #[inline]
    pub fn has_listeners_for(&self, event: Name) -> bool {
        let listeners = self.listeners.borrow();
        let event = listeners.event(event);
        event.is_some_and(|event| !event.listeners.is_empty())
    }

    /// Returns the function of the ruleset that finds the names of a slot type.
    pub(crate) fn slot_names_function(&self, name: &str) -> Option<Function> {
        let types: Table = self.ruleset_table.as_ref()?.raw_get("types").ok()?;
        types.raw_get::<Table>(name).ok()?.raw_get("names").ok()
    }

    /// Returns the definition that a line of `syntax` belongs to, and which of its lines it is, from 1.
    pub fn syntax_line_of(&self, owner: &Owner) -> Option<(&Arc<Definition>, usize)> {
        match owner {
            Owner::Host(_) => None,
            Owner::Definition {
                collection,
                id,
                line,
            } => Some((self.registry.get(collection, id)?, *line)),
        }
    }

    /// Returns the slot type of the items that a text in this slot of a command is made of: those that the
    /// ruleset names, or dice.
    pub fn item_type_of_slot(&self, template: &str, slot: &str) -> Option<&str> {
        let owner = owner_of_template(template)?;
        let (definition, line) = self.syntax_line_of(&owner)?;
        let syntax = *syntax_lines(definition).get(line.checked_sub(1)?)?;
        let rest = syntax.split(&format!("{{{slot}: ")).nth(1)?;
        let kind = rest.split('}').next()?;
        if kind == DICE {
            return Some(DICE);
        }
        self.ruleset.get("types").get(kind).get("items").as_str()
    }

    /// Returns where the ruleset declares a stat.
    pub fn place_of_stat(&self, stat: &str) -> Option<RulePlace> {
        let chunk = format!("{}/ruleset.luau", self.ruleset_id);
        let source = self.sources.get(&chunk)?;
        let places = source_places::table_places(source);
        let (key, _) = places.entries.get(&format!("stats.{stat}"))?;
        let line = source.position(key.start).line;
        let chunk = chunk.into();
        Some(RulePlace { chunk, line })
    }

    /// Returns the plain data of a definition.
    pub fn definition_data(&self, collection: &str, id: &str) -> &Value {
        self.registry
            .get(collection, id)
            .map_or(&Value::Nil, |definition| &definition.value)
    }
}
