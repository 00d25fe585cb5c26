//! Plays random games with undos, reverts and replaced lines, and looks at the story of every reader: it never holds
//! what was taken back, nor what somebody else was told.

use std::collections::{BTreeMap, BTreeSet};

use arbiter_tests::on_game_thread;
use host::dice::Draw;
use host::doc::{Document, Viewer, for_viewer, plain};
use host::game::{
    self, AnyChoice, Corrections, Passage, Reply, Seed, SharedPolicy, Solo, Story, Stream,
    Validity, validities_for_viewer,
};
use host::store::{Operation, What};

use super::random_harbour_games::{PEOPLE, RandomPlayer, harbour_session};

const GAMES: u64 = 200;
const LINES: u64 = 40;

/// A random game, with the words that its lines contain: each line of the game master has its own.
struct Game<'a> {
    solo: &'a mut Solo,
    player: RandomPlayer,
    words: Vec<String>,
}

/// A group of the harbour.
const GROUP: &str = "shades";

/// What was noted as posted.
#[derive(Default)]
struct Published {
    /// Readers with operations of which they read something.
    operations: BTreeSet<(&'static str, u64)>,
    /// The posted lines by reader.
    lines: BTreeMap<&'static str, BTreeSet<String>>,
    /// The number of posted phases.
    phases: usize,
}

impl Game<'_> {
    fn begin(solo: &mut Solo, seed: u64) -> Game<'_> {
        solo.restart(Seed::from_text(&format!("story {seed}")));
        let policy = SharedPolicy::new(AnyChoice::new(seed));
        solo.session
            .responders_mut()
            .answer_with_policy(Some(policy));
        Game {
            solo,
            player: RandomPlayer(Stream::new(seed)),
            words: Vec::new(),
        }
    }

    fn number_below(&mut self, limit: usize) -> u64 {
        let limit = u32::try_from(limit.max(1)).expect("a few");
        u64::from(self.player.0.draw(limit).expect("a stream never ends"))
    }

    /// Gives a random line. Refusals are fine: they change nothing.
    fn give_line(&mut self) {
        let whom = PEOPLE[usize::try_from(self.number_below(PEOPLE.len())).unwrap() - 1];
        let count = self.solo.timeline().history().operations().len();
        let past = self.number_below(count);
        let word = format!("q{}word", self.words.len());
        let fields = ["health", "calling", "mood", "shield"];
        let field = self.player.pick_one(&fields);
        let kinds = [
            "play", "play", "play", "vote", "next", "set", "set", "undo", "revert", "replace",
        ];
        let (by, line) = match self.player.pick_one(&kinds) {
            "vote" => (whom, format!("vote {}", self.player.pick_one(&PEOPLE))),
            "next" => ("gm", "next".to_owned()),
            "set" => ("gm", format!("set {whom} {field} 5 anyway because {word}")),
            "undo" => ("gm", "undo".to_owned()),
            "revert" => ("gm", format!("revert {past} yes")),
            "replace" => (
                "gm",
                format!("replace {past} yes with set {whom} {field} 4 anyway because {word}"),
            ),
            _ => self.player.pick_seat_and_line(&["fog".to_owned()]),
        };
        if line.contains(&word) {
            self.words.push(word);
        }
        self.solo.submit(by, &line);
    }

    /// Notes that a random line, all lines or the last phase were posted for a random reader.
    fn note_random_post(&mut self, published: &mut Published) {
        let readers: Vec<&'static str> = ["public", GROUP].into_iter().chain(PEOPLE).collect();
        let reader = self.player.pick_one(&readers);
        let count = self.solo.timeline().history().operations().len();
        let line = self.number_below(count);
        let part = match self.number_below(3) {
            1 => "phase".to_owned(),
            2 => format!("1 to {count}"),
            _ => line.to_string(),
        };
        let shown = self.solo.submit("gm", &format!("post {part} for {reader}"));
        let noted = self
            .solo
            .submit("gm", &format!("post {part} for {reader} done"));
        if noted.op.is_none() {
            return;
        }
        published.phases += usize::from(part == "phase");
        let lines = published.lines.entry(reader).or_default();
        lines.extend(shown.documents.iter().flat_map(lines_of_document));
        let note = &self.solo.timeline().history().operations().last();
        let posts = match &note.expect("a note was just made").what {
            What::Posted { posts, .. } => posts,
            other => panic!("{other:?}"),
        };
        for post in posts {
            let whole = post.lines.iter().flat_map(|(first, last)| *first..=*last);
            let told = whole.chain(post.parts.iter().map(|(of, _)| *of));
            published.operations.extend(told.map(|seq| (reader, seq)));
        }
    }

    /// Checks the lines of the corrections for a reader: they repeat what was posted for this reader, and what this reader
    /// may read now. Returns the number of repeated lines.
    fn check_corrections(&mut self, reader: &'static str, published: &Published) -> usize {
        let lines_of = |reply: &Reply| -> Vec<String> {
            let told = reply.documents.iter().map(plain);
            told.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
                .collect()
        };
        let told = self
            .solo
            .submit("gm", &format!("post corrections for {reader}"));
        let last = self.solo.timeline().history().operations().len();
        let now = self
            .solo
            .submit("gm", &format!("post 1 to {last} for {reader}"));
        let (posted, now) = (published.lines.get(reader), lines_of(&now));
        let mut repeated = 0;
        for line in lines_of(&told) {
            let is_frame = line.starts_with("Correction") || line == "It now reads:";
            if is_frame || line.trim_matches(['│', ' ', '═', '─']).is_empty() {
                continue;
            }
            let is_known = match line.strip_prefix("│ ") {
                Some(line) => {
                    repeated += 1;
                    posted.is_some_and(|posted| posted.contains(line))
                }
                None => now.contains(&line),
            };
            assert!(
                is_known,
                "corrections for {reader}: {line}\nposted: {posted:?}"
            );
        }
        repeated
    }

    fn story_of_reader(&self, reader: &str) -> (Viewer, Story) {
        let timeline = self.solo.timeline();
        let viewer = match reader {
            "public" => Viewer::Public,
            name => game::viewer_of_seat(timeline, &game::canonical_seat(timeline, name)),
        };
        let story = game::story_for_viewer(timeline, &viewer, Corrections::LeftOut);
        (
            viewer,
            story.unwrap_or_else(|refusal| panic!("{refusal:?}")),
        )
    }

    fn stories(&self) -> Vec<(Viewer, Story)> {
        let timeline = self.solo.timeline();
        let seats = PEOPLE.map(|name| {
            let seat = game::canonical_seat(timeline, name);
            game::viewer_of_seat(timeline, &seat)
        });
        let story = |viewer: Viewer| {
            let story = game::story_for_viewer(timeline, &viewer, Corrections::LeftOut);
            (
                viewer,
                story.unwrap_or_else(|refusal| panic!("{refusal:?}")),
            )
        };
        [Viewer::Public]
            .into_iter()
            .chain(seats)
            .map(story)
            .collect()
    }
}

fn documents(operation: &Operation) -> impl Iterator<Item = Document> {
    let values = operation.documents.iter();
    values.filter_map(|value| Document::from_value(value).ok())
}

fn lines_of_document(document: &Document) -> BTreeSet<String> {
    plain(document).lines().map(str::to_owned).collect()
}

/// Returns the lines that a reader must not know: what others were told, and what was taken back. Lines that a
/// correction changed are left out, and so are lines that the reader was told elsewhere.
fn hidden_lines(solo: &Solo, viewer: &Viewer) -> BTreeSet<String> {
    let timeline = solo.timeline();
    let fates = validities_for_viewer(timeline, viewer);
    let (mut known, mut all) = (BTreeSet::from([String::new()]), BTreeSet::new());
    for operation in timeline.history().operations() {
        let fate = fates.validity_of(operation.seq);
        for document in documents(operation) {
            let lines = lines_of_document(&document);
            let seen = for_viewer(&document, viewer).map(|one| lines_of_document(&one));
            match (fate, seen) {
                (Validity::Changed { .. }, _) => known.extend(lines),
                (Validity::Holds, Some(seen)) => {
                    known.extend(seen);
                    all.extend(lines);
                }
                (_, _) => all.extend(lines),
            }
        }
    }
    all.difference(&known).cloned().collect()
}

fn lines_of_story(story: &Story) -> BTreeSet<String> {
    let passages = story.chapters.iter().flat_map(|chapter| &chapter.passages);
    let entries = passages.flat_map(|passage| match passage {
        Passage::Text(entry) => std::slice::from_ref(entry),
        Passage::Ledger { entries, .. } => entries.as_slice(),
    });
    let told = entries
        .map(|entry| &entry.document)
        .chain(&story.result)
        .chain(&story.board);
    told.flat_map(lines_of_document).collect()
}

#[test]
fn no_story_holds_what_was_taken_back_or_what_others_were_told() {
    on_game_thread(|| {
        let (mut solo, mut taken_back, mut secret) = (harbour_session(), 0, 0);
        for seed in 1..=GAMES {
            let mut game = Game::begin(&mut solo, seed);
            for _ in 0..LINES {
                game.give_line();
            }
            for (viewer, story) in game.stories() {
                let hidden = hidden_lines(game.solo, &viewer);
                let told = lines_of_story(&story);
                let leaked: Vec<&String> = told.intersection(&hidden).collect();
                assert!(leaked.is_empty(), "game {seed}, {viewer:?}: {leaked:?}");
                secret += hidden.len();
                let page = repl::story_page(&story);
                for (operation, word) in operations_with_words(game.solo, &game.words) {
                    let fates = validities_for_viewer(game.solo.timeline(), &viewer);
                    let is_told =
                        documents(operation).any(|one| for_viewer(&one, &viewer).is_some());
                    if fates.has_effect(operation.seq) && is_told {
                        continue;
                    }
                    taken_back += 1;
                    assert!(!page.contains(word), "game {seed}, {viewer:?}: {word}");
                }
            }
        }
        assert!(taken_back > 200 && secret > 1_000, "{taken_back} {secret}");
    });
}

/// The posts that are written for each reader, after the first one, which is all lines.
const POSTS: [&str; 3] = ["post phase", "post votes", "post corrections"];

/// Posts hold what a reader may know and what holds. Only corrections repeat what was taken back, and
/// only to those for whom it was noted as posted; so do stories.
#[test]
fn no_post_holds_what_was_taken_back_before_it_was_published() {
    on_game_thread(|| {
        let (mut solo, mut posts, mut corrections, mut kept_back) = (harbour_session(), 0, 0, 0);
        let (mut phases, mut repeated) = (0, 0);
        for seed in 1..=GAMES {
            let mut game = Game::begin(&mut solo, seed);
            let mut published = Published::default();
            for _ in 0..LINES {
                game.give_line();
                if game.number_below(3) == 1 {
                    game.note_random_post(&mut published);
                }
            }
            phases += published.phases;
            for reader in ["public", GROUP].into_iter().chain(PEOPLE) {
                repeated += game.check_corrections(reader, &published);
            }
            let last = game.solo.timeline().history().operations().len();
            let readers = ["public"].into_iter().chain(PEOPLE);
            for reader in readers {
                let (viewer, story) = game.story_of_reader(reader);
                let hidden = hidden_lines(game.solo, &viewer);
                let mut texts = vec![repl::story_page(&story)];
                for subject in [format!("post 1 to {last}")]
                    .into_iter()
                    .chain(POSTS.map(str::to_owned))
                {
                    let reply = game.solo.submit("gm", &format!("{subject} for {reader}"));
                    let told: String = reply
                        .documents
                        .iter()
                        .map(|one| plain(one) + "\n")
                        .collect();
                    posts += usize::from(!told.is_empty());
                    if subject == "post corrections" {
                        corrections += usize::from(!told.is_empty());
                    } else {
                        let leaked = told.lines().find(|line| hidden.contains(*line));
                        assert!(
                            leaked.is_none(),
                            "game {seed}, {subject} for {reader}: {leaked:?}"
                        );
                    }
                    texts.push(told);
                }
                for (operation, word) in operations_with_words(game.solo, &game.words) {
                    let fates = validities_for_viewer(game.solo.timeline(), &viewer);
                    let is_told =
                        documents(operation).any(|one| for_viewer(&one, &viewer).is_some());
                    let is_member = match &viewer {
                        Viewer::Seat { groups, .. } => groups.iter().any(|group| group == GROUP),
                        Viewer::Gm | Viewer::Public => false,
                    };
                    let group = is_member.then_some(GROUP);
                    let is_published = ["public", reader]
                        .into_iter()
                        .chain(group)
                        .any(|to| published.operations.contains(&(to, operation.seq)));
                    if fates.has_effect(operation.seq) && is_told || is_published {
                        continue;
                    }
                    kept_back += 1;
                    for text in &texts {
                        assert!(
                            !text.contains(word),
                            "game {seed}, {reader}: {word} in {text}"
                        );
                    }
                }
            }
        }
        assert!(
            posts > 1_000 && corrections > 20 && kept_back > 200 && phases > 100 && repeated > 200,
            "{posts} {corrections} {kept_back} {phases} {repeated}"
        );
    });
}

/// Returns the operations whose lines contain a word, each with its word. A word in two of them, as in the line of a
/// correction that another one runs again, is left out.
fn operations_with_words<'a>(solo: &'a Solo, words: &'a [String]) -> Vec<(&'a Operation, &'a str)> {
    let operations = solo.timeline().history().operations();
    let named = words.iter().filter_map(|word| {
        let mut found = operations
            .iter()
            .filter(|one| one.command.contains(word.as_str()));
        let first = found.next()?;
        found.next().is_none().then_some((&**first, word.as_str()))
    });
    named.collect()
}
