//! The rules of one generation: schemas, definitions, grammar and stats, ready to run.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Table};

use crate::content::{Definition, NAME, Node, Registry, check_name};
use crate::diag::Diagnostic;
use crate::script::declare::constructors::Constructor;
use crate::script::declare::name_type::NameType;
use crate::script::declare::schema::{Schema, syntax_lines};
use crate::script::declare::template_owner::{DICE, Owner, owner_of_template};
use crate::script::rules::faulty_text::FaultyText;
use crate::script::run::handler_interpreter::Interpreter;
use crate::script::run::listeners::Listeners;
use crate::script::run::trace::RulePlace;
use crate::script::source::mod_files::LIBRARY;
use crate::script::source::source_places;
use crate::script::source::sources::Sources;
use crate::store::clock::{Phases, Times};
use crate::store::{State, Stats};
use crate::text::{Grammar, GrammarBuilder, TokenTable};
use crate::value::{Name, Text, Value};
use crate::words::Words;

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
    /// The lines that people may type.
    pub grammar: Arc<Grammar>,
    /// Slot types of values that are names found in the game or in a collection.
    pub name_types: BTreeMap<String, NameType>,
    /// The words of the host for readers and players, in the language of the ruleset.
    pub words: Arc<Words>,
    /// The declared stats.
    pub stats: Rc<Stats>,
    /// The declared phases.
    pub phases: Rc<Phases>,
    /// The summary of each stat.
    pub stat_summaries: BTreeMap<String, String>,
    /// The queues that last no longer than a run.
    pub(crate) transient: HashSet<Name>,
    /// The listeners of events.
    pub(crate) listeners: RefCell<Rc<Listeners>>,
    /// The schemas that read the handlers of their definitions, by collection.
    pub(crate) interpreters: BTreeMap<String, Interpreter>,
    /// The sources of scripts by chunk name.
    pub(crate) sources: Sources,
    /// The tables of definitions by collection and id.
    pub(crate) tables: HashMap<(String, String), Table>,
    /// Lists of them by collection, as scripts asked for them. See [`Rules::forget_definition_lists`].
    pub(crate) lists: RefCell<HashMap<String, Table>>,
    /// Texts with errors, which are not a part of the rules, and the tables that were read of them.
    pub(crate) faulty: Vec<FaultyText>,
    /// The first thing in a text that could not be read, by the name of its file.
    pub(crate) unread: BTreeMap<String, Diagnostic>,
    /// Their trees: content in the order in which it is written, scripts in order of key.
    pub(crate) trees: HashMap<(String, String), Arc<Node>>,
    /// The table of `ruleset.luau`.
    pub(crate) ruleset_table: Option<Table>,
    /// Whether there is a `ruleset.luau` that could not be loaded: its declarations are not known to be missing.
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
            words: Words::english(),
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
    /// Returns the function that tests the ends in the ruleset's own language.
    pub(crate) fn record_end_test_function(&self) -> Option<Function> {
        let expressions: Table = self.ruleset_table.as_ref()?.raw_get("expressions").ok()?;
        expressions.raw_get("test").ok()
    }

    /// Returns the definition that a rule belongs to, by its name: `collection/id`, and for a text the number of the
    /// rule after that.
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

    /// Gives a state the declarations of the rules about its fields: the stats, and the rows that listen to events.
    pub fn add_declarations_to_state(&self, state: &mut State) {
        state.declare_stats(Rc::clone(&self.stats));
        state.set_time_display(self.time_display());
        state.index_listeners(Rc::clone(&self.listeners().rules));
    }

    /// Returns the constructor for the definitions of a schema, with the text about each key.
    pub fn constructor_of_schema(&self, schema: &Schema) -> Constructor {
        Constructor::of_schema(schema, |module| {
            let mods = [schema.mod_name.as_str(), LIBRARY];
            let mut files = mods.map(|one| format!("{one}/{module}.luau")).into_iter();
            let source = files.find_map(|file| self.sources.get(&file))?;
            Some(source.text().to_owned())
        })
    }

    /// Returns whether the ruleset has a valid introduction: its source, its name and its summary.
    pub fn has_introduction(&self) -> bool {
        let text = |key: &str| self.ruleset.get(key).as_str();
        let is_name = |name: &str| check_name(name, NAME).is_ok();
        text("source").is_some() && text("summary").is_some() && text("name").is_some_and(is_name)
    }

    /// Returns the display of game time for people: `dates` of the clock declares it.
    pub fn time_display(&self) -> Times {
        match self.ruleset.get("clock").get("dates").as_str() {
            Some(_) => Times::Dates,
            None => Times::Passed,
        }
    }

    /// Returns the events that rules may emit and handle: name and summary, in order of name.
    pub fn event_summaries(&self) -> Vec<(Text, Text)> {
        let listeners = self.listeners();
        let events = listeners.events();
        let told = events.map(|event| ((&*event.name).into(), event.summary_for_people().into()));
        told.collect()
    }

    /// Returns the listeners of events.
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

    /// Returns the definition that a line of `syntax` belongs to, and the number of the line, from 1.
    pub fn definition_and_line_number(&self, owner: &Owner) -> Option<(&Arc<Definition>, usize)> {
        match owner {
            Owner::Host(_) => None,
            Owner::Definition {
                collection,
                id,
                line,
            } => Some((self.registry.get(collection, id)?, *line)),
        }
    }

    /// Returns the slot type of the items of a text in this slot of a command: the items that the ruleset names, or
    /// dice.
    pub fn item_type_of_slot(&self, template: &str, slot: &str) -> Option<&str> {
        let owner = owner_of_template(template)?;
        let (definition, line) = self.definition_and_line_number(&owner)?;
        let syntax = *syntax_lines(definition).get(line.checked_sub(1)?)?;
        let rest = syntax.split(&format!("{{{slot}: ")).nth(1)?;
        let kind = rest.split('}').next()?;
        if kind == DICE {
            return Some(DICE);
        }
        self.ruleset.get("types").get(kind).get("items").as_str()
    }

    /// Returns the place where the ruleset declares a stat.
    pub fn declaration_place_of_stat(&self, stat: &str) -> Option<RulePlace> {
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
