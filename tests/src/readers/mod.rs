//! Gives each reader of the project unintended inputs, and checks its promises. The promises are: no panic, no endless
//! work, a place in the text for each finding, and nothing changed by refused inputs.
//!
//! An input follows from the name of its reader and a number: a failed input is made again from both.

mod archive_readers;
mod fuzz_input;
mod line_reader;
mod role_reader;
mod text_readers;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use host::diag::{Diagnostic, render};

use fuzz_input::Inputs;

/// Reads inputs; an error names the broken promise.
type Read = dyn FnMut(&[Vec<u8>]) -> Result<(), String>;

/// A reader of texts that people or machines wrote.
pub struct Reader {
    /// Kind of texts that it reads.
    pub name: &'static str,
    /// Texts that it reads completely, from which inputs are made.
    seeds: fn() -> Vec<Vec<u8>>,
    /// Marks and words with a meaning in these texts.
    marks: &'static [&'static str],
    /// Number of inputs that a check gives it.
    pub check: u64,
    /// Number of inputs that it is given at once.
    together: usize,
    begin: fn() -> Box<Read>,
}

/// Number of inputs that a check gives a reader.
const CHECK: u64 = 20_000;

/// All readers, in the order of a game from its command line to its folder.
pub const READERS: [Reader; 11] = [
    line_reader::LINES,
    text_readers::DICE,
    text_readers::POSTFIX,
    text_readers::PHRASES,
    text_readers::TEMPLATES,
    text_readers::OUTLINES,
    text_readers::YAML,
    text_readers::JSON,
    role_reader::ROLE_TEXTS,
    archive_readers::JOURNALS,
    archive_readers::ARCHIVES,
];

impl Reader {
    /// Gives it the inputs of some numbers, on a thread that scripts may run on.
    ///
    /// Errors: the first broken promise, with the numbers of the inputs and the first of them.
    pub fn read_inputs(&self, numbers: Range<u64>) -> Result<u64, String> {
        let inputs = Inputs::new(self.name, (self.seeds)(), self.marks);
        let mut read = (self.begin)();
        let all: Vec<u64> = numbers.collect();
        for numbers in all.chunks(self.together) {
            let made: Vec<Vec<u8>> = numbers
                .iter()
                .map(|number| inputs.input_of_number(*number))
                .collect();
            let broken = match catch_unwind(AssertUnwindSafe(|| read(&made))) {
                Ok(Ok(())) => continue,
                Ok(Err(broken)) => broken,
                Err(panic) => panic_text(&*panic),
            };
            let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
            return Err(format!(
                "{} {first} to {last}: {broken}\n{}",
                self.name,
                input_literal(&made[0])
            ));
        }
        Ok(all.len() as u64)
    }
}

/// Reads inputs one after the other.
fn read_one_by_one(mut read: impl FnMut(&[u8]) -> Result<(), String> + 'static) -> Box<Read> {
    Box::new(move |inputs| inputs.iter().try_for_each(|input| read(input)))
}

/// Maximum number of bytes of a finding on the screen: a message, some hints, its line of the text.
const SCREEN: usize = 16 << 10;

/// Checks that a finding fits on the screen.
fn check_fits_screen(found: &Diagnostic) -> Result<(), String> {
    let shown = render(found, false).len();
    match shown <= SCREEN {
        true => Ok(()),
        false => Err(format!("{} takes {shown} bytes on the screen", found.code)),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("a panic: {}", text.unwrap_or("without a text"))
}

/// Returns the beginning of an input as a literal.
fn input_literal(input: &[u8]) -> String {
    let begin = &input[..input.len().min(2_000)];
    format!("{} bytes: b\"{}\"", input.len(), begin.escape_ascii())
}
