//! Writes a profile of the processor time of the rules: a flame graph, its stacks, and a table.

use std::path::{Path, PathBuf};
use std::time::Duration;

use host::diag::Diagnostic;
use host::doc::build::{heading, paragraph, right_column, table};
use host::doc::{Block, Document, Format, Screen};
use host::script::{Cost, Profile, Profiler};
use inferno::flamegraph::{Options, from_lines};

use crate::arguments::Common;
use crate::exit_code::Exit;
use crate::export;
use crate::output::Output;
use crate::reply_output;

/// Rows of each table; the other rows are in the stacks.
const ROWS: usize = 40;

/// Runs a function with a profiler and writes the profile; `file` names the flame graph.
pub(crate) fn run_with_profiler(
    file: &Path,
    common: &Common,
    output: &mut Output,
    work: impl FnOnce(&Common, &mut Output) -> Exit,
) -> Exit {
    let files = Files::beside_graph(file);
    let checked = files.check_writable();
    let profiler =
        checked.and_then(|()| Profiler::start().map_err(|error| no_timer_refusal(&error)));
    let profiler = match profiler {
        Ok(profiler) => profiler,
        Err(refusal) => {
            reply_output::write_refusal(output, &refusal);
            return Exit::Usage;
        }
    };
    let common = Common {
        profiler: Some(profiler.clone()),
        ..common.clone()
    };
    let exit = work(&common, output);
    let written = files.write(&profiler.take_profile(), output);
    match written {
        Ok(()) => exit,
        Err(refusal) => {
            reply_output::write_refusal(output, &refusal);
            Exit::of_refusal(&refusal)
        }
    }
}

fn no_timer_refusal(error: &std::io::Error) -> Box<Diagnostic> {
    let message = format!("the profile has no timer: {error}");
    Box::new(Diagnostic::error("host/no-thread", message))
}

/// The files of a profile: one name with three endings.
struct Files {
    graph: PathBuf,
    stacks: PathBuf,
    table: PathBuf,
}

impl Files {
    fn beside_graph(file: &Path) -> Files {
        let name = match file.extension() {
            Some(ending) if ["svg", "folded", "txt"].iter().any(|own| ending == *own) => {
                file.with_extension("")
            }
            Some(_) | None => file.to_owned(),
        };
        let ending = |ending: &str| {
            let mut path = name.clone().into_os_string();
            path.push(ending);
            PathBuf::from(path)
        };
        Files {
            graph: ending(".svg"),
            stacks: ending(".folded"),
            table: ending(".txt"),
        }
    }

    /// Errors: one of them was not written by this program, or cannot be written there.
    fn check_writable(&self) -> Result<(), Box<Diagnostic>> {
        [&self.graph, &self.stacks, &self.table]
            .into_iter()
            .try_for_each(|file| export::check_file_is_ours(file, false))
    }

    fn write(&self, profile: &Profile, output: &mut Output) -> Result<(), Box<Diagnostic>> {
        let stacks = profile.folded_stacks();
        let table = Format::Terminal.render(&profile_document(profile), None, &Screen::default());
        for (file, text) in [
            (&self.graph, flame_graph(&stacks)?),
            (&self.stacks, stacks.join("\n") + "\n"),
            (&self.table, table),
        ] {
            output.write_stderr_unless_quiet(&export::write_export_file(file, &text, false)?);
        }
        Ok(())
    }
}

fn flame_graph(stacks: &[String]) -> Result<String, Box<Diagnostic>> {
    let mut options = Options::default();
    options.title = "Processor time of rules".to_owned();
    options.count_name = "microseconds".to_owned();
    let mut drawn = Vec::new();
    if stacks.is_empty() {
        return Ok(String::new());
    }
    let lines = stacks.iter().map(String::as_str);
    let drawing = from_lines(&mut options, lines, &mut drawn);
    drawing.map_err(|error| {
        let message = format!("the flame graph cannot be drawn: {error}");
        Box::new(Diagnostic::error("host/bug", message))
    })?;
    Ok(String::from_utf8_lossy(&drawn).into_owned())
}

/// Returns the table: the host's own work, rules, functions, lines.
fn profile_document(profile: &Profile) -> Document {
    let all = profile.total_cost();
    let mut blocks = vec![
        paragraph(format!(
            "{} of processor time and {} of fuel, in {} samples.",
            milliseconds(all.time),
            all.fuel,
            all.samples
        )),
        heading(2, "What the host did"),
    ];
    let work = profile.cost_by_work().into_iter();
    let work = work.map(|(work, cost)| (work.frame_word(), cost));
    blocks.push(cost_table("kind", work, all));
    blocks.push(heading(2, "Rules, including what they called"));
    blocks.push(cost_table("rule", profile.cost_by_rule().into_iter(), all));
    blocks.push(heading(2, "Functions"));
    let mut functions = table([
        right_column("own"),
        right_column("of all"),
        right_column("with calls"),
        right_column("of all"),
    ]);
    functions.columns.push("function".into());
    for (name, own, with_calls) in profile.cost_by_function().into_iter().take(ROWS) {
        functions = functions.row([
            milliseconds(own.time),
            percent_of(own, all),
            milliseconds(with_calls.time),
            percent_of(with_calls, all),
            name.to_owned(),
        ]);
    }
    blocks.push(functions.into());
    blocks.push(heading(2, "Lines, including the work of the host for them"));
    blocks.push(cost_table("line", profile.cost_by_line().into_iter(), all));
    Document::new(blocks)
}

fn cost_table<'a>(title: &str, rows: impl Iterator<Item = (&'a str, Cost)>, all: Cost) -> Block {
    let mut listed = table([
        right_column("time"),
        right_column("of all"),
        right_column("fuel"),
        right_column("met"),
    ]);
    listed.columns.push(title.into());
    for (name, cost) in rows.take(ROWS) {
        listed = listed.row([
            milliseconds(cost.time),
            percent_of(cost, all),
            cost.fuel.to_string(),
            cost.samples.to_string(),
            name.to_owned(),
        ]);
    }
    listed.into()
}

fn milliseconds(time: Duration) -> String {
    let tenths = time.as_micros().div_ceil(100);
    format!("{}.{} ms", tenths / 10, tenths % 10)
}

/// Returns the part of the whole in percent, to a tenth.
fn percent_of(part: Cost, all: Cost) -> String {
    let whole = all.time.as_micros().max(1);
    let tenths = part.time.as_micros() * 1_000 / whole;
    format!("{}.{} %", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_is_that_of_three_files() {
        for name in [
            "out/night",
            "out/night.svg",
            "out/night.folded",
            "out/night.txt",
        ] {
            let files = Files::beside_graph(Path::new(name));
            assert_eq!(files.graph, Path::new("out/night.svg"));
            assert_eq!(files.stacks, Path::new("out/night.folded"));
            assert_eq!(files.table, Path::new("out/night.txt"));
        }
        assert_eq!(
            Files::beside_graph(Path::new("a.b")).graph,
            Path::new("a.b.svg")
        );
    }

    #[test]
    fn times_and_shares_are_rounded() {
        let cost = |micros| Cost {
            time: Duration::from_micros(micros),
            ..Cost::default()
        };
        assert_eq!(milliseconds(Duration::from_micros(1_234)), "1.3 ms");
        assert_eq!(percent_of(cost(333), cost(1_000)), "33.3 %");
        assert_eq!(percent_of(cost(0), cost(0)), "0.0 %");
    }
}
