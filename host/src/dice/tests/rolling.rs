//! Tests rolls: their text, their data, their limits.

use proptest::prelude::*;

use super::{Script, Stream, parse_notation, roll_line};
use crate::dice::{Budget, DiceRoll, DieState, Node, Origin, Roll};
use crate::value::{Value, to_json};

#[test]
fn the_line_tells_what_became_of_each_die() {
    let cases: [(&str, &[u32], &str); 27] = [
        (
            "4d6kh3+2",
            &[6, 4, 1, 3],
            "4d6kh3+2: [6, 4, ~1~, 3] + 2 = 15",
        ),
        ("2d6-3", &[1, 1], "2d6-3: [1, 1] - 3 = -1"),
        ("(1+d4)*2", &[3], "(1+d4)*2: (1 + [3]) * 2 = 8"),
        ("10-(2-d4)", &[3], "10-(2-d4): 10 - (2 - [3]) = 11"),
        ("-d4/2", &[3], "-d4/2: (-[3]) / 2 = -2"),
        ("1--2", &[], "1--2: 1 - (-2) = 3"),
        ("0d6", &[], "0d6: [] = 0"),
        ("d%", &[100], "d%: [100] = 100"),
        ("4dF", &[1, 2, 3, 3], "4dF: [-1, 0, 1, 1] = 1"),
        ("2d6r1", &[1, 1, 4, 2], "2d6r1: [1->1->4, 2] = 6"),
        ("2d6ro<3", &[1, 2, 5], "2d6ro<3: [1->2, 5] = 7"),
        ("2d6!", &[6, 6, 2, 3], "2d6!: [6!, 6!, 2, 3] = 17"),
        ("2d6!!", &[6, 6, 2, 3], "2d6!!: [6+6+2=14, 3] = 17"),
        ("d6!r1", &[6, 1, 3], "d6!r1: [6!, 1->3] = 9"),
        ("3d6!kh2", &[6, 1, 3, 2], "3d6!kh2: [6!, ~1~, 3, ~2~] = 9"),
        ("3d6min2max5", &[1, 6, 4], "3d6min2max5: [1=2, 6=5, 4] = 11"),
        ("3d6kl1", &[2, 2, 1], "3d6kl1: [~2~, ~2~, 1] = 1"),
        ("3d6kl2", &[2, 2, 2], "3d6kl2: [2, 2, ~2~] = 4"),
        ("3d6dh1", &[5, 5, 1], "3d6dh1: [5, ~5~, 1] = 6"),
        ("3d6dl1", &[5, 1, 1], "3d6dl1: [5, 1, ~1~] = 6"),
        (
            "5d10>=8f1dbl10",
            &[8, 10, 1, 7, 9],
            "5d10>=8f1dbl10: [8*, 10**, 1x, 7, 9*] = 3",
        ),
        (
            "2d10!>=8",
            &[8, 1, 9, 10, 7],
            "2d10!>=8: [8!, 1, 9!, 10!, 7] = 35",
        ),
        ("2d10! >= 8", &[8, 10, 7], "2d10! >= 8: [8*, 10!*, 7] = 2"),
        ("3d10kh2>=8", &[8, 9, 10], "3d10kh2>=8: [~8~, 9*, 10*] = 2"),
        (
            "{d8, d6+1, 4}kh2",
            &[2, 5],
            "{d8, d6+1, 4}kh2: {~[2]~, [5] + 1, 4} = 10",
        ),
        (
            "{2d6+d8}kh2",
            &[2, 5, 3],
            "{2d6+d8}kh2: {~[2]~, [5], [3]} = 8",
        ),
        (
            "2d6[fire]+1 # hot",
            &[2, 5],
            "2d6[fire]+1: [2, 5] fire + 1 = 8 # hot",
        ),
    ];
    for (text, faces, wanted) in cases {
        assert_eq!(roll_line(text, faces), wanted);
    }
}

#[test]
fn the_tree_names_the_cause_of_each_die() {
    let roll = parse_notation("d6!r1")
        .roll(&mut Script::new(&[6, 1, 3]), &mut Budget::default())
        .unwrap();
    let Node::Dice(dice) = &roll.tree else {
        panic!("{roll:?}")
    };
    let story: Vec<_> = dice
        .dice
        .iter()
        .map(|die| (die.value, die.state, die.origin, die.exploded))
        .collect();
    assert_eq!(
        story,
        [
            (6, DieState::Kept, Origin::Written, true),
            (1, DieState::Rerolled, Origin::Explosion(0), false),
            (3, DieState::Kept, Origin::Reroll(1), false),
        ]
    );
}

#[test]
fn a_roll_becomes_plain_data() {
    let roll = parse_notation("2d6kh1[x]-1")
        .roll(&mut Script::new(&[2, 5]), &mut Budget::default())
        .unwrap();
    let part = |index: usize| roll.to_value().get("tree").get("parts").items()[index].clone();
    let dice = part(0).get("node").clone();
    assert_eq!(
        to_json(&dice).to_string(),
        "{\"counts\":\"sum\",\"dice\":[\
         {\"exploded\":false,\"faces\":[2],\"origin\":\"written\",\"score\":0,\"state\":\"dropped\",\"value\":2},\
         {\"exploded\":false,\"faces\":[5],\"origin\":\"written\",\"score\":5,\"state\":\"kept\",\"value\":5}],\
         \"kind\":\"dice\",\"label\":\"x\",\"sides\":6,\"total\":5}"
    );
    assert_eq!(part(1).get("operator"), &Value::from("-"));
    assert_eq!(roll.to_value().get("total").as_i64(), Some(4));
}

#[test]
fn nothing_is_clamped_at_a_limit() {
    assert_eq!(roll_line("d6r1", &[1; 1001]), "refused limit/dice");
    assert_eq!(
        roll_line("9223372036854775807+d4", &[1]),
        "refused dice/overflow"
    );
    assert_eq!(
        roll_line("{9223372036854775807, d4}", &[1]),
        "refused dice/overflow"
    );
    assert_eq!(roll_line("1/(d4-1)", &[1]), "refused dice/zero-divisor");
    assert_eq!(roll_line("d6", &[7]), "refused dice/bad-face");
    assert_eq!(roll_line("d6", &[0]), "refused dice/bad-face");
    assert_eq!(roll_line("d6", &[]), "refused test/no-face");
}

#[test]
fn a_die_explodes_at_most_a_hundred_times() {
    let mut faces = vec![6; 100];
    faces.push(5);
    assert!(roll_line("d6!!", &faces).ends_with("=605] = 605"));
    assert!(roll_line("d6!", &faces).ends_with("6!, 5] = 605"));
    faces[100] = 6;
    assert_eq!(roll_line("d6!!", &faces), "refused limit/dice");
}

#[test]
fn one_budget_serves_several_rolls() {
    let mut budget = Budget::of_draws(5);
    let dice = parse_notation("3d6");
    assert!(dice.roll_total(&mut Stream(1), &mut budget).is_ok());
    assert_eq!(budget.draws_left(), 2);
    let mut script = Script::new(&[1, 1, 1]);
    let refusal = dice.roll_total(&mut script, &mut budget).unwrap_err();
    assert_eq!(
        (&*refusal.code, script.at, budget.draws_left()),
        ("limit/dice", 0, 2)
    );
    assert_eq!(Budget::default().draws_left(), 1000);
}

/// Returns dice with some modifiers, each at most once, in any order.
fn modified_dice() -> impl Strategy<Value = String> {
    let slots = [
        vec!["", "r1", "r<3", "ro", "ro>=3"],
        vec!["", "!", "!>=4", "!!", "!!5"],
        vec!["", "min2", "min3"],
        vec!["", "max4", "max3"],
        vec!["", "kh2", "kl1", "dh1", "dl2", "k3"],
        vec!["", ">=3", "<=2f>=4", "=4dbl4f1", ">3dbl5"],
    ];
    let slots: Vec<_> = slots.into_iter().map(prop::sample::select).collect();
    (0..80u32, 5..9u32, slots.prop_shuffle())
        .prop_map(|(count, sides, modifiers)| format!("{count}d{sides}{}", modifiers.join(" ")))
}

/// Asserts that the total follows from the dice.
fn check_dice_total(roll: &DiceRoll) -> Result<(), TestCaseError> {
    let kept = roll.dice.iter().filter(|die| die.state == DieState::Kept);
    prop_assert_eq!(kept.map(|die| die.score).sum::<i64>(), roll.total);
    for (index, die) in roll.dice.iter().enumerate() {
        prop_assert!(die.state == DieState::Kept || die.score == 0);
        prop_assert!(
            roll.counts_successes || die.state != DieState::Kept || die.score == die.value
        );
        match die.origin {
            Origin::Written => {}
            Origin::Reroll(cause) => {
                prop_assert!(cause < index && roll.dice[cause].state == DieState::Rerolled);
            }
            Origin::Explosion(cause) => prop_assert!(cause < index && roll.dice[cause].exploded),
        }
    }
    Ok(())
}

fn check_tree(roll: &Roll) -> Result<(), TestCaseError> {
    let mut open = vec![&roll.tree];
    while let Some(node) = open.pop() {
        match node {
            Node::Number(_) => {}
            Node::Dice(dice) => check_dice_total(dice)?,
            Node::Negative { of, .. } | Node::Label { of, .. } => open.push(of),
            Node::Arithmetic { first, rest, .. } => {
                open.push(first);
                open.extend(rest.iter().map(|(_, node)| node));
            }
            Node::Group { items, total } => {
                let kept = items.iter().filter(|(counts, _)| *counts);
                prop_assert_eq!(kept.map(|(_, node)| node.total()).sum::<i64>(), *total);
                open.extend(items.iter().map(|(_, node)| node));
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn tree_and_plain_total_agree_and_explain_themselves(
        left in modified_dice(),
        right in modified_dice(),
        frame in prop::sample::select(vec!["L+R", "L-2*R", "{L,R,7}kh2", "{L,R}dh", "-(L)/3[x]", "{4d6[a]+2d8!!}kh3*(L)"]),
        seed: u64,
    ) {
        let text = frame.replace('L', &left).replace('R', &right);
        let notation = parse_notation(&text);
        let (mut tree_budget, mut budget) = (Budget::default(), Budget::default());
        let tree = notation.roll(&mut Stream(seed), &mut tree_budget);
        let total = notation.roll_total(&mut Stream(seed), &mut budget);
        prop_assert_eq!(&tree_budget, &budget);
        match tree {
            Ok(roll) => {
                prop_assert_eq!(Ok(roll.total()), total);
                check_tree(&roll)?;
                prop_assert!(roll.to_string().starts_with(text.trim()));
                prop_assert_eq!(roll.to_value().get("total").as_i64(), Some(roll.total()));
            }
            Err(refusal) => prop_assert_eq!(Err(refusal), total),
        }
    }
}
