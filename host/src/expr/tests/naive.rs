//! Evaluates expressions the slow and obvious way: trees, and fractions that are never reduced.

use num_bigint::BigInt;
use proptest::prelude::*;

use crate::expr::Item;

/// An expression as a tree.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Number(String),
    One(&'static str, Box<Tree>),
    Two(&'static str, Box<Tree>, Box<Tree>),
    If(Box<Tree>, Box<Tree>, Box<Tree>),
}

/// A value: a fraction whose denominator is above 0, or a bool.
#[derive(Clone, Debug)]
pub(super) enum Naive {
    Ratio(BigInt, BigInt),
    Bool(bool),
}

pub(super) fn any_tree() -> impl Strategy<Value = Tree> {
    let number = prop_oneof![
        (-9i32..10).prop_map(|n| n.to_string()),
        "-?[0-9]{1,4}\\.[0-9]{1,3}",
        "[0-9]{12,18}",
    ];
    number.prop_map(Tree::Number).prop_recursive(6, 60, 3, |inner| {
        let one = prop::sample::select(vec!["floor", "ceil", "round", "abs", "neg", "not"]);
        let two = prop::sample::select(vec![
            "+", "-", "*", "/", "%", "min", "max", "==", "!=", "<", "<=", ">", ">=", "and", "or",
        ]);
        let boxed = inner.prop_map(Box::new);
        prop_oneof![
            1 => (one, boxed.clone()).prop_map(|(word, x)| Tree::One(word, x)),
            4 => (two, boxed.clone(), boxed.clone()).prop_map(|(word, x, y)| Tree::Two(word, x, y)),
            1 => (boxed.clone(), boxed.clone(), boxed).prop_map(|(x, y, z)| Tree::If(x, y, z)),
        ]
    })
}

impl Tree {
    pub(super) fn number(text: &str) -> Box<Tree> {
        Box::new(Tree::Number(text.to_owned()))
    }

    pub(super) fn text(&self) -> String {
        match self {
            Tree::Number(text) => text.clone(),
            Tree::One(word, x) => format!("{},{word}", x.text()),
            Tree::Two(word, x, y) => format!("{},{},{word}", x.text(), y.text()),
            Tree::If(x, y, z) => format!("{},{},{},if", x.text(), y.text(), z.text()),
        }
    }

    /// Returns whether an intermediate number has a part of more than 17 digits in lowest terms. An operation on two of
    /// them may exceed the limit.
    pub(super) fn is_large(&self) -> bool {
        let large = self.value().is_ok_and(|value| value.is_large());
        large
            || match self {
                Tree::Number(_) => false,
                Tree::One(_, x) => x.is_large(),
                Tree::Two(_, x, y) => x.is_large() || y.is_large(),
                Tree::If(x, y, z) => x.is_large() || y.is_large() || z.is_large(),
            }
    }

    pub(super) fn value(&self) -> Result<Naive, &'static str> {
        match self {
            Tree::Number(text) => Ok(parse_literal(text)),
            Tree::One(word, x) => Ok(apply_to_one(word, &x.value()?)),
            Tree::Two(word, x, y) => apply_to_two(word, x.value()?, y.value()?),
            Tree::If(x, y, z) => {
                let (x, y, z) = (x.value()?, y.value()?, z.value()?);
                Ok(if x.is_true() { y } else { z })
            }
        }
    }
}

fn parse_literal(text: &str) -> Naive {
    let (whole, places) = text.split_once('.').unwrap_or((text, ""));
    let digits: BigInt = format!("{whole}{places}").parse().unwrap();
    Naive::Ratio(digits, BigInt::from(10).pow(places.len() as u32))
}

/// Returns the largest whole number that is not above `n/d`.
fn floor(n: &BigInt, d: &BigInt) -> BigInt {
    let quotient = n / d;
    if &quotient * d > *n {
        quotient - 1
    } else {
        quotient
    }
}

fn apply_to_one(word: &str, x: &Naive) -> Naive {
    let (n, d) = x.ratio();
    let zero = BigInt::from(0);
    let whole = |n: BigInt| Naive::Ratio(n, BigInt::from(1));
    match word {
        "floor" => whole(floor(&n, &d)),
        "ceil" => whole(-floor(&-n, &d)),
        "round" if n < zero => whole(-floor(&(-n * 2 + &d), &(d * 2))),
        "round" => whole(floor(&(n * 2 + &d), &(d * 2))),
        "abs" if n < zero => Naive::Ratio(-n, d),
        "abs" => Naive::Ratio(n, d),
        "neg" => Naive::Ratio(-n, d),
        _ => Naive::Bool(!x.is_true()),
    }
}

fn apply_to_two(word: &str, x: Naive, y: Naive) -> Result<Naive, &'static str> {
    let ((a, b), (c, d)) = (x.ratio(), y.ratio());
    let order = (&a * &d).cmp(&(&c * &b));
    let zero = BigInt::from(0);
    Ok(match word {
        "+" => Naive::Ratio(a * &d + c * &b, b * d),
        "-" => Naive::Ratio(a * &d - c * &b, b * d),
        "*" => Naive::Ratio(a * c, b * d),
        "/" | "%" if c == zero => return Err("expr/division"),
        "/" if c < zero => Naive::Ratio(-(a * d), -(b * c)),
        "/" => Naive::Ratio(a * d, b * c),
        "%" => {
            let (n, m) = (&a * &d, &b * &c);
            let quotient = if m < zero {
                floor(&-n, &-m)
            } else {
                floor(&n, &m)
            };
            Naive::Ratio(a * &d - quotient * c * &b, b * d)
        }
        "min" if order.is_le() => Naive::Ratio(a, b),
        "min" => Naive::Ratio(c, d),
        "max" if order.is_ge() => Naive::Ratio(a, b),
        "max" => Naive::Ratio(c, d),
        "==" => Naive::Bool(order.is_eq()),
        "!=" => Naive::Bool(order.is_ne()),
        "<" => Naive::Bool(order.is_lt()),
        "<=" => Naive::Bool(order.is_le()),
        ">" => Naive::Bool(order.is_gt()),
        ">=" => Naive::Bool(order.is_ge()),
        "and" => {
            if y.is_true() {
                x
            } else {
                y
            }
        }
        _ => {
            if x.is_true() {
                x
            } else {
                y
            }
        }
    })
}

impl Naive {
    fn ratio(&self) -> (BigInt, BigInt) {
        match self {
            Naive::Ratio(n, d) => (n.clone(), d.clone()),
            Naive::Bool(value) => (BigInt::from(i32::from(*value)), BigInt::from(1)),
        }
    }

    fn is_true(&self) -> bool {
        self.ratio().0 != BigInt::from(0)
    }

    fn is_large(&self) -> bool {
        let (mut a, mut b) = self.ratio();
        let (n, d) = (a.clone(), b.clone());
        while b != BigInt::from(0) {
            (a, b) = (b.clone(), a % b);
        }
        let digits = |number: BigInt| number.to_string().trim_start_matches('-').len();
        digits(n / &a) > 17 || digits(d / &a) > 17
    }

    pub(super) fn equals_item(&self, item: &Item) -> bool {
        match (self, item) {
            (Naive::Bool(naive), Item::Bool(value)) => naive == value,
            (Naive::Ratio(n, d), Item::Number(value)) => {
                let (numerator, denominator) = value.numerator_and_denominator();
                n * denominator == d * numerator
            }
            _ => false,
        }
    }
}
