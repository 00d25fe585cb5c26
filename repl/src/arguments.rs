//! This module is the command line: verbs and flags, stable because people script against them.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::builder::{BoolishValueParser, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use host::doc::Format;
use host::game::Shard;
use host::script::Profiler;

use crate::path;

/// What stands on the command line.
#[derive(Debug, Parser)]
#[command(
    name = "arbiter",
    version,
    about = "A game host: rules in scripts that change while you play.",
    after_help = "Exit codes: 0 ok, 1 refused or errors found, 2 usage, 3 rules do not load, 4 script error, \
                  5 limit, 6 a game run again differs, 70 a bug of the host."
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
    /// The ruleset to play or run.
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) ruleset: Option<String>,
    /// The folder with scripts/ and content/ [default: the nearest one above, else beside the program].
    #[arg(long, global = true, value_name = "DIR", env = "ARBITER_HOME", value_hint = ValueHint::DirPath, value_parser = path::parser())]
    pub(crate) home: Option<PathBuf>,
    /// A further folder of the same layout; may be given several times.
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath, value_parser = path::parser())]
    pub(crate) mods: Vec<PathBuf>,
    /// A folder that is kept elsewhere: what the ruleset plays with, in place of its own content.
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath, value_parser = path::parser())]
    pub(crate) content: Option<PathBuf>,
    /// Dice from this text: the game counts as a test.
    #[arg(long, global = true, value_name = "TEXT")]
    pub(crate) seed: Option<String>,
    /// The folder of the game: opened if it is there, made if not.
    #[arg(long, global = true, value_name = "FOLDER", value_hint = ValueHint::DirPath, value_parser = path::parser())]
    pub(crate) game: Option<PathBuf>,
    /// Where `play RULESET` makes the folder of a new game [default: games].
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "ARBITER_GAMES",
        value_hint = ValueHint::DirPath,
        conflicts_with = "game",
        value_parser = path::parser()
    )]
    pub(crate) games: Option<PathBuf>,
    /// Play without a folder: the game ends with the session.
    #[arg(long, global = true, conflicts_with = "game")]
    pub(crate) in_memory: bool,
    /// Look at the game only: others may write to it meanwhile.
    #[arg(long, global = true)]
    pub(crate) read_only: bool,
    /// The rules that a game is opened with: those of now, or those that it was kept with.
    #[arg(long, global = true, value_name = "WHICH", value_enum, default_value_t)]
    pub(crate) rules: RulesOf,
    /// Neither read nor write the user's cache folder, which keeps from one start to the next what is known of files.
    #[arg(long, global = true, env = "ARBITER_NO_CACHE", value_parser = BoolishValueParser::new())]
    pub(crate) no_cache: bool,
    /// When commands are made safe: each before its answer, or many together for scripts.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) sync: Sync,
    /// How documents are written.
    #[arg(long, global = true, value_name = "FORMAT", value_parser = formats())]
    pub(crate) format: Option<String>,
    /// What looks where processor time goes, as [`Profiled`] says.
    #[arg(skip)]
    pub(crate) profiler: Option<Profiler>,
    /// When to write in colour.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) color: Color,
    /// Say only what was asked for.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

impl Common {
    /// Returns the format of documents.
    pub(crate) fn format(&self) -> Format {
        let named = self
            .format
            .as_deref()
            .and_then(|name| Format::parse(name).ok());
        named.unwrap_or(Format::Terminal)
    }
}

/// When to write in colour.
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
    /// Those in the home folder.
    #[default]
    Now,
    /// Those that the last command of the game ran under.
    Recorded,
}

/// When commands are made safe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sync {
    /// Each before its answer.
    #[default]
    Each,
    /// Many together: loss of power loses the last of them.
    Group,
}

/// Where a profile of the rules is written.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Profiled {
    /// Write where the processor time of the rules goes: a flame graph into FILE.svg, the stacks into FILE.folded, a table by
    /// rule, function and line into FILE.txt.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = path::parser())]
    pub(crate) profile: Option<PathBuf>,
}

/// What the program is asked to do; without a verb it plays.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Start a game, or open one, and take commands.
    Play {
        /// The folder of a game, its name among the games, a packed game (FILE.tar), or the ruleset of a new one; not needed
        /// when there is only one ruleset.
        #[arg(value_name = "FOLDER|FILE.tar|RULESET", value_hint = ValueHint::AnyPath)]
        named: Option<String>,
    },
    /// Play two short games by itself: dice, a question, why, undo. Nothing is kept.
    ///
    /// The program does so without a verb too, where nobody sits at a terminal and nothing comes in.
    Demo,
    /// Run commands from a file, one a line; `#` begins a comment, `\` at the end continues a line.
    Run {
        /// The file; `-` reads what is typed or piped in.
        #[arg(value_hint = ValueHint::FilePath, value_parser = path::parser())]
        script: PathBuf,
        /// Go on after a refused command; the first refusal still decides the exit code.
        #[arg(long)]
        keep_going: bool,
        #[command(flatten)]
        profiled: Profiled,
    },
    /// Report everything that is wrong with scripts and content.
    Check {
        /// Files and folders to report on [default: all of the home folder], or one folder of content that lies elsewhere,
        /// with --ruleset.
        #[arg(value_parser = path::parser())]
        paths: Vec<PathBuf>,
        /// Write what is certain into the files: slips of known words, quotes, blanks at the end of a line.
        #[arg(long)]
        fix: bool,
        /// Write the structure of what was loaded as one JSON object; findings go to standard error.
        #[arg(long)]
        structure: bool,
        /// Warnings fail the check too.
        #[arg(long)]
        deny_warnings: bool,
        /// Tell notes too: what is worth knowing and no mistake.
        #[arg(long)]
        notes: bool,
    },
    /// Write content in its canonical form.
    Fmt {
        /// Files and folders to write, or one folder of content that lies elsewhere, with --ruleset.
        #[arg(required = true, value_parser = path::parser())]
        paths: Vec<PathBuf>,
        /// Write nothing: list the files that are not in their canonical form, and fail if there are any.
        #[arg(long)]
        check: bool,
    },
    /// Run the tests beside the scripts.
    Test {
        /// Test files, or folders with tests in them [default: all of the home folder].
        #[arg(value_parser = path::parser())]
        paths: Vec<PathBuf>,
        /// Write what commands say now over the expected lines.
        #[arg(long)]
        bless: bool,
        /// Hold the laws of every game over each transcript too: undo, save, reload, answer elsewhere.
        ///
        /// In the short form machines live long, and each pair of lines meets different ones; in the full form there is a
        /// fresh machine before each line, and the bytes of each state are read.
        #[arg(
            long,
            value_enum,
            value_name = "FORM",
            num_args = 0..=1,
            require_equals = true,
            default_missing_value = "short"
        )]
        laws: Option<Laws>,
        /// Run so many tests at once.
        #[arg(long, value_name = "N", default_value = "1", conflicts_with = "bless")]
        jobs: NonZeroUsize,
        /// Run a part of the tests, such as the second of four: 2/4. What is in it, file and sentence decide.
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
    /// Run a game again under the rules it was kept with, and name the first difference.
    Verify {
        /// The folder of the game.
        #[arg(value_hint = ValueHint::DirPath, value_parser = path::parser())]
        folder: PathBuf,
        /// Compute every die from the seed too, and list those that were typed, or seen before they could count.
        #[arg(long)]
        dice: bool,
    },
    /// Mend a game with a broken journal, in a copy; the game itself stays as it is.
    ///
    /// All operations before the first broken one are kept; the rest lies in the file journal.broken of the copy.
    Recover {
        /// The folder of the game.
        #[arg(value_hint = ValueHint::DirPath, value_parser = path::parser())]
        folder: PathBuf,
        /// The folder of the copy, which is not there yet.
        #[arg(value_hint = ValueHint::DirPath, value_parser = path::parser())]
        copy: PathBuf,
    },
    /// Write a whole game for its readers, in any format: what they may know, and nothing else.
    ///
    /// It is one document on the standard output, unless a file or a folder of pages is named. The game is only looked at.
    Export {
        /// The folder of the game, or its name among the games.
        #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath, value_parser = path::parser())]
        game: Option<PathBuf>,
        /// Who reads it: public (everybody), gm, or the name of a seat.
        #[arg(long = "for", value_name = "WHO", default_value = "public")]
        whom: String,
        /// The file to write; one that was written here before is replaced, any other is refused.
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = path::parser())]
        out: Option<PathBuf>,
        /// Write over a file that somebody else wrote.
        #[arg(long, requires = "out")]
        anyway: bool,
        /// The folder to write pages of HTML into: a new one, or one of earlier pages.
        #[arg(
            long,
            value_name = "FOLDER",
            value_hint = ValueHint::DirPath,
            conflicts_with_all = ["out", "format"],
            value_parser = path::parser()
        )]
        pages: Option<PathBuf>,
        /// Tell what was undone and corrected too; the game master is always told.
        #[arg(long)]
        corrections: bool,
    },
    /// Play whole games without people, and tell who wins how often and how long games take.
    ///
    /// The same seed gives the same report, whatever the number of threads and shares. It fails where a game does not come
    /// to its end: a script breaks, a limit is passed, or it goes on for ever.
    Simulate {
        /// What every game begins with, as the ruleset names its set-ups.
        #[arg(required_unless_present = "merge")]
        setup: Option<String>,
        /// How many games are played.
        #[arg(long = "games", value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
        count: u64,
        /// Play a share of the games, such as the second of four: 2/4. What it gives is for --merge.
        #[arg(long, value_name = "I/N")]
        shard: Option<Shard>,
        /// The file to write; one that was written here before is replaced, any other is refused.
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = path::parser())]
        out: Option<PathBuf>,
        /// Write over a file that somebody else wrote.
        #[arg(long, requires = "out")]
        anyway: bool,
        /// Play nothing: tell what these files say together, which --shard gave.
        #[arg(
            long,
            value_name = "FILE",
            num_args = 1..,
            value_hint = ValueHint::FilePath,
            conflicts_with_all = ["shard", "jobs", "verify", "count", "seed"],
            value_parser = path::parser()
        )]
        merge: Vec<PathBuf>,
        /// How many games are played at once [default: as many as the machine has cores].
        #[arg(long, value_name = "N")]
        jobs: Option<NonZeroUsize>,
        /// Run each game again from what was recorded of it, and compare the states.
        #[arg(long)]
        verify: bool,
        /// Play one game by its number and write all of it, as export does for the game master.
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
        /// Takes the place of the folder of games, which this verb has no use for.
        #[arg(id = "games", long = "games-folder", value_name = "DIR", hide = true, value_parser = path::parser())]
        _games: Option<PathBuf>,
    },
    /// Write the declarations of the script API, for editors.
    Api {
        /// Write a reference for people instead, in Markdown; with --ruleset that of the language of its texts.
        #[arg(long)]
        reference: bool,
    },
    /// Write completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
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

fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(Format::ALL.map(Format::as_str))
}

/// How the laws of every game are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Laws {
    /// With machines that live long: each pair of lines meets different ones.
    Short,
    /// With a fresh machine before each line, and the bytes of each state.
    Full,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn read(line: &str) -> Result<Arguments, clap::Error> {
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
            let arguments = read(line).unwrap();
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
    fn simulate_counts_games_and_other_verbs_name_their_folder() {
        let arguments = read("simulate six --games 20 --shard 2/4 --seed s").unwrap();
        let Some(Verb::Simulate { count, shard, .. }) = arguments.verb else {
            panic!("another verb");
        };
        assert_eq!((count, shard.unwrap().to_string()), (20, "2/4".to_owned()));
        let folder = Some(PathBuf::from("20"));
        assert_eq!(read("play --games 20").unwrap().common.games, folder);
        assert_eq!(
            read("--games 20 simulate six").unwrap().common.games,
            folder
        );
        for wrong in [
            "simulate",
            "simulate six --games 0",
            "simulate six --shard 5/4 --seed s",
            "simulate six --jobs 0",
            "simulate --merge a --verify",
            "simulate six --show 3 --games 5",
        ] {
            assert_eq!(read(wrong).unwrap_err().exit_code(), 2, "{wrong}");
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
            let told = format!("{:?}", read(line).unwrap());
            assert!(!told.contains('~') && told.contains("/x"), "{line}: {told}");
        }
    }

    #[test]
    fn a_wrong_word_is_refused_with_the_nearest_one() {
        let error = read("chekc").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("'check'"), "{error}");
        let error = read("run x --format jsn").unwrap_err();
        assert!(error.to_string().contains("'json'"), "{error}");
    }
}
