//! Reads transcripts for suites that check each line.

/// A line of a transcript, or a setting above the first one.
pub(super) enum CasePart<'a> {
    /// A setting: key and value.
    Setting(&'a str, &'a str),
    /// A line: its sender, its text, and the expected first line of the answer.
    Line(&'a str, &'a str, &'a str),
}

/// Returns the cases of a transcript, each with its title.
pub(super) fn cases_of_transcript(text: &str) -> Vec<(&str, Vec<CasePart<'_>>)> {
    let parts = text.split("\n--- ").enumerate();
    let cases = parts.filter_map(|(at, part)| match at {
        0 => part.strip_prefix("--- "),
        _ => Some(part),
    });
    let read = |case| {
        let (sentence, rest): (&str, &str) =
            Option::unwrap_or(str::split_once(case, '\n'), (case, ""));
        (sentence.trim(), parts_of_case(rest))
    };
    cases.map(read).collect()
}

fn parts_of_case(rest: &str) -> Vec<CasePart<'_>> {
    let lines: Vec<&str> = rest.lines().filter(|line| !line.starts_with('#')).collect();
    let parts = lines.iter().enumerate().filter_map(|(at, line)| {
        if let Some(line) = line.strip_prefix("> ") {
            let next = lines.get(at + 1).and_then(|next| next.strip_prefix("| "));
            let (by, line) = seat_and_line(line);
            return Some(CasePart::Line(by, line, next.unwrap_or_default()));
        }
        let (key, value) = line.split_once(": ").filter(|_| !line.starts_with('|'))?;
        Some(CasePart::Setting(key, value.trim()))
    });
    parts.collect()
}

/// Returns the seat at the beginning of a line, if it names one in capitalized words, and the rest.
pub(super) fn seat_and_line(line: &str) -> (&str, &str) {
    let is_name = |name: &str| {
        let mut words = name.split(' ');
        name == "gm" || words.all(|word| word.starts_with(char::is_uppercase))
    };
    let parts = line.split_once(": ").filter(|(by, _)| is_name(by));
    parts.map_or(("gm", line), |(by, line)| (by, line.trim()))
}
