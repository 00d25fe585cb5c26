//! The registry: all definitions from scripts, content and play, by collection and id.
//!
//! In: definitions, in any order. Out: look-up by id and by name, the differences between two registries, and one hash
//! over everything. The registry holds plain data only and may move to another thread.

mod diff;
mod reference;
#[cfg(test)]
mod tests;

pub use diff::{CollectionDiff, Diff};
pub use reference::check_references;

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::name::{KEY_NAME, NAME, Skeleton, check_name, is_id};
use super::node::{Node, shortened};
use crate::diag::{Diagnostic, Source, Span, nearest_names};
use crate::value::{Text, Value, write_value};

/// The origin of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A script.
    Script,
    /// A content file.
    Content,
}

impl Origin {
    /// Returns the word for it in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Origin::Script => "script",
            Origin::Content => "content",
        }
    }
}

/// One definition: plain data with the places of its parts.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The collection it belongs to.
    pub collection: Text,
    /// Its id: 1 to 64 of `a-z 0-9 _ -`, or a name of up to 200 characters.
    pub id: Text,
    /// The mod that contains it.
    pub mod_name: Text,
    /// The file that contains it.
    pub source: Arc<Source>,
    /// Its place in the file; findings about the whole definition point to its first line.
    pub span: Span,
    /// The place of the value of each of its keys.
    pub key_spans: BTreeMap<Text, Span>,
    /// Its data, without functions.
    pub value: Value,
    /// Its origin.
    pub origin: Origin,
    /// Whether it is a text in a language of its own, so that the whole file counts.
    pub is_text: bool,
}

impl Definition {
    /// Returns a definition of a node of `source`.
    pub fn from_node(
        (collection, id): (&str, &str),
        mod_name: &str,
        source: &Arc<Source>,
        node: &Node,
        origin: Origin,
    ) -> Definition {
        Definition {
            collection: collection.into(),
            id: id.into(),
            mod_name: mod_name.into(),
            source: Arc::clone(source),
            span: node.first_line_span(source),
            key_spans: node
                .entries()
                .iter()
                .map(|entry| (Arc::clone(&entry.key), entry.node.span))
                .collect(),
            value: node.to_value(),
            origin,
            is_text: false,
        }
    }

    /// Returns a definition of a text in a language of its own; `node` is the data known before the text is read.
    pub fn of_text(
        key: (&str, &str),
        mod_name: &str,
        source: &Arc<Source>,
        node: &Node,
    ) -> Definition {
        Definition {
            is_text: true,
            ..Definition::from_node(key, mod_name, source, node, Origin::Content)
        }
    }

    /// Returns the name people use: the text `name` of its data, else its id.
    pub fn name(&self) -> &str {
        self.value.get("name").as_str().unwrap_or(&self.id)
    }

    /// Returns whether another definition has the same content. For scripts the whole file is compared, because of its
    /// functions, and for texts too.
    pub fn has_same_content(&self, other: &Definition) -> bool {
        self.value == other.value
            && self.mod_name == other.mod_name
            && self.origin == other.origin
            && self.is_text == other.is_text
            && (!self.compares_whole_file() || self.source.text() == other.source.text())
    }

    /// Returns whether every change in its file is a change of the definition.
    fn compares_whole_file(&self) -> bool {
        self.origin == Origin::Script || self.is_text
    }

    fn place_text(&self) -> String {
        format!(
            "{}:{}",
            self.source.name(),
            self.source.position(self.span.start).line
        )
    }

    fn refusal(&self, code: &'static str, message: String, hint: String) -> Box<Diagnostic> {
        self.refusal_at(self.span, code, message, hint)
    }

    /// Refuses the name at its place. An id that is used as the name has no place in the file.
    fn name_refusal(&self, code: &'static str, message: String, hint: String) -> Box<Diagnostic> {
        let span = self.key_spans.get("name").copied().unwrap_or(self.span);
        self.refusal_at(span, code, message, hint)
    }

    fn refusal_at(
        &self,
        span: Span,
        code: &'static str,
        message: String,
        hint: String,
    ) -> Box<Diagnostic> {
        let finding = Diagnostic::error(code, message).hint(hint);
        Box::new(finding.at(&self.source, span))
    }
}

/// The result of a search for a name that a user typed.
#[derive(Clone, Debug)]
pub enum Resolve<'a> {
    /// The definition with this name or id; case is ignored.
    Exact(&'a Arc<Definition>),
    /// The only definition with a name that begins with the text.
    Prefix(&'a Arc<Definition>),
    /// Several definitions with names that begin with the text, in the order of ids.
    Ambiguous(Vec<&'a Arc<Definition>>),
    /// No name begins so; the nearest names.
    Unknown(Vec<&'a str>),
}

/// The definitions of one collection.
#[derive(Clone, Debug, Default)]
struct Shelf {
    by_id: BTreeMap<Text, Arc<Definition>>,
    /// Names as [`Skeleton::folded`] → id.
    folded: BTreeMap<String, Text>,
    /// Names as [`Skeleton::shown`] → id.
    shown: BTreeMap<String, Text>,
}

/// All definitions.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    shelves: BTreeMap<Text, Shelf>,
}

impl Registry {
    /// Adds a definition.
    ///
    /// Errors: `content/bad-id`, `content/bad-name`, `content/duplicate-id`, `content/duplicate-name`,
    /// `content/look-alike`. The definition that was there first stays, and the finding names its place. `noun` is the
    /// word for one definition of the collection.
    pub fn insert(
        &mut self,
        definition: impl Into<Arc<Definition>>,
        noun: &str,
    ) -> Result<(), Box<Diagnostic>> {
        let definition = definition.into();
        check_id_and_name(&definition)?;
        let shelf = self
            .shelves
            .entry(Arc::clone(&definition.collection))
            .or_default();
        let skeleton = Skeleton::of_name(definition.name());
        shelf.check_no_twin(&definition, &skeleton, noun)?;
        let id = Arc::clone(&definition.id);
        shelf.folded.insert(skeleton.folded, Arc::clone(&id));
        shelf.shown.insert(skeleton.shown, Arc::clone(&id));
        shelf.by_id.insert(id, definition);
        Ok(())
    }

    /// Removes a definition with its names.
    pub fn remove(&mut self, collection: &str, id: &str) -> Option<Arc<Definition>> {
        let shelf = self.shelves.get_mut(collection)?;
        let removed = shelf.by_id.remove(id)?;
        shelf.folded.retain(|_, other| **other != *id);
        shelf.shown.retain(|_, other| **other != *id);
        Some(removed)
    }

    /// Returns the definition with this id.
    pub fn get(&self, collection: &str, id: &str) -> Option<&Arc<Definition>> {
        self.shelves.get(collection)?.by_id.get(id)
    }

    /// Returns the names of the collections that are not empty, in order.
    pub fn collections(&self) -> impl Iterator<Item = &Text> {
        self.shelves
            .iter()
            .filter(|(_, shelf)| !shelf.by_id.is_empty())
            .map(|(name, _)| name)
    }

    /// Returns the definitions of a collection in the order of ids.
    pub fn of_collection<'a>(
        &'a self,
        collection: &str,
    ) -> impl Iterator<Item = &'a Arc<Definition>> + use<'a> {
        self.shelves
            .get(collection)
            .into_iter()
            .flat_map(|shelf| shelf.by_id.values())
    }

    /// Returns all definitions in the order of collections and ids.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Definition>> {
        self.shelves.values().flat_map(|shelf| shelf.by_id.values())
    }

    /// Returns how many definitions there are.
    pub fn len(&self) -> usize {
        self.shelves.values().map(|shelf| shelf.by_id.len()).sum()
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Finds a definition by the text a user typed: its name, its id, or the beginning of its name; case is ignored.
    pub fn find_by_typed_name(&self, collection: &str, text: &str) -> Resolve<'_> {
        match self.shelves.get(collection) {
            Some(shelf) => shelf.find_by_typed_name(text),
            None => Resolve::Unknown(Vec::new()),
        }
    }

    /// Returns SHA-256 over all definitions; it is equal on every machine and for every order of adding them.
    pub fn hash(&self) -> [u8; 32] {
        let mut whole = Sha256::new();
        for definition in self.iter() {
            let script = match definition.compares_whole_file() {
                true => Value::text(definition.source.text()),
                false => Value::Nil,
            };
            let words = [&definition.collection, &definition.id, &definition.mod_name];
            let words = words.into_iter().map(|word| Value::Text(Arc::clone(word)));
            let cell = Value::list(words.chain([
                definition.origin.as_str().into(),
                definition.value.clone(),
                script,
            ]));
            let mut bytes = Vec::new();
            write_value(&mut bytes, &cell);
            whole.update(&bytes);
        }
        whole.finalize().into()
    }
}

fn check_id_and_name(definition: &Definition) -> Result<(), Box<Diagnostic>> {
    let id = &*definition.id;
    if !is_id(id)
        && let Err(fault) = check_name(id, KEY_NAME)
    {
        let message = format!("{:?} is not an id: {fault}", shortened(id));
        return Err(definition.refusal(
            "content/bad-id",
            message,
            format!(
                "use 1 to {KEY_NAME} characters that can be seen, and no space at the beginning or end"
            ),
        ));
    }
    let name = definition.name();
    let longest = if name == id { KEY_NAME } else { NAME };
    check_name(name, longest).map_err(|fault| {
        let message = format!("{:?} is not a name: {fault}", shortened(name));
        definition.name_refusal(
            "content/bad-name",
            message,
            "change the value of the key `name`".to_owned(),
        )
    })
}

impl Shelf {
    fn check_no_twin(
        &self,
        new: &Definition,
        skeleton: &Skeleton,
        noun: &str,
    ) -> Result<(), Box<Diagnostic>> {
        if let Some(first) = self.by_id.get(&new.id) {
            let message = format!(
                "the {noun} {:?} is defined twice, first at {}",
                &*new.id,
                first.place_text()
            );
            return Err(new.refusal(
                "content/duplicate-id",
                message,
                "rename or remove one of the two".to_owned(),
            ));
        }
        let twin = self
            .folded
            .get(&skeleton.folded)
            .or_else(|| self.shown.get(&skeleton.shown));
        let Some(first) = twin.and_then(|id| self.by_id.get(id)) else {
            return Ok(());
        };
        let (name, other) = (new.name(), first.name());
        let (code, relation) = if name == other {
            ("content/duplicate-name", "is the name of")
        } else {
            ("content/look-alike", "looks like the name of")
        };
        let message = format!(
            "the name {name:?} {relation} the {noun} {:?} at {}",
            &*first.id,
            first.place_text()
        );
        Err(new.name_refusal(code, message, "give one of the two another name".to_owned()))
    }

    fn find_by_typed_name(&self, text: &str) -> Resolve<'_> {
        let wanted = Skeleton::of_name(text).folded;
        let by_id = |id: &Text| self.by_id.get(id);
        if let Some(found) = self.folded.get(&wanted).and_then(by_id) {
            return Resolve::Exact(found);
        }
        let lower = text.trim().to_lowercase();
        if let Some(found) = self
            .by_id
            .get(text.trim())
            .or_else(|| self.by_id.get(lower.as_str()))
        {
            return Resolve::Exact(found);
        }
        let named = self
            .folded
            .range(wanted.clone()..)
            .take_while(|(name, _)| name.starts_with(&wanted));
        let ids = self
            .by_id
            .range::<str, _>((Bound::Included(lower.as_str()), Bound::Unbounded))
            .take_while(|(id, _)| id.starts_with(&lower));
        let begins: BTreeMap<&Text, &Arc<Definition>> = named
            .filter_map(|(_, id)| Some((id, by_id(id)?)))
            .chain(ids)
            .collect();
        let mut begins: Vec<&Arc<Definition>> = if wanted.is_empty() {
            Vec::new()
        } else {
            begins.into_values().collect()
        };
        match begins.len() {
            0 => Resolve::Unknown(nearest_names(
                text,
                self.by_id.values().map(|one| one.name()),
                3,
            )),
            1 => Resolve::Prefix(begins.remove(0)),
            _ => Resolve::Ambiguous(begins),
        }
    }
}
