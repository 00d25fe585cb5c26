//! Votes judged from texts as people paste them.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn of_role(names: &[&str], role: Role) -> Participant {
    Participant {
        id: names[0].to_owned(),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        role,
    }
}

fn village() -> Participants {
    let people = vec![
        of_role(&["Ann", "annie_t"], Role::Living),
        of_role(&["Bo", "captain_bo"], Role::Living),
        of_role(&["Cy", "cyrus"], Role::Living),
        of_role(&["Hedda"], Role::Living),
        of_role(&["Robertina", "tina"], Role::Living),
        of_role(&["Dora"], Role::Dead),
        of_role(&["Mia", "mod_mia"], Role::Moderator),
        of_role(&["Sue"], Role::Spectator),
    ];
    let nobody = Target {
        id: "nobody".to_owned(),
        names: vec!["No Vote".to_owned()],
    };
    Participants::new(people, vec![nobody])
}

/// Returns the words of an English forum by the keys of a shape.
fn english_words() -> BTreeMap<String, Vec<String>> {
    let keys: [(&str, &[&str]); 11] = [
        ("vote_words", &["vote"]),
        ("unvote_words", &["unvote"]),
        ("and_words", &["and"]),
        ("comment_words", &["because", "for"]),
        ("count_words", &["votecount", "tally"]),
        ("has_words", &["has", "with"]),
        ("said", &["said:"]),
        ("expand", &["Click to expand..."]),
        ("wrote", &["wrote:"]),
        ("code_heads", &["Code"]),
        ("spoiler_heads", &["Spoiler"]),
    ];
    let keys = keys.into_iter().map(|(key, words)| {
        let words = words.iter().map(|word| (*word).to_owned());
        (key.to_owned(), words.collect())
    });
    keys.collect()
}

/// Returns the shape of plain copies of an English forum.
fn plain_shape() -> Shape {
    Shape::read("copy", Form::Plain, &BTreeMap::new(), &english_words()).unwrap()
}

fn shape() -> Shape {
    let keys = [
        ("post", ".post"),
        ("post_id", "@id"),
        ("author", ".who"),
        ("time", "time @datetime"),
        ("body", ".text"),
        ("spoiler", ".spoiler"),
        ("signature", ".sig"),
        ("vote", "vote"),
        ("deleted", ".gone"),
        ("edit", ".edit"),
        ("edit_words", "by {editor} on {time}."),
    ];
    let keys: BTreeMap<String, String> = keys
        .iter()
        .map(|(key, text)| ((*key).to_owned(), (*text).to_owned()))
        .collect();
    Shape::read("toy", Form::Page, &keys, &english_words()).unwrap()
}

/// Returns a page with posts of (author, body), an hour apart.
fn page(posts: &[(&str, &str)]) -> Thread {
    let mut html = String::new();
    for (number, (author, body)) in posts.iter().enumerate() {
        let hour = 1 + number;
        html += &format!(
            "<div class=post id=p{number}><b class=who>{author}</b><time datetime=2026-03-01T{hour:02}:00:00Z></time>\
             <div class=text>{body}</div></div>"
        );
    }
    read_page(&html, &[shape()], 0).unwrap()
}

/// Returns the votes as `post voter>target`, and the reports as `post reason`.
fn told(judged: &Judged) -> (Vec<String>, Vec<String>) {
    let events = judged.events.iter().map(|one| match &one.action {
        VoteAction::Vote(target) => format!("{} {}>{target}", one.post, one.voter),
        VoteAction::Unvote => format!("{} {}>", one.post, one.voter),
    });
    let reports = judged.reports.iter();
    let reports = reports.map(|one| format!("{} {}", one.post, one.reason.word()));
    (events.collect(), reports.collect())
}

fn judged(posts: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    told(&judge_votes(&page(posts), &village(), &Rules::default()))
}

/// Judges one post of Ann in a page.
fn one(body: &str) -> String {
    let (events, reports) = judged(&[("Ann", body)]);
    let all: Vec<String> = events.into_iter().chain(reports).collect();
    all.join(", ").replace("1 ", "")
}

#[test]
fn what_is_a_vote_in_a_page() {
    let cases = [
        ("<b>VOTE: Bo</b>", "Ann>Bo"),
        ("<b>vote: bo, sorry</b>", "Ann>Bo"),
        ("<b>Vote Bo</b>", "Ann>Bo"),
        ("<b>vote Bo please</b>", "unclear"),
        ("<b>Vote count 2.1</b>", ""),
        ("<b>Votes: Bo 2</b>", ""),
        ("<b>VOTE:</b> Bo and a comment", "Ann>Bo"),
        ("<b>VOTE</b>: Bo", "not-bold"),
        ("<b>VO</b><b>TE: B</b><strong>o</strong>", "Ann>Bo"),
        (
            "<b><span style='color:red'>VOTE: Bo</span></b> he lies",
            "Ann>Bo",
        ),
        ("hm <b>VOTE: Bo</b>", "Ann>Bo"),
        ("<b>VOTE: Bo?</b>", "unclear"),
        ("<b>vote Bo?</b>", "unclear"),
        ("VOTE: Bo", "not-bold"),
        ("UNVOTE: Bo", "not-bold"),
        ("UNVOTE", "not-bold"),
        ("x<br>unvote!", "not-bold"),
        ("unvote was a mistake", ""),
        ("<i>UNVOTE</i> Bo", ""),
        ("unvoted: Bo", ""),
        ("<b>VOTE: Bo</b>?", "unclear"),
        ("<b>vote Bo</b>?", "unclear"),
        ("<b>UNVOTE, VOTE: Bo</b>?", "unvote-without-vote, unclear"),
        ("<b>UNVOTE, vote Bo</b>?", "unvote-without-vote, unclear"),
        ("<vote>Bo</vote>? Or Cy", "unclear"),
        ("<b>VOTE: Bo</b>! Or not?", "Ann>Bo"),
        ("<b>VOTE: Bo, sorry</b>?", "Ann>Bo"),
        ("x<br>vote: Bo", "not-bold"),
        ("I say VOTE: Bo", ""),
        ("I would vote Bo", ""),
        ("[vote]Bo[/vote]", "broken-markup"),
        ("**VOTE: Bo**", "broken-markup"),
        ("<vote>Bo</vote>", "Ann>Bo"),
        (
            "<vote>Vote: Bo</vote> and <vote>Cy</vote>",
            "Ann>Cy, superseded",
        ),
        ("<blockquote><b>VOTE: Bo</b></blockquote>", ""),
        (
            "<blockquote>a<blockquote><b>VOTE: Bo</b></blockquote></blockquote>ok",
            "",
        ),
        ("<div class=sig><b>VOTE: Bo</b></div>", ""),
        ("<code>VOTE: Bo</code>", "code"),
        ("<pre>x\n<b>VOTE: Bo</b></pre>", "code"),
        ("<span class=spoiler><b>VOTE: Bo</b></span>", "spoiler"),
        ("<s><b>VOTE: Bo</b></s>", "struck"),
        ("<b>VOTE: <s>Bo</s> Cy</b>", "Ann>Cy"),
        ("<b>VOTE: Dora</b>", "dead-target"),
        ("<b>VOTE: Mia</b>", "not-a-player"),
        ("<b>VOTE: Zed</b>", "unknown-name"),
        ("<b>vote Zed</b>", ""),
        ("<b>vote Dora</b>", "dead-target"),
        ("<b>VOTE: No Vote</b>", "Ann>nobody"),
        ("<b>VOTE: Ann</b>", "Ann>Ann"),
        ("<b>VOTE: Rob</b>", "Ann>Robertina, prefix"),
        ("<b>VOTE: Hedad because</b>", "Ann>Hedda, misspelt"),
        ("<b>UNVOTE</b>", "unvote-without-vote"),
        ("<b>VOTE: Bo</b><br><b>UNVOTE</b>", "Ann>, superseded"),
        ("<b>UNVOTE, VOTE: Bo</b>", "Ann>Bo"),
        ("<b>UNVOTE</b> <b>VOTE: Bo</b>", "Ann>Bo"),
        ("<b>VOTE: Bo</b> <b>VOTE: Zed</b>", "Ann>Bo, unknown-name"),
        ("<b>VOTE: Bo", "Ann>Bo"),
        ("<b>unvoted</b>", ""),
    ];
    for (body, expected) in cases {
        assert_eq!(one(body), expected, "{body}");
    }
}

#[test]
fn votes_change_wagons_and_repeats_keep_their_place() {
    let bo = "<b>VOTE: Bo</b>";
    let posts = [
        ("Cy", bo),
        ("annie_t", bo),
        ("Cy", bo),
        ("Cy", "<b>UNVOTE: Ann</b>"),
        ("Bo", "<b>UNVOTE</b>"),
        ("Hedda", "<b>VOTE: Zed</b>"),
        ("Cy", "<b>VOTE: Bo</b> <b>UNVOTE</b>"),
        ("Sue", bo),
        ("Dora", bo),
        ("Mia", bo),
        ("Eve", "<b>UNVOTE, VOTE: Bo</b>"),
    ];
    let judged = judge_votes(&page(&posts), &village(), &Rules::default());
    let (events, reports) = told(&judged);
    assert_eq!(events, ["1 Cy>Bo", "2 Ann>Bo", "3 Cy>Bo", "4 Cy>", "7 Cy>"]);
    let changes: Vec<bool> = judged.events.iter().map(|one| one.changes).collect();
    assert_eq!(changes, [true, true, false, true, false]);
    let expected = [
        "4 unvote-other",
        "5 unvote-without-vote",
        "6 unknown-name",
        "7 superseded",
        "8 spectator",
        "9 dead-voter",
        "10 moderator",
        "11 spectator",
    ];
    assert_eq!(reports, expected);
    let wagon = Wagon {
        target: "Bo".to_owned(),
        voters: vec![("Ann".to_owned(), "2".to_owned())],
    };
    assert_eq!(judged.wagons, [wagon]);
    assert_eq!(judged.strangers[0].name, "Eve");
}

#[test]
fn the_day_has_a_begin_a_deadline_and_a_hammer() {
    let bo = "<b>VOTE: Bo</b>";
    let posts = [
        ("Ann", bo),
        ("Ann", bo),
        ("Cy", bo),
        ("Hedda", bo),
        ("Bo", "<b>VOTE: Cy</b>"),
        ("Mia", bo),
    ];
    let rules = Rules {
        first: Some(2),
        ..Rules::default()
    };
    let judged = judge_votes(&page(&posts), &village(), &rules);
    let (events, reports) = told(&judged);
    assert_eq!(events, ["2 Ann>Bo", "3 Cy>Bo", "4 Hedda>Bo"]);
    assert_eq!(
        reports,
        ["1 before-day", "5 after-hammer", "6 after-hammer"]
    );
    assert_eq!((judged.hammer.as_deref(), judged.majority), (Some("4"), 3));
    // Post 3 is of 3:00.
    let rules = Rules {
        deadline: parse_time("2026-03-01T03:00:00Z", &[], 0),
        ..Rules::default()
    };
    let (_, reports) = told(&judge_votes(&page(&posts), &village(), &rules));
    assert_eq!(
        reports,
        ["4 after-deadline", "5 after-deadline", "6 after-deadline"]
    );
}

#[test]
fn only_later_posts_count_and_a_count_is_of_any_post() {
    let posts = [
        ("Ann", "<b>VOTE: Bo</b>"),
        ("Cy", "<b>VOTE: Bo</b>"),
        ("Hedda", "<b>VOTE: Cy</b>"),
        ("Ann", "<b>UNVOTE</b>"),
    ];
    let rules = Rules {
        counted: Some((99, "p1".to_owned())),
        standing: vec![("Ann".into(), "Bo".into()), ("Cy".into(), "Bo".into())],
        ..Rules::default()
    };
    let judged = judge_votes(&page(&posts), &village(), &rules);
    assert_eq!(told(&judged).0, ["3 Hedda>Cy", "4 Ann>"]);
    assert_eq!(judged.last, Some((4, "p3".to_owned())));
    let new: Vec<bool> = judged.marks.iter().map(|one| one.is_new).collect();
    assert_eq!(new, [false, false, true, true]);
    let rules = Rules {
        until: Some(3),
        ..Rules::default()
    };
    let judged = judge_votes(&page(&posts), &village(), &rules);
    assert_eq!(judged.wagons[0].voters.len(), 2);
}

#[test]
fn a_late_edit_makes_votes_doubtful_unless_the_moderator_edits() {
    let edited = |by: &str, hour: &str| {
        let html = format!(
            "<div class=post id=a><b class=who>Ann</b><time datetime=2026-03-01T01:00:00Z></time>\
             <div class=text><b>VOTE: Bo</b></div><p class=edit>Last edited by {by} on 2026-03-01 {hour}.</p></div>\
             <div class=post id=b><b class=who>Cy</b><time datetime=2026-03-01T02:00:00Z></time><div class=text>x</div></div>"
        );
        let thread = read_page(&html, &[shape()], 0).unwrap();
        let (events, reports) = told(&judge_votes(&thread, &village(), &Rules::default()));
        (events.len(), reports.join(","))
    };
    assert_eq!(edited("Ann", "03:00"), (0, "1 edited".to_owned()));
    assert_eq!(edited("Ann", "01:30"), (1, String::new()));
    assert_eq!(edited("mod_mia", "03:00"), (1, String::new()));
}

#[test]
fn deleted_posts_are_reported() {
    let html = "<div class='post gone' id=a><b class=who>Ann</b><div class=text><b>VOTE: Bo</b></div></div>";
    let thread = read_page(html, &[shape()], 0).unwrap();
    let (events, reports) = told(&judge_votes(&thread, &village(), &Rules::default()));
    assert_eq!((events.len(), reports), (0, vec!["1 deleted".to_owned()]));
}

#[test]
fn the_moderators_count_is_compared() {
    let count =
        "<b>Vote count 1.1</b><br>Bo (2): Ann, Cy<br>Cy (1): Hedda<br>Not voting (2): Bo, tina";
    let posts = [
        ("Ann", "<b>VOTE: Bo</b>"),
        ("Hedda", "<b>VOTE: Cy</b>"),
        ("Mia", count),
        ("Cy", "<b>VOTE: Bo</b>"),
        ("Mia", count),
    ];
    let judged = judge_votes(&page(&posts), &village(), &Rules::default());
    assert_eq!(told(&judged).1, ["3 count"]);
    assert_eq!(judged.reports[0].more, "Bo has 1: Ann");
    // A count of the day before is not about these wagons.
    let rules = Rules {
        first: Some(4),
        ..Rules::default()
    };
    let judged = judge_votes(&page(&posts), &village(), &rules);
    assert_eq!(
        told(&judged).1,
        ["1 before-day", "2 before-day", "5 count", "5 count"]
    );
}

#[test]
fn options_of_forums() {
    let bold = "<b>VOTE: Bo</b>";
    let judged = |body: &str, rules: Rules| {
        let thread = page(&[("Ann", body)]);
        let (events, reports) = told(&judge_votes(&thread, &village(), &rules));
        [events, reports].concat().join(", ")
    };
    let tag = || Rules {
        form: VoteForm::Tag,
        ..Rules::default()
    };
    assert_eq!(judged(bold, tag()), "1 no-tag");
    assert_eq!(judged("<vote>Bo</vote>", tag()), "1 Ann>Bo");
    let any = || Rules {
        form: VoteForm::AnyBoldName,
        ..Rules::default()
    };
    assert_eq!(judged("I like <b>Bo</b> <b>very</b>", any()), "1 Ann>Bo");
    assert_eq!(judged("Is it <b>Bo</b>?", any()), "1 unclear");
    let open = Rules {
        spoilers: true,
        ..Rules::default()
    };
    assert_eq!(
        judged("<i class=spoiler><b>VOTE: Bo</b></i>", open),
        "1 Ann>Bo"
    );
    let strict = Rules {
        misspelt: false,
        ..Rules::default()
    };
    assert_eq!(judged("<b>VOTE: Hedad</b>", strict), "1 misspelt");
}

fn plain(text: &str) -> Thread {
    read_plain(text, &village(), Some(&plain_shape()), 0).unwrap()
}

#[test]
fn a_plain_copy_is_read_by_lines() {
    let cases = [
        ("VOTE: Bo", "Ann>Bo"),
        ("vote: Bo, sorry", "Ann>Bo"),
        ("vote Bo", "Ann>Bo"),
        ("vote Bo please", "unclear"),
        ("Vote count 2.1", ""),
        ("I say VOTE: Bo", "mid-line"),
        ("I say vote: Bo", ""),
        ("UNVOTE", "unvote-without-vote"),
        ("Unvote was a mistake", ""),
        ("UNVOTE, VOTE: Bo", "Ann>Bo"),
        ("Bo said:\nVOTE: Cy\nClick to expand...\nVOTE: Bo", "Ann>Bo"),
        (
            "Bo said:\nCy said:\nVOTE: Cy\nClick to expand...\nVOTE: Hedda\nClick to expand...\nVOTE: Bo",
            "Ann>Bo",
        ),
        ("Bo wrote:\nVOTE: Cy\n\nVOTE: Bo", "Ann>Bo"),
        (
            "Bo wrote: ↑ Sun Mar 01, 2026 1:00 am\nVOTE: Cy\n\nVOTE: Bo",
            "Ann>Bo",
        ),
        ("> VOTE: Cy", ""),
        ("Spoiler: mine\nVOTE: Cy\n\nVOTE: Bo", "Ann>Bo, spoiler"),
        ("Code: Select all\nVOTE: Cy", "code"),
        ("VOTE: Bo\n_______\nVOTE: Cy", "Ann>Bo"),
        ("[vote]Bo[/vote]", "broken-markup"),
        ("VOTE: Bo?", "unclear"),
        ("Somebody said:\nVOTE: Bo", "Ann>Bo"),
    ];
    for (body, expected) in cases {
        let thread = plain(&format!("Ann\nSun Mar 01, 2026 10:05 am\n{body}\n"));
        let (events, reports) = told(&judge_votes(&thread, &village(), &Rules::default()));
        let all = [events, reports].concat().join(", ").replace("1 ", "");
        assert_eq!(all, expected, "{body}");
    }
}

#[test]
fn plain_posts_begin_at_a_name_and_a_date() {
    let text = "Page 1\n\nAnn\n2026-03-01 10:05\nhello\nBo\nMar 1, 2026 at 10:06 AM\nVOTE: Ann\n\nEve\n\
        2026-03-01 10:07\nVOTE: Bo\n\nCy, 2026-03-01 10:08:\nVOTE: Bo\n";
    let thread = plain(text);
    let authors: Vec<&str> = thread
        .posts
        .iter()
        .map(|post| post.author.as_str())
        .collect();
    assert_eq!(authors, ["Ann", "Bo", "Eve", "Cy"]);
    let (events, reports) = told(&judge_votes(&thread, &village(), &Rules::default()));
    assert_eq!(events, ["2 Bo>Ann", "4 Cy>Bo"]);
    assert_eq!(reports, ["3 spectator"]);
    let fault = read_plain("hello", &village(), None, 0).unwrap_err();
    assert_eq!(fault.code, "no-posts");
}

#[test]
fn a_page_that_no_shape_fits_names_the_selector() {
    let topic = Shape::read("t", Form::Topic, &BTreeMap::new(), &BTreeMap::new()).unwrap();
    let shapes = [topic, shape()];
    let read = |html: &str| read_page(html, &shapes, 0).unwrap_err().message;
    assert_eq!(
        read("<p>hello"),
        "no shape of a forum fits the page; toy: `post: .post` finds nothing"
    );
    assert_eq!(
        read("<div class=post><div class=text>x"),
        "no shape of a forum fits the page; toy: `author: .who` finds nothing"
    );
    assert_eq!(
        read("<div class=post><b class=who>Ann"),
        "no shape of a forum fits the page; toy: `body: .text` finds nothing"
    );
}

#[test]
fn pages_join_and_repeated_posts_count_once() {
    let (one, two) = (
        page(&[("Ann", "a"), ("Bo", "b")]),
        page(&[("Ann", "changed")]),
    );
    let whole = Thread::of_pages(vec![one, two]).unwrap();
    assert_eq!(whole.posts.len(), 2);
    assert_eq!(whole.posts[0].lines[0], Line::of_text("changed"));
}

#[test]
fn plain_copies_are_numbered_over_all_files() {
    let head = |name: &str| format!("{name}\n2026-03-01 10:05\n");
    let one = plain(&format!("{}VOTE: Bo\n\n{}hello\n", head("Ann"), head("Cy")));
    let two = plain(&format!("{}VOTE: Cy\n\n{}hello\n", head("Ann"), head("Bo")));
    let whole = Thread::of_pages(vec![one, two]).unwrap();
    let posts: Vec<String> = whole
        .posts
        .iter()
        .map(|post| format!("{} {}", post.label(), post.author))
        .collect();
    assert_eq!(posts, ["1 Ann", "2 Cy", "3 Ann", "4 Bo"]);
    assert_eq!(whole.gaps, []);
    let (events, _) = told(&judge_votes(&whole, &village(), &Rules::default()));
    assert_eq!(events, ["1 Ann>Bo", "3 Ann>Cy"]);
}

/// Returns a page of a topic with the posts of these numbers; the id of a post is ten times its number.
fn topic_page(numbers: &[u64], stream: &[u64]) -> Thread {
    let posts = numbers.iter().map(|number| {
        let id = number * 10;
        format!(r#"{{"id":{id},"username":"Ann","post_number":{number},"cooked":"x"}}"#)
    });
    let posts: Vec<String> = posts.collect();
    let json = format!(
        r#"{{"post_stream":{{"posts":[{}],"stream":{stream:?}}}}}"#,
        posts.join(",")
    );
    read_topic(&json, None).unwrap()
}

#[test]
fn posts_that_no_page_has_are_gaps() {
    let gaps = |pages: Vec<Thread>| -> Vec<(Option<u64>, Option<u64>, u64)> {
        let whole = Thread::of_pages(pages).unwrap();
        whole
            .gaps
            .iter()
            .map(|gap| (gap.after, gap.before, gap.posts))
            .collect()
    };
    let stream = [10, 20, 40, 50, 60];
    let (one, two) = (
        topic_page(&[1, 2], &stream),
        topic_page(&[4, 5, 6], &stream),
    );
    assert_eq!(gaps(vec![one.clone()]), [(Some(2), None, 3)]);
    assert_eq!(gaps(vec![two.clone()]), [(None, Some(4), 2)]);
    assert_eq!(gaps(vec![two.clone(), one.clone()]), []);
    let inner = topic_page(&[5], &stream);
    assert_eq!(
        gaps(vec![inner, one]),
        [(Some(2), Some(5), 1), (Some(5), None, 1)]
    );
    // Without the ids, only whole pages are known to be missing.
    let page = |numbers: &[u64]| topic_page(numbers, &[]);
    assert_eq!(
        gaps(vec![page(&[41, 43]), page(&[1, 2])]),
        [(Some(2), Some(41), 38)]
    );
    assert_eq!(gaps(vec![page(&[1, 4]), page(&[3, 5])]), []);
    assert_eq!(gaps(vec![page(&[4, 5])]), [(None, Some(4), 3)]);
}

#[test]
fn one_post_cannot_fill_the_reports() {
    let many = "<b>VOTE: Zed</b><br>".repeat(20_001) + "<b>VOTE: Hedad</b>";
    let posts = [("Ann", many.as_str()), ("Cy", "<b>VOTE: Zed</b>")];
    let judged = judge_votes(&page(&posts), &village(), &Rules::default());
    let (events, reports) = told(&judged);
    assert_eq!(events, ["1 Ann>Hedda"]);
    assert_eq!(reports.len(), 103);
    assert_eq!(
        reports[99..],
        [
            "1 unknown-name",
            "1 misspelt",
            "1 too-many-reports",
            "2 unknown-name"
        ]
    );
    let (misspelt, more) = (&judged.reports[100], &judged.reports[101]);
    assert!(misspelt.is_counted && !more.is_counted);
    assert_eq!(
        more.more,
        "the post has 19901 more reports, which are not listed"
    );
}

#[test]
fn the_first_shape_that_finds_a_post_reads_a_plain_copy() {
    let shape = |name: &str, times: &[&str]| {
        let times = times.iter().map(|form| (*form).to_owned()).collect();
        let lists = BTreeMap::from([("times".to_owned(), times)]);
        Shape::read(name, Form::Plain, &BTreeMap::new(), &lists).unwrap()
    };
    let shapes = [shape("one", &[]), shape("two", &["%d/%m/%Y kl. %H.%M"])];
    let read = |shapes: &[Shape]| {
        read_by_fitting_shape(shapes, Form::Plain, &|shape| {
            let text = "Ann\n01/03/2026 kl. 10.05\nVOTE: Bo\n";
            read_plain(text, &village(), shape, 0)
        })
    };
    assert_eq!(read(&shapes).unwrap().posts.len(), 1);
    assert_eq!(read(&shapes[..1]).unwrap_err().code, "no-posts");
    assert_eq!(read(&[]).unwrap_err().code, "no-posts");
}

#[test]
fn a_forum_has_words_of_its_own() {
    let keys = [
        ("vote_words", "głosuję"),
        ("unvote_words", "cofam"),
        ("and_words", "i"),
        ("comment_words", "bo"),
        ("count_words", "Liczba głosów"),
        ("has_words", "ma"),
    ];
    let lists = keys.map(|(key, word)| (key.to_owned(), vec![word.to_owned()]));
    let shape = Shape::read("pl", Form::Topic, &BTreeMap::new(), &BTreeMap::from(lists)).unwrap();
    let judged = |posts: &[(&str, &str)]| {
        let posts = posts.iter().enumerate().map(|(at, (author, text))| {
            let number = at + 1;
            format!(r#"{{"username":"{author}","post_number":{number},"cooked":"{text}"}}"#)
        });
        let posts: Vec<String> = posts.collect();
        let json = format!(r#"{{"post_stream":{{"posts":[{}]}}}}"#, posts.join(","));
        let thread = read_topic(&json, Some(&shape)).unwrap();
        told(&judge_votes(&thread, &village(), &Rules::default()))
    };
    let (events, reports) = judged(&[
        ("Ann", "<b>GŁOSUJĘ: Hedad bo tak</b>"),
        ("Bo", "<b>VOTE: Hedda</b>"),
        ("Cy", "<b>cofam i głosuję Hedda</b>"),
        ("Ann", "<b>Cofam</b>"),
        ("Mia", "Liczba-głosów<br>Hedda ma 1: Cy"),
        ("Mia", "Liczba głosów<br>Hedda ma 2: Ann i Cy"),
        ("Bo", "głosuję: Cy"),
        ("Bo", "[głosuję]Cy[/głosuję]"),
    ]);
    assert_eq!(events, ["1 Ann>Hedda", "3 Cy>Hedda", "4 Ann>"]);
    assert_eq!(
        reports,
        ["1 misspelt", "6 count", "7 not-bold", "8 broken-markup"]
    );
}

#[test]
fn a_topic_is_read_with_its_own_numbers() {
    let json = r#"{"post_stream":{"posts":[
        {"id":7,"username":"Ann","post_number":3,"created_at":"2026-03-01T10:00:00.000Z","version":2,
         "updated_at":"2026-03-01T12:00:00.000Z","cooked":"<p><strong>VOTE: Bo</strong></p>"},
        {"id":9,"username":"Bo","post_number":5,"created_at":"2026-03-01T11:00:00.000Z","version":1,
         "updated_at":"2026-03-02T12:00:00.000Z","cooked":"<p><strong>VOTE: Ann</strong></p>"},
        {"id":10,"username":"Cy","post_number":6,"created_at":"2026-03-01T11:30:00.000Z","hidden":true,
         "cooked":"<p><strong>VOTE: Ann</strong></p>"},
        {"id":11,"username":"Bo","post_number":7,"created_at":"2026-03-01T11:40:00.000Z","version":1,"cooked":""}
    ]},"archetype":"regular"}"#;
    let shape = Shape::read("d", Form::Topic, &BTreeMap::new(), &english_words()).unwrap();
    let thread = read_topic(json, Some(&shape)).unwrap();
    let (events, reports) = told(&judge_votes(&thread, &village(), &Rules::default()));
    assert_eq!(events, ["5 Bo>Ann"]);
    assert_eq!(reports, ["3 edited", "6 deleted"]);
    assert!(read_topic("{}", None).is_err());
}

#[test]
fn hostile_texts_take_bounded_time() {
    let long = "<b>VOTE:</b>x".repeat(80_000);
    assert!(judged(&[("Ann", &long)]).1.len() > 1);
    let nested = "<blockquote>".repeat(100_000) + "<b>VOTE: Bo</b>";
    assert_eq!(judged(&[("Ann", &nested)]).0.len(), 0);
    let names = "\u{202e}<b>VOTE: B\u{200b}o</b>";
    assert_eq!(judged(&[("Ann", names)]).0, ["1 Ann>Bo"]);
    let unclosed =
        "<div class=post><b class=who>Ann</b><div class=text><b>VOTE: Bo</b>".repeat(100);
    let thread = read_page(&unclosed, &[shape()], 0).unwrap();
    assert_eq!(thread.posts.len(), 100);
    let judged = judge_votes(&thread, &village(), &Rules::default());
    assert_eq!(judged.events.len(), 100);
}

fn body() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<b>VOTE: Bo</b> "),
        Just("<b>VOTE: Cy</b><br>"),
        Just("<b>UNVOTE</b> "),
        Just("<b>vote Hedd</b> "),
        Just("<blockquote>x<b>VOTE: Ann</b></blockquote>"),
        Just("VOTE: Ann<br>"),
        Just("<s>"),
        Just("</b></div>"),
        Just("<i><code>"),
        Just("text "),
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn wagons_are_the_events_in_order(
        posts in proptest::collection::vec((prop_oneof![Just("Ann"), Just("Bo"), Just("Cy"), Just("Sue")], body()), 1..20),
        cut in 0_u64..20,
    ) {
        let posts: Vec<(&str, &str)> = posts.iter().map(|(who, body)| (*who, body.as_str())).collect();
        let thread = page(&posts);
        let rules = Rules { hammer: false, ..Rules::default() };
        let whole = judge_votes(&thread, &village(), &rules);
        let mut votes: Vec<(String, String, String)> = Vec::new();
        for event in &whole.events {
            let before = votes.iter().position(|(voter, ..)| *voter == event.voter);
            match &event.action {
                VoteAction::Vote(target) if before.is_some_and(|at| votes[at].1 == *target) => {
                    prop_assert!(!event.changes);
                }
                action => {
                    prop_assert_eq!(event.changes, before.is_some() || matches!(action, VoteAction::Vote(_)));
                    before.map(|at| votes.remove(at));
                    if let VoteAction::Vote(target) = action {
                        votes.push((event.voter.clone(), target.clone(), event.post.clone()));
                    }
                }
            }
        }
        for wagon in &whole.wagons {
            let voters: Vec<(String, String)> = votes.iter().filter(|(_, target, _)| *target == wagon.target)
                .map(|(voter, _, post)| (voter.clone(), post.clone())).collect();
            prop_assert_eq!(&wagon.voters, &voters);
        }
        prop_assert_eq!(whole.wagons.iter().map(|wagon| wagon.voters.len()).sum::<usize>(), votes.len());
        // Two imports count what one counts.
        let first = judge_votes(&thread, &village(), &Rules { until: Some(cut), ..rules.clone() });
        let standing: Vec<(String, String)> = votes_in_order(&first);
        let second = judge_votes(&thread, &village(), &Rules {
            counted: first.last.clone(), standing, ..rules
        });
        let both: Vec<VoteEvent> = first.events.iter().chain(&second.events).cloned().collect();
        prop_assert_eq!(&both, &whole.events);
    }

    #[test]
    fn any_text_is_read(text in "(<[a-z/]{1,4}( [a-z]=.)?>|VOTE: ?|[a-zA-Z <>&;\\[\\]*\n:]|\\PC){0,80}") {
        for html in [text.clone(), format!("<div class=post><b class=who>Ann</b><div class=text>{text}")] {
            if let Ok(thread) = read_page(&html, &[shape()], 0) {
                let judged = judge_votes(&thread, &village(), &Rules::default());
                prop_assert!(judged.wagons.len() <= 9);
            }
        }
        let text = format!("Ann\n2026-03-01 10:05\n{text}");
        let judged = judge_votes(&plain(&text), &village(), &Rules::default());
        prop_assert!(judged.judged >= 1);
    }
}

/// Returns the votes that stand, in the order of the wagons' posts.
fn votes_in_order(judged: &Judged) -> Vec<(String, String)> {
    let mut votes: Vec<(u64, String, String)> = Vec::new();
    for wagon in &judged.wagons {
        for (voter, post) in &wagon.voters {
            votes.push((
                post.parse().unwrap_or(0),
                voter.clone(),
                wagon.target.clone(),
            ));
        }
    }
    votes.sort();
    votes
        .into_iter()
        .map(|(_, voter, target)| (voter, target))
        .collect()
}
