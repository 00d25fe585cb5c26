//! Tests that the fast ways of `act` have the same results as the safe ones.

use crate::script::host::fast_call_arguments::fast_method_trial::{Outcome, Trial};
use crate::value::Value;

/// Ordinary calls, and everything that the fast ways must leave to the others.
const CHUNKS: [&str; 70] = [
    r#"act:get("ann", "mood"), act:get("ann", "name"), act:get("ann", "calm")"#,
    r#"act:get("ann", "unseen so far"), act:get("ann", "@kind")"#,
    r#"act:stat("ann", "mood")"#,
    r#"act:set("ann", "mood", 7), act:get("ann", "mood")"#,
    r#"act:set("ann", "mood", -0.5), act:get("ann", "mood")"#,
    r#"act:set("ann", "mood", "5"), act:get("ann", "mood")"#,
    r#"act:set("ann", "mood", 9007199254740992), act:get("ann", "mood")"#,
    r#"act:set("ann", "mood"), act:get("ann", "mood")"#,
    r#"act:set("ann", "fresh", 1), act:get("ann", "fresh")"#,
    r#"act:attach("ann", "gift", {}, { modifiers = { { stat = "mood", op = "add", value = 2 } } }), act:get("ann", "mood"), act:stat("ann", "mood")"#,
    r#"act:set("ann", "mood", 0 / 0)"#,
    r#"act:set("ann", "@kind", 1)"#,
    r#"act:set("nobody", "mood", 1)"#,
    r#"act:get("nobody", "mood")"#,
    r#"act:get("ann")"#,
    r#"act:get(1, 2)"#,
    r#"act.get({}, "ann", "mood")"#,
    r#"act.get()"#,
    r#"act:stat("nobody", "mood")"#,
    r#"act:set("ann", "mood", {}, 3), act:get("ann", "mood")"#,
    r#"act:add("ann", "mood", 2), act:get("ann", "mood")"#,
    r#"act:add("ann", "mood", 0.25), act:add("ann", "mood", 1)"#,
    r#"act:add("ann", "fresh", 1), act:add("ann", "fresh", 1)"#,
    r#"act:add("ann", "mood", 9007199254740990), act:add("ann", "mood", 9007199254740990)"#,
    r#"act:add("ann", "name", 1)"#,
    r#"act:add("ann", "@kind", 1)"#,
    r#"act:add("nobody", "mood", 1)"#,
    r#"act:add("ann", "mood", "1")"#,
    r#"act:exists("ann"), act:exists("bo"), act:exists("bo"), act:exists("mood")"#,
    r#"act:exists()"#,
    r#"act:find({ kind = "person" }), act:rows({ kind = "person" }, { "mood", "name", "calm", "kind", "none" })"#,
    r#"keys_of(act:rows({ kind = "person" }, { "name", "mood", "id", "calm" })[1])"#,
    r#"act:find({ kind = "nothing here" }), act:rows({ kind = "nothing here" }), act:rows({ owner = "ann" }, { "depth" })"#,
    r#"act:attach("ann", "mark", { depth = 2, number = 7, owner = "her own" }), act:rows({ owner = "ann" }, { "depth", "number", "owner", "kind" })"#,
    r#"act:attach("ann", "mark", { depth = 2 }), act:attach("ann", "scar", {}), act:find({ owner = "ann" }), act:find({ owner = "ann", kind = "scar" }), act:find({ owner = "bo", kind = "scar" })"#,
    r#"act:set("ann", "depth", 2.5), act:rows({ kind = "person" }, { "depth", "depth" })"#,
    r#"act:set("ann", "list", { 1, 2 }), act:rows({ kind = "person" }, { "list" })"#,
    r#"act:attach("ann", "gift", {}, { modifiers = { { stat = "mood", op = "add", value = 2 } } }), act:rows({ kind = "person" }, { "mood" })"#,
    r#"act:rows({ kind = "person" }, {}), act:rows({ kind = "person" }, nil), act:rows({ kind = "person" })"#,
    r#"act:rows({ kind = "person" }, { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "mood" })"#,
    r#"act:find({ kind = "person", where = { mood = 4 } }), act:find({ kind = "person", where = {} })"#,
    r#"act:find({ kind = "@clock" })"#,
    r#"act:find({})"#,
    r#"act:find({ kynd = "person" })"#,
    r#"act:find({ kind = 4 })"#,
    r#"act:find({ "person" })"#,
    r#"act:find("person")"#,
    r#"act:rows({ kind = "person" }, { mood = "mood" })"#,
    r#"act:rows({ kind = "person" }, { "mood", 4 })"#,
    r#"act:rows({ kind = "person" }, "mood")"#,
    r#"act.find({}, { kind = "person" })"#,
    r#"act:rows({ kind = "person" }, { [1.5] = "mood" })"#,
    r#"act:rows({ kind = "person" }, { "name", [2.7] = "mood" })"#,
    r#"act:find({ kind = string.rep("a", 70000) })"#,
    r#"act:rows({ kind = "person" }, { string.rep("a", 70000) })"#,
    r#"act:rows({ kind = "person" }, { "@turns", "@kind", "turns" })"#,
    r#"unwound(function() act:add("ann", "mood", 1) error("no") end), act:get("ann", "mood"), act:stat("ann", "mood")"#,
    r#"unwound(function() act:get("nobody", "mood") end), unwound(function() act:set("ann", "@kind", 1) end), act:exists("ann")"#,
    r#"act:kind("ann"), act:kind("ann"), act:kind("ann"), act:kind("mood"), act:kind("nobody")"#,
    r#"act:kind(3)"#,
    r#"act:kind("ann", "mood")"#,
    r#"act:base("ann", "mood"), act:base("ann", "mood"), act:base("ann", "none"), act:base("ann", "@kind")"#,
    r#"act:attach("ann", "gift", {}, { modifiers = { { stat = "mood", op = "add", value = 2 } } }), act:base("ann", "mood")"#,
    r#"act:base("nobody", "mood")"#,
    r#"act:has_listeners("ended"), act:has_listeners("ended"), act:has_listeners("ended", { to = "ann" }), act:has_listeners("ended", { at = "ann" })"#,
    r#"act:has_listeners("ended", { to = "ann", at = "ann" })"#,
    r#"act:has_listeners("ended", { to = { "ann" } }), act:has_listeners("ended", {}), act:has_listeners("ended", { to = "nobody" })"#,
    r#"act:has_listeners("ended", { by = "ann" })"#,
    r#"act:has_listeners("mood")"#,
    r#"act:is_tallied(), act:is_tallied(1)"#,
];

/// A function for chunks: returns the keys of a table in the order of a loop.
const GIVEN: &str = "local function unwound(work) local count = 0 for _ = 1, 100 do if not pcall(work) then count += 1 end end return count end
local function keys_of(items) local keys = {} for key in items do table.insert(keys, key) end return table.concat(keys, ' ') end\nreturn ";

fn trial(raw: bool, names_before: usize) -> Trial {
    let fields = [
        ("mood", Value::from(4)),
        ("name", Value::from("Ann")),
        ("calm", Value::Bool(true)),
    ];
    Trial::new(raw, names_before, &fields)
}

/// Returns the result of each chunk.
fn outcomes(raw: bool, query: bool, names_before: usize) -> Vec<Outcome> {
    let trial = trial(raw, names_before);
    let chunks = CHUNKS.iter();
    chunks
        .map(|chunk| trial.run(&format!("{GIVEN}{chunk}"), query))
        .collect()
}

#[test]
fn fast_ways_and_safe_ways_do_the_same() {
    for query in [false, true] {
        let safe = outcomes(false, query, 0);
        assert_eq!(outcomes(true, query, 0), safe);
        assert_eq!(outcomes(true, query, 24_000), safe, "names with late atoms");
        assert_eq!(outcomes(true, query, 40_000), safe, "a table full of names");
    }
}

#[test]
fn the_fast_ways_answer_what_they_are_for() {
    let answered = |chunk: &&str| trial(true, 0).answered(&format!("{GIVEN}{chunk}")).0;
    let answered: Vec<usize> = CHUNKS.iter().map(answered).collect();
    // A name has an atom when it is seen again.
    assert_eq!(answered[3], 1);
    assert_eq!(answered[30..36], [1, 1, 2, 1, 0, 1]);
    assert_eq!(answered[41..55], [0; 14]);
    assert_eq!(answered[58..], [2, 0, 0, 1, 0, 0, 3, 0, 1, 0, 0, 1]);
}

#[test]
fn the_chunks_reach_what_they_are_for() {
    let shown: Vec<String> = outcomes(true, false, 0)
        .into_iter()
        .map(|outcome| outcome.shown)
        .collect();
    assert_eq!(shown[0], "4, Ann, true");
    assert_eq!(shown[2], "4, 4");
    assert_eq!(shown[3], "nil, 7");
    assert!(shown[9].ends_with("6, 6, 4"), "{}", shown[9]);
    assert!(shown[13].starts_with("script/no-row"), "{}", shown[13]);
    assert!(shown[16].starts_with("script/dead-act"), "{}", shown[16]);
    assert_eq!(shown[20], "6, 6");
    assert_eq!(shown[28], "true, false, false, false");
    let refused = &outcomes(true, true, 0)[3].shown;
    assert!(refused.starts_with("script/read-only"), "{refused}");
}

#[test]
fn a_panic_goes_past_every_pcall_and_leaves_a_machine_that_works() {
    for raw in [true, false] {
        let trial = trial(raw, 24_000);
        let ordinary = "act:set('ann', 'late name', 5) return act:get('ann', 'late name')";
        assert_eq!(trial.run(ordinary, false).shown, "5");
        for chunk in [
            "return act:get('ann', 'late name')",
            "return pcall(function() return act:get('ann', 'late name') end)",
            "return pcall(pcall, function() act:set('ann', 'late name', 1) end)",
            "return xpcall(function() return act:exists('unseen late name') end, function() return 1 end)",
            "return table.sort({ 2, 1 }, function() act:stat('ann', 'late name') return true end)",
        ] {
            if raw {
                let said = trial.panic_of(chunk);
                assert!(said.contains("borrowed"), "{chunk}: {said}");
            }
            assert_eq!(trial.run(ordinary, false).shown, "5", "behind {chunk}");
        }
    }
}
