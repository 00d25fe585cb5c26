//! Decides about each vote of a thread: whether it counts, and why not.
//!
//! In: posts, people and rules. Out: the votes that count in order, the wagons, and a report of everything else that
//! looks like a vote. Nothing is dropped: what looks like a vote is an event or a report. The rules are those of the
//! page on votes in threads; each option has the default of that page.

use super::folded_name::NameText;
use super::moderator_count::count_differences;
use super::people::{Named, Participants, Role};
use super::post::{Post, State, Thread};
use super::report::{Reason, Report};
use super::vote_words::{Found, Said, find_votes};
use super::wagons::{Wagon, Wagons};

/// What counts as a vote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VoteForm {
    /// Bold text that begins with the word, and the vote element.
    #[default]
    Bold,
    /// Also a bold name alone.
    AnyBoldName,
    /// The vote element alone.
    Tag,
}

/// What the thread cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The number of the first post of the day.
    pub first: Option<u64>,
    /// The last post that was counted before: its number and its id. Later ones are judged.
    pub counted: Option<(u64, String)>,
    /// The last post that is judged.
    pub until: Option<u64>,
    /// Unit: seconds since 1970 in UTC.
    pub deadline: Option<i64>,
    /// Whether a majority ends the day.
    pub hammer: bool,
    /// What counts as a vote.
    pub form: VoteForm,
    /// Whether votes in spoilers count.
    pub spoilers: bool,
    /// Whether a name with a slip counts.
    pub misspelt: bool,
    /// Whether a late edit does no harm.
    pub edits: bool,
    /// The votes before, as ids of voters and targets in order.
    pub standing: Vec<(String, String)>,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            first: None,
            counted: None,
            until: None,
            deadline: None,
            hammer: true,
            form: VoteForm::Bold,
            spoilers: false,
            misspelt: true,
            edits: false,
            standing: Vec::new(),
        }
    }
}

/// What a vote does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VoteAction {
    /// Votes for the target with this id.
    Vote(String),
    /// Takes the vote back.
    Unvote,
}

/// A vote that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoteEvent {
    /// The place of the post in the thread, from 0.
    pub place: usize,
    /// Its number or id.
    pub post: String,
    /// The id of the voter.
    pub voter: String,
    /// What it does.
    pub action: VoteAction,
    /// Whether it changes a wagon; a repeat does not.
    pub changes: bool,
    /// The words.
    pub words: String,
}

/// An author whom nobody knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stranger {
    /// The forum name.
    pub name: String,
    /// The ids of people with names near it.
    pub near: Vec<String>,
    /// The number of posts.
    pub posts: usize,
    /// The first of them.
    pub post: String,
}

/// What is remembered of a post to notice that it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostMark {
    /// The place of the post in the thread, from 0.
    pub place: usize,
    /// Its number or id for people.
    pub post: String,
    /// Its number.
    pub number: Option<u64>,
    /// Its id in the forum.
    pub id: String,
    /// A short text that changes with what looks like a vote in it, and with its state.
    pub mark: String,
    /// Whether it is judged now.
    pub is_new: bool,
}

/// The judged votes of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// The votes that count.
    pub events: Vec<VoteEvent>,
    /// Everything else that is reported.
    pub reports: Vec<Report>,
    /// The wagons after the last post.
    pub wagons: Vec<Wagon>,
    /// The post that reached the majority.
    pub hammer: Option<String>,
    /// The votes that are needed.
    pub majority: usize,
    /// Authors whom nobody knows.
    pub strangers: Vec<Stranger>,
    /// Posts with something that looks like a vote.
    pub marks: Vec<PostMark>,
    /// Posts of living players without a time, if there is a deadline.
    pub untimed: Vec<String>,
    /// The number of posts that were judged.
    pub judged: usize,
    /// The number and id of the last judged post.
    pub last: Option<(u64, String)>,
}

/// Judges the votes of a thread.
#[must_use]
pub fn judge_votes(thread: &Thread, people: &Participants, rules: &Rules) -> Judged {
    let mut judge = Judge::new(thread, people, rules);
    for place in 0..thread.posts.len() {
        judge.judge_post(place);
        judge.report_unlisted(place);
    }
    judge.judged.wagons = judge.wagons.list(people);
    judge.judged
}

struct Judge<'t> {
    thread: &'t Thread,
    people: &'t Participants,
    rules: &'t Rules,
    wagons: Wagons,
    judged: Judged,
    /// The place of the first post that is judged, and the place behind the last.
    begin: usize,
    end: usize,
    /// The place of the first post of the day.
    day: usize,
    is_over: bool,
    next_times: Vec<Option<i64>>,
    /// The reports of the present post that are listed, and the words of the first that is not with the number of
    /// all of these.
    listed: usize,
    unlisted: Option<(String, usize)>,
}

/// What a text that looks like a vote does.
enum Verdict {
    /// It is not a vote.
    Silent,
    Fails(Reason),
    Votes(Named, Option<Reason>),
    Unvotes(Option<Named>),
}

impl<'t> Judge<'t> {
    fn new(thread: &'t Thread, people: &'t Participants, rules: &'t Rules) -> Judge<'t> {
        let mut wagons = Wagons::default();
        for (voter, target) in &rules.standing {
            let (voter, target) = (people.named_by_id(voter), people.named_by_id(target));
            if let (Some(Named::Person(voter)), Some(target)) = (voter, target) {
                wagons.vote(voter, target, "");
            }
        }
        let living = people.living().count();
        Judge {
            thread,
            people,
            rules,
            wagons,
            judged: Judged {
                majority: living / 2 + 1,
                ..Judged::default()
            },
            begin: first_uncounted(thread, rules),
            end: rules
                .until
                .map_or(thread.posts.len(), |until| place_behind(thread, until)),
            day: rules.first.map_or(0, |first| match first {
                0 => 0,
                first => place_behind(thread, first - 1),
            }),
            is_over: false,
            next_times: times_of_next_posts(&thread.posts),
            listed: 0,
            unlisted: None,
        }
    }

    fn judge_post(&mut self, place: usize) {
        let post = &self.thread.posts[place];
        let said_by = (&self.thread.words, self.rules.form);
        let found = find_votes(&post.lines, self.thread.is_plain, said_by);
        let found: Vec<(Found, Verdict)> = found
            .into_iter()
            .map(|found| {
                let verdict = self.verdict(&found);
                (found, verdict)
            })
            .filter(|(_, verdict)| !matches!(verdict, Verdict::Silent))
            .collect();
        let is_new = (self.begin..self.end).contains(&place);
        if !found.is_empty() {
            self.judged.marks.push(PostMark {
                place,
                post: post.label(),
                number: post.number,
                id: post.id.clone(),
                mark: mark_of(post, &found),
                is_new,
            });
        }
        if !is_new {
            return;
        }
        self.judged.judged += 1;
        if let Some(number) = post.number {
            self.judged.last = Some((number, post.id.clone()));
        }
        let author = self.people.author(&post.author);
        if author.is_none() {
            self.add_stranger(post);
        }
        let role = author.map(|author| self.people.role(author));
        // Before the day, the wagons are not those that the moderator counts.
        if role == Some(Role::Moderator) && post.state == State::Shown && place >= self.day {
            self.compare_count(place);
        }
        if found.is_empty() {
            return;
        }
        if self.rules.deadline.is_some() && post.time.is_none() && role == Some(Role::Living) {
            self.judged.untimed.push(post.label());
        }
        match (self.reason_of_post(place, role), author) {
            (Some(reason), _) => {
                for (number, (one, _)) in found.iter().enumerate() {
                    if !is_front_of_next(&found, number) {
                        self.report(place, &one.words, reason, String::new());
                    }
                }
            }
            (None, Some(voter)) => self.judge_voter(place, voter, &found),
            (None, None) => {}
        }
    }

    /// Returns why no vote of a post counts.
    fn reason_of_post(&self, place: usize, role: Option<Role>) -> Option<Reason> {
        let post = &self.thread.posts[place];
        let is_late = |deadline| post.time.is_some_and(|time| time > deadline);
        if post.state != State::Shown {
            Some(Reason::Deleted)
        } else if place < self.day {
            Some(Reason::BeforeDay)
        } else if self.is_over {
            Some(Reason::AfterHammer)
        } else if self.rules.deadline.is_some_and(is_late) {
            Some(Reason::AfterDeadline)
        } else {
            match role {
                Some(Role::Moderator) => Some(Reason::Moderator),
                Some(Role::Spectator) | None => Some(Reason::Spectator),
                Some(Role::Dead) => Some(Reason::DeadVoter),
                Some(Role::Living) => self.is_edited_late(place).then_some(Reason::Edited),
            }
        }
    }

    fn is_edited_late(&self, place: usize) -> bool {
        let Some(edit) = &self.thread.posts[place].edit else {
            return false;
        };
        let editor = edit.editor.as_deref();
        let editor = editor.and_then(|editor| self.people.author(editor));
        let by_moderator = editor.is_some_and(|one| self.people.role(one) == Role::Moderator);
        if self.rules.edits || by_moderator {
            return false;
        }
        let is_last = place + 1 == self.thread.posts.len();
        match (self.next_times[place], edit.time) {
            _ if is_last => false,
            (Some(next), Some(edited)) => edited > next,
            // Only an edit before the next post is known to be harmless.
            (_, None) => true,
            (None, Some(_)) => false,
        }
    }

    /// Judges the votes of a living player in a post. The last valid one acts.
    fn judge_voter(&mut self, place: usize, voter: usize, all: &[(Found, Verdict)]) {
        let is_valid = |(_, verdict): &(Found, Verdict)| {
            matches!(verdict, Verdict::Votes(..) | Verdict::Unvotes(_))
        };
        let last = all.iter().rposition(is_valid);
        let mut has_voted = false;
        for (number, (found, verdict)) in all.iter().enumerate() {
            let acts = Some(number) == last;
            match verdict {
                Verdict::Silent => {}
                Verdict::Fails(_) if is_front_of_next(all, number) => {}
                Verdict::Fails(reason) => {
                    self.report(place, &found.words, *reason, String::new());
                }
                Verdict::Votes(target, doubt) if acts => {
                    self.give_vote(place, voter, *target, *doubt, &found.words);
                }
                Verdict::Votes(..) => {
                    has_voted = true;
                    self.report(place, &found.words, Reason::Superseded, String::new());
                }
                Verdict::Unvotes(named) if acts => {
                    self.take_back_vote(place, voter, (*named, has_voted), &found.words);
                }
                Verdict::Unvotes(_) => {}
            }
        }
    }

    fn give_vote(
        &mut self,
        place: usize,
        voter: usize,
        target: Named,
        doubt: Option<Reason>,
        words: &str,
    ) {
        let post = self.thread.posts[place].label();
        let changes = self.wagons.vote(voter, target, &post);
        let id = self.people.id(target).to_owned();
        if let Some(doubt) = doubt {
            let more = format!("counted as {}", self.people.name(target));
            self.report_counted(place, words, doubt, more);
        }
        self.event(place, voter, VoteAction::Vote(id), changes, words);
        if self.rules.hammer && changes && self.wagons.count(target) >= self.judged.majority {
            self.is_over = true;
            self.judged.hammer = Some(post);
        }
    }

    fn take_back_vote(
        &mut self,
        place: usize,
        voter: usize,
        (named, has_voted): (Option<Named>, bool),
        words: &str,
    ) {
        let had = self.wagons.vote_of(voter);
        if had.is_none() && !has_voted {
            self.report(place, words, Reason::UnvoteWithoutVote, String::new());
            return;
        }
        if let (Some(named), Some(had)) = (named, had)
            && named != had
        {
            let more = format!("the vote was for {}", self.people.name(had));
            self.report_counted(place, words, Reason::UnvoteOther, more);
        }
        let changes = self.wagons.clear(voter);
        self.event(place, voter, VoteAction::Unvote, changes, words);
    }

    fn event(
        &mut self,
        place: usize,
        voter: usize,
        action: VoteAction,
        changes: bool,
        words: &str,
    ) {
        self.judged.events.push(VoteEvent {
            place,
            post: self.thread.posts[place].label(),
            voter: self.people.id(Named::Person(voter)).to_owned(),
            action,
            changes,
            words: words.to_owned(),
        });
    }

    /// Reports something about a post, unless the post has as many reports already as are listed.
    fn report(&mut self, place: usize, words: &str, reason: Reason, more: String) {
        if self.listed == REPORTS {
            let (_, unlisted) = self.unlisted.get_or_insert_with(|| (words.to_owned(), 0));
            *unlisted += 1;
            return;
        }
        self.listed += 1;
        self.add_report(place, words, reason, more);
    }

    fn add_report(&mut self, place: usize, words: &str, reason: Reason, more: String) {
        let post = &self.thread.posts[place];
        self.judged.reports.push(Report {
            place,
            post: post.label(),
            author: post.author.chars().take(64).collect(),
            words: words.to_owned(),
            reason,
            is_counted: false,
            more,
        });
    }

    fn report_counted(&mut self, place: usize, words: &str, reason: Reason, more: String) {
        self.add_report(place, words, reason, more);
        if let Some(last) = self.judged.reports.last_mut() {
            last.is_counted = true;
        }
    }

    /// Reports how many reports of a post are not listed.
    fn report_unlisted(&mut self, place: usize) {
        self.listed = 0;
        if let Some((words, number)) = self.unlisted.take() {
            let more = format!("the post has {number} more reports, which are not listed");
            self.add_report(place, &words, Reason::TooManyReports, more);
        }
    }

    /// Compares a count in a post of the moderator with the wagons.
    fn compare_count(&mut self, place: usize) {
        let post = &self.thread.posts[place];
        let words = &self.thread.words;
        let differences = count_differences(&post.lines, self.people, &self.wagons, words);
        for (words, more) in differences {
            self.report(place, &words, Reason::Count, more);
        }
    }

    fn add_stranger(&mut self, post: &Post) {
        let name: String = post.author.chars().take(64).collect();
        let strangers = &mut self.judged.strangers;
        if let Some(known) = strangers.iter_mut().find(|one| one.name == name) {
            known.posts += 1;
        } else if strangers.len() < STRANGERS {
            strangers.push(Stranger {
                near: self.people.near_people(&name),
                name,
                posts: 1,
                post: post.label(),
            });
        }
    }

    fn name_text<'a>(&'a self, text: &'a str) -> NameText<'a> {
        NameText::new(text, &self.thread.words.comment)
    }

    fn verdict(&self, found: &Found) -> Verdict {
        let verdict = self.verdict_of_words(found);
        let place = found
            .place
            .filter(|place| *place != Reason::Spoiler || !self.rules.spoilers);
        match (place, &verdict) {
            (None, _) | (Some(_), Verdict::Silent) => verdict,
            (Some(place), _) => Verdict::Fails(place),
        }
    }

    fn verdict_of_words(&self, found: &Found) -> Verdict {
        match &found.said {
            Said::Vote(name) => self.verdict_of_name(&self.name_text(name)),
            Said::BareVote(name) => self.verdict_of_bare_name(&self.name_text(name)),
            Said::Unvote(name) => Verdict::Unvotes(self.named_by_unvote(name)),
            Said::BareUnvote(name) => {
                let text = self.name_text(name);
                match self.people.resolve(&text) {
                    _ if !name.contains(char::is_alphanumeric) => Verdict::Unvotes(None),
                    Ok(found) if text.is_last(found.end) => Verdict::Unvotes(Some(found.named)),
                    _ if self.people.begins_with_name(&text) => Verdict::Fails(Reason::Unclear),
                    _ => Verdict::Silent,
                }
            }
            Said::BoldName(name) => match self.people.exactly_named(name) {
                Some(_) if self.name_text(name).is_asked_at(name.trim().len()) => {
                    Verdict::Fails(Reason::Unclear)
                }
                Some(named) => match self.people.resolve(&self.name_text(name)) {
                    Ok(_) => Verdict::Votes(named, None),
                    Err(Reason::DeadTarget) => Verdict::Fails(Reason::DeadTarget),
                    Err(_) => Verdict::Silent,
                },
                None => Verdict::Silent,
            },
        }
    }

    fn named_by_unvote(&self, name: &str) -> Option<Named> {
        let text = self.name_text(name);
        if text.is_empty() {
            return None;
        }
        self.people.resolve(&text).ok().map(|found| found.named)
    }

    /// Judges the name behind `VOTE:`, which may be followed by a comment.
    fn verdict_of_name(&self, text: &NameText<'_>) -> Verdict {
        match self.people.resolve(text) {
            Err(reason) => Verdict::Fails(reason),
            Ok(found) if text.is_asked_at(found.end) => Verdict::Fails(Reason::Unclear),
            Ok(found) if found.doubt == Some(Reason::Misspelt) && !self.rules.misspelt => {
                Verdict::Fails(Reason::Misspelt)
            }
            Ok(found) => Verdict::Votes(found.named, found.doubt),
        }
    }

    /// Judges the name behind `vote` without a colon, which must be all.
    fn verdict_of_bare_name(&self, text: &NameText<'_>) -> Verdict {
        let begins_with_name = self.people.begins_with_name(text);
        match self.people.resolve(text) {
            Ok(found) if text.is_last(found.end) => self.verdict_of_name(text),
            Ok(_) => Verdict::Fails(Reason::Unclear),
            Err(Reason::UnknownName) => Verdict::Silent,
            Err(reason) => {
                let exact = self.people.end_of_leading_name(text);
                let end = exact.unwrap_or_else(|| text.cut().1);
                match (text.is_last(end), begins_with_name) {
                    (true, _) => Verdict::Fails(reason),
                    (false, true) => Verdict::Fails(Reason::Unclear),
                    (false, false) => Verdict::Silent,
                }
            }
        }
    }
}

/// Whether an unvote is the front of `UNVOTE, VOTE: name`, which is reported once.
fn is_front_of_next(all: &[(Found, Verdict)], number: usize) -> bool {
    let next = all.get(number + 1);
    let (one, _) = &all[number];
    matches!(one.said, Said::Unvote(_)) && next.is_some_and(|(next, _)| next.words == one.words)
}

/// Most reports of a post that are listed, beside those of votes that count.
const REPORTS: usize = 100;

/// Most strangers that are listed.
const STRANGERS: usize = 200;

/// Returns for each post the time of the next post that has one.
fn times_of_next_posts(posts: &[Post]) -> Vec<Option<i64>> {
    let mut next = None;
    let mut times: Vec<Option<i64>> = posts
        .iter()
        .rev()
        .map(|post| {
            let of_next = next;
            next = post.time.or(next);
            of_next
        })
        .collect();
    times.reverse();
    times
}

/// Returns the place behind the last post with a number up to this one.
fn place_behind(thread: &Thread, number: u64) -> usize {
    let last = thread
        .posts
        .iter()
        .rposition(|post| post.number.is_some_and(|own| own <= number));
    last.map_or(0, |last| last + 1)
}

/// Returns the place of the first post that was not counted before.
fn first_uncounted(thread: &Thread, rules: &Rules) -> usize {
    let Some((number, id)) = &rules.counted else {
        return 0;
    };
    let same = |post: &Post| !id.is_empty() && post.id == *id;
    match thread.posts.iter().rposition(same) {
        Some(place) => place + 1,
        None => place_behind(thread, *number),
    }
}

/// Returns a short text that changes with the votes of a post and with its state.
fn mark_of(post: &Post, found: &[(Found, Verdict)]) -> String {
    let mut hash: u32 = 0x811c_9dc5;
    let mut add = |text: &str| {
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    };
    add(match post.state {
        State::Shown => "shown",
        State::Deleted | State::Hidden => "gone",
    });
    for (found, _) in found {
        add(&found.words);
        add(found.place.map_or("", Reason::word));
    }
    format!("{hash:08x}")
}
