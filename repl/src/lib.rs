//! This crate is the program `arbiter`: its command line, its prompt, and the host's own commands.

mod answer;
mod api;
mod arguments;
mod bug;
mod check;
mod commands;
mod completion;
mod completions;
mod continuation;
mod demo;
mod editor;
mod exit;
mod export;
mod finding;
mod fix;
mod fmt;
mod folder;
mod game_thread;
mod hand_over;
mod hint;
mod history;
mod lines;
mod news;
mod older;
mod output;
mod pager;
mod path;
mod place;
mod play;
mod profile;
mod reason;
mod recover;
mod rewrite;
mod run;
mod scope;
mod shell;
mod simulate;
mod summary;
mod target;
mod test;
#[cfg(test)]
mod testing;
mod transcript;
mod user_folder;
mod verify;
mod wrap;
mod written;

pub use commands::COMMANDS;

use std::ffi::OsString;
use std::process::ExitCode;

use arguments::{Arguments, Common, Verb};
use clap::Parser;
use exit::Exit;
use output::Output;

/// Runs the program with its arguments, the name of the program first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let exit = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => on_game_stack(&arguments),
        Err(error) => refuse_arguments(&error),
    };
    exit.into()
}

/// Scripts and rules nest deep: everything runs on a stack of the size that the host promises.
fn on_game_stack(arguments: &Arguments) -> Exit {
    std::thread::scope(|scope| {
        let started = std::thread::Builder::new()
            .name("arbiter".to_owned())
            .stack_size(game_thread::STACK)
            .spawn_scoped(scope, || dispatch(arguments));
        match started.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(exit)) => exit,
            Ok(Err(_)) | Err(_) => Exit::Bug,
        }
    })
}

fn dispatch(arguments: &Arguments) -> Exit {
    let mut output = Output::new(&arguments.common);
    let Some(file) = arguments.profile() else {
        return carry_out(arguments, &arguments.common, &mut output);
    };
    profile::run_with_profiler(file, &arguments.common, &mut output, |common, output| {
        carry_out(arguments, common, output)
    })
}

fn carry_out(arguments: &Arguments, common: &Common, output: &mut Output) -> Exit {
    match &arguments.verb {
        None => match demo::what_without_verb(common) {
            demo::Wanted::Play => play::play(common, None, output),
            demo::Wanted::Demo => demo::demo(common, output),
            demo::Wanted::Lines => demo::refuse_lines(common, output),
        },
        Some(Verb::Demo) => demo::demo(common, output),
        Some(Verb::Play { named }) => play::play(common, named.as_deref(), output),
        Some(Verb::Run {
            script, keep_going, ..
        }) => run::run(common, script, *keep_going, output),
        Some(Verb::Check {
            paths,
            fix,
            structure,
            deny_warnings,
            notes,
        }) => {
            let wanted = check::Wanted {
                fix: *fix,
                structure: *structure,
                deny_warnings: *deny_warnings,
                notes: *notes,
            };
            check::check(common, paths, wanted, output)
        }
        Some(Verb::Fmt { paths, check }) => {
            fmt::write_canonical_form(common, paths, *check, output)
        }
        Some(Verb::Test {
            paths,
            bless,
            determinism,
            jobs,
            part,
            ..
        }) => {
            let wanted = test::Wanted {
                bless: *bless,
                determinism: *determinism,
                jobs: *jobs,
                part: *part,
                profiler: common.profiler.as_ref(),
            };
            test::test(common, paths, wanted, output)
        }
        Some(Verb::Recover { folder, copy }) => recover::recover(common, (folder, copy), output),
        Some(Verb::Verify { folder, dice }) => {
            verify::verify_named_game(common, (folder, *dice), output)
        }
        Some(Verb::Export {
            game,
            whom,
            out,
            anyway,
            pages,
            corrections,
        }) => {
            let wanted = export::Wanted {
                corrections: export::corrections_for_flag(*corrections),
                whom,
                out: out.as_deref(),
                anyway: *anyway,
                pages: pages.as_deref(),
            };
            export::export(common, game.as_deref(), wanted, output)
        }
        Some(Verb::Simulate {
            setup,
            count,
            shard,
            out,
            anyway,
            merge,
            jobs,
            verify,
            show,
            ..
        }) => {
            let wanted = simulate::Wanted {
                setup: setup.as_deref(),
                games: *count,
                shard: *shard,
                out: out.as_deref(),
                anyway: *anyway,
                merge,
                jobs: *jobs,
                verify: *verify,
                show: *show,
            };
            simulate::simulate(common, &wanted, output)
        }
        Some(Verb::Api { reference }) => api::write_api(common, *reference, output),
        Some(Verb::Completions { shell }) => completions::write_shell_completions(*shell, output),
    }
}

/// Help and version are results; everything else is talk about how the program is used.
fn refuse_arguments(error: &clap::Error) -> Exit {
    let mut output = Output::new(&Common::default());
    let text = error.render().ansi().to_string();
    if error.use_stderr() {
        output.own_talk(&text);
        Exit::Usage
    } else {
        output.own(&text);
        Exit::Ok
    }
}
