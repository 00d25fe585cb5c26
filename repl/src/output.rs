//! The only way to the screen: results go to the standard output, messages to the standard error.
//!
//! Texts of authors and players are gated here, or were gated by the renderer that wrote them. A closed pipe is not an
//! error: later output is dropped, and the caller can ask.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use host::diag::Diagnostic;
use host::doc::{Document, Format, Screen, gate, gate_mod_output};
use host::script::Printed;

use crate::arguments::{Color, Common};
use crate::editor;
use crate::finding_format;
use crate::line_wrap;

/// Targets of results and messages, and their look.
pub(crate) struct Output {
    out: AutoStream<io::Stdout>,
    err: AutoStream<io::Stderr>,
    /// The format of documents.
    pub(crate) format: Format,
    /// The longest post, in characters, if a person named one.
    pub(crate) longest_post: Option<usize>,
    /// Whether posts also go to the clipboard.
    pub(crate) copies_posts: bool,
    screen: Screen,
    /// Columns of the screen for messages, if there is a screen.
    columns: Option<usize>,
    /// Whether results go to a screen of known width.
    is_on_screen: bool,
    quiet: bool,
    closed: bool,
    /// The format of the last written document.
    above: Option<Format>,
}

impl Output {
    /// Returns the output that the flags request.
    pub(crate) fn new(common: &Common) -> Output {
        let choice = match common.color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::AlwaysAnsi,
            Color::Never => ColorChoice::Never,
        };
        let out = AutoStream::new(io::stdout(), choice);
        let width = editor::screen_dimensions().map(|(columns, _)| columns);
        let screen = Screen {
            width: width.unwrap_or(Screen::default().width),
            color: out.current_choice() != ColorChoice::Never,
            label: true,
        };
        Output {
            out,
            err: AutoStream::new(io::stderr(), choice),
            format: common.format(),
            longest_post: None,
            copies_posts: false,
            screen,
            columns: width.filter(|_| io::stderr().is_terminal()),
            is_on_screen: width.is_some() && io::stdout().is_terminal(),
            quiet: common.quiet,
            closed: false,
            above: None,
        }
    }

    /// Uses another screen width from now on.
    pub(crate) fn set_screen_width(&mut self, columns: usize) {
        self.screen.width = columns;
        self.columns = self.columns.map(|_| columns);
    }

    /// Returns the screen settings for documents.
    pub(crate) fn screen(&self) -> &Screen {
        &self.screen
    }

    /// Returns whether the reader of the results is gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns whether results are written in colour.
    pub(crate) fn is_colored(&self) -> bool {
        self.screen.color
    }

    /// Returns a rendered document, without a final line end.
    pub(crate) fn render_document(&self, document: &Document, op: Option<u64>) -> String {
        self.format.render(document, op, &self.screen)
    }

    /// Writes rendered documents, separated from those before them.
    pub(crate) fn write_documents(&mut self, texts: &[String]) {
        if !texts.is_empty() {
            let text = self.join_documents(texts);
            self.write_safe_text(&text);
        }
    }

    /// Returns rendered documents as one text, to be written after those before them.
    pub(crate) fn join_documents(&mut self, texts: &[String]) -> String {
        let mut joined = String::new();
        for text in texts {
            if self.above == Some(self.format) {
                joined.push_str(self.format.separator_between());
            }
            joined.push_str(text);
            if !text.ends_with('\n') {
                joined.push('\n');
            }
            self.above = Some(self.format);
        }
        joined
    }

    /// Writes a text that is already safe: our own, or the output of a renderer.
    pub(crate) fn write_safe_text(&mut self, text: &str) {
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let written = write!(self.out, "{text}{end}").and_then(|()| self.out.flush());
        self.closed |= written.is_err();
    }

    /// Writes a result of any origin.
    pub(crate) fn write_result(&mut self, text: &str) {
        self.write_safe_text(&gate(text));
    }

    /// Writes a finding as a result; on a screen it is broken between words.
    pub(crate) fn write_finding(&mut self, found: &Diagnostic) {
        let text = finding_format::finding_text(found, self.screen.color);
        match self.is_on_screen {
            true => self.write_safe_text(&line_wrap::wrap_lines(&text, self.screen.width)),
            false => self.write_safe_text(&text),
        }
    }

    /// Writes JSON on one line as a result.
    pub(crate) fn write_json_line(&mut self, value: &serde_json::Value) {
        self.write_safe_text(&finding_format::json_line(value));
    }

    /// Writes a message of any origin beside the results, unless the output is quiet.
    pub(crate) fn write_stderr_unless_quiet(&mut self, text: &str) {
        if !self.quiet {
            let text = self.wrap_for_stderr(&gate(text));
            self.write_safe_to_stderr(&text);
        }
    }

    /// Writes a message beside the results, if there is one, unless the output is quiet.
    pub(crate) fn write_line_to_stderr_unless_quiet(&mut self, line: Option<String>) {
        if let Some(line) = line {
            self.write_stderr_unless_quiet(&line);
        }
    }

    /// Shows progress to a person who watches, in place of earlier progress.
    pub(crate) fn show_progress(&mut self, text: &str) {
        if self.shows_progress() {
            let _ = write!(self.err, "\r{text}\x1b[K").and_then(|()| self.err.flush());
        }
    }

    /// Returns whether progress is shown: the standard error is a terminal, and the output is not quiet.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Writes a message that is already safe and must be shown.
    pub(crate) fn write_safe_to_stderr(&mut self, text: &str) {
        let end = if text.ends_with('\n') { "" } else { "\n" };
        // A closed standard error cannot be reported.
        let _ = write!(self.err, "{text}{end}");
    }

    /// Writes a finding beside the results; a quiet output leaves warnings out.
    pub(crate) fn write_finding_to_stderr(&mut self, found: &Diagnostic) {
        if found.is_error() || !self.quiet {
            let color = self.err.current_choice() != ColorChoice::Never;
            let text = self.wrap_for_stderr(&finding_format::finding_text(found, color));
            self.write_safe_to_stderr(&text);
        }
    }

    fn wrap_for_stderr(&self, text: &str) -> String {
        match self.columns {
            Some(columns) => line_wrap::wrap_lines(text, columns),
            None => text.to_owned(),
        }
    }

    /// Writes a finding as JSON on one line beside the results.
    pub(crate) fn write_json_to_stderr(&mut self, value: &serde_json::Value) {
        self.write_safe_to_stderr(&finding_format::json_line(value));
    }

    /// Writes the printed lines of scripts, each marked with the ruleset.
    pub(crate) fn write_script_prints(&mut self, ruleset: &str, printed: &Printed) {
        for line in &printed.lines {
            let marked = gate_mod_output(ruleset, line);
            self.write_safe_to_stderr(&marked);
        }
        if printed.left_out > 0 {
            let left_out = match printed.left_out {
                1 => "1 more line was printed".to_owned(),
                many => format!("{many} more lines were printed"),
            };
            self.write_safe_to_stderr(&gate_mod_output(ruleset, &left_out));
        }
    }
}

/// Returns whether input and output are a terminal.
pub(crate) fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}
