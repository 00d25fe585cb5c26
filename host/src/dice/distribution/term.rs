//! Counts the ways of a dice term and of a group.

use super::count::Count;
use super::explosion;
use super::keep::{self, Kind, Ranked};
use super::poly::Poly;
use super::table::Table;
use super::work_budget::{Done, Trouble, Work};
use crate::diag::Span;
use crate::dice::comparison::Interval;
use crate::dice::expr::{Keep, Operator, Term};

/// Steps that one face of a die takes.
const FACE_STEPS: u64 = 16;

impl Term {
    /// Returns the faces that reroll.
    fn rerolled_faces(&self) -> Interval {
        match &self.reroll {
            Some(reroll) => reroll.test.matching_faces(self.sides.face_range()),
            None => Interval::new(1, 0),
        }
    }

    /// Returns the ways of one rolled face after rerolls.
    pub(super) fn ways_of_draw_after_rerolls(&self) -> u64 {
        let sides = u64::from(self.sides.face_count());
        match &self.reroll {
            None => sides,
            Some(reroll) if reroll.once => sides * sides,
            Some(_) => sides - self.rerolled_faces().number_count(),
        }
    }

    /// Returns each face that a roll of one die can end on, with its ways.
    fn weighted_faces(&self) -> impl Iterator<Item = (i64, u64)> {
        let sides = u64::from(self.sides.face_count());
        let rerolled = self.rerolled_faces();
        let faces = self.sides.face_range();
        (faces.low..=faces.high).filter_map(move |face| {
            let again = rerolled.low <= face && face <= rerolled.high;
            let weight = match &self.reroll {
                None => 1,
                Some(reroll) if reroll.once => {
                    rerolled.number_count() + if again { 0 } else { sides }
                }
                Some(_) => u64::from(!again),
            };
            (weight > 0).then_some((face, weight))
        })
    }

    /// Returns whether a die can explode, and whether it then stays one die.
    pub(super) fn explosion_compounds(&self) -> Option<bool> {
        let burst = self.burst.as_ref()?;
        let can = !burst
            .test
            .matching_faces(self.sides.face_range())
            .is_empty();
        let explodes = |face: i64| burst.test.matches(face);
        (can && self.weighted_faces().any(|(face, _)| explodes(face))).then_some(burst.compound)
    }

    fn rank_face<C: Count>(&self, face: i64, weight: C) -> Ranked<C> {
        let value = self.clamp_value(face);
        Ranked {
            value,
            score: self.score_of_value(value),
            weight,
        }
    }

    /// Returns the ways of the total.
    pub(super) fn ways_of_total<C: Count>(&self, work: &mut Work) -> Done<Poly<C>> {
        work.spend_steps(u64::from(self.sides.face_count()) * FACE_STEPS)?;
        if self.count == 0 {
            return Ok(Poly::one());
        }
        match (self.explosion_compounds(), self.keep) {
            (None, _) => {
                let faces = self.weighted_faces();
                let values = faces.map(|(face, weight)| self.rank_face(face, C::from_u64(weight)));
                self.kept_total_ways(values.collect(), work)
            }
            (Some(true), _) => {
                let values = self.compounding_die_values(work)?;
                self.kept_total_ways(values, work)
            }
            (Some(false), None) => {
                let (settled, rising) =
                    self.split_by_explosion(|face, weight| self.rank_face(face, weight));
                let (settled, rising) = (
                    ways_of_scores(&settled, work)?,
                    ways_of_scores(&rising, work)?,
                );
                explosion::exploding_sum_ways(
                    &settled,
                    &rising,
                    self.ways_of_draw_after_rerolls(),
                    self.count,
                    work,
                )
            }
            (Some(false), Some(keep)) => {
                let (settled, rising) =
                    self.split_by_explosion(|face, weight| self.rank_face(face, weight));
                explosion::kept_sum_ways_of_exploding_dice(
                    settled,
                    rising,
                    self.ways_of_draw_after_rerolls(),
                    self.count,
                    keep,
                    work,
                )
            }
        }
    }

    /// Returns the faces that end a die and those that explode.
    fn split_by_explosion<C: Count>(
        &self,
        rank: impl Fn(i64, C) -> Ranked<C>,
    ) -> (Vec<Ranked<C>>, Vec<Ranked<C>>) {
        let test = self.burst.as_ref().map(|burst| burst.test);
        let (rising, settled): (Vec<_>, Vec<_>) = self
            .weighted_faces()
            .partition(|(face, _)| test.is_some_and(|test| test.matches(*face)));
        let ranked = |faces: Vec<(i64, u64)>| {
            let faces = faces.into_iter();
            faces
                .map(|(face, weight)| rank(face, C::from_u64(weight)))
                .collect()
        };
        (ranked(settled), ranked(rising))
    }

    /// Returns the values of one compounding die.
    fn compounding_die_values<C: Count>(&self, work: &mut Work) -> Done<Vec<Ranked<C>>> {
        let (settled, rising) = self.split_by_explosion(|face, weight: C| Ranked {
            value: face,
            score: face,
            weight,
        });
        let (settled, rising) = (
            ways_of_scores(&settled, work)?,
            ways_of_scores(&rising, work)?,
        );
        let sums = explosion::exploding_sum_ways(
            &settled,
            &rising,
            self.ways_of_draw_after_rerolls(),
            1,
            work,
        )?;
        let values = sums.entries();
        Ok(values
            .map(|(sum, ways)| self.rank_face(sum, ways.clone()))
            .collect())
    }

    /// Returns the ways of the total of dice with these values.
    fn kept_total_ways<C: Count>(&self, values: Vec<Ranked<C>>, work: &mut Work) -> Done<Poly<C>> {
        match self.keep {
            None => ways_of_scores(&values, work)?.power(self.count, work),
            Some(keep) => {
                let count = usize::try_from(self.count).map_err(|_| Trouble::TooLarge)?;
                keep::kept_sum_ways(&[Kind { count, values }], keep, work)
            }
        }
    }
}

fn ways_of_scores<C: Count>(values: &[Ranked<C>], work: &mut Work) -> Done<Poly<C>> {
    Poly::from_entries(
        values.iter().map(|value| (value.score, &value.weight)),
        work,
    )
}

/// Returns the ways of the sum of the items that are kept.
pub(super) fn group_table<C: Count>(
    items: Vec<Table<C>>,
    keep: Option<Keep>,
    span: Span,
    work: &mut Work,
) -> Done<Table<C>> {
    let Some(keep) = keep else {
        let mut items = items.into_iter();
        let first = items.next().unwrap_or_else(|| Table::single_total(0));
        return items.try_fold(first, |sum, item| {
            sum.combined(Operator::Plus, item, span, work)
        });
    };
    let mut kinds: Vec<(Table<C>, usize)> = Vec::new();
    for item in items {
        match kinds.iter_mut().find(|(kind, _)| *kind == item) {
            Some((_, count)) => *count += 1,
            None => kinds.push((item, 1)),
        }
    }
    let kinds: Vec<Kind<C>> = kinds
        .into_iter()
        .map(|(table, count)| kind_of_table(table, count))
        .collect();
    keep::kept_sum_ways(&kinds, keep, work).map(|ways| Table::from_poly(&ways))
}

fn kind_of_table<C>(table: Table<C>, count: usize) -> Kind<C> {
    let values = table.0.into_iter().map(|(value, weight)| Ranked {
        value,
        score: value,
        weight,
    });
    Kind {
        count,
        values: values.collect(),
    }
}
