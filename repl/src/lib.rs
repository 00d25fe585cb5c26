//! The program `arbiter`: its command line, its REPL, and the host's own commands.

mod api;
mod arguments;
mod bug_report;
mod check;
mod clipboard;
mod commands;
mod completion;
mod counted_noun;
mod demo;
mod docs;
mod editor;
mod exit_code;
mod export;
mod file_fixes;
mod file_replacement;
mod finding_format;
mod findings_summary;
mod fmt;
mod format_upgrade;
mod found_codes;
mod game_folder;
mod game_thread;
mod help;
mod history_file;
mod home_lookup;
mod io_error_words;
mod line_continuation;
mod line_reader;
mod line_wrap;
pub mod markdown_page;
mod output;
mod pager;
mod pages;
mod path_scope;
mod path_target;
mod picture_file;
mod play;
mod post_files;
mod post_output;
mod profile;
mod recover;
mod reload_news;
mod reply_output;
mod run;
mod save_pack_open;
mod shell;
mod shell_completions;
mod simulate;
mod syntax_hint;
mod test;
#[cfg(test)]
mod toy_game;
mod transcript;
mod typed_path;
mod user_folder;
mod verify;
mod written_files;

pub use commands::COMMANDS;
pub use pages::replay_page;
pub use pages::single_page as story_page;

use std::ffi::OsString;
use std::process::ExitCode;

use arguments::{Arguments, Common, Verb};
use clap::Parser;
use clap::error::{ContextKind, ContextValue};
use exit_code::Exit;
use output::Output;

/// Runs the program with its arguments, the name of the program first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let exit = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => run_on_game_stack(&arguments),
        Err(error) => print_help_or_argument_error(&error),
    };
    exit.into()
}

/// Runs everything on a stack of the size that the host promises, because scripts and rules nest deep.
fn run_on_game_stack(arguments: &Arguments) -> Exit {
    std::thread::scope(|scope| {
        let started = std::thread::Builder::new()
            .name("arbiter".to_owned())
            .stack_size(game_thread::STACK)
            .spawn_scoped(scope, || run_with_or_without_profiler(arguments));
        match started.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(exit)) => exit,
            Ok(Err(_)) | Err(_) => Exit::Bug,
        }
    })
}

fn run_with_or_without_profiler(arguments: &Arguments) -> Exit {
    let mut output = Output::new(&arguments.common);
    let Some(file) = arguments.profile() else {
        return run_verb(arguments, &arguments.common, &mut output);
    };
    profile::run_with_profiler(file, &arguments.common, &mut output, |common, output| {
        run_verb(arguments, common, output)
    })
}

fn run_verb(arguments: &Arguments, common: &Common, output: &mut Output) -> Exit {
    match &arguments.verb {
        None => match demo::action_without_verb(common) {
            demo::Wanted::Play => play::play_game(common, None, output),
            demo::Wanted::Demo => demo::play_demo_sessions(common, output),
            demo::Wanted::Lines => demo::refuse_lines_without_ruleset(common, output),
        },
        Some(Verb::Demo) => demo::play_demo_sessions(common, output),
        Some(Verb::Play {
            named,
            copy,
            longest_post,
        }) => {
            output.copies_posts = *copy;
            output.longest_post = longest_post.and_then(|length| usize::try_from(length).ok());
            play::play_game(common, named.as_deref(), output)
        }
        Some(Verb::Run {
            script, keep_going, ..
        }) => run::run_script_file(common, script, *keep_going, output),
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
            check::check_and_report(common, paths, wanted, output)
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
            test::test_and_report(common, paths, wanted, output)
        }
        Some(Verb::Recover { folder, copy }) => {
            recover::recover_and_report(common, (folder, copy), output)
        }
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
            style,
            ..
        }) => {
            let wanted = export::Wanted {
                style: *style,
                corrections: export::corrections_for_flag(*corrections),
                whom,
                out: out.as_deref(),
                anyway: *anyway,
                pages: pages.as_deref(),
            };
            export::export_saved_game(common, game.as_deref(), wanted, output)
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
            plot,
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
                plot: plot.as_deref(),
            };
            simulate::simulate_and_report(common, &wanted, output)
        }
        Some(Verb::Api { reference }) => api::write_api(common, *reference, output),
        Some(Verb::Docs { folder, check }) => docs::write_docs(common, folder, *check, output),
        Some(Verb::Completions { shell }) => {
            shell_completions::write_shell_completions(*shell, output)
        }
        Some(Verb::Help { words }) => help::explain_words(common, words, output),
    }
}

/// Help and version are results; everything else is a message about how the program is used.
fn print_help_or_argument_error(error: &clap::Error) -> Exit {
    let mut output = Output::new(&Common::default());
    let text = error.render().ansi().to_string();
    if error.use_stderr() {
        output.write_safe_to_stderr(&text);
        let wrong = error.get(ContextKind::InvalidArg);
        if matches!(wrong, Some(ContextValue::String(wrong)) if wrong == "--as") {
            let hint = "to set the format, write --format, for example --format html";
            output.write_safe_to_stderr(hint);
        }
        Exit::Usage
    } else {
        output.write_safe_text(&text);
        Exit::Ok
    }
}
