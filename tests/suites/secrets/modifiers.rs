//! Plays two harbours in which everybody sees the same attributes, and their modifiers, guards and
//! end conditions differ in stats that Ann may not see. All text for Ann must be equal.

use arbiter_tests::{Scratch, on_game_thread};
use proptest::prelude::*;

use super::super::random_harbour_games::harbour_session_of_home;
use super::SecretGame;

/// Stats with random visibilities. Guards read the first two, and modifiers change the others.
const STATS: [&str; 4] = ["luck", "fate", "debt", "vow"];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Visibility {
    Public,
    Gm,
    Owner,
}

/// A part of an attribute. `amount` is the value of a modifier, or the number that a stat is
/// compared with; no stat is ever as large as that.
#[derive(Clone, Copy, Debug)]
struct Part {
    stat: usize,
    amount: i64,
    /// The stat that the guard of a modifier reads, with the number.
    guard: Option<(usize, i64)>,
    is_aura: bool,
}

/// The modifiers and the end conditions of an attribute, and the number in its own guard.
type Omen = (Vec<Part>, Vec<Part>, i64);

fn any_visibility() -> impl Strategy<Value = Visibility> {
    prop::sample::select(vec![Visibility::Public, Visibility::Gm, Visibility::Owner])
}

fn any_part() -> impl Strategy<Value = Part> {
    let guard = prop::option::of((0..2_usize, 1000..9999_i64));
    (2..STATS.len(), 1..9_i64, guard, any::<bool>()).prop_map(|(stat, amount, guard, is_aura)| {
        Part {
            stat,
            amount,
            guard,
            is_aura,
        }
    })
}

fn any_omen() -> impl Strategy<Value = Omen> {
    let parts = || prop::collection::vec(any_part(), 0..4);
    (parts(), parts(), 1..9_i64)
}

/// Returns the omen in another game: what Ann may not see of it is different there.
fn omen_of_other_game(omen: &Omen, seen: [Visibility; 4], is_on_ann: bool, by: i64) -> Omen {
    let is_hidden = |stat: usize, is_aura: bool| match seen[stat] {
        Visibility::Public => false,
        Visibility::Gm => true,
        // Ann sees an aura on her own stat.
        Visibility::Owner => !is_on_ann && !is_aura,
    };
    let changed = |part: &Part| {
        let mut part = *part;
        if is_hidden(part.stat, part.is_aura) {
            part.amount += by;
        }
        if let Some((stat, number)) = part.guard
            && is_hidden(stat, false)
        {
            part.guard = Some((stat, number + by));
        }
        part
    };
    let (modifiers, ends, guard) = omen;
    let kept = modifiers.iter().enumerate();
    let kept = kept.filter(|(at, part)| {
        let is_dropped = by % 2 == 0 && at.is_multiple_of(2);
        !(is_dropped && is_hidden(part.stat, part.is_aura))
    });
    let modifiers = kept.map(|(_, part)| changed(part)).collect();
    let guard = if is_hidden(0, true) {
        guard + by
    } else {
        *guard
    };
    (modifiers, ends.iter().map(changed).collect(), guard)
}

/// Returns a charm with these modifiers and end conditions.
fn omen_script((modifiers, ends, guard): &Omen) -> String {
    let modifiers = modifiers.iter().map(|part| {
        let guard = part
            .guard
            .map(|(stat, number)| format!(", only_if = \"(owner.{}, {number}, <)\"", STATS[stat]));
        let aura = if part.is_aura {
            ", aura = { kind = \"person\" }"
        } else {
            ""
        };
        format!(
            "{{ stat = \"{}\", op = \"add\", value = {}{}{aura} }}, ",
            STATS[part.stat],
            part.amount,
            guard.unwrap_or_default()
        )
    });
    let ends = ends.iter().map(|part| {
        let test = format!("(self.{}, {}, >)", STATS[part.stat], part.amount + 100_000);
        match part.is_aura {
            true => format!("{{ event = \"striking\", test = \"{test}\" }}, "),
            false => format!("{{ when = \"{test}\" }}, "),
        }
    });
    format!(
        "return charm {{ source = \"tests\", summary = \"an omen\",
  only_if = \"(self.{}, -{guard}, >)\",
  modifiers = {{ {} }},
  duration = function() return {{ {} {{ time = 3600 }} }} end,
}}",
        STATS[0],
        modifiers.collect::<String>(),
        ends.collect::<String>()
    )
}

/// Returns all text that Ann gets of a game in which she and Bo carry an omen.
fn text_for_ann(seen: [Visibility; 4], on_ann: &Omen, on_bo: &Omen) -> String {
    let home = Scratch::harbour();
    let stats = STATS.iter().zip(seen).map(|(stat, seen)| {
        let seen = match seen {
            Visibility::Public => "public",
            Visibility::Gm => "gm",
            Visibility::Owner => "owner",
        };
        format!("    {stat} = {{ base = 0, visible_to = \"{seen}\", summary = \"a stat\" }},\n")
    });
    let stats = format!("  stats = {{\n{}", stats.collect::<String>());
    home.edit("scripts/harbour/ruleset.luau", "  stats = {\n", &stats);
    home.edit(
        "scripts/harbour/schemas/charm.luau",
        "  keys = {\n",
        "  keys = {\n    only_if = \"string?\",\n",
    );
    home.edit(
        "scripts/harbour/pipeline/charms.luau",
        "    modifiers = definition.modifiers,\n",
        "    modifiers = definition.modifiers,\n    only_if = definition.only_if,\n",
    );
    home.write(
        "scripts/harbour/charms/first_omen.luau",
        omen_script(on_ann),
    );
    home.write(
        "scripts/harbour/charms/second_omen.luau",
        omen_script(on_bo),
    );
    let mut solo = harbour_session_of_home(home.home());
    let mut game = SecretGame::begin_shades_night(&mut solo, (0..super::PEOPLE.len()).collect());
    game.submit_line("gm", "lay first_omen on Ann");
    game.submit_line("gm", "lay second_omen on Bo");
    for line in ["show Ann", "show Bo", "show Dot"] {
        game.submit_line("gm", line);
    }
    game.add_all_queries();
    for person in ["Ann", "Bo", "Dot"] {
        for stat in STATS.iter().chain(&["mood", "luk", "vov"]) {
            game.add_why_answer(&format!("{person}.{stat}"));
        }
    }
    game.submit_line("Ann", "I strike Dot");
    game.submit_line("gm", "wait 1h");
    game.add_all_queries();
    game.seen
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 100, ..ProptestConfig::default() })]

    #[test]
    fn attributes_tell_ann_nothing_of_stats_that_she_may_not_see(
        seen in prop::array::uniform4(any_visibility()),
        (on_ann, on_bo) in (any_omen(), any_omen()),
        by in 1..40_i64,
    ) {
        let (first, second) = on_game_thread(move || {
            let others = [(&on_ann, true), (&on_bo, false)]
                .map(|(omen, is_on_ann)| omen_of_other_game(omen, seen, is_on_ann, by));
            (
                text_for_ann(seen, &on_ann, &on_bo),
                text_for_ann(seen, &others[0], &others[1]),
            )
        });
        let differs = first.lines().zip(second.lines()).find(|(one, other)| one != other);
        prop_assert!(first == second, "{:?}", differs);
    }
}
