//! Reads a language file: texts by key, each compared with the English one.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use super::table::{Pattern, english_patterns};
use super::template::{COUNT, Template};
use crate::content::{
    Entry, Kind, Node, Shape, TreeLimits, check, parse_shape, read_tree, read_yaml,
};
use crate::diag::{Diagnostic, Source, Span, near_hint};
use crate::doc::gate_single_line;

/// A file with texts of one language.
#[derive(Clone, Debug)]
pub struct LanguageFile {
    /// The language: the file name without its ending.
    pub id: String,
    /// The file.
    pub source: Arc<Source>,
}

/// The texts of a file.
#[derive(Clone, Debug)]
pub struct Language {
    /// The language, as `de` or `de-ch`.
    pub id: String,
    /// The place of `chosen: true`, if the file has it.
    pub chosen: Option<Span>,
    /// The file.
    pub source: Arc<Source>,
    /// The place for findings about all of its texts.
    pub(super) place: Span,
    pub(super) texts: BTreeMap<String, Pattern>,
}

static SHAPE: LazyLock<Shape> = LazyLock::new(|| {
    let source = Source::new("language", include_str!("language_shape.yaml"));
    let (node, findings) = read_yaml(&source, TreeLimits::CONTENT);
    let node = node.filter(|_| findings.is_empty());
    let node = node.expect("invariant: the host's own shapes can be read");
    let (shape, findings) = parse_shape(&node, &source);
    assert!(
        findings.is_empty(),
        "invariant: the host's own shapes are shapes: {findings:?}"
    );
    shape
});

/// Reads a file. Its texts with errors are left out.
///
/// Findings: those of content files and their keys; `language/name`, `language/unknown-text`, `language/hole`,
/// `language/form`.
pub fn read_language(file: &LanguageFile) -> (Option<Language>, Vec<Diagnostic>) {
    let (mut language, mut findings) = read_language_by_itself(file);
    if !is_language_tag(&file.id) {
        findings.push(bad_name_finding(file));
    }
    let Some((language, entries)) = &mut language else {
        return (None, findings);
    };
    for entry in entries {
        if let Some(finding) = language.texts.get(&*entry.key).and_then(|pattern| {
            let finding = difference_from_english(&entry.key, pattern)?;
            let span = match finding.code == UNKNOWN {
                true => entry.key_span,
                false => entry.node.span,
            };
            Some(finding.at(&file.source, span))
        }) {
            findings.push(finding);
            language.texts.remove(&*entry.key);
        }
    }
    (Some(language.clone()), findings)
}

/// Reads a file without comparing it with English. Returns the language with the entries of its texts.
pub(super) fn read_language_by_itself(
    file: &LanguageFile,
) -> (Option<(Language, Vec<Entry>)>, Vec<Diagnostic>) {
    let source = &file.source;
    let (node, mut findings) = read_tree(source, TreeLimits::CONTENT);
    let Some(node) = node else {
        return (None, findings);
    };
    findings.extend(check(
        &SHAPE,
        &node,
        source,
        &format!("the language \"{}\"", file.id),
    ));
    let mut texts = BTreeMap::new();
    let entries = node.get("texts").map(Node::entries).unwrap_or_default();
    for entry in entries {
        match pattern_of_node(&entry.node) {
            Ok(Some(pattern)) => drop(texts.insert(entry.key.to_string(), pattern)),
            // The shape of the file is another finding.
            Ok(None) => {}
            Err((span, fault)) => {
                let message = format!("the text of \"{}\" cannot be read: {fault}", entry.key);
                let finding = Diagnostic::error(HOLE, message)
                    .hint("a hole is a name in braces, such as {name}");
                findings.push(finding.at(source, span));
            }
        }
    }
    let chosen = node.entry("chosen");
    let chosen = chosen.filter(|entry| entry.node.kind == Kind::Bool(true));
    let language = Language {
        id: file.id.clone(),
        chosen: chosen.map(|entry| entry.key_span),
        source: Arc::clone(source),
        place: match node.entry("texts") {
            Some(entry) => entry.key_span,
            None => source.line_span(1),
        },
        texts,
    };
    (Some((language, entries.to_vec())), findings)
}

/// The codes of findings about single texts.
const UNKNOWN: &str = "language/unknown-text";
const HOLE: &str = "language/hole";
const FORM: &str = "language/form";

/// Returns a text, or its forms; nothing for other data. Errors: its braces, with their place.
fn pattern_of_node(node: &Node) -> Result<Option<Pattern>, (Span, String)> {
    let parse = |node: &Node| match node.as_str() {
        Some(text) => match Template::parse(&gate_single_line(text)) {
            Ok(template) => Ok(Some(template)),
            Err(fault) => Err((node.span, fault)),
        },
        None => Ok(None),
    };
    if let Some(text) = parse(node)? {
        return Ok(Some(Pattern::Plain(text)));
    }
    let form = |key: &str| node.get(key).map_or(Ok(None), parse);
    let forms = (form("one")?, form("other")?);
    Ok(match forms {
        (Some(one), Some(other)) => Some(Pattern::Counted { one, other }),
        (None, _) | (_, None) => None,
    })
}

/// Returns what is wrong with a text beside the English one.
pub(super) fn difference_from_english(key: &str, pattern: &Pattern) -> Option<Diagnostic> {
    let english = english_patterns();
    let Some(known) = english.get(key) else {
        let near = near_hint(key, english.keys().map(String::as_str));
        let message = format!("the host has no text with the key \"{key}\"");
        let finding = Diagnostic::error(UNKNOWN, message).hint(near);
        return Some(finding.hint("the page Texts of the host lists the keys"));
    };
    let wanted = known.holes();
    let counts = matches!(known, Pattern::Counted { .. }) || wanted.contains(COUNT);
    if matches!(pattern, Pattern::Counted { .. }) && !counts {
        let message = format!("the text of \"{key}\" has forms for numbers, but it counts nothing");
        return Some(Diagnostic::error(FORM, message).hint("write one text"));
    }
    for (form, template) in pattern.forms() {
        let holes = template.holes();
        let what = match form {
            "" => format!("the text of \"{key}\""),
            form => format!("the form `{form}` of \"{key}\""),
        };
        let all: Vec<String> = wanted.iter().map(|hole| format!("{{{hole}}}")).collect();
        let known = match all.is_empty() {
            true => "this text has no holes".to_owned(),
            false => format!("its holes are {}", all.join(", ")),
        };
        if let Some(hole) = holes.iter().find(|hole| !wanted.contains(*hole)) {
            let message = format!("{what} has the unknown hole {{{hole}}}");
            let near = near_hint(hole, wanted.iter().copied());
            return Some(Diagnostic::error(HOLE, message).hint(near).hint(known));
        }
        // The form for one thing may say the number as a word.
        let may_lack = |hole: &str| hole == COUNT && form == "one";
        let missing = wanted
            .iter()
            .find(|hole| !holes.contains(*hole) && !may_lack(hole));
        if let Some(hole) = missing {
            let message = format!("{what} lacks the hole {{{hole}}}");
            return Some(Diagnostic::error(HOLE, message).hint(known));
        }
    }
    None
}

/// Returns whether an id is a language as pages name it: `de`, `pt-br`.
fn is_language_tag(id: &str) -> bool {
    let mut parts = id.split('-');
    let is_first = |part: &str| {
        (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let is_later = |part: &str| {
        (1..=8).contains(&part.len())
            && part
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    parts.next().is_some_and(is_first) && parts.all(is_later)
}

fn bad_name_finding(file: &LanguageFile) -> Diagnostic {
    let message = format!("the file name \"{}\" is not a language", file.id);
    Diagnostic::error("language/name", message)
        .hint("name the file after its language, in small letters: `fr.yaml` or `pt-br.yaml`")
        .at(&file.source, file.source.line_span(1))
}
