//! The program that measures the times that the host promises, and prints them as tables.
//!
//! `cargo run --profile dist -p arbiter-benches [SECTION…] [ROUNDS]`; without sections it measures all. For ratios, both
//! sides take turns in each round, so a busy machine changes them little. No number makes the program fail.

mod aura;
mod border;
mod compared_machines;
mod content;
mod dice;
mod encounters;
mod events;
mod fast_method_race;
mod forum;
mod fuel;
mod import;
mod journal;
mod lane_race;
mod many_rules_home;
mod night;
mod past;
mod publishing;
mod question;
mod recipients;
mod reload;
mod results_table;
mod shipped_home;
mod shipped_night;
mod simulate;
mod spells;
mod start;
mod store;
mod texts;
mod timeline;
mod village;
mod why;

use std::io::{self, Write as _};

use results_table::Section;

/// Measures a section in a number of rounds, or in its default number.
type Measure = fn(Option<u32>) -> Section;

/// The allocator of the measured program.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The sections, by their words on the command line.
const SECTIONS: [(&str, Measure); 26] = [
    ("border", border::measure),
    ("content", content::measure),
    ("aura", aura::measure),
    ("dice", dice::measure),
    ("store", store::measure),
    ("events", events::measure),
    ("recipients", recipients::measure),
    ("night", night::measure),
    ("shipped_night", shipped_night::measure),
    ("question", question::measure),
    ("fuel", fuel::measure),
    ("reload", reload::measure),
    ("start", start::measure),
    ("why", why::measure),
    ("journal", journal::measure),
    ("timeline", timeline::measure),
    ("past", past::measure),
    ("import", import::measure),
    ("forum", forum::measure),
    ("publishing", publishing::measure),
    ("spells", spells::measure),
    ("texts", texts::measure),
    ("simulate", simulate::measure),
    ("village", village::measure),
    ("encounters", encounters::measure),
    ("raced", fast_method_race::measure),
];

fn main() -> io::Result<()> {
    let (rounds, wanted): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|word| word.parse::<u32>().is_ok());
    let rounds = rounds.first().and_then(|number| number.parse().ok());
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| word == name);
    for (name, measure) in SECTIONS {
        if is_wanted(name) {
            writeln!(io::stdout(), "{}", measure(rounds))?;
        }
    }
    Ok(())
}
