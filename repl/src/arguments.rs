//! The command line: verbs and flags, stable because people script against them.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::builder::{BoolishValueParser, PossibleValuesParser};
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use host::doc::Format;
use host::game::Shard;
use host::script::Profiler;

use crate::typed_path;

/// The arguments of the command line.
#[derive(Debug, Parser)]
#[command(
    name = "arbiter",
    version,
    disable_help_subcommand = true,
    about = "A game host whose rules are scripts that you can change while you play.",
    after_help = "Exit codes: 0 ok, 1 refused or errors found, 2 wrong usage, 3 rules do not load, 4 script error, 5 \
                  limit reached, 6 a verified game differs, 70 bug in the program."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
}

/// Flags that every verb takes.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Common {
    /// The ruleset to use.
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) ruleset: Option<String>,
    /// The folder with scripts/ and content/ [default: the nearest one above this folder, or the one beside the program].
    #[arg(long, global = true, value_name = "DIR", env = "ARBITER_HOME", value_hint = ValueHint::DirPath, value_parser = typed_path::path_parser())]
    pub(crate) home: Option<PathBuf>,
    /// Another folder with scripts/ or content/ (a mod). Several folders are possible.
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath, value_parser = typed_path::path_parser())]
    pub(crate) mods: Vec<PathBuf>,
    /// A folder with content that the ruleset uses in place of its own content.
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath, value_parser = typed_path::path_parser())]
    pub(crate) content: Option<PathBuf>,
    /// Make all dice from this text. The game is marked as a test game.
    #[arg(long, global = true, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
    /// The folder of the game. An existing game is opened, otherwise a new game is created.
    #[arg(long, global = true, value_name = "FOLDER", value_hint = ValueHint::DirPath, value_parser = typed_path::path_parser())]
    pub(crate) game: Option<PathBuf>,
    /// The folder in which `play RULESET` creates new games [default: games].
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "ARBITER_GAMES",
        value_hint = ValueHint::DirPath,
        conflicts_with = "game",
        value_parser = typed_path::path_parser()
    )]
    pub(crate) games: Option<PathBuf>,
    /// Keep the game only in memory. The game is lost when the session ends.
    #[arg(long, global = true, conflicts_with = "game")]
    pub(crate) in_memory: bool,
    /// Open the game read-only. Another program can play the game at the same time.
    #[arg(long, global = true)]
    pub(crate) read_only: bool,
    /// The rules to open a game with: the current ones, or those that it was saved with.
    #[arg(long, global = true, value_name = "WHICH", value_enum, default_value_t)]
    pub(crate) rules: RulesOf,
    /// Do not use the user's cache folder, which makes the next start faster.
    #[arg(long, global = true, env = "ARBITER_NO_CACHE", value_parser = BoolishValueParser::new())]
    pub(crate) no_cache: bool,
    /// When commands are written to the disk: each before its answer, or several together (for scripts).
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) sync: Sync,
    /// The output format.
    #[arg(long, global = true, value_name = "FORMAT", value_parser = format_names_parser())]
    pub(crate) format: Option<String>,
    /// The profiler of processor time, as [`Profiled`] requests.
    #[arg(skip)]
    pub(crate) profiler: Option<Profiler>,
    /// When to use colours.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) color: Color,
    /// Print only results and errors.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

impl Common {
    /// Returns the format of documents.
    pub(crate) fn format(&self) -> Format {
        let named = self.format.as_deref().and_then(Format::parse);
        named.unwrap_or(Format::Terminal)
    }
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The rules that a game is opened with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesOf {
    /// The rules in the home folder.
    #[default]
    Now,
    /// The rules of the last command of the game.
    Recorded,
}

/// When commands are written to the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sync {
    /// Each command before its answer.
    #[default]
    Each,
    /// Several commands together. A power failure can lose the last ones.
    Group,
}

/// Where a profile of the rules is written.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Profiled {
    /// Measure the processor time of the rules: a flame graph in FILE.svg, the stacks in FILE.folded, and a table by rule,
    /// function and line in FILE.txt.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = typed_path::path_parser())]
    pub(crate) profile: Option<PathBuf>,
}

/// Flags for all verbs that do nothing for an export: they are accepted, and its help does not list them.
#[derive(Args, Clone, Debug)]
pub(crate) struct UnusedByExport {
    /// An export rolls no dice.
    #[arg(id = "seed", long = "seed", value_name = "TEXT", hide = true)]
    _seed: Option<String>,
    /// An export never changes the game.
    #[arg(id = "in_memory", long = "in-memory", hide = true)]
    _in_memory: bool,
    /// An export never writes commands.
    #[arg(
        id = "sync",
        long = "sync",
        value_name = "WHEN",
        value_enum,
        hide = true
    )]
    _sync: Option<Sync>,
}

/// How an export arranges a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportStyle {
    /// To be read: cast, result, chapters; runs of votes and moves are folded.
    Story,
    /// All lines with their numbers, one after the other.
    Log,
    /// One HTML page that is stepped through phase by phase, with what was known then.
    Replay,
}

/// What the program does. Without a verb it plays.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Start or open a game, and type commands.
    Play {
        /// A ruleset (for a new game), the folder or name of a saved game, or a packed game (FILE.tar). Not needed if there is
        /// only one ruleset.
        #[arg(value_name = "FOLDER|FILE.tar|RULESET", value_hint = ValueHint::AnyPath)]
        named: Option<String>,
        /// Copy each post to the clipboard too, if the terminal can.
        #[arg(long)]
        copy: bool,
        /// The longest post of your forum, in characters [default: 2000 for Discord, 32000 for Markdown, 60000 for BBCode and
        /// HTML].
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(200..))]
        longest_post: Option<u32>,
    },
    /// Show two short games that play by themselves: dice, a question, why, undo. Nothing is saved.
    ///
    /// The program also does this if it is started without a command, a terminal and input.
    Demo,
    /// Run commands from a file, one per line. `#` starts a comment, `\` at the end continues a line.
    Run {
        /// The file. `-` reads the standard input.
        #[arg(value_hint = ValueHint::FilePath, value_parser = typed_path::path_parser())]
        script: PathBuf,
        /// Continue after a refused command. The first refusal still sets the exit code.
        #[arg(long)]
        keep_going: bool,
        #[command(flatten)]
        profiled: Profiled,
    },
    /// Report all errors and warnings in scripts and content.
    Check {
        /// Files and folders to check [default: the home folder], or one content folder outside the home, with --ruleset.
        #[arg(value_parser = typed_path::path_parser())]
        paths: Vec<PathBuf>,
        /// Write safe fixes into the files: misspelt known words, former names, quotes, spaces at the end of a line.
        #[arg(long)]
        fix: bool,
        /// Print the structure of the loaded files as one JSON object. Findings go to standard error.
        #[arg(long)]
        structure: bool,
        /// Fail if there are warnings.
        #[arg(long)]
        deny_warnings: bool,
        /// Also print notes: remarks that are not errors.
        #[arg(long)]
        notes: bool,
    },
    /// Format content files: rewrite them in their canonical form.
    Fmt {
        /// Files and folders to format, or one content folder outside the home, with --ruleset.
        #[arg(required = true, value_parser = typed_path::path_parser())]
        paths: Vec<PathBuf>,
        /// Change nothing. List the files that are not in their canonical form, and fail if there are any.
        #[arg(long)]
        check: bool,
    },
    /// Run the tests that are stored beside the scripts.
    Test {
        /// Test files or folders with tests [default: the home folder].
        #[arg(value_parser = typed_path::path_parser())]
        paths: Vec<PathBuf>,
        /// Replace the expected lines by the present output.
        #[arg(long, visible_alias = "update")]
        bless: bool,
        /// Also play each test again after undo, save, reload and in another session, and compare the results.
        ///
        /// The short form shares Luau machines between lines: each pair of lines runs in different machines at least once. The
        /// full form uses a new machine for each line, and also saves and loads each state.
        #[arg(
            long,
            value_enum,
            value_name = "FORM",
            num_args = 0..=1,
            require_equals = true,
            default_missing_value = "short",
            alias = "laws"
        )]
        determinism: Option<Determinism>,
        /// How many tests run at the same time.
        #[arg(long, value_name = "N", default_value = "1", conflicts_with = "bless")]
        jobs: NonZeroUsize,
        /// Run only one part of the tests, for example 2/4 for the second of four. The parts are stable.
        #[arg(
            long,
            value_name = "I/N",
            default_value = "1/1",
            conflicts_with = "bless"
        )]
        part: Shard,
        #[command(flatten)]
        profiled: Profiled,
    },
    /// Run a saved game again with its recorded rules, and show the first difference.
    Verify {
        /// The folder of the game.
        #[arg(value_hint = ValueHint::DirPath, value_parser = typed_path::path_parser())]
        folder: PathBuf,
        /// Also compute every die from the seed, and list dice that were typed, or seen before they could count.
        #[arg(long)]
        dice: bool,
    },
    /// Recover a game with a damaged journal in a copy. The game itself is not changed.
    ///
    /// The copy contains all log lines before the damage. The rest is in its file journal.broken.
    Recover {
        /// The folder of the game.
        #[arg(value_hint = ValueHint::DirPath, value_parser = typed_path::path_parser())]
        folder: PathBuf,
        /// The folder of the copy. This folder must not exist yet.
        #[arg(value_hint = ValueHint::DirPath, value_parser = typed_path::path_parser())]
        copy: PathBuf,
    },
    /// Write a whole game for one reader or everybody, in any format, with only what they are allowed to know.
    ///
    /// The result is one document on the standard output, unless you name a file or a folder. The game is not changed.
    Export {
        /// The folder or name of the game.
        #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath, value_parser = typed_path::path_parser())]
        game: Option<PathBuf>,
        /// The reader: public (everybody), gm, or the name of a player.
        #[arg(long = "for", value_name = "WHO", default_value = "public")]
        whom: String,
        /// The file to write. Only a file that this program wrote before is replaced.
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = typed_path::path_parser())]
        out: Option<PathBuf>,
        /// Replace the file even if somebody else wrote it.
        #[arg(long, requires = "out")]
        anyway: bool,
        /// The folder for HTML pages: a new folder, or one with pages of an earlier export.
        #[arg(
            long,
            value_name = "FOLDER",
            value_hint = ValueHint::DirPath,
            conflicts_with_all = ["out", "format"],
            value_parser = typed_path::path_parser()
        )]
        pages: Option<PathBuf>,
        /// Also show lines that were undone or corrected. A log for the game master always shows them.
        #[arg(long)]
        corrections: bool,
        /// How the game is arranged. HTML is a story unless another style is named, and other formats are a log unless
        /// `story` is. A replay is one HTML page.
        #[arg(long, value_name = "STYLE", value_enum)]
        style: Option<ExportStyle>,
        #[command(flatten)]
        _unused: UnusedByExport,
    },
    /// Play many whole games without people, and report how often each side wins and how long games take.
    ///
    /// The same seed gives the same report, with any number of threads and shards. The command fails if a game does not
    /// end: a script has an error, a limit is reached, or the game never stops.
    #[command(group(ArgGroup::new("written").args(["out", "plot"]).multiple(true)))]
    Simulate {
        /// The setup with which every game starts. The ruleset defines setups.
        #[arg(required_unless_present = "merge")]
        setup: Option<String>,
        /// How many games to play.
        #[arg(long = "games", value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
        count: u64,
        /// Play only one shard of the games, for example 2/4 for the second of four. --merge combines the results.
        #[arg(long, value_name = "I/N")]
        shard: Option<Shard>,
        /// The file to write. Only a file that this program wrote before is replaced.
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = typed_path::path_parser())]
        out: Option<PathBuf>,
        /// Also draw the winners with their intervals, and the lengths, into an SVG file.
        #[arg(
            long,
            value_name = "FILE.svg",
            value_hint = ValueHint::FilePath,
            conflicts_with_all = ["shard", "show"],
            value_parser = typed_path::path_parser()
        )]
        plot: Option<PathBuf>,
        /// Replace files even if somebody else wrote them.
        #[arg(long, requires = "written")]
        anyway: bool,
        /// Play nothing. Combine the result files of all shards into one report.
        #[arg(
            long,
            value_name = "FILE",
            num_args = 1..,
            value_hint = ValueHint::FilePath,
            conflicts_with_all = ["shard", "jobs", "verify", "count", "seed"],
            value_parser = typed_path::path_parser()
        )]
        merge: Vec<PathBuf>,
        /// How many games to play at the same time [default: the number of processor cores].
        #[arg(long, value_name = "N")]
        jobs: Option<NonZeroUsize>,
        /// Run each game again from its record, and compare the states.
        #[arg(long)]
        verify: bool,
        /// Play one game by its number and print all of it, like an export for the game master.
        #[arg(
            long,
            value_name = "NUMBER",
            requires = "setup",
            value_parser = clap::value_parser!(u64).range(1..),
            conflicts_with_all = ["shard", "jobs", "verify", "count", "merge"]
        )]
        show: Option<u64>,
        #[command(flatten)]
        profiled: Profiled,
        /// Takes the place of the folder of games, which this verb does not use.
        #[arg(id = "games", long = "games-folder", value_name = "DIR", hide = true, value_parser = typed_path::path_parser())]
        _games: Option<PathBuf>,
    },
    /// Print the declarations of the script API, for editors.
    Api {
        /// Print a reference for people in Markdown. With --ruleset, print the reference of the ruleset's text language.
        #[arg(long)]
        reference: bool,
    },
    /// Write the pages of the book that follow from the program and the rules.
    Docs {
        /// The folder of the book, such as docs/src.
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath, value_parser = typed_path::path_parser())]
        folder: PathBuf,
        /// Write nothing; report pages that are not current.
        #[arg(long)]
        check: bool,
    },
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Explain a command of this program, the code of an error or warning, or another word.
    ///
    /// Other words are commands of every game, API names such as act:get, dice, and terms of the glossary. With --ruleset
    /// NAME they are all words that `help` explains in a game of this ruleset.
    Help {
        /// The word, for example check, store/bad-name, or stat store. Without one, this lists the commands.
        #[arg(value_name = "WORD")]
        words: Vec<String>,
    },
}

impl Arguments {
    /// Returns where a profile is to be written, if one is.
    pub(crate) fn profile(&self) -> Option<&Path> {
        match self.verb.as_ref()? {
            Verb::Run { profiled, .. }
            | Verb::Test { profiled, .. }
            | Verb::Simulate { profiled, .. } => profiled.profile.as_deref(),
            _ => None,
        }
    }
}

fn format_names_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(Format::ALL.map(Format::as_str))
}

/// How each test is played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Determinism {
    /// Shared Luau machines: each pair of lines runs in different machines at least once.
    Short,
    /// A new Luau machine for each line. Each state is also saved and loaded.
    Full,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parse_command_line(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(std::iter::once("arbiter").chain(line.split_whitespace()))
    }

    #[test]
    fn the_declaration_holds_together() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn flags_stand_before_and_behind_the_verb() {
        for line in [
            "--seed a run x --format json",
            "run --seed a --format json x",
        ] {
            let arguments = parse_command_line(line).unwrap();
            assert_eq!(arguments.common.seed.as_deref(), Some("a"));
            assert_eq!(arguments.common.format(), Format::Json);
            assert!(matches!(
                arguments.verb,
                Some(Verb::Run {
                    keep_going: false,
                    ..
                })
            ));
        }
    }

    #[test]
    fn the_help_of_an_export_leaves_out_what_it_does_not_use() {
        let mut command = Arguments::command();
        command.build();
        let export = command.find_subcommand_mut("export").unwrap();
        let help = export.render_long_help().to_string();
        for unused in ["--seed", "--in-memory", "--sync"] {
            assert!(!help.contains(unused), "{unused}: {help}");
        }
        for line in [
            "export x --seed a --in-memory --sync group",
            "--seed a --in-memory --sync group export x",
            "export x",
        ] {
            assert!(parse_command_line(line).is_ok(), "{line}");
        }
    }

    #[test]
    fn simulate_counts_games_and_other_verbs_name_their_folder() {
        let arguments = parse_command_line("simulate six --games 20 --shard 2/4 --seed s").unwrap();
        let Some(Verb::Simulate { count, shard, .. }) = arguments.verb else {
            panic!("another verb");
        };
        assert_eq!((count, shard.unwrap().to_string()), (20, "2/4".to_owned()));
        let folder = Some(PathBuf::from("20"));
        assert_eq!(
            parse_command_line("play --games 20").unwrap().common.games,
            folder
        );
        assert_eq!(
            parse_command_line("--games 20 simulate six")
                .unwrap()
                .common
                .games,
            folder
        );
        for wrong in [
            "simulate",
            "simulate six --games 0",
            "simulate six --shard 5/4 --seed s",
            "simulate six --jobs 0",
            "simulate --merge a --verify",
            "simulate six --show 3 --games 5",
            "simulate six --show 3 --plot a.svg",
            "simulate six --anyway",
        ] {
            assert_eq!(
                parse_command_line(wrong).unwrap_err().exit_code(),
                2,
                "{wrong}"
            );
        }
    }

    /// A shell leaves `~/` as it is inside of quotes, and behind `--out=`.
    #[test]
    fn the_own_folder_is_found_in_every_path() {
        for line in [
            "--home ~/x",
            "--home=~/x",
            "--mods ~/x",
            "--content ~/x",
            "--game ~/x",
            "--games ~/x",
            "run ~/x",
            "check ~/x",
            "fmt ~/x",
            "test ~/x --profile ~/x",
            "verify ~/x",
            "recover ~/x ~/x",
            "export ~/x --out ~/x",
            "export ~/x --pages=~/x",
            "simulate a --out ~/x",
            "simulate --merge ~/x ~/x",
        ] {
            let told = format!("{:?}", parse_command_line(line).unwrap());
            assert!(!told.contains('~') && told.contains("/x"), "{line}: {told}");
        }
    }

    #[test]
    fn a_wrong_word_is_refused_with_the_nearest_one() {
        let error = parse_command_line("chekc").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("'check'"), "{error}");
        let error = parse_command_line("run x --format jsn").unwrap_err();
        assert!(error.to_string().contains("'json'"), "{error}");
    }
}
