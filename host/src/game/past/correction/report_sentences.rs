//! Sentences that report a correction to the game master.
//!
//! A correction that was reported in former words is reported in them again when its game is verified.

use crate::game::past::changes_in_words::CreationWords;
use crate::game::ruling::ruling_context::Manner;
use crate::game::timeline::Timeline;

/// The former or the present sentences about a correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sentences {
    is_former: bool,
    names_log_lines: bool,
}

impl Sentences {
    /// Returns the sentences of a manner.
    pub(super) fn of_manner(manner: Manner) -> Sentences {
        Sentences {
            is_former: manner < Manner::Plain,
            names_log_lines: manner >= Manner::LogLines,
        }
    }

    /// Returns the number that names a ruling: the game master's log line at which it began. A ruling without a line is
    /// the correction itself, which becomes the next one.
    pub(super) fn number_of_ruling(self, timeline: &Timeline, ruling_number: u64) -> u64 {
        match self.names_log_lines {
            true => timeline
                .history
                .log_line_of_ruling(ruling_number)
                .unwrap_or(timeline.operation_count() + 1),
            false => ruling_number,
        }
    }

    /// Returns the words about created rows.
    pub(super) fn creation_words(self) -> CreationWords {
        match self.is_former {
            true => CreationWords::Former,
            false => CreationWords::Present,
        }
    }

    fn choose(self, former: impl Into<String>, present: impl Into<String>) -> String {
        match self.is_former {
            true => former.into(),
            false => present.into(),
        }
    }

    /// Returns the sentence that the result depends on an answer, and the result of this number of later rulings too.
    pub(super) fn result_awaits_answer(self, later: usize) -> String {
        match later {
            0 => self.choose(
                "What comes of it depends on the answer.",
                "The result depends on the answer.",
            ),
            1 => self.choose(
                "What comes of it, and of 1 ruling behind it, depends on the answer.",
                "The result, and that of 1 later ruling, depends on the answer.",
            ),
            many => self.choose(
                format!(
                    "What comes of it, and of {many} rulings behind it, depends on the answer."
                ),
                format!("The result, and that of {many} later rulings, depends on the answer."),
            ),
        }
    }

    /// Returns the sentence that the game is the same in the end.
    pub(super) fn nothing_differs(self) -> String {
        self.choose(
            "In all, nothing of the game differs.",
            "In the end, the game is the same.",
        )
    }

    /// Returns the sentence with the number of values that are different in the end, and the command that shows them.
    pub(super) fn values_differ(self, values: usize, shown_by: &str) -> String {
        let (former, present, them) = match values {
            1 => (
                "1 value of the game differs".to_owned(),
                "1 value of the game is different".to_owned(),
                "it",
            ),
            many => (
                format!("{many} values of the game differ"),
                format!("{many} values of the game are different"),
                "them",
            ),
        };
        self.choose(
            format!("In all, {former}: {shown_by} shows {them}."),
            format!("In the end, {present}: {shown_by} shows {them}."),
        )
    }

    /// Returns the title of the list of values that are different in the end.
    pub(super) fn values_title(self) -> String {
        self.choose("In all:", "In the end:")
    }

    /// Returns the sentence that no later ruling runs again.
    pub(super) fn no_later_ruling(self) -> String {
        self.choose(
            "No ruling stands behind it.",
            "No later ruling is run again.",
        )
    }

    /// Returns the sentence with the number of rulings with missing rules.
    pub(super) fn rules_missing(self, rulings: usize) -> String {
        match rulings {
            1 => self.choose(
                "The rules of 1 of them are not kept any more: it is ruled by those of now.",
                "The rules of 1 of them are no longer saved, so it is run with the present rules.",
            ),
            many => self.choose(
                format!(
                    "The rules of {many} of them are not kept any more: they are ruled by those of now."
                ),
                format!(
                    "The rules of {many} of them are no longer saved, so they are run with the present rules."
                ),
            ),
        }
    }

    /// Returns the sentence with the typed dice that wait for the next ruling after the correction.
    pub(super) fn typed_dice(self, dice: &str) -> String {
        match dice {
            "" => self.choose(
                "No typed dice wait then.",
                "After that, no typed dice are waiting.",
            ),
            dice => self.choose(
                format!("Typed dice that wait then for the next ruling: {dice}."),
                format!("After that, these typed dice wait for the next ruling: {dice}."),
            ),
        }
    }

    /// Returns the sentence that a ruling waits for an answer after the correction.
    pub(super) fn ruling_waits(self, named: &str) -> String {
        self.choose(
            format!("A ruling waits for an answer then: {named}."),
            format!("After that, a ruling waits for an answer: {named}."),
        )
    }

    /// Returns the sentence that a ruling no longer waits after the correction.
    pub(super) fn ruling_no_longer_waits(self, named: &str) -> String {
        self.choose(
            format!("A ruling does not wait any more then: {named}."),
            format!("After that, a ruling no longer waits: {named}."),
        )
    }
}
