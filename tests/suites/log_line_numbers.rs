//! Tests that a ruling has one number for each reader: all displayed numbers and all commands mean
//! the same line.

use arbiter_tests::{Game, Scratch, on_game_thread, project};
use host::doc::{Viewer, plain};
use host::game;
use host::game::{ProgramRequest, Reply, set_up_test};
use host::script::GM;
use host::store::What;
use host::value::Value;

/// One shipped game of each ruleset, including games with secrets.
const SECRET_GAMES: [(&str, &str); 6] = [
    ("dungeon", "days/a_whole_day"),
    ("dungeon", "days/moderating"),
    ("features", "days/at_the_ford"),
    ("fortune", "commands/rolls"),
    ("opend6", "days/designing"),
    ("wwrf", "days/secrets"),
];

/// A line of a reader's log.
struct LogLine {
    number: u64,
    seq: u64,
    command: Option<String>,
    /// The operation that it undid or redid.
    of: Option<u64>,
    said: String,
}

/// Plays the first case of a test of a ruleset; a comment to the sender of a line names that line.
fn play_first_case(ruleset: &str, test: &str) -> Game {
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
            let number = log_number_of(&game, by, op);
            assert_names_only_number(number, &said, &format!("{by}: {line}"));
        }
    }
    game
}

fn log_number_of(game: &Game, by: &str, seq: u64) -> u64 {
    let lines = log_lines_read_by(game, by);
    let own = lines.iter().find(|line| line.seq == seq);
    own.unwrap_or_else(|| panic!("{by} has no line of {seq}"))
        .number
}

/// Checks that a comment names its ruling by this number and no other.
fn assert_names_only_number(number: u64, said: &str, what: &str) {
    let named = said.split("Ruling ").skip(1);
    for named in named.filter_map(|rest| rest.split_once(';')) {
        if let Ok(named) = named.0.parse::<u64>() {
            assert_eq!(named, number, "{what}: {said}");
        }
    }
}

fn log_lines_read_by(game: &Game, by: &str) -> Vec<LogLine> {
    let viewer = game::viewer_of_seat(game.solo.timeline(), by);
    let entries = game::log_entries(game.solo.timeline(), &viewer).into_iter();
    let lines = entries.map(|entry| LogLine {
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

fn answer_text(reply: &Reply) -> String {
    reply
        .documents_by_operation()
        .map(|(_, one)| plain(&one) + "\n")
        .collect()
}

fn text_said_by_operation(game: &Game, seq: u64) -> String {
    let timeline = game.solo.timeline();
    let told = game::chronicle_for_viewer(timeline, &Viewer::Gm, game::Corrections::Told).unwrap();
    let mut events = told.chapters.iter().flat_map(|chapter| &chapter.events);
    let event = events.find(|event| event.number == seq);
    event.map_or_else(String::new, |event| {
        event.documents.iter().map(plain).collect()
    })
}

/// Returns a text as one line, without its line breaks.
fn as_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that all numbers shown to a reader, and all that they type, mean the same lines.
fn assert_numbers_agree(game: &mut Game, by: &str) {
    let lines = log_lines_read_by(game, by);
    let listed = game.solo.submit(by, "log 500");
    let data = listed.documents[0].data.clone().unwrap_or_default();
    let key = if by == GM { "op" } else { "line" };
    let numbers = data.items().iter().filter_map(|row| row.get(key).as_i64());
    let expected: Vec<i64> = lines.iter().map(|line| line.number as i64).collect();
    assert_eq!(numbers.collect::<Vec<i64>>(), expected, "the log of {by}");
    assert_chronicle_as_listed(game, by, &lines);
    for line in &lines {
        let what = format!("line {} of {by}", line.number);
        assert_names_only_number(line.number, &line.said, &what);
        let why = answer_text(&game.solo.submit(by, &format!("why {}", line.number)));
        let own = as_one_line(line.command.as_deref().unwrap_or_default());
        // An undone or redone line is reported by its own command.
        let of = lines.iter().find(|one| Some(one.seq) == line.of);
        let of = of.map_or(&line.command, |of| &of.command);
        let meant = as_one_line(of.as_deref().unwrap_or_default());
        assert!(as_one_line(&why).contains(&meant), "why, {what}: {why}");
        assert_names_only_number(line.number, &why, &what);
        assert_posts_line(game, by, line);
        assert_disputes_line(game, by, line);
        if by == GM {
            let seen = answer_text(&game.solo.submit(by, &format!("view {}", line.number)));
            let place = format!("after log line {} ", line.number);
            assert!(
                as_one_line(&seen).starts_with(&place) && as_one_line(&seen).contains(&own),
                "{what}: {seen}"
            );
            game.solo.submit(by, "view now");
        }
    }
}

fn assert_chronicle_as_listed(game: &Game, by: &str, lines: &[LogLine]) {
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
        assert_names_only_number(event.number, &said, "an export");
    }
}

/// Checks that the post of a line belongs to that line and names it.
fn assert_posts_line(game: &mut Game, by: &str, line: &LogLine) {
    let reply = game.solo.submit(by, &format!("post {}", line.number));
    let Some(ProgramRequest::Post(request)) = &reply.program_request else {
        return;
    };
    let what = &request.parts[0].what;
    let first = what.split([' ', ',']).nth(1);
    assert_eq!(first, Some(line.number.to_string().as_str()));
    assert_names_only_number(line.number, &answer_text(&reply), what);
}

/// Checks that a dispute about a line is about its operation, and undoes it.
fn assert_disputes_line(game: &mut Game, by: &str, line: &LogLine) {
    let raised = format!("dispute {} it was not so", line.number);
    let reply = game.solo.submit(by, &raised);
    if reply.refusal.is_none() {
        let about = format!("disputes log line {} ", line.seq);
        assert!(
            as_one_line(&answer_text(&reply)).contains(&about),
            "{by}: {raised}"
        );
        game.undo();
    }
}

#[test]
fn a_number_means_one_line_wherever_it_is_shown_and_typed() {
    on_game_thread(|| {
        for (ruleset, test) in SECRET_GAMES {
            let game = play_first_case(ruleset, test);
            let seats = game::seats_in_play(game.solo.timeline());
            let seats = seats.names().into_iter().flatten().map(str::to_owned);
            let readers: Vec<String> = std::iter::once(GM.to_owned()).chain(seats).collect();
            let mut game = game;
            assert!(log_lines_read_by(&game, GM).len() > 3, "{ruleset}");
            for by in readers {
                assert_numbers_agree(&mut game, &by);
            }
        }
    });
}

#[test]
fn the_number_in_a_post_is_a_line_of_its_reader() {
    on_game_thread(|| {
        let mut game = play_first_case("dungeon", "days/a_whole_day");
        let all = log_lines_read_by(&game, GM);
        let is_fight = |line: &&LogLine| {
            let command = line.command.as_deref().unwrap_or_default();
            command.starts_with("attack hill")
                && text_said_by_operation(&game, line.seq).contains("Ruling")
        };
        let fight = all.iter().find(is_fight);
        let number = fight.unwrap().number;
        let own = log_lines_read_by(&game, "A")
            .into_iter()
            .find(|line| line.seq == number);
        let own = own.unwrap().number;
        assert_ne!(own, number, "the two logs count on their own");
        let public = answer_text(&game.solo.submit(GM, &format!("post {number}")));
        assert!(public.contains(&format!("Ruling {number};")), "{public}");
        let private = answer_text(&game.solo.submit(GM, &format!("post {number} for A")));
        assert!(private.contains(&format!("Ruling {own};")), "{private}");
        let quoted = game.solo.submit("A", &format!("dispute post {number} no"));
        let of = format!("you dispute line {own} of your log");
        assert!(
            answer_text(&quoted).contains(&of),
            "{}",
            answer_text(&quoted)
        );
    });
}
