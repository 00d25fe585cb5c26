//! Writes the posts of a reply: to the screen, one after the other, or as files. Beside each post stands what it is.

use std::path::Path;

use host::diag::Diagnostic;
use host::doc::{Document, Format, Forum, Limits, split_into_posts};
use host::game::{PostPart, PostRequest, ProgramRequest, Reply};
use serde_json::json;

use crate::clipboard;
use crate::editor;
use crate::export;
use crate::output::{self, Output};
use crate::post_files::{self, PostFile};
use crate::typed_path;

/// One post, ready to be published.
struct Ready<'a> {
    part: &'a PostPart,
    /// Its place among the posts for its reader, from 1, and their number.
    place: (usize, usize),
    text: String,
}

/// Writes a reply as posts for a forum, if it requests that. For programs each post is an object, like a document.
///
/// The forum is the named one, else the one of the present format, else one that reads Markdown.
///
/// Errors: a file cannot be written.
pub(crate) fn write_posts(
    output: &mut Output,
    reply: &Reply,
) -> Option<Result<(), Box<Diagnostic>>> {
    let Some(ProgramRequest::Post(request)) = &reply.program_request else {
        return None;
    };
    let named = Format::parse(&request.format).and_then(Forum::of_format);
    let forum = named.or(Forum::of_format(output.format));
    let forum = forum.unwrap_or(Forum::Markdown);
    let limit = request.longest.or(output.longest_post);
    let limit = limit.unwrap_or(forum.longest_post());
    let posts = posts_of_request(request, &reply.documents, forum, limit);
    Some(match &request.folder {
        Some(folder) => {
            let folder = typed_path::expanded_path(folder);
            write_files(output, &posts, forum, (&folder, request.is_for_each))
        }
        None => {
            show_posts(output, request, &posts, (forum, limit));
            Ok(())
        }
    })
}

/// Returns the posts of all readers, in order.
fn posts_of_request<'a>(
    request: &'a PostRequest,
    documents: &[Document],
    forum: Forum,
    limit: usize,
) -> Vec<Ready<'a>> {
    let limits = Limits {
        length: Some(limit),
        numbered: true,
    };
    let mut left = documents;
    let mut ready = Vec::new();
    for part in &request.parts {
        let (own, others) = left.split_at(part.documents.min(left.len()));
        left = others;
        let texts = split_into_posts(own, forum, &limits);
        let total = texts.len();
        ready.extend(texts.into_iter().enumerate().map(|(at, text)| Ready {
            part,
            place: (at + 1, total),
            text,
        }));
    }
    ready
}

/// Shows posts. At a terminal, a person asks for the next one where it is for another reader, or replaces a copied one.
fn show_posts(
    output: &mut Output,
    request: &PostRequest,
    posts: &[Ready<'_>],
    (forum, limit): (Forum, usize),
) {
    let copies = request.copies || output.copies_posts;
    let waits = output::is_interactive() && (copies || request.parts.len() > 1);
    for (at, post) in posts.iter().enumerate() {
        if output.format == Format::Json {
            output.write_json_line(&json!({
                "op": null,
                "audience": post.part.to,
                "text": post.text,
                "data": { "format": forum.format().as_str(), "post": post.place.0, "of": post.place.1 },
            }));
            continue;
        }
        let length = post.text.encode_utf16().count();
        let what = &post.part.what;
        let number = match post.place {
            (_, 1) => what.clone(),
            (at, count) => format!("{what}, post {at} of {count}"),
        };
        output.write_stderr_unless_quiet(&format!("{number}: {length} of {limit} characters"));
        output.write_safe_text(&post.text);
        if copies {
            let copied = clipboard::copy_to_clipboard(&post.text);
            output.write_stderr_unless_quiet(&copied.in_words());
        }
        let is_last = at + 1 == posts.len();
        if waits && !is_last && !wants_next(at + 1, posts.len()) {
            return;
        }
    }
}

fn wants_next(shown: usize, total: usize) -> bool {
    let question = format!("-- post {shown} of {total}, Enter: next, q: end -- ");
    editor::ask_question(&question).is_some_and(|answer| answer.trim().is_empty())
}

/// Writes one file for each post, named after its reader. Errors: a file cannot be written.
fn write_files(
    output: &mut Output,
    posts: &[Ready<'_>],
    forum: Forum,
    (folder, is_for_each): (&Path, bool),
) -> Result<(), Box<Diagnostic>> {
    let names = file_names(posts, export::ending_of_format(forum.format()));
    let files = names.into_iter().zip(posts).map(|(name, post)| PostFile {
        name,
        to: post.part.to.clone(),
        what: post.part.what.clone(),
        text: format!("{}\n", post.text),
    });
    let files: Vec<PostFile> = files.collect();
    for told in post_files::write_post_files(folder, &files, is_for_each)? {
        output.write_stderr_unless_quiet(&told);
    }
    Ok(())
}

/// Returns a file name for each post: `Ann.md`, or `Ann-1.md` and `Ann-2.md` for a long text. No two are the same on any
/// disk.
fn file_names(posts: &[Ready<'_>], ending: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for post in posts {
        let reader: String = post
            .part
            .to
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '-' })
            .collect();
        let place = match post.place {
            (_, 1) => String::new(),
            (at, _) => format!("-{at}"),
        };
        let mut name = format!("{reader}{place}.{ending}");
        let mut others = 2;
        while names
            .iter()
            .any(|one| one.to_lowercase() == name.to_lowercase())
        {
            name = format!("{reader}{place}-{others}.{ending}");
            others += 1;
        }
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::doc::build::paragraph;

    fn request(parts: &[(&str, usize)]) -> PostRequest {
        let parts = parts.iter().map(|(to, documents)| PostPart {
            what: format!("line 3, for {to}"),
            to: (*to).to_owned(),
            documents: *documents,
        });
        PostRequest {
            parts: parts.collect(),
            ..PostRequest::default()
        }
    }

    #[test]
    fn each_reader_has_posts_of_their_own_documents() {
        let said = ["for all", "for Ann", "more for Ann"];
        let documents = said.map(|text| Document::new([paragraph(text)]));
        let request = request(&[("public", 1), ("Ann", 2)]);
        let posts = posts_of_request(&request, &documents, Forum::Discord, 2_000);
        let texts: Vec<(&str, &str)> = posts
            .iter()
            .map(|post| (&*post.part.to, &*post.text))
            .collect();
        assert_eq!(
            texts,
            [("public", "for all"), ("Ann", "for Ann\n\nmore for Ann")]
        );
    }

    #[test]
    fn no_two_files_have_one_name() {
        let long = "word ".repeat(60);
        let documents = ["a", &*long, "b", "c"].map(|text| Document::new([paragraph(text)]));
        let request = request(&[("public", 1), ("Ann", 1), ("ann", 1), ("group:red fox", 1)]);
        let posts = posts_of_request(&request, &documents, Forum::Markdown, 200);
        let names = file_names(&posts, "md");
        assert_eq!(
            names,
            [
                "public.md",
                "Ann-1.md",
                "Ann-2.md",
                "ann.md",
                "group-red-fox.md"
            ]
        );
        let twins = [("A b", 1), ("A-b", 1), ("a b", 1)];
        let request = self::request(&twins);
        let posts = posts_of_request(&request, &documents, Forum::Markdown, 2_000);
        assert_eq!(file_names(&posts, "md"), ["A-b.md", "A-b-2.md", "a-b-3.md"]);
    }
}
