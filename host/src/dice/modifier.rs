//! Reads the modifiers after dice: rerolls, explosions, bounds, choices, counts.

use super::comparison::{Compare, Test};
use super::expr::{Burst, Keep, Reroll, Sides, Success, Term};
use super::notation_parser::{Parser, Step};
use crate::diag::{Span, near_hint};

/// Modifiers written as words, longest first where one begins with another.
const WORDS: [&str; 12] = [
    "dbl", "dh", "dl", "f", "kh", "kl", "k", "max", "min", "ro", "rr", "r",
];

/// Most letters of a run of modifiers that are read.
const LONGEST_RUN: usize = 16;

/// Failures and doubles, stored until the success count is known.
#[derive(Default)]
struct Counts {
    success: Option<Test>,
    fail: Option<(Test, Span)>,
    double: Option<(Test, Span)>,
}

impl Parser<'_> {
    /// Reads the modifiers of a dice term, in any order.
    pub(super) fn parse_modifiers(&mut self, term: &mut Term) -> Step<()> {
        let mut counts = Counts::default();
        loop {
            self.cursor.skip_spaces();
            let start = self.cursor.offset();
            match self.cursor.peek_character() {
                Some('!') => self.parse_explosion(term, start)?,
                Some('<' | '>' | '=') => {
                    let test = self.parse_comparison(Test::equal_to(0))?;
                    self.set_modifier_once(&mut counts.success, test, start, "success count");
                }
                Some(_) => match self.read_modifier_word() {
                    Some(word) => self.parse_worded_modifier(term, &mut counts, word, start)?,
                    None => break,
                },
                None => break,
            }
        }
        self.set_success_counts(term, counts);
        self.refuse_endless_dice(term);
        Ok(())
    }

    fn parse_explosion(&mut self, term: &mut Term, start: usize) -> Step<()> {
        self.cursor.skip_bytes(1);
        let compound = self.cursor.eat_character_in_any_case('!');
        let test = self.parse_comparison(Test::equal_to(term.sides.face_range().high))?;
        if term.sides == Sides::Fate {
            let message = "dF dice do not explode";
            let finding = self.error_at_span(
                "dice/misplaced-modifier",
                message,
                self.cursor.span_since(start),
            );
            self.findings
                .push(finding.hint("remove \"!\", or write \"d3\""));
            return Ok(());
        }
        self.set_modifier_once(
            &mut term.burst,
            Burst { test, compound },
            start,
            "explosion",
        );
        Ok(())
    }

    /// Reads the rest of a modifier whose word was read.
    fn parse_worded_modifier(
        &mut self,
        term: &mut Term,
        counts: &mut Counts,
        word: &'static str,
        start: usize,
    ) -> Step<()> {
        match word {
            "r" | "rr" | "ro" => {
                let test = self.parse_comparison(Test::equal_to(term.sides.face_range().low))?;
                let once = word == "ro";
                self.set_modifier_once(&mut term.reroll, Reroll { test, once }, start, "reroll");
            }
            "min" => {
                let number = self.parse_bound(term, start)?;
                self.set_modifier_once(&mut term.least, number, start, "minimum");
            }
            "max" => {
                let number = self.parse_bound(term, start)?;
                self.set_modifier_once(&mut term.most, number, start, "maximum");
            }
            "f" | "dbl" => {
                if !self.is_at_test() {
                    return Err(self.unexpected_finding(&format!("a number after \"{word}\"")));
                }
                let test = self.parse_comparison(Test::equal_to(0))?;
                let test = (test, self.cursor.span_since(start));
                let (slot, name) = match word {
                    "f" => (&mut counts.fail, "failure count"),
                    _ => (&mut counts.double, "double count"),
                };
                self.set_modifier_once(slot, test, start, name);
            }
            _ => {
                let keep = self.parse_keep(word)?;
                self.set_modifier_once(&mut term.keep, keep, start, "choice of dice");
            }
        }
        Ok(())
    }

    /// Reads the number of a choice; without one it is 1.
    pub(super) fn parse_keep(&mut self, word: &str) -> Step<Keep> {
        let has_number = self
            .cursor
            .peek_character()
            .is_some_and(|next| next.is_ascii_digit());
        let number = if has_number { self.parse_number()? } else { 1 };
        Ok(Keep {
            high: matches!(word, "k" | "kh" | "dh"),
            drop: word.starts_with('d'),
            number: u32::try_from(number).unwrap_or(u32::MAX),
        })
    }

    fn parse_bound(&mut self, term: &Term, start: usize) -> Step<i64> {
        let negative = self.cursor.eat_character_in_any_case('-');
        let number = self.parse_number()?;
        let number = if negative { -number } else { number };
        let faces = term.sides.face_range();
        if number < faces.low || number > faces.high {
            let message = format!("{number} is not a face of this die");
            let finding =
                self.error_at_span("dice/bad-bound", message, self.cursor.span_since(start));
            let hint = format!("write a number from {} to {}", faces.low, faces.high);
            self.findings.push(finding.hint(hint));
        }
        Ok(number)
    }

    fn is_at_test(&self) -> bool {
        let next = self.cursor.peek_character();
        next.is_some_and(|next| next.is_ascii_digit() || matches!(next, '<' | '>' | '='))
    }

    /// Reads a comparison that begins directly here; a bare number means "equal", nothing means `default`.
    fn parse_comparison(&mut self, default: Test) -> Step<Test> {
        if !self.is_at_test() {
            return Ok(default);
        }
        let compare = if self.cursor.eat_character_in_any_case('<') {
            if self.cursor.eat_character_in_any_case('=') {
                Compare::AtMost
            } else {
                Compare::Less
            }
        } else if self.cursor.eat_character_in_any_case('>') {
            if self.cursor.eat_character_in_any_case('=') {
                Compare::AtLeast
            } else {
                Compare::More
            }
        } else if self.cursor.eat_character_in_any_case('=') {
            Compare::Equal
        } else {
            return Ok(Test::equal_to(self.parse_number()?));
        };
        self.cursor.skip_spaces();
        let negative = self.cursor.eat_character_in_any_case('-');
        let number = self.parse_number()?;
        Ok(Test {
            compare,
            number: if negative { -number } else { number },
        })
    }

    /// Reads the next modifier word. Notes an unknown one and skips it.
    pub(super) fn read_modifier_word(&mut self) -> Option<&'static str> {
        loop {
            let run = self.cursor.peek_letters();
            if run.is_empty() {
                return None;
            }
            if let Some(word) = first_modifier_word(&run.to_ascii_lowercase()) {
                self.cursor.skip_bytes(word.len());
                return Some(word);
            }
            self.report_unknown_word(run);
        }
    }

    fn report_unknown_word(&mut self, run: &str) {
        let start = self.cursor.offset();
        self.cursor.skip_bytes(run.len());
        let message = format!("unknown modifier \"{run}\"");
        let span = self.cursor.span_since(start);
        let digits = self.cursor.read_digits();
        let finding = self.error_at_span("dice/unknown-modifier", message, span);
        let near = near_hint(run, WORDS);
        self.findings.push(match run {
            "d" | "D" => finding.hint(format!(
                "write \"+d{digits}\" to add dice, \"dl{digits}\" or \"dh{digits}\" to drop some"
            )),
            _ if near.is_empty() => {
                finding.hint("modifiers are ! !! r ro min max kh kl dh dl f dbl and comparisons")
            }
            _ => finding.hint(near),
        });
        self.cursor.skip_spaces();
    }

    pub(super) fn set_modifier_once<T>(
        &mut self,
        slot: &mut Option<T>,
        value: T,
        start: usize,
        name: &str,
    ) {
        if slot.replace(value).is_some() {
            let message = format!("these dice have a second {name}");
            let finding = self.error_at_span(
                "dice/second-modifier",
                message,
                self.cursor.span_since(start),
            );
            self.findings.push(finding.hint("remove one of them"));
        }
    }

    fn set_success_counts(&mut self, term: &mut Term, counts: Counts) {
        match counts.success {
            Some(test) => {
                term.success = Some(Success {
                    test,
                    fail: counts.fail.map(|(test, _)| test),
                    double: counts.double.map(|(test, _)| test),
                });
            }
            None => {
                for (_, span) in counts.fail.into_iter().chain(counts.double) {
                    let message = "failures and doubles need a success count";
                    let finding = self.error_at_span("dice/no-success-count", message, span);
                    self.findings
                        .push(finding.hint("say what a success is, as in \"5d10>=8f1\""));
                }
            }
        }
    }

    /// Refuses dice whose rerolls or explosions never end.
    fn refuse_endless_dice(&mut self, term: &Term) {
        let faces = term.sides.face_range();
        let reroll = term.reroll.as_ref().filter(|reroll| !reroll.once);
        let rerolled = reroll.map(|reroll| reroll.test.matching_faces(faces));
        let burst = term
            .burst
            .as_ref()
            .map(|burst| burst.test.matching_faces(faces));
        let moving: Vec<_> = rerolled.into_iter().chain(burst).collect();
        if !moving.is_empty() && faces.is_covered_by(&moving) {
            let message = "every face is rerolled or explodes, so this roll never ends";
            let finding = self.error_at_span(
                "dice/endless",
                message,
                self.trimmed_span_since(term.span.start),
            );
            self.findings.push(
                finding.hint("leave at least one face that is neither rerolled nor explodes"),
            );
        }
    }
}

/// Returns the word that a run of letters begins with, if it is made of modifiers only.
fn first_modifier_word(run: &str) -> Option<&'static str> {
    if run.len() > LONGEST_RUN {
        return None;
    }
    let is_made_of_words = |rest: &str| rest.is_empty() || first_modifier_word(rest).is_some();
    WORDS
        .into_iter()
        .find(|word| run.strip_prefix(word).is_some_and(is_made_of_words))
}
