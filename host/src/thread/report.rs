//! What is reported about a thread beside the votes that count.

/// Why something is reported. The order is the order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The post is deleted or hidden.
    Deleted,
    /// The post is before the first post of the day.
    BeforeDay,
    /// The majority was reached before.
    AfterHammer,
    /// The post is later than the deadline.
    AfterDeadline,
    /// The author runs the game.
    Moderator,
    /// The author does not play.
    Spectator,
    /// The author does not live any more.
    DeadVoter,
    /// The post was edited after the next post.
    Edited,
    /// In code.
    Code,
    /// In a spoiler.
    Spoiler,
    /// Struck through.
    Struck,
    /// A line begins like a vote, and is not bold.
    NotBold,
    /// A tag of the forum that it did not turn into an element.
    BrokenMarkup,
    /// A bold vote where only the vote tag counts.
    NoTag,
    /// In a plain text, in the middle of a line.
    MidLine,
    /// It cannot be told what is meant.
    Unclear,
    /// The text fits several living players.
    Ambiguous,
    /// The target does not live any more.
    DeadTarget,
    /// The target does not play.
    NotAPlayer,
    /// The text fits nobody.
    UnknownName,
    /// A later vote in the same post counts.
    Superseded,
    /// The unvote names somebody else than the vote.
    UnvoteOther,
    /// There was no vote to take back.
    UnvoteWithoutVote,
    /// The name was completed.
    Prefix,
    /// The name was corrected.
    Misspelt,
    /// A count of the moderator differs from the wagons.
    Count,
    /// The post has more reports than are listed.
    TooManyReports,
}

impl Reason {
    /// Returns the word of the reason.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Reason::Deleted => "deleted",
            Reason::BeforeDay => "before-day",
            Reason::AfterHammer => "after-hammer",
            Reason::AfterDeadline => "after-deadline",
            Reason::Moderator => "moderator",
            Reason::Spectator => "spectator",
            Reason::DeadVoter => "dead-voter",
            Reason::Edited => "edited",
            Reason::Code => "code",
            Reason::Spoiler => "spoiler",
            Reason::Struck => "struck",
            Reason::NotBold => "not-bold",
            Reason::BrokenMarkup => "broken-markup",
            Reason::NoTag => "no-tag",
            Reason::MidLine => "mid-line",
            Reason::Unclear => "unclear",
            Reason::Ambiguous => "ambiguous",
            Reason::DeadTarget => "dead-target",
            Reason::NotAPlayer => "not-a-player",
            Reason::UnknownName => "unknown-name",
            Reason::Superseded => "superseded",
            Reason::UnvoteOther => "unvote-other",
            Reason::UnvoteWithoutVote => "unvote-without-vote",
            Reason::Prefix => "prefix",
            Reason::Misspelt => "misspelt",
            Reason::Count => "count",
            Reason::TooManyReports => "too-many-reports",
        }
    }
}

/// One thing that is reported about a post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The place of the post in the thread, from 0.
    pub place: usize,
    /// Its number or id.
    pub post: String,
    /// The forum name of its author.
    pub author: String,
    /// The words that look like a vote.
    pub words: String,
    /// Why they are reported.
    pub reason: Reason,
    /// Whether they count nevertheless.
    pub is_counted: bool,
    /// More about it; often empty.
    pub more: String,
}
