//! Tests the registry: twins, names, differences, the hash, references.

use super::*;
use crate::content::shape::parse_shape;
use crate::content::tree_builder::TreeLimits;
use crate::content::yaml::read_yaml;

fn definition(collection: &str, id: &str, text: &str) -> Definition {
    let source = Source::new(format!("content/demo/{id}.yaml"), text);
    let node = read_yaml(&source, TreeLimits::CONTENT).0.unwrap();
    Definition::from_node((collection, id), "demo", &source, &node, Origin::Content)
}

fn registry(roles: &[(&str, &str)]) -> Registry {
    let mut registry = Registry::default();
    for (id, text) in roles {
        registry
            .insert(definition("roles", id, text), "role")
            .unwrap();
    }
    registry
}

fn refusal_text(registry: &mut Registry, id: &str, text: &str) -> String {
    let finding = registry
        .insert(definition("roles", id, text), "role")
        .unwrap_err();
    assert!(finding.place.is_some());
    format!("{}: {}", finding.code, finding.message)
}

fn find_as_text(registry: &Registry, text: &str) -> String {
    match registry.find_by_typed_name("roles", text) {
        Resolve::Exact(one) => format!("exact {}", one.id),
        Resolve::Prefix(one) => format!("prefix {}", one.id),
        Resolve::Ambiguous(all) => all.iter().map(|one| &*one.id).collect::<Vec<_>>().join("|"),
        Resolve::Unknown(near) => format!("unknown {}", near.join("|")),
    }
}

#[test]
fn a_registry_may_go_to_another_thread() {
    fn is_send<T: Send + Sync>() {}
    is_send::<Registry>();
}

#[test]
fn twins_are_refused_and_name_the_first_place() {
    let mut roles = registry(&[("fox", "name: Alice\n"), ("hen", "{}")]);
    assert_eq!(
        refusal_text(&mut roles, "fox", "{}"),
        "content/duplicate-id: the role \"fox\" is defined twice, first at content/demo/fox.yaml:1"
    );
    assert_eq!(
        refusal_text(&mut roles, "a", "name: Alice"),
        "content/duplicate-name: the name \"Alice\" is the name of the role \"fox\" at content/demo/fox.yaml:1"
    );
    assert!(refusal_text(&mut roles, "b", "name: AIice").starts_with("content/look-alike: "));
    assert!(refusal_text(&mut roles, "c", "name: HEN").starts_with("content/look-alike: "));
    assert!(refusal_text(&mut roles, "d\u{200b}", "{}").starts_with("content/bad-id: "));
    assert!(refusal_text(&mut roles, "e", "name: ' x'").starts_with("content/bad-name: "));
    assert_eq!(roles.len(), 2);
    assert!(
        roles
            .insert(definition("items", "fox", "name: Alice"), "item")
            .is_ok(),
        "another collection is free"
    );
    assert!(
        roles
            .insert(definition("roles", "The Third Fox", "{}"), "role")
            .is_ok(),
        "a name may be a key"
    );
}

#[test]
fn names_resolve_by_case_prefix_and_nearness() {
    let roles = registry(&[
        ("fire", "name: Fire"),
        ("fs", "name: Fire Starter"),
        ("fx", "name: Frost Fox"),
        ("old_hen", "{}"),
    ]);
    for (text, wanted) in [
        ("fire", "exact fire"),
        ("FIRE  starter", "exact fs"),
        ("fx", "exact fx"),
        ("Fire s", "prefix fs"),
        ("fi", "fire|fs"),
        ("OLD", "prefix old_hen"),
        ("Frost Fix", "unknown Frost Fox"),
        ("", "unknown "),
        ("zzz", "unknown "),
    ] {
        assert_eq!(find_as_text(&roles, text), wanted, "{text}");
    }
    assert!(
        matches!(roles.find_by_typed_name("nothing", "x"), Resolve::Unknown(near) if near.is_empty())
    );
    assert_eq!(
        roles
            .of_collection("roles")
            .map(|one| &*one.id)
            .collect::<Vec<_>>(),
        ["fire", "fs", "fx", "old_hen"]
    );
}

#[test]
fn differences_are_told_in_a_few_lines() {
    let old = registry(&[("a", "x: 1"), ("b", "x: 1"), ("c", "x: 1")]);
    let mut new = registry(&[("b", "x: 2"), ("c", "x:  1 # said otherwise"), ("d", "{}")]);
    new.insert(definition("items", "i", "{}"), "item").unwrap();
    assert_eq!(
        old.diff(&new).to_string(),
        "items: 1 added (i)\nroles: 1 added (d), 1 removed (a), 1 changed (b)"
    );
    assert!(old.diff(&old.clone()).is_empty());
}

#[test]
fn the_hash_depends_on_what_is_defined_and_on_nothing_else() {
    let one = registry(&[("a", "x: 1"), ("b", "y: 2")]);
    let other = registry(&[("b", "y: 2.0"), ("a", "# hi\nx: 1")]);
    assert_eq!(one.hash(), other.hash());
    assert_ne!(one.hash(), registry(&[("a", "x: 1"), ("b", "y: 3")]).hash());
    assert_ne!(registry(&[]).hash(), one.hash());
    let script = |text: &str| {
        let mut script = definition("roles", "a", "x: 1");
        script.origin = Origin::Script;
        script.source = Source::new("a.luau", text);
        let mut registry = Registry::default();
        registry.insert(script, "role").unwrap();
        registry
    };
    assert_ne!(
        script("return 1").hash(),
        script("return 2").hash(),
        "functions are in the text only"
    );
    assert_eq!(
        script("return 1").diff(&script("return 2")).to_string(),
        "roles: 1 changed (a)"
    );
}

#[test]
fn places_of_keys_are_kept() {
    let one = definition("roles", "a", "name: Fox\nrun: [1,\n  2]\n");
    assert_eq!(one.source.slice(one.key_spans["run"]), "[1,\n  2]");
    assert_eq!(one.source.slice(one.span), "name: Fox");
    assert_eq!((one.name(), one.value.get("run").items().len()), ("Fox", 2));
}

#[test]
fn unknown_references_name_the_nearest_ids() {
    let roles = registry(&[("fox", "name: Red Fox"), ("hen", "{}")]);
    let schema = Source::new("c", "{likes: list of ref of roles, owns?: ref of items}");
    let shape = parse_shape(&read_yaml(&schema, TreeLimits::CONTENT).0.unwrap(), &schema).0;
    let data = Source::new("d", "likes: [fox, Red Fox, hne]\nowns: coin\n");
    let node = read_yaml(&data, TreeLimits::CONTENT).0.unwrap();
    let all: Vec<String> = check_references(&roles, &shape, &node, &data, "the role \"cat\"")
        .iter()
        .map(|one| {
            format!(
                "{} [{}] {}",
                one.message,
                data.slice(one.place.as_ref().unwrap().span),
                one.hints.join("")
            )
        })
        .collect();
    assert_eq!(
        all,
        [
            "`likes[2]` of the role \"cat\" names \"Red Fox\", which is not one of the roles [Red Fox] write its id, \"fox\"",
            "`likes[3]` of the role \"cat\" names \"hne\", which is not one of the roles [hne] did you mean \"hen\"?",
            "`owns` of the role \"cat\" names \"coin\", which is not one of the items [coin] the collection items is empty",
        ]
    );
}

#[test]
fn what_is_taken_out_leaves_its_names_to_others() {
    let mut roles = registry(&[("fox", "name: Red Fox"), ("hen", "{}")]);
    assert_eq!(roles.remove("roles", "fox").unwrap().name(), "Red Fox");
    assert!(roles.remove("roles", "fox").is_none() && roles.remove("none", "hen").is_none());
    assert!(roles.get("roles", "fox").is_none());
    assert!(matches!(
        roles.find_by_typed_name("roles", "red"),
        Resolve::Unknown(_)
    ));
    roles
        .insert(definition("roles", "cat", "name: red fox"), "role")
        .unwrap();
    roles
        .insert(definition("roles", "fox", "name: Fox"), "role")
        .unwrap();
    assert_eq!(roles.len(), 3);
}
