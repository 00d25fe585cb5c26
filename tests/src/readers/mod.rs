//! Gives each reader of the project what nobody wrote on purpose, and looks whether it keeps its promises:
//! no panic, no endless work, a place in the text for each finding, and nothing changed by what is refused.
//!
//! An input follows from the name of its reader and a number: what failed is made again from both.

mod archive_readers;
mod fuzz_input;
mod line_reader;
mod role_reader;
mod text_readers;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use host::diag::{Diagnostic, render};

use fuzz_input::Inputs;

/// Reads inputs; an error says which promise was broken.
type Read = dyn FnMut(&[Vec<u8>]) -> Result<(), String>;

/// Something that reads what people or machines wrote.
pub struct Reader {
    /// What it reads.
    pub name: &'static str,
    /// Texts that it reads whole, of which inputs are made.
    seeds: fn() -> Vec<Vec<u8>>,
    /// Marks and words that mean something in them.
    marks: &'static [&'static str],
    /// How many inputs a check gives it.
    pub check: u64,
    /// How many inputs it is given at once.
    together: usize,
    begin: fn() -> Box<Read>,
}

/// Inputs that a check gives a reader.
const CHECK: u64 = 20_000;

/// Everything that reads, in the order of a game from its command line to its folder.
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
    /// Errors: the first promise that was broken, with the numbers of the inputs and the first of them.
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

/// Bytes that a finding takes on the screen, at most: a message, some hints, the line that it points into.
const SCREEN: usize = 16 << 10;

/// Checks that a finding has room on the screen.
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
