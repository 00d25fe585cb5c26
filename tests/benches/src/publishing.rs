//! Measures what forums need: the pages of a long game, and the votes of a long thread.

use std::path::Path;

use host::doc::Viewer;
use host::game::{Corrections, Solo, replay_for_viewer, story_for_viewer};
use serde_json::json;

use crate::lane_race::{Lane, elapsed_time, fastest_nanoseconds};
use crate::results_table::{Row, Section};
use crate::shipped_home::{project_folder, start_game};

const ROUNDS: u32 = 10;
/// Lines of the exported games.
const LINES: usize = 2_000;
/// Maximum nanoseconds to write one of them.
const EXPORT: f64 = 150e6;
/// Posts of the thread.
const POSTS: usize = 1_000;
/// Maximum nanoseconds to read and judge it.
const THREAD: f64 = 500e6;
const PEOPLE: [&str; 12] = [
    "Ann", "Bo", "Cy", "Dee", "Eve", "Fay", "Gil", "Hal", "Ida", "Jon", "Kit", "Lou",
];

/// Measures pages and threads.
pub(crate) fn measure(rounds: Option<u32>) -> Section {
    let rounds = rounds.unwrap_or(ROUNDS);
    let mut rows = export_rows(rounds);
    rows.extend(thread_rows(rounds));
    Section {
        title: "Pages of games of 2000 lines, and threads of 1000 posts",
        rows,
    }
}

fn export_rows(rounds: u32) -> Vec<Row> {
    let rolls = game_of_lines("opend6", |_| "roll 3D+2".to_owned());
    let mut village = village_by_day();
    for place in 0..LINES {
        let (voter, target) = (PEOPLE[place % 12], PEOPLE[(place * 5 + place / 12) % 12]);
        give_line(&mut village, &format!("vote {target} in Lynch for {voter}"));
    }
    let story = |game: &Solo| {
        let story = story_for_viewer(game.timeline(), &Viewer::Public, Corrections::LeftOut);
        repl::story_page(&story.expect("invariant: the game has a story"))
    };
    let replay = |game: &Solo| {
        let replay = replay_for_viewer(game.timeline(), &Viewer::Public);
        repl::replay_page(&replay.expect("invariant: the game has a replay"))
    };
    let [of_rolls, of_votes, replayed] = fastest_nanoseconds(
        rounds,
        [
            Lane::of_operation(1, || story(&rolls)),
            Lane::of_operation(1, || story(&village)),
            Lane::of_operation(1, || replay(&village)),
        ],
    );
    vec![
        Row::time_at_most("the story of rolls, as one page", of_rolls, EXPORT),
        Row::time_at_most("the story of votes, as one page", of_votes, EXPORT),
        Row::time_at_most("the replay of votes", replayed, EXPORT),
    ]
}

fn thread_rows(rounds: u32) -> Vec<Row> {
    let folder = tempfile::tempdir().expect("there is room for a thread");
    let mut village = village_by_day();
    give_line(&mut village, "thread poll Lynch");
    let forms = [
        ("topic.json", topic_text()),
        ("page.html", page_text()),
        ("copy.txt", copy_text()),
    ];
    let files = forms.map(|(name, text)| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("the thread is written");
        file
    });
    let mut times = [f64::MAX; 3];
    for _ in 0..rounds {
        for (fastest, file) in times.iter_mut().zip(&files) {
            let time = elapsed_time(|| count_votes(&mut village, file)).as_secs_f64() * 1e9;
            *fastest = fastest.min(time);
            give_line(&mut village, "undo");
        }
    }
    let [topic, page, copy] = times;
    vec![
        Row::time_at_most("votes counted in the JSON of a topic", topic, THREAD),
        Row::time_at_most("votes counted in a page of phpBB", page, THREAD),
        Row::time_at_most("votes counted in a plain copy", copy, THREAD),
    ]
}

fn count_votes(village: &mut Solo, file: &Path) {
    give_line(village, &format!("count votes in {}", file.display()));
}

/// Returns a village of twelve on its first day, while the lynch is open.
fn village_by_day() -> Solo {
    let mut village = start_game(&project_folder(), "wwrf", None);
    give_line(
        &mut village,
        &format!("new game Quay with {}", PEOPLE.join(", ")),
    );
    give_line(&mut village, "next");
    give_line(&mut village, "next");
    village
}

fn game_of_lines(ruleset: &str, line: impl Fn(usize) -> String) -> Solo {
    let mut game = start_game(&project_folder(), ruleset, None);
    for place in 0..LINES {
        give_line(&mut game, &line(place));
    }
    game
}

fn give_line(game: &mut Solo, line: &str) {
    let reply = game.submit("gm", line);
    let refusal = reply.refusal.as_ref().map(|found| found.message.clone());
    assert_eq!(refusal, None, "invariant: {line:?} is legal");
}

/// Returns the body of a post: a quote, a sentence, and for two of five posts a vote.
fn post_body(place: usize) -> String {
    let quoted = PEOPLE[(place + 3) % 12];
    let vote = match place % 5 {
        0 => format!("<b>VOTE: {}</b>", PEOPLE[(place * 7 + 1) % 12]),
        2 => "<b>UNVOTE</b>".to_owned(),
        _ => "I would rather wait for the others.".to_owned(),
    };
    format!(
        "<blockquote><b>VOTE: {quoted}</b> was early.</blockquote><p>That is what {quoted} says, \
         and I do not believe a word of it.</p><p>{vote}</p>"
    )
}

fn author(place: usize) -> &'static str {
    PEOPLE[place % 12]
}

fn time_text(place: usize) -> String {
    let minutes = place % 1440;
    let (hour, minute) = (minutes / 60, minutes % 60);
    format!("2026-03-01 {hour:02}:{minute:02}")
}

fn topic_text() -> String {
    let posts = (1..=POSTS).map(|place| {
        json!({
            "id": 7_000 + place,
            "username": author(place),
            "post_number": place,
            "created_at": format!("{}:00.000Z", time_text(place).replace(' ', "T")),
            "cooked": post_body(place),
        })
    });
    let ids: Vec<usize> = (1..=POSTS).map(|place| 7_000 + place).collect();
    let posts: Vec<serde_json::Value> = posts.collect();
    json!({ "post_stream": { "posts": posts, "stream": ids } }).to_string()
}

fn page_text() -> String {
    let posts = (1..=POSTS).map(|place| {
        let (name, time, body) = (author(place), time_text(place), post_body(place));
        format!(
            "<div id=\"p{place}\" class=\"post has-profile\"><div class=\"postbody\"><p class=\"author\">by \
             <a class=\"username\">{name}</a> <time datetime=\"{time}\">{time}</time></p><div \
             class=\"content\">{body}</div></div></div>\n"
        )
    });
    let posts: String = posts.collect();
    format!(
        "<!DOCTYPE html><html><body id=\"phpbb\" class=\"section-viewtopic\">{posts}</body></html>"
    )
}

fn copy_text() -> String {
    let posts = (1..=POSTS).map(|place| {
        let body = post_body(place);
        let (quote, rest) = body.split_once("</blockquote>").unwrap_or_default();
        let quote = quote.replace("<blockquote>", "").replace("<b>", "");
        let rest = rest.replace("</p>", "\n").replace("<p>", "");
        let (name, time) = (author(place), time_text(place));
        let said = format!("Bo said:\n{quote}\nClick to expand...\n{rest}");
        let said = said.replace("<b>", "").replace("</b>", "");
        format!("{name}\n{time}\n{said}\n\n")
    });
    posts.collect()
}
