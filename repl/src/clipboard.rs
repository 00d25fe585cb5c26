//! Copies texts to the clipboard of the terminal with the control sequence OSC 52.
//!
//! The sequence also works over a remote connection. The terminal does not answer, so nobody knows whether it obeys.

use std::io::{self, IsTerminal, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Bytes of the longest text that is copied: more does not fit into the 100,000 bytes that terminals read.
const LONGEST: usize = 74_994;

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copied {
    /// The terminal was asked to copy it.
    Sent,
    /// The output is not a terminal that reads control sequences.
    NoTerminal,
    /// It is too long.
    TooLong,
}

impl Copied {
    /// Returns a sentence for the person who wants to paste the text.
    pub(crate) fn in_words(self) -> String {
        match self {
            Copied::Sent => "copied to the clipboard, if the terminal allows it".to_owned(),
            Copied::NoTerminal => {
                "not copied: the output is not a terminal with a clipboard".to_owned()
            }
            Copied::TooLong => {
                format!("not copied: a terminal copies at most {LONGEST} bytes")
            }
        }
    }
}

/// Asks the terminal to copy a text.
pub(crate) fn copy_to_clipboard(text: &str) -> Copied {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let mut out = io::stdout();
    if is_dumb || !out.is_terminal() {
        return Copied::NoTerminal;
    }
    match copy_sequence(text) {
        // A stream that removes colours would remove the sequence too, so it is written past it.
        Some(sequence) => {
            let written = out
                .write_all(sequence.as_bytes())
                .and_then(|()| out.flush());
            written.map_or(Copied::NoTerminal, |()| Copied::Sent)
        }
        None => Copied::TooLong,
    }
}

/// Returns the control sequence that copies a text; nothing if the text is too long.
fn copy_sequence(text: &str) -> Option<String> {
    (text.len() <= LONGEST).then(|| format!("\x1b]52;c;{}\x07", STANDARD.encode(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_encoded_and_a_long_one_is_refused() {
        assert_eq!(
            copy_sequence("Höhe\x1b]").as_deref(),
            Some("\x1b]52;c;SMO2aGUbXQ==\x07")
        );
        let longest = copy_sequence(&"x".repeat(LONGEST)).unwrap();
        assert_eq!(longest.len(), 100_000);
        assert_eq!(copy_sequence(&"x".repeat(LONGEST + 1)), None);
    }
}
