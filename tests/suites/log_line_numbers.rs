//! Tests that a ruling has one number for each reader: whatever shows one, every command that takes one means
//! the same line.

use arbiter_tests::{Game, Scratch, on_game_thread, project};
use host::doc::{Viewer, plain};
use host::game;
use host::game::{ProgramRequest, Reply, set_up_test};
use host::script::GM;
use host::store::What;
use host::value::Value;

/// A shipped game of each ruleset: those with secrets among them.
const GAMES: [(&str, &str); 6] = [
    ("dungeon", "days/a_whole_day"),
    ("dungeon", "days/moderating"),
    ("features", "days/at_the_ford"),
    ("fortune", "commands/rolls"),
    ("opend6", "days/designing"),
    ("wwrf", "days/secrets"),
];

/// A line of somebody's log.
struct Line {
    number: u64,
    seq: u64,
    command: Option<String>,
    /// The operation that it took back, or brought back.
    of: Option<u64>,
    said: String,
}

/// Plays the first case of a test of a ruleset; what a comment says to whoever gave its line names that line.
fn played(ruleset: &str, test: &str) -> Game {
    let mut game = Game::of_program(&Scratch::shipped(ruleset), ruleset);
    let file = project().join(format!("scripts/{ruleset}/{test}.test.txt"));
    let text = std::fs::read_to_string(file).unwrap();
    let mut case = text
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with("---"));
    let mut case = case.by_ref().peekable();
    let mut settings = Vec::new();
    while let Some(line) = case.next_if(|line| !line.starts_with('>')) {
        settings.extend(line.split_once(": "));
    }
    let settings = Value::map(settings.into_iter().map(|(key, value)| (key, value.into())));
    set_up_test(&mut game.solo, &settings);
    for line in case.filter_map(|line| line.strip_prefix("> ")) {
        let seats = game::seats_in_play(game.solo.timeline());
        let is_seat = |by: &str| seats.names().is_some_and(|names| names.contains(&by));
        let by = line.split_once(": ").filter(|(by, _)| is_seat(by));
        let (by, line) = by.unwrap_or((GM, line));
        let reply = game.solo.submit(by, line);
        let said = reply.documents_by_operation().map(|(_, one)| plain(&one));
        if let (Some(op), said) = (reply.op, said.collect::<String>()) {
            let number = number_of(&game, by, op);
            names_only(number, &said, &format!("{by}: {line}"));
        }
    }
    game
}

fn number_of(game: &Game, by: &str, seq: u64) -> u64 {
    let lines = lines(game, by);
    let own = lines.iter().find(|line| line.seq == seq);
    own.unwrap_or_else(|| panic!("{by} has no line of {seq}"))
        .number
}

/// A comment names its ruling by this number and no other.
fn names_only(number: u64, said: &str, what: &str) {
    let named = said.split("Ruling ").skip(1);
    for named in named.filter_map(|rest| rest.split_once(';')) {
        if let Ok(named) = named.0.parse::<u64>() {
            assert_eq!(named, number, "{what}: {said}");
        }
    }
}

fn lines(game: &Game, by: &str) -> Vec<Line> {
    let viewer = game::viewer_of_seat(game.solo.timeline(), by);
    let entries = game::log_entries(game.solo.timeline(), &viewer).into_iter();
    let lines = entries.map(|entry| Line {
        number: entry.number,
        seq: entry.operation.seq,
        command: entry.is_own.then(|| entry.operation.command.to_string()),
        of: match entry.operation.what {
            What::Undo { of } | What::Redo { of } => Some(of),
            _ => None,
        },
        said: entry.documents.iter().map(plain).collect(),
    });
    lines.collect()
}

fn said(reply: &Reply) -> String {
    reply
        .documents_by_operation()
        .map(|(_, one)| plain(&one) + "\n")
        .collect()
}

fn said_by(game: &Game, seq: u64) -> String {
    let timeline = game.solo.timeline();
    let told = game::chronicle_for_viewer(timeline, &Viewer::Gm, game::Corrections::Told).unwrap();
    let mut events = told.chapters.iter().flat_map(|chapter| &chapter.events);
    let event = events.find(|event| event.number == seq);
    event.map_or_else(String::new, |event| {
        event.documents.iter().map(plain).collect()
    })
}

/// Returns a text as one line, wherever it was wrapped.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that all that is shown to a reader, and all that they type, means the same lines.
fn agrees(game: &mut Game, by: &str) {
    let lines = lines(game, by);
    let listed = game.solo.submit(by, "log 500");
    let data = listed.documents[0].data.clone().unwrap_or_default();
    let key = if by == GM { "op" } else { "line" };
    let numbers = data.items().iter().filter_map(|row| row.get(key).as_i64());
    let expected: Vec<i64> = lines.iter().map(|line| line.number as i64).collect();
    assert_eq!(numbers.collect::<Vec<i64>>(), expected, "the log of {by}");
    told_as_listed(game, by, &lines);
    for line in &lines {
        let what = format!("line {} of {by}", line.number);
        names_only(line.number, &line.said, &what);
        let why = said(&game.solo.submit(by, &format!("why {}", line.number)));
        let own = flat(line.command.as_deref().unwrap_or_default());
        // What was taken back or brought back is told of by its own command.
        let of = lines.iter().find(|one| Some(one.seq) == line.of);
        let of = of.map_or(&line.command, |of| &of.command);
        let meant = flat(of.as_deref().unwrap_or_default());
        assert!(flat(&why).contains(&meant), "why, {what}: {why}");
        names_only(line.number, &why, &what);
        posts(game, by, line);
        disputes(game, by, line);
        if by == GM {
            let seen = said(&game.solo.submit(by, &format!("view {}", line.number)));
            let place = format!("after log line {} ", line.number);
            assert!(
                flat(&seen).starts_with(&place) && flat(&seen).contains(&own),
                "{what}: {seen}"
            );
            game.solo.submit(by, "view now");
        }
    }
}

fn told_as_listed(game: &Game, by: &str, lines: &[Line]) {
    let timeline = game.solo.timeline();
    let viewer = game::viewer_of_seat(timeline, by);
    let told = game::chronicle_for_viewer(timeline, &viewer, game::Corrections::Told).unwrap();
    for event in told.chapters.iter().flat_map(|chapter| &chapter.events) {
        let line = lines
            .iter()
            .find(|line| line.number == event.number)
            .unwrap();
        assert_eq!(event.command, line.command);
        let said: String = event.documents.iter().map(plain).collect();
        names_only(event.number, &said, "an export");
    }
}

/// A post of a line is of that line, and names it.
fn posts(game: &mut Game, by: &str, line: &Line) {
    let reply = game.solo.submit(by, &format!("post {}", line.number));
    let Some(ProgramRequest::Post { what, .. }) = &reply.program_request else {
        return;
    };
    let first = what.split([' ', ',']).nth(1);
    assert_eq!(first, Some(line.number.to_string().as_str()));
    names_only(line.number, &said(&reply), what);
}

/// A dispute about a line is about its operation, and undone.
fn disputes(game: &mut Game, by: &str, line: &Line) {
    let raised = format!("dispute {} it was not so", line.number);
    let reply = game.solo.submit(by, &raised);
    if reply.refusal.is_none() {
        let about = format!("disputes operation {} ", line.seq);
        assert!(flat(&said(&reply)).contains(&about), "{by}: {raised}");
        game.undo();
    }
}

#[test]
fn a_number_means_one_line_wherever_it_is_shown_and_typed() {
    on_game_thread(|| {
        for (ruleset, test) in GAMES {
            let game = played(ruleset, test);
            let seats = game::seats_in_play(game.solo.timeline());
            let seats = seats.names().into_iter().flatten().map(str::to_owned);
            let readers: Vec<String> = std::iter::once(GM.to_owned()).chain(seats).collect();
            let mut game = game;
            assert!(lines(&game, GM).len() > 3, "{ruleset}");
            for by in readers {
                agrees(&mut game, &by);
            }
        }
    });
}

#[test]
fn the_number_in_a_post_is_a_line_of_its_reader() {
    on_game_thread(|| {
        let mut game = played("dungeon", "days/a_whole_day");
        let all = lines(&game, GM);
        let is_fight = |line: &&Line| {
            let command = line.command.as_deref().unwrap_or_default();
            command.starts_with("attack hill") && said_by(&game, line.seq).contains("Ruling")
        };
        let fight = all.iter().find(is_fight);
        let number = fight.unwrap().number;
        let own = lines(&game, "A")
            .into_iter()
            .find(|line| line.seq == number);
        let own = own.unwrap().number;
        assert_ne!(own, number, "the two logs count on their own");
        let public = said(&game.solo.submit(GM, &format!("post {number}")));
        assert!(public.contains(&format!("Ruling {number};")), "{public}");
        let private = said(&game.solo.submit(GM, &format!("post {number} for A")));
        assert!(private.contains(&format!("Ruling {own};")), "{private}");
        let quoted = game.solo.submit("A", &format!("dispute post {number} no"));
        let of = format!("you dispute line {own} of your log");
        assert!(said(&quoted).contains(&of), "{}", said(&quoted));
    });
}
