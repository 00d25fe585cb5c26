//! Matches literal words and marks, and the spaces around them.

use super::super::compile::Phrase;
use super::super::failure::{Failure, Wanted};
use super::super::lexicon::WordId;
use super::super::token::Gap;
use super::forms::State;
use super::{Matcher, Offer, Rank};

impl Matcher<'_, '_> {
    /// Matches one literal word.
    pub(super) fn match_word(
        &mut self,
        state: State,
        word: WordId,
        failure: &mut Failure,
    ) -> Option<State> {
        let fits = self.spacing_fits(&state);
        if state.pos >= self.end {
            if fits {
                self.add_offer(Offer::Word(word));
            }
            failure.add_wanted(state.pos, Wanted::Word(word));
            return None;
        }
        if !fits || self.words[state.pos] != word {
            failure.add_wanted(state.pos, Wanted::Word(word));
            return None;
        }
        let literal = Rank {
            literals: 1,
            ..Rank::default()
        };
        let rank = state.rank.plus(literal);
        Some(State {
            pos: state.pos + 1,
            rank,
            blank: false,
            begun: true,
            ..state
        })
    }

    /// Matches the words of a phrase; a space between two of them may be missing unless both are words.
    pub(super) fn match_phrase(
        &mut self,
        state: State,
        phrase: &Phrase,
        failure: &mut Failure,
    ) -> Option<State> {
        if state.pos >= self.end {
            if self.spacing_fits(&state) {
                self.add_offer(Offer::Word(phrase.shown));
            }
            failure.add_wanted(state.pos, Wanted::Word(phrase.shown));
            return None;
        }
        let mut at = state;
        for (index, (blank, word)) in phrase.words.iter().enumerate() {
            at.blank |= *blank;
            let before = at.pos;
            let wanted = if index == 0 { phrase.shown } else { *word };
            let mut inner = Failure::ignored();
            at = match self.match_word(at, *word, &mut inner) {
                Some(next) => next,
                None => {
                    failure.add_wanted(before, Wanted::Word(wanted));
                    return None;
                }
            };
        }
        Some(at)
    }

    /// Returns whether the space before the next token, or its absence, matches the template.
    pub(super) fn spacing_fits(&self, state: &State) -> bool {
        let Some(before) = state.pos.checked_sub(1).filter(|_| state.begun) else {
            return true;
        };
        let before = &self.tokens.list[before];
        match self.tokens.list.get(state.pos) {
            Some(token) if token.gap == Gap::None => {
                !(state.blank && before.is_wordlike() && token.is_wordlike())
            }
            Some(token) => state.blank || before.is_opening() || token.is_closing(),
            None => state.blank == (self.tokens.trailing_gap() != Gap::None),
        }
    }
}
