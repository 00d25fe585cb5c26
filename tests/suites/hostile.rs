//! Throws hostile scripts at a game: each runs as a command of a mod, and each time the game
//! answers the next command as if nothing had been.
//!
//! The scripts stand in `hostile/*.luau`, one file for each class of what a stranger may try.

mod files;
mod reachable_names;
mod runs;

use arbiter_tests::{Case, Expected, Game, Scratch, on_game_thread, read_cases};
use host::diag::render;
use host::script::Limits;

/// What a case came to: its answer or its refusal, and the fuel it used.
#[derive(Debug, PartialEq, Eq)]
struct CaseOutcome {
    answer: Result<String, (String, String)>,
    fuel: u64,
}

/// Plays every case of a file with some fuel, then twice with less: with the fast parts of the host and with
/// their safe stand-ins, which must come to the same.
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
        // What ends by fuel has used all of it: such cases show nothing of what calls spend, and take less.
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

/// Runs a case and makes sure that the game goes on as before.
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

/// Fuel of cases whose texts and tables are large.
const LARGE_FUEL: u64 = 2_000_000;
/// Fuel of cases that end sooner or later by calling the host.
const SMALL_FUEL: u64 = 200_000;

/// Makes one test for each file of cases.
macro_rules! classes {
    ($($fuel:ident: $($name:ident)+;)+) => {
        $($(#[test]
        fn $name() {
            play_all_cases(stringify!($name), include_str!(concat!("hostile/", stringify!($name), ".luau")), $fuel);
        })+)+
    };
}

classes! {
    LARGE_FUEL: patterns texts tables memory buffers depth output acts;
    SMALL_FUEL: loops maps work values sealed addresses errors modules;
}
