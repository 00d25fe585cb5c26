//! The limits of the host as a table for people: what is limited, the number, and what happens beyond it.
//!
//! Each number is the constant that the host itself uses, so the table cannot be wrong.

mod file_sections;
mod limit_numbers;

use file_sections::{
    file_limits, import_limits, journal_limits, line_limits, reload_limits, text_limits,
};
pub use limit_numbers::{bytes as size_text, count as number_text};
use limit_numbers::{bytes, count, luau_number, time};

use crate::dice::{MOST_DICE, MOST_EXPLOSIONS, MOST_SIDES};
use crate::doc::Forum;
use crate::game::{answer, attempt, report, ruling, session};
use crate::script::fuel::limits::{CALL_TIME, COMMAND_TIME};
use crate::script::host::sandbox::PRELUDE;
use crate::script::{Limits, api, border, call, inquiry, run, source};
use crate::store::limits as state;
use crate::{diag, dice, doc, expr, store};

/// Limits of one kind.
#[derive(Clone, Debug)]
pub struct LimitSection {
    /// Its name.
    pub name: &'static str,
    /// Its limits.
    pub limits: Vec<LimitRow>,
}

/// A limit in words.
#[derive(Clone, Debug)]
pub struct LimitRow {
    /// What is limited.
    pub what: &'static str,
    /// The number with its unit: `10,000`, `4 KiB`.
    pub number: String,
    /// What happens beyond it: a code, or words.
    pub beyond: &'static str,
}

impl LimitRow {
    /// Returns a limit.
    pub fn new(what: &'static str, number: impl Into<String>, beyond: &'static str) -> LimitRow {
        LimitRow {
            what,
            number: number.into(),
            beyond,
        }
    }
}

/// Returns all limits of the host.
pub fn limit_sections() -> Vec<LimitSection> {
    let section = |name, limits| LimitSection { name, limits };
    vec![
        section("scripts", script_limits()),
        section("events and handlers", event_limits()),
        section("functions of Luau", library_limits()),
        section("values between scripts and host", value_limits()),
        section("state", state_limits()),
        section("questions", question_limits()),
        section("dice", dice_limits()),
        section("expressions", expression_limits()),
        section("output", output_limits()),
        section("files", file_limits()),
        section("texts", text_limits()),
        section("typed lines", line_limits()),
        section("journal", journal_limits()),
        section("reload", reload_limits()),
        section("imports and simulations", import_limits()),
    ]
}

fn script_limits() -> Vec<LimitRow> {
    let limits = Limits::default();
    let table = format!(
        "{} and {}",
        count(source::lua_table_to_node::NODES),
        bytes(source::lua_table_to_node::BYTES)
    );
    vec![
        LimitRow::new(
            "steps of one call from the host into a script",
            count(limits.fuel_callback),
            "limit/fuel",
        ),
        LimitRow::new(
            "steps of one command",
            count(limits.fuel_command),
            "limit/fuel",
        ),
        LimitRow::new(
            "processor time of one call from the host into a script",
            time(CALL_TIME),
            "limit/time",
        ),
        LimitRow::new(
            "processor time of one command",
            time(COMMAND_TIME),
            "limit/time",
        ),
        LimitRow::new(
            "memory of the scripts of a game",
            bytes(limits.memory),
            "limit/memory",
        ),
        LimitRow::new(
            "calls from the host into scripts inside each other",
            count(limits.depth),
            "limit/depth",
        ),
        LimitRow::new(
            "size of a source file",
            bytes(limits.source),
            "limit/size; the file is not loaded",
        ),
        LimitRow::new(
            "values, and bytes of text, in the table of a definition",
            table,
            "limit/size",
        ),
        LimitRow::new(
            "handlers of a definition",
            count(run::read_handler::MOST),
            "limit/size",
        ),
        LimitRow::new(
            "characters of the `key` of a handler",
            count(run::read_handler::LONGEST_KEY),
            "script/handlers",
        ),
    ]
}

fn event_limits() -> Vec<LimitRow> {
    let limits = Limits::default();
    vec![
        LimitRow::new(
            "handlers that one command runs",
            count(limits.firings),
            "limit/events, or `on_limit`",
        ),
        LimitRow::new(
            "events inside each other, and blocks of `act:with_cause` inside each other",
            count(limits.event_depth),
            "limit/depth, or `on_limit`",
        ),
        LimitRow::new(
            "times that a queue fills again while `act:drain` empties it, if `again` is not set",
            count(api::act::queue_methods::REFILLS),
            "limit/events, or `on_limit`",
        ),
        LimitRow::new(
            "`settled` events in a row",
            luau_number(api::act::CLOCK, "MOST_SETTLED", count),
            "later writes wait for the next event",
        ),
        LimitRow::new(
            "characters of the text of `act:with_cause`",
            count(api::act::named_work::MOST),
            "the text is cut",
        ),
    ]
}

fn library_limits() -> Vec<LimitRow> {
    let library = |name: &str| luau_number(PRELUDE, name, count);
    let library_bytes = |name: &str| luau_number(PRELUDE, name, bytes);
    let changes = format!(
        "{}; {} without `most`",
        count(api::act::past_changes::MOST.unsigned_abs()),
        count(api::act::past_changes::USUAL.unsigned_abs())
    );
    vec![
        LimitRow::new(
            "text that is searched",
            library_bytes("SUBJECT"),
            "limit/size",
        ),
        LimitRow::new("pattern", library_bytes("PATTERN"), "limit/size"),
        LimitRow::new(
            "result of `string.rep`, and a buffer or a text read from one",
            library_bytes("RESULT"),
            "limit/size",
        ),
        LimitRow::new(
            "text for functions of `text`",
            bytes(api::text::LONGEST),
            "limit/size",
        ),
        LimitRow::new(
            "parts of a text that is split",
            count(api::text::PARTS),
            "limit/size",
        ),
        LimitRow::new("elements of `table.sort`", library("SORTED"), "limit/size"),
        LimitRow::new(
            "elements of `table.move`, `create`, `insert`, `remove`",
            library("ELEMENTS"),
            "limit/size",
        ),
        LimitRow::new(
            "values from `unpack` and similar functions",
            library("VALUES"),
            "limit/size",
        ),
        LimitRow::new(
            "values of `string.format`",
            library("FORMATTED"),
            "limit/size",
        ),
        LimitRow::new(
            "results that one function of `memoize` keeps",
            count(api::memoize::KEPT),
            "all are forgotten",
        ),
        LimitRow::new(
            "memory of all lists of `fuzzy.names`",
            bytes(api::fuzzy_name_list::HELD),
            "limit/size",
        ),
        LimitRow::new(
            "changes that `act:changes` returns",
            changes,
            "script/argument",
        ),
    ]
}

fn value_limits() -> Vec<LimitRow> {
    use border::value_conversion::{BYTES, DEPTH, NODES};
    vec![
        LimitRow::new(
            "lists and maps inside each other",
            count(DEPTH),
            "script/argument",
        ),
        LimitRow::new("values in all", count(NODES), "script/argument"),
        LimitRow::new("bytes of text in all", bytes(BYTES), "script/argument"),
    ]
}

fn state_limits() -> Vec<LimitRow> {
    let room = state::Room::GIVEN;
    vec![
        LimitRow::new("entities", count(state::ENTITIES), "limit/size"),
        LimitRow::new(
            "records, without queue rows, polls and prompts",
            count(state::RECORDS),
            "limit/size",
        ),
        LimitRow::new("rows of all queues", count(state::QUEUE_ROWS), "limit/size"),
        LimitRow::new("polls at the same time", count(state::POLLS), "limit/size"),
        LimitRow::new(
            "open prompts at the same time",
            count(state::PROMPTS),
            "limit/size",
        ),
        LimitRow::new("fields of one row", count(state::FIELDS), "limit/size"),
        LimitRow::new(
            "stats of one row that modifiers may change",
            count(state::MODIFIED_STATS),
            "limit/size",
        ),
        LimitRow::new("size of one value", bytes(state::VALUE_BYTES), "limit/size"),
        LimitRow::new(
            "lists and maps around a value in a field",
            count(state::VALUE_DEPTH),
            "limit/depth",
        ),
        LimitRow::new(
            "characters of the id of an entity, of a kind or of a field",
            count(state::NAME_CHARACTERS),
            "store/bad-name",
        ),
        LimitRow::new(
            "number of a record",
            count(state::RECORD_NUMBER.unsigned_abs()),
            "limit/size",
        ),
        LimitRow::new(
            "stats that are computed for each other",
            count(store::stat_evaluation::DEEPEST),
            "limit/depth",
        ),
        LimitRow::new(
            "all values of a game",
            bytes(room.game),
            "limit/size, with what takes most",
        ),
        LimitRow::new(
            "changes of one command",
            bytes(room.command),
            "limit/size, with what takes most",
        ),
    ]
}

fn question_limits() -> Vec<LimitRow> {
    vec![
        LimitRow::new(
            "questions of one ruling",
            count(ruling::input_source::answers::QUESTIONS),
            "limit/questions",
        ),
        LimitRow::new(
            "options of one question",
            count(inquiry::questions::OPTIONS),
            "limit/size",
        ),
        LimitRow::new(
            "texts of one question",
            bytes(inquiry::questions::BYTES),
            "limit/size",
        ),
        LimitRow::new(
            "answers that are due after one command",
            count(answer::deadlines::MOST),
            "the rest waits for the next command",
        ),
        LimitRow::new(
            "open disputes of one player",
            count(report::dispute::MOST),
            "limit/size",
        ),
        LimitRow::new(
            "characters of the reason or the decision of a dispute",
            count(report::dispute::refusals::LONGEST),
            "limit/size",
        ),
        LimitRow::new(
            "characters of the reason of a fiat",
            count(api::act::fiat::LONGEST),
            "limit/size",
        ),
        LimitRow::new(
            "forks of a session",
            count(session::forks::MOST),
            "limit/forks",
        ),
        LimitRow::new(
            "characters of the name of a fork",
            count(session::forks::NAME),
            "fork/name",
        ),
    ]
}

fn dice_limits() -> Vec<LimitRow> {
    use dice::distribution::{fold, work_budget};
    let work = format!(
        "{} and {}",
        count(work_budget::MOST_STEPS),
        count(work_budget::MOST_CELLS)
    );
    let fold = format!(
        "{} and {}",
        count(fold::MOST_STATES),
        count(fold::LONGEST_STATE)
    );
    vec![
        LimitRow::new(
            "dice of one ruling, with those that are rolled again or explode",
            count(MOST_DICE),
            "limit/dice",
        ),
        LimitRow::new("dice of one notation", count(MOST_DICE), "dice/too-many"),
        LimitRow::new("sides of a die", count(MOST_SIDES), "dice/bad-size"),
        LimitRow::new(
            "explosions of one die",
            count(MOST_EXPLOSIONS),
            "limit/dice",
        ),
        LimitRow::new(
            "dice notation",
            bytes(dice::notation_parser::LONGEST),
            "limit/size",
        ),
        LimitRow::new(
            "brackets in a notation",
            count(dice::notation_parser::DEEPEST),
            "limit/depth",
        ),
        LimitRow::new(
            "characters of a label in a notation",
            count(dice::operand::LONGEST_LABEL),
            "dice/bad-label",
        ),
        LimitRow::new(
            "work of exact odds: steps, values side by side",
            work,
            "dice/distribution-too-large",
        ),
        LimitRow::new(
            "states of `dice.fold`, and bytes of a state",
            fold,
            "dice/distribution-too-large and dice/bad-state",
        ),
        LimitRow::new(
            "characters of a salt",
            count(attempt::salts::CHARACTERS),
            "salt/text",
        ),
        LimitRow::new(
            "salts of a game",
            count(attempt::salts::MOST),
            "salt/too-many",
        ),
    ]
}

fn expression_limits() -> Vec<LimitRow> {
    use expr::fraction::{BOUND, EXPONENT, PLACES};
    vec![
        LimitRow::new("text of an expression", bytes(expr::BYTES), "limit/size"),
        LimitRow::new("tokens", count(expr::TOKENS), "limit/size"),
        LimitRow::new("values on the stack", count(expr::STACK), "limit/depth"),
        LimitRow::new(
            "digits of a numerator or denominator",
            count(BOUND.ilog10()),
            "expr/overflow",
        ),
        LimitRow::new(
            "exponent",
            format!("-{EXPONENT} to {EXPONENT}"),
            "expr/power",
        ),
        LimitRow::new(
            "digits of a number for scripts and fields",
            count(PLACES),
            "script/number",
        ),
    ]
}

fn output_limits() -> Vec<LimitRow> {
    let printed = format!(
        "{} and {}",
        count(border::printed_lines::LINES),
        bytes(border::printed_lines::BYTES)
    );
    let error = format!(
        "{} and {} lines",
        bytes(diag::error_text::TEXT),
        count(diag::error_text::LINES)
    );
    let posts = [Forum::Markdown, Forum::Bbcode, Forum::Html, Forum::Discord]
        .map(|forum| count(forum.longest_post()))
        .join(", ");
    vec![
        LimitRow::new(
            "a document, and all documents of a command: bytes of text, and 16 for each part and line end",
            bytes(doc::limit::SIZE),
            "limit/output",
        ),
        LimitRow::new(
            "blocks, and data, inside each other",
            count(doc::limit::DEPTH),
            "limit/depth",
        ),
        LimitRow::new(
            "one line in the output",
            bytes(doc::hidden_character_gate::LINE_LIMIT),
            "the line is cut, with a mark",
        ),
        LimitRow::new(
            "one line of `print`",
            bytes(border::printed_lines::LINE),
            "the line is cut",
        ),
        LimitRow::new(
            "lines and bytes of `print` in one command",
            printed,
            "the rest is counted, not kept",
        ),
        LimitRow::new(
            "a value that `=` shows",
            bytes(call::evaluation::SHOWN),
            "limit/output",
        ),
        LimitRow::new("text of one error", error, "the rest is cut"),
        LimitRow::new(
            "frames in the trace of an error",
            count(diag::render::FRAMES),
            "the rest is left out",
        ),
        LimitRow::new(
            "characters of a post: `markdown`, `bbcode`, `html`, `discord`",
            posts,
            "the post is split and numbered",
        ),
        LimitRow::new(
            "characters of a name in an audience",
            count(doc::audience::LONGEST),
            "script/document",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_of_the_state_is_in_the_table() {
        let declared = include_str!("../store/limits.rs").lines();
        let names = declared.filter_map(|line| line.strip_prefix("pub const ")?.split(':').next());
        let table = include_str!("limits.rs");
        let names: Vec<&str> = names.collect();
        assert!(names.len() > 9, "{names:?}");
        for name in names {
            assert!(table.contains(&format!("state::{name}")), "{name}");
        }
    }

    #[test]
    fn each_limit_has_a_number_and_a_consequence() {
        let mut seen = std::collections::BTreeSet::new();
        for section in limit_sections() {
            for limit in section.limits {
                assert!(
                    limit.number.contains(|c: char| c.is_ascii_digit()),
                    "{limit:?}"
                );
                assert!(!limit.beyond.is_empty(), "{limit:?}");
                assert!(seen.insert((section.name, limit.what)), "{limit:?}");
            }
        }
        assert!(seen.len() > 90, "{}", seen.len());
    }
}
