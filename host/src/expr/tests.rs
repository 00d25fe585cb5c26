//! Tests expressions: vectors, refusals, and properties against a naive evaluator.

mod naive;

use proptest::prelude::*;

use super::*;
use crate::value::Value;
use naive::{Tree, any_tree};

/// The names in the vectors. Functions concatenate their operands.
struct Names;

impl Scope for Names {
    type Error = ExprError;

    fn variable(&mut self, _: usize, name: &str) -> Result<Item, ExprError> {
        Ok(match name {
            "self.HP" => item("7.5"),
            "self" => Item::Text("ann".into()),
            "creature.HELD" => Item::Text("bo".into()),
            "none" => Item::Nil,
            "no" => Item::Bool(false),
            other => Item::Text(other.into()),
        })
    }

    fn call(&mut self, function: &str, operands: &[Item]) -> Result<Item, ExprError> {
        let texts: Vec<String> = operands.iter().map(Item::to_string).collect();
        Ok(Item::Text(format!("{function}:{}", texts.join("+")).into()))
    }
}

fn item(number: &str) -> Item {
    Item::Number(Fraction::parse(number).unwrap().unwrap())
}

fn dialect() -> Dialect {
    let signature = |operands, quotes| Signature { operands, quotes };
    Dialect {
        functions: [
            ("distance".into(), signature(2, false)),
            ("chance".into(), signature(0, false)),
            ("store".into(), signature(2, true)),
        ]
        .into(),
        ..Dialect::default()
    }
}

/// Returns the printed value, or the code of the first refusal.
fn evaluate_text(text: &str) -> String {
    evaluate_in_dialect(text, &dialect())
}

fn evaluate_in_dialect(text: &str, dialect: &Dialect) -> String {
    match compile(text, dialect) {
        Err(errors) => errors[0].code.to_string(),
        Ok(program) => match program.evaluate(&mut Names) {
            Ok(value) => value.to_string(),
            Err(error) => error.code.to_string(),
        },
    }
}

#[test]
fn vectors() {
    let cases = [
        ("(8,5,7,+,+)", "20"),
        ("8 5 7 + +", "20"),
        ("(1,-4,+,.5,max)", "0.5"),
        ("(2,2.5,2.5,-,2.5,0,ifelse,5,-,5,/,^,15,*,17,*)", "127.5"),
        ("(3,5,&) ", "3"),
        ("(0,5,&)", "0"),
        ("(5,0,&)", "0"),
        ("(0,5,|)", "5"),
        ("(7,!)", "false"),
        ("(.1,.2,+,.3,==)", "true"),
        ("(1,3,/,3,*,1,==)", "true"),
        ("(-.5,10,20,if)", "10"),
        ("(nil,10,20,if)", "20"),
        ("(5,6,consume)", "5"),
        ("(4,duplicate,*)", "16"),
        ("(1,3,/)", "1/3"),
        ("(-1,3,/)", "-1/3"),
        ("(2,-2,^)", "0.25"),
        ("(0,0,^)", "1"),
        ("(-7,2,/,floor)", "-4"),
        ("(-7,2,/,ceil)", "-3"),
        ("(-7,2,/,round)", "-4"),
        ("(-7,3,mod)", "2"),
        ("(7,-3,%)", "-2"),
        ("(1,2,<,3,4,<,&)", "true"),
        ("(1,2,<,2,+)", "3"),
        ("(creature.HELD,self,==,!)", "true"),
        ("('a, b' \"a, b\" ==)", "true"),
        ("(\"say \\\"x\\\"\")", "say \"x\""),
        ("(none,0,==)", "true"),
        ("(no,0,==)", "true"),
        ("(\"0\",0,==)", "false"),
        ("(self.HP,2,*)", "15"),
        ("(self,1,2,+,distance)", "distance:ann+3"),
        ("chance", "chance:"),
        ("(5,NV1,store)", "store:5+NV1"),
        ("(0.30)", "0.3"),
        ("(007)", "7"),
    ];
    for (text, wanted) in cases {
        assert_eq!(evaluate_text(text), wanted, "{text}");
    }
}

#[test]
fn refusals() {
    let long = format!("({})", "1,".repeat(1_000) + "1");
    let tall = format!("({})", "1 ".repeat(257));
    let big = format!("({})", "9".repeat(37));
    let cases = [
        ("", "expr/syntax"),
        ("()", "expr/syntax"),
        ("(1,,2,+)", "expr/syntax"),
        ("(1,2,+,)", "expr/syntax"),
        ("(,1)", "expr/syntax"),
        ("(1", "expr/syntax"),
        ("1)", "expr/syntax"),
        ("((1),2,+)", "expr/syntax"),
        ("(\"a)", "expr/syntax"),
        ("(\"a\"b)", "expr/syntax"),
        ("(a\"b\")", "expr/syntax"),
        ("(1,+)", "expr/underflow"),
        ("(1,2)", "expr/leftover"),
        ("(1,consume)", "expr/empty"),
        ("(5,0,/)", "expr/division"),
        ("(5,0,%)", "expr/division"),
        ("(0,-1,^)", "expr/division"),
        ("(2,.5,^)", "expr/power"),
        ("(2,65,^)", "expr/power"),
        ("(10,40,^)", "expr/overflow"),
        ("(fire,1,+)", "expr/type"),
        ("(fire,1,<)", "expr/type"),
        ("(5,7,store)", "expr/name"),
        ("(store)", "expr/name"),
        (&long, "limit/size"),
        (&tall, "limit/depth"),
        (&big, "expr/overflow"),
        (&"x".repeat(BYTES + 1), "limit/size"),
    ];
    for (text, wanted) in cases {
        assert_eq!(evaluate_text(text), wanted, "{text:.60}");
    }
}

#[test]
fn limits_are_reached_from_below() {
    let wide = format!("(1{})", ",neg".repeat(999));
    assert_eq!(evaluate_text(&wide), "-1");
    let tall = format!("({}{})", "1 ".repeat(256), "+ ".repeat(255));
    assert_eq!(evaluate_text(&tall), "256");
    assert_eq!(
        evaluate_text(&format!("({})", "9".repeat(36))),
        "9".repeat(36)
    );
    let text = format!("\"{}\"", "x".repeat(BYTES - 2));
    assert_eq!(evaluate_text(&text), "x".repeat(BYTES - 2));
}

#[test]
fn names_are_known_by_their_head_and_near_ones_are_told() {
    let closed = Dialect {
        variables: Some(["self".into(), "clock".into()].into()),
        ..dialect()
    };
    assert_eq!(evaluate_in_dialect("(self.HP,2,*)", &closed), "15");
    let errors = compile("(slf.HP,distanc,clok.x,+,+)", &closed).unwrap_err();
    let told: Vec<String> = errors
        .iter()
        .map(|error| {
            format!(
                "{}-{}: {error}; {}",
                error.at.start, error.at.end, error.hint
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "1-7: unknown name \"slf\"; did you mean \"self\"?",
            "8-15: unknown name or function \"distanc\"; did you mean \"distance\"?",
            "16-22: unknown name \"clok\"; did you mean \"clock\"?",
        ]
    );
    let leftover = &compile("(1,2,maxx)", &dialect()).unwrap_err()[0];
    assert_eq!(
        leftover.to_string(),
        "the expression ends with 3 values, not one"
    );
    assert_eq!(leftover.hint, "did you mean \"max\"?");
}

#[test]
fn with_commas_only_a_name_may_hold_blanks() {
    let commas = Dialect {
        commas_only: true,
        ..dialect()
    };
    assert_eq!(
        evaluate_in_dialect("( point in space , 'a b' ,distance)", &commas),
        "distance:point in space+a b"
    );
    assert_eq!(evaluate_in_dialect("(8 2 +)", &commas), "8 2 +");
    assert_eq!(
        evaluate_in_dialect("('a' 'b',distance)", &commas),
        "expr/syntax"
    );
}

#[test]
fn results_cross_exactly_or_with_fifteen_digits() {
    let cases = [
        ("(1,3,/)", "0.333333333333333"),
        ("(-2,3,/)", "-0.666666666666667"),
        ("(1,8,/)", "0.125"),
        ("(200000,3,/)", "66666.6666666667"),
        ("(1,3000000000,/)", "0.000000000333333333333333"),
        ("(10,28,^,3,/)", "3333333333333330000000000000"),
        ("(10,27,^)", "1000000000000000000000000000"),
        ("(1,10,30,^,/)", "0"),
        ("(999999999999999.6,3,*,3,/)", "999999999999999.6"),
    ];
    for (text, wanted) in cases {
        let value = compile(text, &dialect())
            .unwrap()
            .evaluate(&mut Names)
            .unwrap();
        let number = value.to_value().unwrap();
        assert_eq!(number.to_string(), wanted, "{text}");
        assert!(number.as_number().is_some());
    }
    let large = compile("(10,33,^)", &dialect())
        .unwrap()
        .evaluate(&mut Names)
        .unwrap();
    assert_eq!(large.to_value(), None);
    assert_eq!(Item::from_value(&Value::list([])), Err("list"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_text_panics(text in prop_oneof![".{0,60}", "[(),\"'\\\\ a-c.0-9+*/<=!^%|&-]{0,60}"], commas_only: bool) {
        let dialect = Dialect { commas_only, ..dialect() };
        if let Ok(program) = compile(&text, &dialect) {
            let _ = program.evaluate(&mut Names);
            let printed = program.to_string();
            prop_assert_eq!(compile(&printed, &dialect), Ok(program), "{}", printed);
        }
    }

    #[test]
    fn words_in_any_order_never_panic(words in prop::collection::vec(prop::sample::select(Operator::words().chain(["1", "0", "-2.5", ".3", "x", "'t'", "nil", "true", "store", "chance", "distance", "999999999999999999"]).collect::<Vec<_>>()), 1..40)) {
        let text = words.join(",");
        match compile(&text, &dialect()) {
            Ok(program) => {
                let _ = program.evaluate(&mut Names);
                prop_assert_eq!(compile(&program.to_string(), &dialect()), Ok(program));
            }
            Err(errors) => prop_assert!(errors.iter().all(|error| error.at.end <= text.len() && text.is_char_boundary(error.at.start))),
        }
    }

    #[test]
    fn values_are_those_of_a_naive_evaluator(tree in any_tree()) {
        let program = compile(&tree.text(), &dialect()).unwrap();
        let value = program.evaluate(&mut Names);
        match (value, tree.value()) {
            (Ok(value), Ok(naive)) => prop_assert!(naive.equals_item(&value), "{} gives {value}, not {naive:?}", tree.text()),
            // A naive number has no size limit, so a refusal for size is correct for a large one.
            (Err(error), naive) if error.code == "expr/overflow" => {
                prop_assert!(naive.is_err() || tree.is_large(), "{}", tree.text());
            }
            (Err(error), Err(code)) => prop_assert_eq!(error.code, code, "{}", tree.text()),
            (value, naive) => prop_assert!(false, "{}: {value:?}, {naive:?}", tree.text()),
        }
    }

    #[test]
    fn rounding_is_to_the_nearest(numerator in -1_000_000_000_000i64..1_000_000_000_000, denominator in 1i64..1_000_000_000) {
        let text = format!("({numerator},{denominator},/)");
        let value = compile(&text, &dialect()).unwrap().evaluate(&mut Names).unwrap().to_value().unwrap();
        let exact = numerator as f64 / denominator as f64;
        let number = value.as_number().unwrap().to_f64();
        prop_assert!((number - exact).abs() <= exact.abs() * 1e-14, "{number} {exact}");
    }
}

#[test]
fn a_tree_prints_as_postfix() {
    let tree = Tree::Two("+", Tree::number("1"), Tree::number("2.5"));
    assert_eq!(tree.text(), "1,2.5,+");
}
