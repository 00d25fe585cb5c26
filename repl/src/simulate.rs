//! The verb `simulate`: plays whole games without people, and reports their common results.

mod game_jobs;
mod share_merge;

use host::game;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use host::diag::{Diagnostic, shell_word};
use host::doc::{Format, Screen, Viewer};
use host::game::{Files, Shard, SimulationResult, SimulationSetup, Simulator, SimulatorError};

use crate::arguments::Common;
use crate::commands::COMMANDS;
use crate::exit_code::Exit;
use crate::export;
use crate::finding_format;
use crate::findings_summary;
use crate::home_lookup::{self, Chosen};
use crate::output::Output;
use crate::picture_file;
use crate::reply_output;
use game_jobs::Jobs;

/// Digits of a random seed.
const DIGITS: usize = 16;

/// Options of a simulation.
pub(crate) struct Wanted<'a> {
    /// The setup of every game; `None` if shares are merged with any setup.
    pub(crate) setup: Option<&'a str>,
    /// Number of games.
    pub(crate) games: u64,
    /// The share to play; `None` for all games.
    pub(crate) shard: Option<Shard>,
    /// The file; `None` for the standard output.
    pub(crate) out: Option<&'a Path>,
    /// Whether a file may be overwritten that this program did not write.
    pub(crate) anyway: bool,
    /// The files of shares to merge; without any, games are played.
    pub(crate) merge: &'a [PathBuf],
    /// Number of games played at once.
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Whether each game is replayed.
    pub(crate) verify: bool,
    /// The only game to play, which is shown.
    pub(crate) show: Option<u64>,
    /// The file of the picture.
    pub(crate) plot: Option<&'a Path>,
}

/// Reason why there is no result, and the exit code.
struct Stopped {
    findings: Vec<Diagnostic>,
    exit: Exit,
}

/// Plays games or merges the results of shares, and reports the results; or shows one game.
pub(crate) fn simulate_and_report(
    common: &Common,
    wanted: &Wanted<'_>,
    output: &mut Output,
) -> Exit {
    let told = run_simulation(common, wanted, output);
    told.unwrap_or_else(|stopped| {
        for refusal in &stopped.findings {
            reply_output::write_refusal(output, refusal);
        }
        stopped.exit
    })
}

fn run_simulation(
    common: &Common,
    wanted: &Wanted<'_>,
    output: &mut Output,
) -> Result<Exit, Stopped> {
    let sheet = Sheet::of_request(common, wanted, output)?;
    if let Some(file) = wanted.plot {
        picture_file::check_picture_file(file, wanted.anyway).map_err(Stopped::usage_error)?;
    }
    if let Some(number) = wanted.show {
        return write_single_game(number, load_rules(common, wanted, output)?, &sheet, output);
    }
    let gathered = match wanted.merge {
        [] => play_games(load_rules(common, wanted, output)?, wanted, output)?,
        files => share_merge::merge_shares(files, wanted.setup).map_err(Stopped::usage_error)?,
    };
    let text = match gathered.shard {
        Some(_) => finding_format::json_line(&gathered.to_json()),
        None => sheet.format.render(&gathered.report(), None, &sheet.screen),
    };
    sheet.write_to_file_or_stdout(&text, output)?;
    if let Some(file) = wanted.plot {
        let told = picture_file::draw_simulation(&gathered, file, wanted.anyway)
            .map_err(Stopped::refused)?;
        output.write_stderr_unless_quiet(&told);
    }
    if gathered.shard.is_none() {
        print_how_to_view_endless_game(&gathered, output);
    }
    Ok(exit_status(&gathered))
}

/// Reports how to look at the first game without an end.
fn print_how_to_view_endless_game(gathered: &SimulationResult, output: &mut Output) {
    let failed = gathered.tally.errors.values().map(|one| one.first);
    let first = failed.chain(gathered.tally.differing.keys().copied()).min();
    if let Some(first) = first {
        let seed = shell_word(&gathered.seed);
        output.write_stderr_unless_quiet(&format!(
            "--seed {seed} --show {first} prints all of game {first}"
        ));
    }
}

/// Place and look of the results.
struct Sheet<'a> {
    /// The file; `None` for the standard output.
    file: Option<&'a Path>,
    /// Whether a file may be overwritten that this program did not write.
    anyway: bool,
    format: Format,
    screen: Screen,
}

impl<'a> Sheet<'a> {
    /// Errors: neither a flag nor the ending of the file names a format.
    fn of_request(
        common: &Common,
        wanted: &Wanted<'a>,
        output: &Output,
    ) -> Result<Sheet<'a>, Stopped> {
        let Some(file) = wanted.out else {
            return Ok(Sheet {
                file: None,
                anyway: false,
                format: output.format,
                screen: *output.screen(),
            });
        };
        // Refused before games are played, not after them.
        export::check_file_is_ours(file, wanted.anyway).map_err(Stopped::usage_error)?;
        let is_said = common.format.is_some() || wanted.shard.is_some();
        let format = match is_said {
            true => output.format,
            false => export::format_of_file_name(file).map_err(Stopped::usage_error)?,
        };
        Ok(Sheet {
            file: Some(file),
            anyway: wanted.anyway,
            format,
            screen: Screen::default(),
        })
    }

    fn write_to_file_or_stdout(&self, text: &str, output: &mut Output) -> Result<(), Stopped> {
        let Some(file) = self.file else {
            output.write_safe_text(text);
            return Ok(());
        };
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let told = export::write_export_file(file, &format!("{text}{end}"), self.anyway)
            .map_err(Stopped::refused)?;
        output.write_stderr_unless_quiet(&told);
        Ok(())
    }
}

/// The player of the games, ready to begin.
struct Opened {
    simulated: SimulationSetup,
    files: Files,
    own: Simulator,
}

/// Loads the rules. Errors: something that games need is missing, or cannot be used.
fn load_rules(
    common: &Common,
    wanted: &Wanted<'_>,
    output: &mut Output,
) -> Result<Opened, Stopped> {
    let home = home_lookup::named_or_nearest_home(common, &home_lookup::current_folder())
        .map_err(Stopped::usage_error)?;
    let ruleset = home_lookup::ruleset_choice(&home, common.ruleset.as_deref());
    let simulated = SimulationSetup {
        ruleset: ruleset
            .and_then(Chosen::only_ruleset)
            .map_err(Stopped::usage_error)?,
        setup: wanted.setup.unwrap_or_default().to_owned(),
        seed: dice_seed(common, wanted).map_err(Stopped::usage_error)?,
        home,
        profiler: common.profiler.clone(),
    };
    let files = simulated.home.read_ruleset(&simulated.ruleset);
    let files = files.map_err(Stopped::usage_error)?;
    let own = Simulator::open(&simulated, files.clone(), &COMMANDS)
        .map_err(Stopped::simulator_refusal)?;
    findings_summary::report_findings(own.findings(), output);
    Ok(Opened {
        simulated,
        files,
        own,
    })
}

/// Plays the games. Errors: threads cannot be started.
fn play_games(
    opened: Opened,
    wanted: &Wanted<'_>,
    output: &Output,
) -> Result<SimulationResult, Stopped> {
    let Opened {
        simulated,
        files,
        own,
    } = opened;
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let jobs = Jobs {
        simulated: &simulated,
        files: &files,
        shard: wanted.shard.unwrap_or(Shard::WHOLE),
        games: wanted.games,
        verify: wanted.verify,
        shows: output.shows_progress(),
    };
    let tally = jobs.play_games(own, wanted.jobs.unwrap_or_else(cores))?;
    Ok(SimulationResult {
        rules: files.hash,
        ruleset: simulated.ruleset,
        setup: simulated.setup,
        seed: simulated.seed,
        games: wanted.games,
        is_verified: wanted.verify,
        shard: wanted.shard,
        tally,
    })
}

/// Writes all of one game; the reason for an early end is reported too.
fn write_single_game(
    number: u64,
    mut opened: Opened,
    sheet: &Sheet<'_>,
    output: &mut Output,
) -> Result<Exit, Stopped> {
    let (played, session) = opened.own.play_recorded(number);
    let chronicle =
        game::chronicle_for_viewer(session.timeline(), &Viewer::Gm, game::Corrections::Told)
            .map_err(Stopped::refused)?;
    sheet.write_to_file_or_stdout(
        &export::chronicle_text(&chronicle, sheet.format, &sheet.screen),
        output,
    )?;
    match played.ended {
        Ok(_) => Ok(Exit::Ok),
        Err(refusal) => {
            reply_output::write_refusal(output, &refusal);
            Ok(Exit::of_refusal(&refusal))
        }
    }
}

/// Returns the text that seeds all dice: the named one, else a random one.
///
/// Errors: shares of one simulation need the same text; the machine has no random source.
fn dice_seed(common: &Common, wanted: &Wanted<'_>) -> Result<String, Box<Diagnostic>> {
    match (&common.seed, wanted.shard, wanted.show) {
        (Some(text), _, _) => Ok(text.clone()),
        (None, Some(_), _) => {
            let message = "the shards of a simulation need the same seed, and no seed was given";
            let finding = Diagnostic::error("simulate/no-seed", message);
            Err(Box::new(
                finding.hint("give all shards the same --seed TEXT"),
            ))
        }
        (None, None, Some(number)) => {
            let message = format!("game {number} depends on a seed, and no seed was given");
            let finding = Diagnostic::error("simulate/no-seed", message);
            Err(Box::new(finding.hint("use the --seed TEXT of the report")))
        }
        (None, None, None) => {
            home_lookup::game_seed(common).map(|seed| seed.hex()[..DIGITS].to_owned())
        }
    }
}

/// Returns the exit code: games without an end are errors, games with another result in a replay are worse.
fn exit_status(gathered: &SimulationResult) -> Exit {
    let tally = &gathered.tally;
    match (tally.differing.is_empty(), tally.errors.is_empty()) {
        (true, true) => Exit::Ok,
        (true, false) => Exit::Refused,
        (false, _) => Exit::Differs,
    }
}

impl Stopped {
    fn usage_error(refusal: impl Into<Box<Diagnostic>>) -> Stopped {
        Stopped {
            findings: vec![*refusal.into()],
            exit: Exit::Usage,
        }
    }

    fn refused(refusal: Box<Diagnostic>) -> Stopped {
        Stopped {
            exit: Exit::of_refusal(&refusal),
            findings: vec![*refusal],
        }
    }

    /// Returns why games cannot be played: rules that do not load, a wrong word, a function of the rules that is at
    /// fault.
    fn simulator_refusal(why: SimulatorError) -> Stopped {
        match why {
            SimulatorError::Rules(findings) => Stopped {
                findings,
                exit: Exit::NotLoaded,
            },
            SimulatorError::Begin(refusal) if refusal.code.starts_with("simulate/") => {
                Stopped::usage_error(refusal)
            }
            SimulatorError::Begin(refusal) => Stopped::refused(refusal),
        }
    }
}
