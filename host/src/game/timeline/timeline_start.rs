//! Loads the rules into a line of a game without a past.

use std::rc::Rc;

use crate::diag::Diagnostic;
use crate::game::rules::generation::{Builder, Generation};
use crate::game::rules::generations::Generations;
use crate::game::rules::home::{Files, Home};
use crate::game::timeline::command_words::{CommandWords, phrases_of_command_words};
use crate::game::timeline::dice::Dice;
use crate::game::timeline::seed::Seed;
use crate::game::timeline::{Settings, Timeline};
use crate::script::{Checks, Compiled, EngineOptions};
use crate::value::Names;

/// The options with which a session begins.
#[derive(Clone)]
pub struct SessionOptions {
    /// The source of rules and content.
    pub home: Home,
    /// The ruleset that is played.
    pub ruleset: String,
    /// The source of dice.
    pub seed: Seed,
    /// The options for building the machine for scripts; its names are replaced by the game's own.
    pub engine: EngineOptions,
}

/// Loads rules that were already read into a game without a past, and returns the parts of them that can be named.
///
/// Errors: the ruleset or the library cannot be used.
pub(in crate::game) fn open_timeline(
    options: &SessionOptions,
    commands: Vec<CommandWords>,
    files: Files,
    names: Rc<Names>,
) -> Result<(Timeline, Generations), Vec<Diagnostic>> {
    let builder = Rc::new(Builder::new(
        &options.engine,
        names,
        phrases_of_command_words(&commands),
    ));
    let checks = files.checks;
    let live = Generation::build(&builder, files, Compiled::default())?;
    let rules = live.rules();
    let is_usable = match checks {
        Checks::Now => rules.has_introduction(),
        // Games were saved with rulesets that have no description of themselves.
        Checks::Then => !rules.ruleset.is_nil(),
    };
    if !is_usable {
        return Err(live.findings().to_vec());
    }
    let generations = Generations::new(builder, live);
    let settings = Settings {
        ruleset: options.ruleset.clone(),
        commands,
    };
    let dice = Dice::of_seed(options.seed.clone());
    let timeline = Timeline::without_past(Rc::new(settings), Rc::clone(generations.live()), dice);
    Ok((timeline, generations))
}
