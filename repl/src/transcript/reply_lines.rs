//! Writes a reply as the lines of a transcript.

use host::diag::Diagnostic;
use host::doc::{Audience, Document, gate, gate_single_line, plain};
use host::game::Reply;

/// Beginning of the codes of rules without an area.
const OWN_CODE: &str = "E_";

/// Returns everything that a command printed, line by line: provisional documents after a `~`, documents with their
/// audience, then a refusal. A refusal comes from the rules of a ruleset, or is an error of any kind.
pub(crate) fn reply_lines(reply: &Reply, ruleset: &str) -> Vec<String> {
    let provisional = reply.provisional_by_operation();
    let provisional = provisional.flat_map(|(_, one)| document_lines(&one));
    let mut lines: Vec<String> = provisional.map(|line| format!("~ {line}")).collect();
    lines.extend(
        reply
            .documents_by_operation()
            .flat_map(|(_, one)| document_lines(&one)),
    );
    let refusals = reply.refusal.iter();
    lines.extend(refusals.flat_map(|one| refusal_lines(one, ruleset)));
    lines
}

fn document_lines(document: &Document) -> Vec<String> {
    let mark = match &document.audience {
        Audience::Public => String::new(),
        limited => format!("{}: ", gate_single_line(&limited.to_string())),
    };
    let text = plain(document);
    let lines = text.split('\n').filter(|_| !text.is_empty());
    lines
        .map(|line| format!("{mark}{line}").trim_end().to_owned())
        .collect()
}

fn refusal_lines(refusal: &Diagnostic, ruleset: &str) -> Vec<String> {
    let area = refusal.code.split_once('/').map(|(area, _)| area);
    let is_of_rules = area == Some(ruleset) || refusal.code.starts_with(OWN_CODE);
    let word = if is_of_rules { "refused" } else { "error" };
    let mut text = format!(
        "{word}[{}]: {}",
        gate_single_line(&refusal.code),
        gate(&refusal.message)
    );
    for hint in &refusal.hints {
        text += &format!("\n  hint: {}", gate(hint));
    }
    text.lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use host::doc::build::paragraph;

    use super::*;

    #[test]
    fn texts_for_some_are_marked_and_refusals_have_their_word() {
        let documents = vec![
            Document::new([paragraph("for all"), paragraph("")]),
            Document::new([paragraph("one"), paragraph("two")])
                .limit_to_audience(Audience::Seat("Ann".to_owned())),
        ];
        let reply = Reply {
            documents,
            ..Reply::default()
        };
        assert_eq!(
            reply_lines(&reply, "mini"),
            ["for all", "", "Ann: one", "Ann: two"]
        );
        let rule = Reply::refused(Diagnostic::error("mini/no", "not now").hint("wait"));
        assert_eq!(
            reply_lines(&rule, "mini"),
            ["refused[mini/no]: not now", "  hint: wait"]
        );
        let script = Reply::refused(Diagnostic::error("script/error", "bad\x1b"));
        assert_eq!(
            reply_lines(&script, "mini"),
            ["error[script/error]: bad\\x1b"]
        );
        let host = Reply::refused(Diagnostic::error("poll/none", "no poll"));
        assert_eq!(reply_lines(&host, "mini"), ["error[poll/none]: no poll"]);
        let code = Reply::refused(Diagnostic::error("E_SIZE", "no"));
        assert_eq!(reply_lines(&code, "mini"), ["refused[E_SIZE]: no"]);
    }
}
