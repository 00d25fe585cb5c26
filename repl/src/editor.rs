//! The line editor: completion, hints, history, unfinished lines, and printing above the line.
//!
//! The only place that names the editor's crate. Without a terminal there is no editor, and lines are read plainly.

mod escape_sequence;
mod key_handler;
mod offer_list;
mod stray_bytes;

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use host::doc::gate_single_line;
use rustyline::completion::{Completer, Pair};
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::{Hint, Hinter};
use rustyline::history::{DefaultHistory, FileHistory};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    ColorMode, CompletionType, Config, Context, Event, EventHandler, ExternalPrinter, Helper,
    Prompt,
};

use crate::bug_report;
use crate::completion::{Suggestion, Suggestions};
use crate::line_continuation;
use key_handler::Typing;

/// Number of saved history lines.
pub(crate) const HISTORY: usize = 2_000;
/// Maximum length of a line with hints, in bytes: in longer lines each key is written alone, and the line is not
/// written again.
const HINTED: usize = 512;

/// Helper for a person who types.
pub(crate) trait Assist {
    /// Returns the completions at the cursor.
    fn complete(&self, line: &str, cursor: usize) -> Suggestions;

    /// Returns a hint for the rest of the line.
    fn hint(&self, line: &str) -> Option<String>;
}

/// Input of a person in the REPL.
#[derive(Debug)]
pub(crate) enum Typed {
    /// A text of one or more lines.
    Text(String),
    /// The line was thrown away.
    Interrupted,
    /// More lines than the editor can show; they are lost.
    TooLong,
    /// Bytes that are not text; the line is the same as before them.
    NoText,
    /// The end of the input.
    End,
    /// The input can no longer be read; contains the reason.
    Broken(String),
}

/// The line editor of a session.
pub(crate) struct Editor<A: Assist> {
    inner: rustyline::Editor<Assistant<A>, FileHistory>,
    history: Option<PathBuf>,
    typing: Typing,
}

/// The line that is being typed: the text before and the text after the cursor.
#[derive(Clone, Debug, Default)]
struct Line {
    before: String,
    behind: String,
}

/// The prompt; its mark shows whether the rules are stale, also while a person types.
pub(crate) struct Mark {
    usual: String,
    warning: String,
    is_stale: Arc<AtomicBool>,
}

impl Mark {
    /// Returns the prompt of a text: `text> `, or `text! ` while the flag is set.
    pub(crate) fn new(text: &str, is_stale: &Arc<AtomicBool>) -> Mark {
        Mark {
            usual: format!("{text}> "),
            warning: format!("{text}! "),
            is_stale: Arc::clone(is_stale),
        }
    }
}

/// Both texts have the same width, because the editor requires it.
impl Prompt for Mark {
    fn raw(&self) -> &str {
        if self.is_stale.load(Ordering::Relaxed) {
            &self.warning
        } else {
            &self.usual
        }
    }
}

impl<A: Assist> Editor<A> {
    /// Returns an editor with its history. Errors: the terminal cannot be used.
    pub(crate) fn new(
        assist: A,
        is_colored: bool,
        history: Option<PathBuf>,
    ) -> Result<Editor<A>, String> {
        let color = if is_colored {
            ColorMode::Forced
        } else {
            ColorMode::Disabled
        };
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .color_mode(color)
            .history_ignore_space(true)
            .build();
        let mut inner =
            rustyline::Editor::with_config(config).map_err(|error| error.to_string())?;
        let _ = inner.set_max_history_size(HISTORY);
        let typing = Typing::default();
        inner.bind_sequence(
            Event::Any,
            EventHandler::Conditional(Box::new(typing.clone())),
        );
        inner.set_helper(Some(Assistant {
            assist,
            is_colored,
            typing: typing.clone(),
            line: RefCell::default(),
        }));
        if let Some(path) = &history {
            // In the first session there is no history.
            let _ = inner.load_history(path);
        }
        Ok(Editor {
            inner,
            history,
            typing,
        })
    }

    /// Reads a command, or several that were pasted.
    pub(crate) fn read_commands(&mut self, mark: &Mark) -> Typed {
        let read = loop {
            let line = self.inner.helper().map(|helper| helper.line.take());
            let line = line.unwrap_or_default();
            self.typing.in_paste.store(false, Ordering::Relaxed);
            let begun = (line.before.as_str(), line.behind.as_str());
            match bug_report::catch_panic(|| self.inner.readline_with_initial(mark, begun)) {
                // The screen has another size: the line is drawn again.
                Some(Err(ReadlineError::Signal(_))) => {}
                Some(read) => break read,
                // The editor counts rows in 16 bits.
                None => {
                    self.forget_unfinished_line();
                    return Typed::TooLong;
                }
            }
        };
        match read {
            Ok(text) => {
                self.forget_unfinished_line();
                self.add_to_history(&text);
                Typed::Text(text)
            }
            Err(ReadlineError::Interrupted) => {
                self.forget_unfinished_line();
                Typed::Interrupted
            }
            Err(ReadlineError::Eof) => Typed::End,
            Err(error) if is_not_text_error(&error) => {
                stray_bytes::skip_stray_bytes(self.typing.in_paste.load(Ordering::Relaxed));
                Typed::NoText
            }
            Err(error) => Typed::Broken(error.to_string()),
        }
    }

    /// Makes the next line begin empty.
    pub(crate) fn forget_unfinished_line(&mut self) {
        if let Some(helper) = self.inner.helper() {
            helper.line.take();
        }
    }

    /// Adds a text to the history, unless it is too long to be useful again.
    fn add_to_history(&mut self, text: &str) {
        if text.len() > key_handler::LONGEST {
            return;
        }
        // A history that cannot be written is lost; this is not an error.
        let _ = self.inner.add_history_entry(text);
        if let Some(path) = &self.history {
            let _ = self.inner.append_history(path);
        }
    }

    /// Returns a way to print above the line that is being typed, for another thread.
    pub(crate) fn printer_above_line(&mut self) -> Option<impl FnMut(String) + Send + use<A>> {
        let mut printer = self.inner.create_external_printer().ok()?;
        // Printing fails only if the terminal is closed, and then the news has no reader.
        Some(move |text: String| drop(printer.print(text)))
    }

    /// Returns the present columns and rows of the screen.
    pub(crate) fn current_screen_size(&mut self) -> Option<(usize, usize)> {
        self.inner.dimensions().and_then(nonzero_size)
    }
}

/// Returns columns and rows of the screen, if the output is one.
pub(crate) fn screen_dimensions() -> Option<(usize, usize)> {
    let mut editor = plain_editor()?;
    let (columns, rows) = editor.dimensions()?;
    nonzero_size((columns, rows))
}

/// Returns a size that a screen can have: some terminals do not report theirs.
fn nonzero_size((columns, rows): (u16, u16)) -> Option<(usize, usize)> {
    (columns > 0 && rows > 0).then(|| (usize::from(columns), usize::from(rows)))
}

/// Asks a question that is not a command; returns `None` if the person declines.
pub(crate) fn ask_question(question: &str) -> Option<String> {
    let mut editor = plain_editor()?;
    loop {
        match editor.readline(question) {
            Ok(answer) => return Some(answer),
            Err(error) if is_not_text_error(&error) => stray_bytes::skip_stray_bytes(false),
            Err(ReadlineError::Signal(_)) => {}
            Err(_) => return None,
        }
    }
}

fn is_not_text_error(error: &ReadlineError) -> bool {
    matches!(error, ReadlineError::Io(why) if why.kind() == io::ErrorKind::InvalidData)
}

fn plain_editor() -> Option<rustyline::Editor<(), DefaultHistory>> {
    rustyline::Editor::new().ok()
}

struct Assistant<A> {
    assist: A,
    is_colored: bool,
    typing: Typing,
    /// The line as last drawn.
    line: RefCell<Line>,
}

/// A hint is only read, never inserted: it contains slots, not values.
struct Shown(String);

impl Hint for Shown {
    fn display(&self) -> &str {
        &self.0
    }

    fn completion(&self) -> Option<&str> {
        None
    }
}

impl<A: Assist> Helper for Assistant<A> {}

impl<A: Assist> Completer for Assistant<A> {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        if line.len() > key_handler::LONGEST {
            return Ok((cursor, Vec::new()));
        }
        let found = self.assist.complete(line, cursor);
        // A name with hidden characters is not offered: it would be written into the line.
        let is_plain = |one: &Suggestion| gate_single_line(&one.text) == one.text;
        let plain: Vec<Suggestion> = found.list.into_iter().filter(is_plain).collect();
        let lines =
            offer_list::offer_lines(&plain, screen_dimensions().map(|(columns, _)| columns));
        let pairs = plain.into_iter().zip(lines).map(|(one, display)| Pair {
            display,
            replacement: one.text,
        });
        Ok((found.start, pairs.collect()))
    }
}

impl<A: Assist> Hinter for Assistant<A> {
    type Hint = Shown;

    fn hint(&self, line: &str, cursor: usize, _: &Context<'_>) -> Option<Shown> {
        let (before, behind) = line.split_at_checked(cursor).unwrap_or((line, ""));
        self.line.replace(Line {
            before: before.to_owned(),
            behind: behind.to_owned(),
        });
        self.typing.in_paste.store(false, Ordering::Relaxed);
        let at_end = cursor == line.len() && line.len() <= HINTED && !line.contains('\n');
        let is_wanted = at_end && !line.trim().is_empty();
        let hint = is_wanted.then(|| self.assist.hint(line)).flatten()?;
        let hint = gate_single_line(&hint);
        // Without grey text, brackets separate the hint from the typed text.
        let plain = || format!("  ({})", hint.trim());
        Some(Shown(if self.is_colored {
            hint.into_owned()
        } else {
            plain()
        }))
    }
}

impl<A: Assist> Validator for Assistant<A> {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let waits = line_continuation::is_last_command_unfinished(context.input());
        Ok(if waits {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}

impl<A: Assist> Highlighter for Assistant<A> {
    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        if self.is_colored {
            Cow::Owned(format!("\x1b[2m{hint}\x1b[0m"))
        } else {
            Cow::Borrowed(hint)
        }
    }
}
