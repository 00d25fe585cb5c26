//! Writes a made-up thread as the pages of each forum.

use super::{Script, Written};

/// A form of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forum {
    /// A topic as JSON.
    Discourse,
    /// Pages of phpBB.
    PhpBb,
    /// Pages of XenForo.
    XenForo,
    /// A copy from the screen.
    Plain,
}

pub(crate) const FORMS: [Forum; 4] = [Forum::Discourse, Forum::PhpBb, Forum::XenForo, Forum::Plain];

/// Returns the number or id by which a forum names a post.
pub(crate) fn label(script: &Script, forum: Forum, place: usize) -> String {
    match forum {
        // Numbers 51 and 52 are missing.
        Forum::Discourse if place > 50 => (place + 2).to_string(),
        Forum::Discourse | Forum::PhpBb | Forum::Plain => place.to_string(),
        Forum::XenForo => {
            let is_deleted = |post: &&Written| post.flag == "deleted";
            let before = script.posts.iter().filter(|post| post.place <= place);
            let deleted = before.filter(is_deleted).count();
            let own = script.posts.iter().find(|post| post.place == place);
            match own.is_some_and(|post| post.flag == "deleted") {
                true => format!("id post-{}", 7000 + place),
                false => (place - deleted).to_string(),
            }
        }
    }
}

/// Returns a time of a post, with so many seconds added.
fn moment(place: usize, seconds: usize) -> (usize, usize, usize, usize) {
    let all = place * 600 + seconds;
    (1 + all / 86_400, all / 3_600 % 24, all / 60 % 60, all % 60)
}

/// Returns the time of a post in UTC.
pub(crate) fn time_text(place: usize) -> String {
    iso(moment(place, 0))
}

fn iso((day, hour, minute, second): (usize, usize, usize, usize)) -> String {
    format!("2026-03-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

fn printed((day, hour, minute, _): (usize, usize, usize, usize)) -> String {
    let half = if hour < 12 { "am" } else { "pm" };
    let hour = if hour % 12 == 0 { 12 } else { hour % 12 };
    let week = ["Sat", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri"][day % 7];
    format!("{week} Mar {day:02}, 2026 {hour}:{minute:02} {half}")
}

/// Seconds from a post to its edit: before or behind the next post.
fn seconds_to_edit(flag: &str) -> Option<usize> {
    match flag {
        "edited-soon" => Some(120),
        "edited-late" | "edited-by-moderator" => Some(1_500),
        _ => None,
    }
}

/// Returns the texts of the pages of a thread.
pub(crate) fn page_texts(script: &Script, forum: Forum) -> Vec<String> {
    let half = script.posts.len().min(60);
    let (first, second) = script.posts.split_at(half);
    match forum {
        Forum::Plain => {
            let posts = script.posts.iter().map(plain_post);
            vec![format!(
                "Forum > Games > Day 1\n\n{}",
                posts.collect::<String>()
            )]
        }
        Forum::Discourse => [first, second]
            .iter()
            .map(|posts| discourse_page(script, posts))
            .collect(),
        Forum::PhpBb => vec![phpbb_page(first, 0), phpbb_page(second, half)],
        Forum::XenForo => [first, second]
            .iter()
            .map(|posts| xenforo_page(script, posts))
            .collect(),
    }
}

/// Returns the lines of a count: the wagons of the form, with one vote too many in a wrong count.
fn count_lines(post: &Written, column: &str) -> Option<Vec<String>> {
    let rest = post.body.strip_prefix("COUNT ")?;
    let begin = rest.find(&format!("{column}="))? + column.len() + 1;
    let rest = &rest[begin..];
    let end = [" phpbb=", " plain="]
        .iter()
        .filter_map(|next| rest.find(next))
        .min()
        .unwrap_or(rest.len());
    let mut lines = vec!["Vote count".to_owned()];
    for wagon in rest[..end].split("; ").filter(|wagon| !wagon.is_empty()) {
        let (target, voters) = wagon.split_once(": ")?;
        let wrong = usize::from(post.flag == "count_bad" && lines.len() == 1);
        let number = voters.split(", ").count() + wrong;
        lines.push(format!("{target} ({number}): {voters}"));
    }
    Some(lines)
}

fn body_with(post: &Written, column: &str, marks: &[(&str, &str)]) -> String {
    let mut body = match count_lines(post, column) {
        Some(lines) => format!("<b>{}</b>", lines.join("</b><br><b>")),
        None => post.body.clone(),
    };
    for (mark, html) in marks {
        body = body.replace(mark, html);
    }
    body
}

fn plain_post(post: &Written) -> String {
    let marks = [
        ("<br>", "\n"),
        ("<b>", ""),
        ("</b>", ""),
        ("<q>", "Bo said:\n"),
        ("</q>", "\nClick to expand...\n"),
        ("<code>", "Code:\n"),
        ("</code>", "\n\n"),
        ("<sp>", "Spoiler: my view\n"),
        ("</sp>", "\n\n"),
        ("<sig>", "\n______________\n"),
        ("</sig>", "\n"),
        ("<tag>", "Vote: "),
        ("</tag>", ""),
    ];
    // What is struck or deleted cannot be seen in a copy.
    let is_lost = post.body.contains("<s>") || post.flag == "deleted" || post.flag == "hidden";
    let body = match is_lost {
        true => "...".to_owned(),
        false => body_with(post, "plain", &marks),
    };
    let time = printed(moment(post.place, 0));
    format!("{}\n» {time}\n{body}\n\n", post.author)
}

fn discourse_page(script: &Script, posts: &[Written]) -> String {
    let marks = [
        ("<b>", "<strong>"),
        ("</b>", "</strong>"),
        (
            "<q>",
            "<aside class=\"quote no-group\" data-username=\"captain_bo\"><div class=\"title\">captain_bo:</div><blockquote><p>",
        ),
        ("</q>", "</p></blockquote></aside>"),
        ("<sp>", "<div class=\"spoiler\">"),
        ("</sp>", "</div>"),
        ("<sig>", "<div class=\"user-signature\">"),
        ("</sig>", "</div>"),
        ("<tag>", "<span class=\"bbcode-vote\">"),
        ("</tag>", "</span>"),
    ];
    let posts = posts.iter().map(|post| {
        let edit = seconds_to_edit(&post.flag);
        let updated = moment(post.place, edit.unwrap_or(90_000));
        serde_json::json!({
            "id": 7000 + post.place,
            "username": post.author,
            "post_number": label(script, Forum::Discourse, post.place).parse::<u64>().unwrap(),
            "created_at": time_text(post.place).replace('Z', ".123Z"),
            "updated_at": iso(updated),
            "version": if edit.is_some() { 2 } else { 1 },
            "hidden": post.flag == "hidden",
            "deleted_at": (post.flag == "deleted").then(|| time_text(post.place)),
            "cooked": format!("<p>{}</p>", body_with(post, "html", &marks)),
        })
    });
    let posts: Vec<serde_json::Value> = posts.collect();
    serde_json::json!({ "title": "Day 1", "archetype": "regular", "post_stream": { "posts": posts } }).to_string()
}

fn phpbb_page(posts: &[Written], before: usize) -> String {
    let marks = [
        ("<b>", "<strong class=\"text-strong\">"),
        ("</b>", "</strong>"),
        ("<q>", "<blockquote><div><cite>captain_bo wrote: ↑</cite>"),
        ("</q>", "</div></blockquote>"),
        (
            "<code>",
            "<div class=\"codebox\"><p>Code: <a href=\"#\">Select all</a></p><pre><code>",
        ),
        ("</code>", "</code></pre></div>"),
        (
            "<sp>",
            "<div class=\"spoilwrapper\"><div class=\"spoilcontent\">",
        ),
        ("</sp>", "</div></div>"),
        ("<tag>", "<span class=\"bbcode-vote\">"),
        ("</tag>", "</span>"),
    ];
    let mut html = format!(
        "<!DOCTYPE html><html dir=\"ltr\" lang=\"en-gb\"><head><title>Day 1</title>\
         <link rel=\"canonical\" href=\"https://forum.example/viewtopic.php?t=1{}\"></head>\
         <body id=\"phpbb\" class=\"nojs notouch section-viewtopic ltr\"><div id=\"page-body\">",
        if before == 0 {
            String::new()
        } else {
            format!("&amp;start={before}")
        }
    );
    for post in posts {
        let (body, signature) = split_signature(body_with(post, "phpbb", &marks));
        let class = match post.flag.as_str() {
            "deleted" => " deleted",
            "hidden" => " unapproved",
            _ => "",
        };
        let editor = match post.flag.as_str() {
            "edited-by-moderator" => "mod_mia",
            _ => &post.author,
        };
        let notice = seconds_to_edit(&post.flag).map_or_else(String::new, |seconds| {
            let time = printed(moment(post.place, seconds));
            format!(
                "<div class=\"notice\">Last edited by <a class=\"username\">{editor}</a> on {time}, edited 1 time in total.</div>"
            )
        });
        let (id, author, time) = (7000 + post.place, &post.author, time_text(post.place));
        html += &format!(
            "<div id=\"p{id}\" class=\"post has-profile bg2{class}\"><div class=\"inner\">\
             <dl class=\"postprofile\" id=\"profile{id}\"><dt><a href=\"#\" class=\"username\">{author}</a></dt>\
             <dd class=\"posts\"><strong>Posts:</strong> <a href=\"#\">12</a></dd></dl>\
             <div class=\"postbody\"><div id=\"post_content{id}\"><h3><a href=\"#p{id}\">Re: Day 1</a></h3>\
             <p class=\"author\"><a class=\"unread\" href=\"#\">Post</a> by <strong><a href=\"#\" class=\"username\">{author}</a></strong> » \
             <time datetime=\"{time}\">then</time></p><div class=\"content\">{body}</div>{notice}\
             <div id=\"sig{id}\" class=\"signature\">{signature}</div></div></div></div></div><hr class=\"divider\">"
        );
    }
    html + "</div></body></html>"
}

/// Splits a body into the text and the signature behind it.
fn split_signature(body: String) -> (String, String) {
    match body.split_once("<sig>") {
        Some((text, signature)) => (text.to_owned(), signature.replace("</sig>", "")),
        None => (body, String::new()),
    }
}

fn xenforo_page(script: &Script, posts: &[Written]) -> String {
    let marks = [
        (
            "<q>",
            "<blockquote class=\"bbCodeBlock bbCodeBlock--expandable bbCodeBlock--quote\"><div class=\"bbCodeBlock-title\">captain_bo said:</div>\
             <div class=\"bbCodeBlock-content\"><div class=\"bbCodeBlock-expandContent\">",
        ),
        (
            "</q>",
            "</div><div class=\"bbCodeBlock-expandLink\"><a>Click to expand...</a></div></div></blockquote>",
        ),
        (
            "<code>",
            "<div class=\"bbCodeBlock bbCodeBlock--code\"><pre class=\"bbCodeCode\"><code>",
        ),
        ("</code>", "</code></pre></div>"),
        (
            "<sp>",
            "<div class=\"bbCodeSpoiler\"><button>Spoiler</button><div class=\"bbCodeSpoiler-content\">",
        ),
        ("</sp>", "</div></div>"),
        ("<tag>", "<span class=\"bbCode-vote\">"),
        ("</tag>", "</span>"),
    ];
    let mut html = "<!DOCTYPE html><html id=\"XF\" lang=\"en-US\" data-app=\"public\"><body><div class=\"p-body\">".to_owned();
    for post in posts {
        let (body, signature) = split_signature(body_with(post, "html", &marks));
        let class = match post.flag.as_str() {
            "deleted" => " message--deleted",
            "hidden" => " message--moderated",
            _ => "",
        };
        let label = label(script, Forum::XenForo, post.place);
        let number = match label.starts_with("id") {
            true => String::new(),
            false => {
                format!("<li><a href=\"/threads/day.1/post-1\" rel=\"nofollow\">#{label}</a></li>")
            }
        };
        let edit = seconds_to_edit(&post.flag).map_or_else(String::new, |seconds| {
            let time = iso(moment(post.place, seconds)).replace('Z', "+0000");
            format!("<div class=\"message-lastEdit\">Last edited: <time class=\"u-dt\" datetime=\"{time}\">later</time></div>")
        });
        let (id, author) = (7000 + post.place, &post.author);
        let time = time_text(post.place).replace('Z', "+0000");
        html += &format!(
            "<article class=\"message message--post js-post{class}\" data-author=\"{author}\" data-content=\"post-{id}\" id=\"js-post-{id}\">\
             <div class=\"message-inner\"><div class=\"message-cell message-cell--user\"><h4 class=\"message-name\"><a class=\"username\">{author}</a></h4></div>\
             <div class=\"message-cell message-cell--main\"><header class=\"message-attribution message-attribution--split\">\
             <ul class=\"message-attribution-main listInline\"><li class=\"u-concealed\"><a><time class=\"u-dt\" datetime=\"{time}\">then</time></a></li></ul>\
             <ul class=\"message-attribution-opposite\"><li><a class=\"message-attribution-gadget\"></a></li>{number}</ul></header>\
             <div class=\"message-content\"><article class=\"message-body js-selectToQuote\"><div class=\"bbWrapper\">{body}</div></article>{edit}</div>\
             <aside class=\"message-signature\"><div class=\"bbWrapper\">{signature}</div></aside></div></div></article>"
        );
    }
    html + "</div></body></html>"
}
