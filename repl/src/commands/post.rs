//! The command `post`.

use host::diag::Diagnostic;
use host::doc::{Document, Limits, Viewer};
use host::game;
use host::game::{
    Call, CommandKind, HostCommand, Post, PostPart, PostRequest, PostSubject, PrintedPosts,
    ProgramRequest, RememberedAnswer, Reply, Timeline, gm_only_refusal,
};
use host::script::{EACH_READER, GM};

use crate::export::viewer_named;

pub(crate) const COMMAND: HostCommand = HostCommand {
    id: "post",
    syntax: &[
        "post [{line: Integer} [to {last: Integer}]] [for {reader: Reader}] [as {format: markdown|bbcode|discord|html}] [at most {length: Integer}] [{then: copy|done}] [into {folder: Rest}]",
        "post {whole: phase|chapter} [{phase: Piece} [{number: Integer}]] [for {reader: Reader}] [as {format: markdown|bbcode|discord|html}] [at most {length: Integer}] [{then: copy|done}] [into {folder: Rest}]",
        "post {view: map|votes|corrections} [for {reader: Reader}] [as {format: markdown|bbcode|discord|html}] [at most {length: Integer}] [{then: copy|done}] [into {folder: Rest}]",
        "post {named: PostTemplate} [for {reader: Reader}] [as {format: markdown|bbcode|discord|html}] [at most {length: Integer}] [{then: copy|done}] [into {folder: Rest}]",
        "post {taken_back: not done|not published} [{note: Integer}]",
    ],
    formerly: &[],
    summary: "writes the last ruling as a forum post",
    help: "The post contains what everybody is allowed to read, ready to paste. With `for Ann` it contains what Ann is \
           allowed to read, and with `for wolfpack` what the members of a group share. `for each` writes one post for \
           each reader, `into FOLDER` as files. `post 12` writes the ruling with that number in the log, \
           `post 30 to 57` several. `post phase` writes the last phase as a story, `post phase day 2` another one. \
           `post map` and `post votes` show the game as it is now, and a ruleset has posts of its own: `help posts`. \
           Directly after a command that changes nothing, `post` writes its answer. The format is the one set with \
           `format`, or Markdown; with `as bbcode` you choose another one for this post. Long posts are split and \
           numbered; `at most 5000` sets the longest one. `copy` at the end also copies the post, if the terminal can. \
           `post done` notes that the last post was published, `post 12 done` notes line 12. Later, `undo` and other \
           corrections name such posts, `post corrections` writes what to publish, \
           and `post not done` takes a note back.",
    kind: CommandKind::Publication(run),
};

fn run(timeline: &mut Timeline, call: &Call<'_>) -> Reply {
    match post_reply(timeline, call) {
        Ok(reply) => reply,
        Err(refusal) => Reply {
            remembered: RememberedAnswer::Posted,
            ..Reply::refused(*refusal)
        },
    }
}

fn post_reply(timeline: &mut Timeline, call: &Call<'_>) -> Result<Reply, Box<Diagnostic>> {
    if !call.text("taken_back").is_empty() {
        return withdrawal_reply(timeline, call);
    }
    let is_done = call.text("then") == "done";
    let subject = subject_of_call(call)?;
    if is_done {
        check_gm(call, "can note what was published")?;
        if subject == PostSubject::Last && call.text("reader").is_empty() {
            let printed = call.client().last_posts().cloned();
            let printed = printed.ok_or_else(nothing_printed_refusal)?;
            return Ok(noted_reply(timeline, call, &printed));
        }
    }
    let posts = posts_for_readers(timeline, call, &subject)?;
    let printed = printed_posts(timeline, &posts);
    if is_done {
        return Ok(noted_reply(timeline, call, &printed));
    }
    let remembered = match posts.iter().any(|(_, post)| post.is_query) {
        true => RememberedAnswer::Posted,
        false => RememberedAnswer::Nothing,
    };
    let request = PostRequest {
        format: call.text("format"),
        longest: longest_post(call)?,
        copies: call.text("then") == "copy",
        folder: folder_of_call(call)?,
        is_for_each: call.text("reader") == EACH_READER,
        parts: posts
            .iter()
            .map(|(to, post)| PostPart {
                what: post.what.clone(),
                to: to.audience().to_string(),
                documents: post.documents.len(),
            })
            .collect(),
    };
    let documents = posts.iter().flat_map(|(_, post)| &post.documents);
    let documents: Vec<Document> = documents
        .map(|document| document.clone().limit_to_audience(call.audience()))
        .collect();
    Ok(Reply {
        remembered,
        findings: corrected_findings(timeline, call, &posts)?,
        printed_posts: Some(printed),
        program_request: Some(ProgramRequest::Post(request)),
        documents,
        ..Reply::default()
    })
}

/// Returns the part of the game that a line names. Errors: a number is too large for a line.
fn subject_of_call(call: &Call<'_>) -> Result<PostSubject, Box<Diagnostic>> {
    let line =
        |slot: &str| super::line_number_in_slot(call, slot, ("post/unknown-line", super::NUMBERS));
    let (view, template) = (call.text("view"), call.text("named"));
    Ok(match view.as_str() {
        "map" => PostSubject::Map,
        "votes" => PostSubject::Votes,
        "corrections" => PostSubject::Corrections,
        _ if !template.is_empty() => PostSubject::Template(template),
        _ if !call.text("whole").is_empty() => {
            let words = [call.text("phase"), call.text("number")].join(" ");
            let words = words.trim().to_owned();
            PostSubject::Phase((!words.is_empty()).then_some(words))
        }
        _ if !call.text("last").is_empty() => PostSubject::Lines(line("line")?, line("last")?),
        _ if !call.text("line").is_empty() => PostSubject::Line(line("line")?),
        _ => PostSubject::Last,
    })
}

/// Returns the posts for the readers of a line, each with its reader. Of several readers, those who read no more than
/// everybody are left out.
///
/// Errors: the readers are others than the person who posts may name; as [`game::find_post`].
fn posts_for_readers(
    timeline: &Timeline,
    call: &Call<'_>,
    subject: &PostSubject,
) -> Result<Vec<(Viewer, Post)>, Box<Diagnostic>> {
    let named = call.text("reader");
    if named == EACH_READER {
        check_gm(call, "can write posts for each reader")?;
        return game::posts_for_each_reader(timeline, call, subject);
    }
    let whom = match named.as_str() {
        "" => "public",
        named => named,
    };
    let own = game::viewer_of_seat(timeline, call.by());
    let viewer = viewer_named(timeline, whom)?;
    if call.by() != GM && viewer != Viewer::Public && viewer != own {
        let message = format!("only the game master can write posts for {whom}");
        return Err(Box::new(Diagnostic::error("post/not-yours", message)));
    }
    let post = game::find_post(timeline, call, subject, &viewer)?;
    Ok(vec![(viewer, post)])
}

fn printed_posts(timeline: &Timeline, posts: &[(Viewer, Post)]) -> PrintedPosts {
    let posts: Vec<_> = posts
        .iter()
        .map(|(to, post)| (to.audience(), post))
        .collect();
    game::printed_posts_of(timeline, &posts)
}

/// Notes posts as published, and says what of them must be corrected already.
fn noted_reply(timeline: &mut Timeline, call: &Call<'_>, printed: &PrintedPosts) -> Reply {
    let reply = game::note_posts(timeline, call, printed);
    game::reply_with_posts_to_correct(timeline, call.by(), reply)
}

fn withdrawal_reply(timeline: &mut Timeline, call: &Call<'_>) -> Result<Reply, Box<Diagnostic>> {
    check_gm(call, "can note what was published")?;
    let number = match call.text("note").is_empty() {
        true => None,
        false => Some(super::line_number_in_slot(
            call,
            "note",
            ("post/no-note", super::NUMBERS),
        )?),
    };
    Ok(game::withdraw_post_note(timeline, call, number))
}

/// Returns warnings about lines of posts that their readers know in another form. They name lines of the game master's
/// log, so nobody else gets them.
fn corrected_findings(
    timeline: &Timeline,
    call: &Call<'_>,
    posts: &[(Viewer, Post)],
) -> Result<Vec<Diagnostic>, Box<Diagnostic>> {
    let mut findings = Vec::new();
    if call.by() != GM {
        return Ok(findings);
    }
    for (to, post) in posts {
        let corrected = game::posts_to_correct(timeline, &to.audience())?;
        let command = game::corrections_command_line(to);
        let is_in_post = |line: u64| {
            let mut lines = post.lines.iter();
            let mut parts = post.parts.iter();
            lines.any(|(first, last)| (*first..=*last).contains(&line))
                || parts.any(|(of, _)| *of == line)
        };
        let corrected = corrected.into_iter().filter(|one| is_in_post(one.line));
        findings.extend(corrected.map(|one| {
            let message = format!(
                "line {} was posted before it was corrected, as log line {} notes",
                one.line, one.note
            );
            let hint = format!(
                "publish this post as a correction and type `post done`, or see `{command}`"
            );
            Diagnostic::warning("post/corrected", message).hint(hint)
        }));
    }
    Ok(findings)
}

/// Returns the longest post that a line asks for. Errors: `post/length`.
fn longest_post(call: &Call<'_>) -> Result<Option<usize>, Box<Diagnostic>> {
    let typed = call.text("length");
    if typed.is_empty() {
        return Ok(None);
    }
    let length = typed
        .parse()
        .ok()
        .filter(|length| *length >= Limits::SHORTEST);
    match length {
        Some(length) => Ok(Some(length)),
        None => {
            let message = format!("a post of at most {typed} characters is not possible");
            let hint = format!("write a number from {} on", Limits::SHORTEST);
            Err(Box::new(
                Diagnostic::error("post/length", message).hint(hint),
            ))
        }
    }
}

/// Returns the folder for files of posts. Errors: a seat names one.
fn folder_of_call(call: &Call<'_>) -> Result<Option<String>, Box<Diagnostic>> {
    let folder = call.text("folder");
    if folder.is_empty() {
        return Ok(None);
    }
    check_gm(call, "can use files on the disk")?;
    Ok(Some(folder))
}

fn check_gm(call: &Call<'_>, what: &str) -> Result<(), Box<Diagnostic>> {
    gm_only_refusal(call.by(), what).map_or(Ok(()), |refusal| Err(Box::new(refusal)))
}

fn nothing_printed_refusal() -> Box<Diagnostic> {
    let message = "nothing was posted in this session yet";
    let hint = "`post 12 done` notes that the messages of line 12 were published";
    Box::new(Diagnostic::error("post/nothing-printed", message).hint(hint))
}
