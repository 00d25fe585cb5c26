//! The method of `act` that reads a forum thread from the files of its line and judges the votes in it.

use std::collections::BTreeMap;

use mlua::Lua;

use crate::script::api::refusal_error;
use crate::script::border::stack_value::{Argument, Returned, This};
use crate::script::host::Host;
use crate::thread::{
    Form, Judged, Participant, Participants, Role, Rules, Shape, Target, Thread, ThreadFault,
    VoteAction, VoteForm, judge_votes, read_by_fitting_shape, read_page, read_plain, read_topic,
};
use crate::value::Value;

/// Bytes of a file that cost as much to read as one step of a script.
const BYTES: u64 = 32;
/// Fuel of a post that is judged.
const POST: u64 = 20;
/// Most events, and most reports, that go to a script.
pub(crate) const MOST: usize = 20_000;

type Answer = (Option<Returned>, Option<Returned>);

/// Reads the thread in the files of a line, and judges its votes. Returns the judged votes; or nothing and the reason.
pub(super) fn judge_thread(
    _: &Lua,
    host: &Host,
    (act, Argument(options)): (This, Argument),
) -> mlua::Result<Answer> {
    let files: Vec<(String, String)> = {
        let run = host.ruling(act)?;
        let texts = run.files.iter().map(|file| {
            let recorded = file.recorded();
            let text = recorded.get("text").as_str().unwrap_or_default();
            (file.name().to_owned(), text.to_owned())
        });
        texts.collect()
    };
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    host.charge(bytes as u64 / BYTES)?;
    let wrong = |why: String| {
        let message = format!("argument 1 `options` of `act:judge_thread` {why}");
        refusal_error("script/argument", message)
    };
    let people = read_participants(&options).map_err(wrong)?;
    let rules = read_rules(options.get("rules")).map_err(wrong)?;
    let shapes = match read_shapes(options.get("shapes")).map_err(wrong)? {
        Ok(shapes) => shapes,
        Err(fault) => return Ok((None, Some(Returned(fault)))),
    };
    let zone = options.get("zone").as_i64().unwrap_or(0);
    let zone = i32::try_from(zone).unwrap_or(0);
    let thread = match read_files(&files, &shapes, &people, zone) {
        Ok(thread) => thread,
        Err(fault) => return Ok((None, Some(Returned(fault)))),
    };
    host.charge(thread.posts.len() as u64 * POST)?;
    let judged = judge_votes(&thread, &people, &rules);
    let told = judged.events.len() + judged.reports.len() + judged.marks.len();
    host.charge(told as u64 * POST)?;
    if judged.events.len().max(judged.reports.len()) > MOST {
        let message = format!("the thread has more than {MOST} votes or reports");
        let hint = "give fewer pages at once";
        return Ok((
            None,
            Some(Returned(fault_value("too-many-votes", &message, hint))),
        ));
    }
    Ok((Some(Returned(judged_value(&thread, &judged))), None))
}

fn fault_value(code: &str, message: &str, hint: &str) -> Value {
    Value::map([
        ("code", code.into()),
        ("message", message.into()),
        ("hint", hint.into()),
    ])
}

/// Reads each file in its form, and joins them. Errors: the reason, with the name of the file.
fn read_files(
    files: &[(String, String)],
    shapes: &[Shape],
    people: &Participants,
    zone: i32,
) -> Result<Thread, Value> {
    let pages = files.iter().map(|(name, text)| {
        read_file(text, shapes, people, zone)
            .map_err(|fault| (format!("{name}: {}", fault.message), fault))
    });
    let pages: Result<Vec<Thread>, (String, ThreadFault)> = pages.collect();
    let pages = pages.map_err(|(message, fault)| fault_value(fault.code, &message, &fault.hint))?;
    Thread::of_pages(pages).map_err(|fault| fault_value(fault.code, &fault.message, &fault.hint))
}

fn read_file(
    text: &str,
    shapes: &[Shape],
    people: &Participants,
    zone: i32,
) -> Result<Thread, ThreadFault> {
    match text.trim_start().chars().next() {
        Some('{') => read_by_fitting_shape(shapes, Form::Topic, &|shape| read_topic(text, shape)),
        Some('<') => read_page(text, shapes, zone),
        _ => read_by_fitting_shape(shapes, Form::Plain, &|shape| {
            read_plain(text, people, shape, zone)
        }),
    }
}

fn texts(value: &Value) -> Vec<String> {
    let items = value.items().iter();
    items
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}

/// Reads shapes. The inner error is the fault of a shape, which its author can correct.
fn read_shapes(value: &Value) -> Result<Result<Vec<Shape>, Value>, String> {
    let mut shapes = Vec::new();
    for one in value.items() {
        let name = one.get("name").as_str().unwrap_or("a shape");
        let form = match one.get("form").as_str() {
            Some("page") => Form::Page,
            Some("topic") => Form::Topic,
            Some("plain") => Form::Plain,
            _ => return Err("expects shapes with `form`: page, topic or plain".to_owned()),
        };
        let entries = one.as_map().into_iter().flatten();
        let (mut keys, mut lists) = (BTreeMap::new(), BTreeMap::new());
        for (key, value) in entries {
            match value {
                Value::Text(text) => {
                    keys.insert(key.to_string(), text.to_string());
                }
                Value::List(_) => {
                    lists.insert(key.to_string(), texts(value));
                }
                Value::Nil | Value::Bool(_) | Value::Number(_) | Value::Map(_) => {}
            }
        }
        match Shape::read(name, form, &keys, &lists) {
            Ok(shape) => shapes.push(shape),
            Err(fault) => {
                let message = format!("{name}, `{}`: {}", fault.key, fault.message);
                return Ok(Err(fault_value(
                    "shape",
                    &message,
                    "correct the shape of the forum",
                )));
            }
        }
    }
    Ok(Ok(shapes))
}

fn read_participants(options: &Value) -> Result<Participants, String> {
    let mut people = Vec::new();
    for one in options.get("people").items() {
        let id = one.get("id").as_str();
        let role = match one.get("role").as_str() {
            Some("living") => Role::Living,
            Some("dead") => Role::Dead,
            Some("moderator") => Role::Moderator,
            Some("spectator") => Role::Spectator,
            _ => {
                return Err(
                    "expects people with `role`: living, dead, moderator or spectator".to_owned(),
                );
            }
        };
        people.push(Participant {
            id: id.ok_or("expects people with `id`")?.to_owned(),
            names: texts(one.get("names")),
            role,
        });
    }
    let mut targets = Vec::new();
    for one in options.get("targets").items() {
        let id = one.get("id").as_str().ok_or("expects targets with `id`")?;
        targets.push(Target {
            id: id.to_owned(),
            names: texts(one.get("names")),
        });
    }
    Ok(Participants::new(people, targets))
}

fn read_rules(value: &Value) -> Result<Rules, String> {
    let usual = Rules::default();
    let number = |key: &str| {
        value
            .get(key)
            .as_i64()
            .and_then(|number| u64::try_from(number).ok())
    };
    let flag = |key: &str, usual: bool| value.get(key).as_bool().unwrap_or(usual);
    let counted = value.get("counted");
    let counted = counted.get("number").as_i64().map(|number| {
        let id = counted.get("id").as_str().unwrap_or_default();
        (u64::try_from(number).unwrap_or(0), id.to_owned())
    });
    let form = match value.get("form").as_str() {
        None | Some("bold") => VoteForm::Bold,
        Some("any-bold-name") => VoteForm::AnyBoldName,
        Some("tag") => VoteForm::Tag,
        Some(_) => return Err("expects `form` bold, any-bold-name or tag".to_owned()),
    };
    let standing = value.get("standing").items().iter().filter_map(|one| {
        let (voter, target) = (one.get("voter").as_str()?, one.get("target").as_str()?);
        Some((voter.to_owned(), target.to_owned()))
    });
    Ok(Rules {
        first: number("first"),
        counted,
        until: number("last"),
        deadline: value.get("deadline").as_i64(),
        hammer: flag("hammer", usual.hammer),
        form,
        spoilers: flag("spoilers", usual.spoilers),
        misspelt: flag("misspelt", usual.misspelt),
        edits: flag("edits", usual.edits),
        standing: standing.collect(),
    })
}

fn whole(number: usize) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}

fn number_value(number: Option<u64>) -> Value {
    let number = number.and_then(|number| i64::try_from(number).ok());
    number.map_or(Value::Nil, Value::from)
}

fn text_list(items: &[String]) -> Value {
    Value::list(items.iter().map(|item| Value::from(item.as_str())))
}

fn judged_value(thread: &Thread, judged: &Judged) -> Value {
    let text = |text: &String| Value::from(text.as_str());
    let number_of =
        |place: usize| number_value(thread.posts.get(place).and_then(|post| post.number));
    let events = judged.events.iter().map(|one| {
        let target = match &one.action {
            VoteAction::Vote(target) => text(target),
            VoteAction::Unvote => Value::Nil,
        };
        Value::map([
            ("post", text(&one.post)),
            ("number", number_of(one.place)),
            ("voter", text(&one.voter)),
            ("target", target),
            ("changes", Value::Bool(one.changes)),
            ("words", text(&one.words)),
        ])
    });
    let reports = judged.reports.iter().map(|one| {
        Value::map([
            ("post", text(&one.post)),
            ("number", number_of(one.place)),
            ("author", text(&one.author)),
            ("words", text(&one.words)),
            ("reason", one.reason.word().into()),
            ("is_counted", Value::Bool(one.is_counted)),
            ("more", text(&one.more)),
        ])
    });
    let wagons = judged.wagons.iter().map(|one| {
        let voters = one.voters.iter();
        let voters =
            voters.map(|(voter, post)| Value::map([("voter", text(voter)), ("post", text(post))]));
        Value::map([
            ("target", text(&one.target)),
            ("voters", Value::list(voters)),
        ])
    });
    let strangers = judged.strangers.iter().map(|one| {
        Value::map([
            ("name", text(&one.name)),
            ("near", text_list(&one.near)),
            ("posts", whole(one.posts)),
            ("post", text(&one.post)),
        ])
    });
    let marks = judged.marks.iter().map(|one| {
        Value::map([
            ("post", text(&one.post)),
            ("number", number_value(one.number)),
            ("id", text(&one.id)),
            ("mark", text(&one.mark)),
            ("is_new", Value::Bool(one.is_new)),
        ])
    });
    let last = judged.last.as_ref().map_or(Value::Nil, |(number, id)| {
        Value::map([("number", number_value(Some(*number))), ("id", text(id))])
    });
    let cut: Vec<String> = thread
        .posts
        .iter()
        .filter(|post| post.is_cut)
        .map(crate::thread::Post::label)
        .collect();
    let gaps = thread.gaps.iter().map(|gap| {
        Value::map([
            ("after", number_value(gap.after)),
            ("before", number_value(gap.before)),
            ("posts", number_value(Some(gap.posts))),
        ])
    });
    let first = thread.posts.iter().find_map(|post| post.number);
    Value::map([
        ("posts", whole(thread.posts.len())),
        ("judged", whole(judged.judged)),
        ("first", number_value(first)),
        ("gaps", Value::list(gaps)),
        ("last", last),
        ("events", Value::list(events)),
        ("reports", Value::list(reports)),
        ("wagons", Value::list(wagons)),
        ("hammer", judged.hammer.as_ref().map_or(Value::Nil, text)),
        ("majority", whole(judged.majority)),
        ("strangers", Value::list(strangers)),
        ("marks", Value::list(marks)),
        ("untimed", text_list(&judged.untimed)),
        ("cut", text_list(&cut)),
    ])
}
