//! Runs hostile scripts in a game: each runs as a command of a mod, and the game must answer the
//! next command normally.
//!
//! The scripts are in `hostile/*.luau`, one file for each class of attack.

mod files;
mod reachable_names;
mod runs;

use arbiter_tests::{Case, Expected, Game, Scratch, on_game_thread, read_cases};
use host::diag::render;
use host::script::Limits;

/// The outcome of a case: its answer or refusal, and its fuel.
#[derive(Debug, PartialEq, Eq)]
struct CaseOutcome {
    answer: Result<String, (String, String)>,
    fuel: u64,
}

/// Plays every case of a file with some fuel. Then plays it twice with less fuel, with the fast
/// paths of the host and with their safe replacements; both must give the same result.
fn play_all_cases(name: &str, text: &str, fuel: u64) {
    on_game_thread(|| {
        let cases = read_cases(name, text);
        assert!(!cases.is_empty(), "{name} has no cases");
        let home = Scratch::mini();
        for case in &cases {
            home.write(
                &format!("scripts/mini/commands/{}.luau", case.id),
                &case.source,
            );
        }
        let mut game = mini_with_fuel(&home, fuel, true);
        assert_eq!(game.findings(), "", "{name} loads without findings");
        let wrong: Vec<String> = cases
            .iter()
            .filter_map(|case| difference_from_expected(case, &run_case(&mut game, case)))
            .collect();
        assert!(
            wrong.is_empty(),
            "{} of {} cases:\n\n{}",
            wrong.len(),
            cases.len(),
            wrong.join("\n\n")
        );
        // Cases that end by fuel use all of it, so they do not show the cost of calls; less fuel is
        // enough.
        let less = fuel.min(40_000);
        let mut machines = [less, fuel].map(|fuel| {
            let [fast, safe] = [true, false].map(|raw| mini_with_fuel(&home, fuel, raw));
            (fast, safe)
        });
        for case in cases.iter().filter(|case| !case.only_raw) {
            let (fast, safe) = &mut machines[usize::from(!ends_by_fuel(case))];
            let (first, again) = (run_case(fast, case), run_case(fast, case));
            assert_eq!(first, again, "{}: twice", case.sentence);
            assert_eq!(
                first,
                run_case(safe, case),
                "{}: without the fast parts",
                case.sentence
            );
        }
    });
}

fn ends_by_fuel(case: &Case) -> bool {
    matches!(&case.expected, Expected::Refusal(code, _) if code == "limit/fuel")
}

fn mini_with_fuel(home: &Scratch, fuel: u64, raw: bool) -> Game {
    let limits = Limits {
        fuel_callback: fuel,
        fuel_command: 2 * fuel,
        ..Limits::default()
    };
    Game::mini_with_limits(home, limits, raw)
}

/// Runs a case and checks that the game continues as before.
fn run_case(game: &mut Game, case: &Case) -> CaseOutcome {
    let before = game.hash();
    let live = game.solo.timeline().history().live_operations().count();
    let reply = game.line(&case.id.replace('-', " "));
    let outcome = CaseOutcome {
        answer: match &reply.refusal {
            Some(finding) => {
                assert_no_address_or_path(case, &render(finding, false));
                Err((finding.code.to_string(), finding.message.clone()))
            }
            None => Ok(reply
                .documents
                .iter()
                .map(host::doc::plain)
                .collect::<String>()
                .trim_end()
                .to_owned()),
        },
        fuel: game.solo.session.generations().live().machine().fuel_used(),
    };
    for text in outcome.answer.iter().chain(&reply.printed.lines) {
        assert_no_address_or_path(case, text);
    }
    if game.solo.timeline().history().live_operations().count() > live {
        game.undo();
    }
    assert_eq!(
        game.hash(),
        before,
        "{}: the state is as before",
        case.sentence
    );
    assert_eq!(
        game.text("mood ann"),
        "Ann feels 4.",
        "after {}",
        case.sentence
    );
    outcome
}

fn assert_no_address_or_path(case: &Case, text: &str) {
    assert!(
        !text.contains("0x"),
        "{}: shows an address: {text}",
        case.sentence
    );
    let folder = std::env::temp_dir().to_string_lossy().into_owned();
    assert!(
        !text.contains(&folder),
        "{}: shows a path of the machine: {text}",
        case.sentence
    );
}

fn difference_from_expected(case: &Case, outcome: &CaseOutcome) -> Option<String> {
    let fits = match (&case.expected, &outcome.answer) {
        (Expected::Answer(expected), Ok(answer)) => expected == answer,
        (Expected::Refusal(code, part), Err((found, message))) => {
            code == found && message.contains(part.as_str())
        }
        _ => false,
    };
    (!fits).then(|| {
        format!(
            "--- {}\nexpected {:?}\nfound    {outcome:?}",
            case.sentence, case.expected
        )
    })
}

/// Fuel for cases with large texts and tables.
const LARGE_FUEL: u64 = 2_000_000;
/// Fuel for cases that end when they call the host.
const SMALL_FUEL: u64 = 200_000;

/// Defines one test for each file of cases.
macro_rules! classes {
    ($($fuel:ident: $($name:ident)+;)+) => {
        $($(#[test]
        fn $name() {
            play_all_cases(
                stringify!($name),
                include_str!(concat!("hostile/", stringify!($name), ".luau")),
                $fuel,
            );
        })+)+
    };
}

classes! {
    LARGE_FUEL: patterns texts tables memory buffers depth output acts;
    SMALL_FUEL: loops maps work values sealed addresses errors modules;
}
