//! Tests what a generation takes over from the last one.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::content::{Definition, File};
use crate::script::COMMAND;

/// What each file may say, from the plain one to broken ones; an empty text means no file.
const FILES: [(&str, &[&str]); 9] = [
    (
        "ruleset.luau",
        &[
            "return ruleset { source = 's', name = 'Toy', summary = 's', events = { rang = { summary = 's' } } }",
            "return ruleset { source = 's', name = 'Toy', summary = 's' }",
            "return ruleset { source = 's', name = 'Toy', summary = 's', types = { Bell = { words = { 'loud' } } }, events = { rang = { summary = 's' } } }",
        ],
    ),
    (
        "schemas/bell.luau",
        &[
            "return schema { source = 's', summary = 's', folder = 'bells', format = 'luau', slot_type = 'Command', listeners = { field = 'bell' },
               keys = { source = 'string', syntax = 'string', weight = 'number?', hangs = 'ref of places?', inner = 'any?' } }",
            "return schema { source = 's', summary = 's', folder = 'bells', format = 'luau', slot_type = 'Command', listeners = { field = 'bell' },
               keys = { source = 'string', syntax = 'string', weight = 'number', hangs = 'ref of places?', inner = 'any?' } }",
            "return schema { source = 's', summary = 's', folder = 'bells', format = 'luau', keys = require('pipeline/keys') }",
            "",
        ],
    ),
    (
        "schemas/place.luau",
        &["return schema { source = 's', summary = 's', folder = 'places', format = 'yaml', keys = { source = 'string', height = 'number?' } }"],
    ),
    (
        "pipeline/keys.luau",
        &[
            "return { source = 'text', syntax = 'text', ['inner?'] = 'any' }",
            "return { source = 'text', syntax = 'text' }",
            "",
        ],
    ),
    (
        "pipeline/metal.luau",
        &[
            "return { weight = 3, more = require('pipeline/alloy') }",
            "return { weight = 4, more = { 1 } }",
            "return {",
            "",
        ],
    ),
    ("pipeline/alloy.luau", &["return { 'tin' }", "return { 'zinc', { 2 } }", ""]),
    (
        "bells/great.luau",
        &[
            "local metal = require('pipeline/metal') return bell { source = 's', syntax = 'ring the great bell', weight = metal.weight, inner = metal.more, on = { rang = function() end } }",
            "return bell { source = 's', syntax = 'ring the great bell', wait = 3 }",
            "",
        ],
    ),
    (
        "bells/small.luau",
        &[
            "local found = pcall(require, 'pipeline/alloy') return bell { source = 's', syntax = if found then 'ring the alloy' else 'ring the iron', hangs = 'tower' }",
            "return bell { source = 's', syntax = 'ring {x: Bell}', hangs = 'tower' }",
        ],
    ),
    ("bells/third.luau", &["return bell { source = 's', syntax = 'ring the third', inner = { { 1 }, a = {} } }"]),
];

const PLACE: [&str; 4] = [
    "source: s\nheight: 3\n",
    "source: s\nheight: 4\n",
    "source: s\nheigth: 4\n",
    "",
];

/// The files of the toy, each in one of its forms.
#[derive(Clone, Default)]
struct Toy {
    forms: BTreeMap<&'static str, usize>,
    place: usize,
}

impl Toy {
    fn with(mut self, file: &'static str, form: usize) -> Toy {
        self.forms.insert(file, form);
        self
    }

    fn files(&self) -> ModFiles {
        let file = |path: &str, text: &str| File::new(path, crate::diag::Source::new(path, text));
        let scripts = FILES.iter().map(|(path, forms)| {
            let form = self.forms.get(path).copied().unwrap_or_default();
            (*path, forms[form % forms.len()])
        });
        let scripts = scripts.filter(|(_, text)| !text.is_empty());
        let place = PLACE[self.place % PLACE.len()];
        ModFiles {
            name: "toy".to_owned(),
            scripts: scripts.map(|(path, text)| file(path, text)).collect(),
            content: (!place.is_empty())
                .then(|| file("places/tower.yaml", place))
                .into_iter()
                .collect(),
        }
    }

    fn load(&self, compiled: Compiled) -> (Engine, Vec<Diagnostic>) {
        load_rules(&[self.files()], &[], &EngineOptions::default(), compiled).unwrap()
    }
}

fn definition(engine: &Engine, collection: &str, id: &str) -> Arc<Definition> {
    let rules = engine.rules();
    let found = rules
        .registry
        .of_collection(collection)
        .find(|one| *one.id == *id);
    Arc::clone(found.unwrap())
}

/// Returns whether a definition is kept when the toy changes.
fn is_kept(from: &Toy, to: &Toy, (collection, id): (&str, &str)) -> bool {
    let (engine, findings) = from.load(Compiled::default());
    assert_eq!(findings, []);
    let before = definition(&engine, collection, id);
    let (engine, _) = to.load(engine.take_compiled());
    Arc::ptr_eq(&before, &definition(&engine, collection, id))
}

#[test]
fn what_cannot_have_changed_is_not_looked_at_again() {
    let toy = Toy::default;
    let place = |place| Toy { place, ..toy() };
    let great = ("bells", "great");
    let cases = [
        (toy(), great, true),
        (toy().with("bells/small.luau", 1), great, true),
        (toy().with("bells/great.luau", 1), ("bells", "third"), true),
        (toy().with("pipeline/metal.luau", 1), great, false),
        (toy().with("pipeline/alloy.luau", 1), great, false),
        (
            toy().with("pipeline/alloy.luau", 1),
            ("bells", "third"),
            true,
        ),
        (
            toy().with("pipeline/metal.luau", 2),
            ("bells", "third"),
            true,
        ),
        (toy().with("pipeline/keys.luau", 1), great, true),
        (
            toy().with("schemas/bell.luau", 2),
            ("bells", "third"),
            false,
        ),
        (toy().with("ruleset.luau", 2), great, false),
        (place(0), ("places", "tower"), true),
        (place(1), ("places", "tower"), false),
        (place(1), great, true),
    ];
    for (number, (to, wanted, expected)) in cases.into_iter().enumerate() {
        assert_eq!(is_kept(&toy(), &to, wanted), expected, "case {number}");
    }
}

#[test]
fn a_schema_that_requires_a_module_changes_with_it() {
    let toy = Toy::default()
        .with("schemas/bell.luau", 2)
        .with("bells/great.luau", 2);
    let toy = toy.with("bells/small.luau", 1).with("ruleset.luau", 2);
    let (engine, _) = toy.load(Compiled::default());
    let (_, findings) = toy
        .with("pipeline/keys.luau", 1)
        .load(engine.take_compiled());
    let unknown = findings
        .iter()
        .filter(|one| one.code == "schema/unknown-key");
    let places: Vec<&str> = unknown
        .filter_map(|one| Some(one.place.as_ref()?.source.name()))
        .collect();
    assert!(places.contains(&"bells/third.luau"), "{findings:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// However files change, the rules are those of a first reading.
    #[test]
    fn rules_from_kept_definitions_are_those_of_files_read_anew(
        edits in prop::collection::vec((0..=FILES.len(), 0usize..4), 1..12),
    ) {
        let mut toy = Toy::default();
        let mut compiled = Compiled::default();
        for (file, form) in edits {
            match FILES.get(file) {
                Some((path, _)) => toy = toy.with(path, form),
                None => toy.place = form,
            }
            let (kept, findings) = toy.load(compiled);
            let (anew, expected) = toy.load(Compiled::default());
            prop_assert_eq!(findings, expected);
            let (of_kept, of_anew) = (kept.rules(), anew.rules());
            prop_assert_eq!(of_kept.registry.hash(), of_anew.registry.hash());
            prop_assert_eq!(of_kept.grammar.first_words(COMMAND), of_anew.grammar.first_words(COMMAND));
            compiled = kept.take_compiled();
        }
    }
}
