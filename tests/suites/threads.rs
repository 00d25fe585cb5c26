//! Counts the votes of made-up forum threads, in each form of a forum, as somebody would count them by hand.
//!
//! A file in `tests/threads` has one post a line: place, author, how the post was changed, text, and what it means in
//! pages, in pages of phpBB (which name the editor), and in a plain copy. `Ann>Bo` is a vote, `Ann>Bo=` its repeat,
//! `Ann>` an unvote, another word a report. The last lines have the wagons at the end. The text is written for each
//! form by the templates here, which know nothing of the readers.

mod forms;

use std::collections::BTreeMap;

use arbiter_tests::project;
use host::content::{TreeLimits, read_yaml};
use host::diag::Source;
use host::thread::{
    Form, Judged, Participant, Participants, Role, Rules, Shape, Target, Thread, VoteAction,
    judge_votes, parse_time, read_page, read_plain, read_topic,
};

use forms::{FORMS, Forum, label, page_texts, time_text};

const THREADS: [(&str, &str); 3] = [
    ("first_day", include_str!("../threads/first_day.txt")),
    ("second_day", include_str!("../threads/second_day.txt")),
    ("third_day", include_str!("../threads/third_day.txt")),
];

/// A post of a made-up thread.
pub(crate) struct Written {
    pub(crate) place: usize,
    pub(crate) author: String,
    pub(crate) flag: String,
    pub(crate) body: String,
    /// What it means by column: pages, pages that name the editor, plain copies.
    meaning: [String; 3],
}

pub(crate) struct Script {
    day: usize,
    deadline: Option<usize>,
    pub(crate) posts: Vec<Written>,
    wagons: BTreeMap<String, String>,
    hammers: BTreeMap<String, String>,
}

fn script(text: &str) -> Script {
    let mut script = Script {
        day: 1,
        deadline: None,
        posts: Vec::new(),
        wagons: BTreeMap::new(),
        hammers: BTreeMap::new(),
    };
    for line in text.lines() {
        let cells: Vec<&str> = line.split(" | ").collect();
        let words: Vec<&str> = cells[0].split(' ').collect();
        match words[..] {
            ["day", number] => script.day = number.parse().unwrap(),
            ["deadline", number] => script.deadline = Some(number.parse().unwrap()),
            ["end", form] => {
                let wagons = cells.get(1).copied().unwrap_or_default();
                script.wagons.insert(form.to_owned(), wagons.to_owned());
            }
            ["hammer", form] => {
                script.hammers.insert(form.to_owned(), cells[1].to_owned());
            }
            [place] => {
                let cell = |at: usize| cells[at].to_owned();
                script.posts.push(Written {
                    place: place.parse().unwrap(),
                    author: cell(1),
                    flag: cell(2),
                    body: cell(3),
                    meaning: [cell(4), cell(5), cell(6)],
                });
            }
            _ => panic!("{line}"),
        }
    }
    script
}

/// Returns the column of a form in the files.
fn column(forum: Forum) -> (usize, &'static str) {
    match forum {
        Forum::Discourse | Forum::XenForo => (0, "html"),
        Forum::PhpBb => (1, "phpbb"),
        Forum::Plain => (2, "plain"),
    }
}

fn people() -> Participants {
    let living = [
        ("Ann", "annie_t", "Annie"),
        ("Bo", "captain_bo", ""),
        ("Cyrus", "cy99", "Cy"),
        ("Hedda", "hedda_k", ""),
        ("Łukasz", "lukasz-p", "Luka"),
        ("Robertina", "rob_tina", "Tina"),
        ("Roberto", "roberto77", ""),
        ("Old Tom", "oldtom", ""),
    ];
    let others = [
        ("Dorabella", "dora_b", Role::Dead),
        ("Pim", "pim_pim", Role::Dead),
        ("Mia", "mod_mia", Role::Moderator),
        ("Sue", "sue_watches", Role::Spectator),
        ("Ivo", "ivo_v", Role::Spectator),
    ];
    let person = |names: &[&str], role| Participant {
        id: names[0].to_owned(),
        names: names
            .iter()
            .filter(|name| !name.is_empty())
            .map(|name| (*name).to_owned())
            .collect(),
        role,
    };
    let living = living
        .iter()
        .map(|(game, forum, nick)| person(&[game, forum, nick], Role::Living));
    let others = others
        .iter()
        .map(|(game, forum, role)| person(&[game, forum], *role));
    let nobody = Target {
        id: "Abstain".to_owned(),
        names: ["Abstain", "No Lynch", "No Elimination"]
            .map(str::to_owned)
            .to_vec(),
    };
    Participants::new(living.chain(others).collect(), vec![nobody])
}

/// Returns a shipped shape.
fn shape(name: &str) -> Shape {
    let path = project()
        .join("content/wwrf/forums")
        .join(format!("{name}.yaml"));
    let source = Source::new(name, std::fs::read_to_string(path).unwrap());
    let (node, findings) = read_yaml(&source, TreeLimits::DATA);
    assert!(findings.is_empty(), "{findings:?}");
    let value = node.unwrap().to_value();
    let (mut keys, mut lists) = (BTreeMap::new(), BTreeMap::new());
    for (key, value) in value.as_map().unwrap() {
        match value.as_str() {
            Some(text) => {
                keys.insert(key.to_string(), text.to_owned());
            }
            None => {
                let items = value.items().iter().map(ToString::to_string);
                lists.insert(key.to_string(), items.collect());
            }
        }
    }
    let form = match keys["form"].as_str() {
        "page" => Form::Page,
        "topic" => Form::Topic,
        _ => Form::Plain,
    };
    Shape::read(name, form, &keys, &lists).unwrap()
}

fn read_thread(forum: Forum, texts: &[String]) -> Thread {
    let shapes = ["discourse", "phpbb3", "xenforo2", "plain"].map(shape);
    let pages = texts.iter().map(|text| match forum {
        Forum::Discourse => read_topic(text, Some(&shapes[0])).unwrap(),
        Forum::PhpBb | Forum::XenForo => read_page(text, &shapes[1..3], 0).unwrap(),
        Forum::Plain => read_plain(text, &people(), Some(&shapes[3]), 0).unwrap(),
    });
    Thread::of_pages(pages.collect()).unwrap()
}

fn rules(script: &Script, forum: Forum) -> Rules {
    let first = label(script, forum, script.day).parse().unwrap();
    let deadline = script.deadline.map(time_text);
    Rules {
        first: Some(first),
        deadline: deadline.and_then(|text| parse_time(&text, &[], 0)),
        ..Rules::default()
    }
}

/// Returns what each post means by its label, as in the files.
fn meanings(judged: &Judged) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for event in &judged.events {
        let repeat = if event.changes { "" } else { "=" };
        let told = match &event.action {
            VoteAction::Vote(target) => format!("{}>{target}{repeat}", event.voter),
            VoteAction::Unvote => format!("{}>", event.voter),
        };
        found.entry(event.post.clone()).or_default().push(told);
    }
    for report in &judged.reports {
        let word = report.reason.word().to_owned();
        let all = found.entry(report.post.clone()).or_default();
        // A wrong count is told once, however many wagons differ.
        if !all.contains(&word) {
            all.push(word);
        }
    }
    found
}

#[test]
fn every_vote_of_every_thread_counts_as_by_hand() {
    for (name, text) in THREADS {
        let script = script(text);
        for forum in FORMS {
            let (column, form) = column(forum);
            let thread = read_thread(forum, &page_texts(&script, forum));
            assert_eq!(thread.posts.len(), script.posts.len(), "{name} {forum:?}");
            let judged = judge_votes(&thread, &people(), &rules(&script, forum));
            let mut found = meanings(&judged);
            for post in &script.posts {
                let label = label(&script, forum, post.place);
                let told = found.remove(&label).unwrap_or_default().join(" ");
                let told = if told.is_empty() { "-" } else { &told };
                let body = &post.body;
                assert_eq!(
                    told, post.meaning[column],
                    "{name} {forum:?} post {label}: {body}"
                );
            }
            assert_eq!(found, BTreeMap::new(), "{name} {forum:?}");
            let wagon_texts: BTreeMap<String, String> = judged
                .wagons
                .iter()
                .map(|wagon| {
                    let voters = wagon.voters.iter();
                    let voters: Vec<String> =
                        voters.map(|(who, post)| format!("{who} {post}")).collect();
                    (wagon.target.clone(), voters.join(", "))
                })
                .collect();
            let wagons: Vec<String> = wagon_texts
                .iter()
                .map(|(target, voters)| format!("{target}: {voters}"))
                .collect();
            assert_eq!(
                wagons.join("; "),
                by_label(&script, forum, &script.wagons[form]),
                "{name} {forum:?}"
            );
            let hammer = judged.hammer.unwrap_or_else(|| "-".to_owned());
            let expected = match script.hammers[form].parse() {
                Ok(place) => label(&script, forum, place),
                Err(_) => "-".to_owned(),
            };
            assert_eq!(hammer, expected, "{name} {forum:?}");
        }
    }
}

/// Returns wagons of a file with the numbers that a forum prints, in the order of the names.
fn by_label(script: &Script, forum: Forum, wagons: &str) -> String {
    let mut sorted: Vec<String> = Vec::new();
    for wagon in wagons.split("; ").filter(|wagon| !wagon.is_empty()) {
        let (target, voters) = wagon.split_once(": ").unwrap();
        let voters = voters.split(", ").map(|voter| {
            let (who, place) = voter.rsplit_once(' ').unwrap();
            format!("{who} {}", label(script, forum, place.parse().unwrap()))
        });
        let voters: Vec<String> = voters.collect();
        sorted.push(format!("{target}: {}", voters.join(", ")));
    }
    sorted.sort();
    sorted.join("; ")
}

#[test]
fn each_reason_is_there_twice_in_each_thread() {
    for (name, text) in THREADS {
        let script = script(text);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let is_reason = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        let meanings = script
            .posts
            .iter()
            .flat_map(|post| post.meaning[0].split(' '));
        for word in meanings.filter(is_reason) {
            *counts.entry(word).or_insert(0) += 1;
        }
        counts.remove("-");
        assert!(counts.len() >= 23, "{name}: {counts:?}");
        assert!(
            counts.values().all(|count| *count >= 2),
            "{name}: {counts:?}"
        );
        assert!(script.posts.len() >= 100);
    }
}

#[test]
fn a_count_is_of_any_post() {
    let script = script(THREADS[0].1);
    let thread = read_thread(Forum::XenForo, &page_texts(&script, Forum::XenForo));
    for last in [10_u64, 40, 80] {
        let rules = Rules {
            until: Some(last),
            ..rules(&script, Forum::XenForo)
        };
        let judged = judge_votes(&thread, &people(), &rules);
        assert!(
            judged
                .events
                .iter()
                .all(|event| event.post.parse::<u64>().unwrap() <= last)
        );
    }
}

#[test]
fn a_thread_of_a_thousand_posts_is_read_and_judged_in_every_form() {
    let mut script = script(THREADS[1].1);
    script.deadline = None;
    let posts = std::mem::take(&mut script.posts);
    for round in 0..9 {
        for post in &posts {
            script.posts.push(Written {
                place: round * posts.len() + post.place,
                author: post.author.clone(),
                flag: post.flag.clone(),
                body: post.body.clone(),
                meaning: post.meaning.clone(),
            });
        }
    }
    for forum in FORMS {
        let texts = page_texts(&script, forum);
        let rules = rules(&script, forum);
        let thread = read_thread(forum, &texts);
        let judged = judge_votes(&thread, &people(), &rules);
        assert!(thread.posts.len() > 1_000 && judged.events.len() > 100);
    }
}

/// The import reports such a post as `import/cut`.
#[test]
fn a_post_beyond_the_limit_is_cut() {
    let long = "x".repeat(host::thread::POST_BYTES);
    let html = format!(
        "<html id=XF><article class='message--post' data-author=annie_t data-content=post-1>\
         <div class=message-body><div class=bbWrapper><b>VOTE: Bo</b><br>{long}<br><b>VOTE: Hedda</b></div></div></article>"
    );
    let thread = read_thread(Forum::XenForo, &[html]);
    let judged = judge_votes(&thread, &people(), &Rules::default());
    assert!(thread.posts[0].is_cut, "import/cut");
    assert_eq!(judged.events.len(), 1);
}

/// The import reports the rest as `import/too-many-reports`.
#[test]
fn a_post_beyond_a_hundred_reports_says_how_many_more() {
    let votes = "<b>VOTE: Zed</b><br>".repeat(20_001);
    let html = format!(
        "<html id=XF><article class='message--post' data-author=annie_t data-content=post-1>\
         <div class=message-body><div class=bbWrapper>{votes}</div></div></article>"
    );
    let thread = read_thread(Forum::XenForo, &[html]);
    let judged = judge_votes(&thread, &people(), &Rules::default());
    assert_eq!(judged.reports.len(), 101);
    let last = &judged.reports[100];
    assert_eq!(
        (format!("import/{}", last.reason.word()), last.more.as_str()),
        (
            "import/too-many-reports".to_owned(),
            "the post has 19901 more reports, which are not listed"
        )
    );
}

/// The import refuses such a thread with `import/too-many-posts`.
#[test]
fn a_thread_beyond_the_limit_is_refused() {
    let plain = "Ann\n2026-03-01 10:05\nvote Bo\n\n".repeat(host::thread::POSTS + 1);
    let copies = shape("plain");
    let read = |text: &str| read_plain(text, &people(), Some(&copies), 0);
    let fault = read(&plain).unwrap_err();
    assert_eq!(format!("import/{}", fault.code), "import/too-many-posts");
    let most = "Ann\n2026-03-01 10:05\nvote Bo\n\n".repeat(host::thread::POSTS);
    let judged = judge_votes(&read(&most).unwrap(), &people(), &Rules::default());
    assert_eq!(judged.events.len(), host::thread::POSTS);
}

/// The import refuses such a shape with `import/shape`, the check of the content reports `wwrf/selector`.
#[test]
fn a_broken_shape_is_named() {
    let keys = [("post", ".post"), ("author", "a["), ("body", ".text")];
    let keys = keys.map(|(key, text)| (key.to_owned(), text.to_owned()));
    let fault =
        Shape::read("mine", Form::Page, &BTreeMap::from(keys), &BTreeMap::new()).unwrap_err();
    assert_eq!(
        (fault.key.as_str(), fault.message.as_str()),
        ("author", "\"a[\" is not a CSS selector")
    );
}
