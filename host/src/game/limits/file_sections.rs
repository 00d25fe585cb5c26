//! Limits of files, texts, the journal, reloads and imports.

use super::LimitRow;
use super::limit_numbers::{bytes, count, time};
use crate::content::TreeLimits;
use crate::content::files::{Budget, FILE_BYTES as MOD_FILE_BYTES};
use crate::game::{attempt, import, simulation};
use crate::script::{api, call, host, load};
use crate::store::archive;
use crate::text::{GrammarLimits, OutlineTable, TokenTable};
use crate::{content, text, thread};

pub(super) fn file_limits() -> Vec<LimitRow> {
    use content::shape::parse::{MOST_CHOICES, MOST_FIELDS, MOST_UNION};
    let budget = Budget::default();
    let data = format!(
        "{} and {} values",
        bytes(TreeLimits::DATA.bytes),
        count(TreeLimits::DATA.nodes)
    );
    let id = format!("{} of `a-z`, `0-9`, `_` and `-`", count(content::name::ID));
    vec![
        LimitRow::new("one file of a mod", bytes(MOD_FILE_BYTES), "limit/size"),
        LimitRow::new("files of a mod", count(budget.files), "limit/size"),
        LimitRow::new("all files of a mod", bytes(budget.bytes), "limit/size"),
        LimitRow::new(
            "entries of all folders of a mod, also those that are ignored",
            count(budget.entries),
            "limit/size",
        ),
        LimitRow::new(
            "folders inside each other",
            count(content::files::walk::DEPTH),
            "limit/depth",
        ),
        LimitRow::new(
            "characters of a path in a mod",
            count(content::files::path::PATH),
            "content/path",
        ),
        LimitRow::new(
            "levels in a YAML file",
            count(TreeLimits::CONTENT.depth),
            "limit/depth",
        ),
        LimitRow::new(
            "values in a YAML file of a mod",
            count(TreeLimits::CONTENT.nodes),
            "limit/size",
        ),
        LimitRow::new(
            "a data file that a person names, as in `load FILE`",
            data,
            "limit/size",
        ),
        LimitRow::new("characters of an id", id, "content/bad-id"),
        LimitRow::new(
            "characters of a name of a thing in play",
            count(content::name::NAME),
            "content/bad-name",
        ),
        LimitRow::new(
            "characters of a name that is a key in content",
            count(content::name::KEY_NAME),
            "content/bad-name",
        ),
        LimitRow::new(
            "keys of one shape of a schema",
            count(MOST_FIELDS),
            "schema/bad-shape",
        ),
        LimitRow::new(
            "shapes of one `any of`",
            count(MOST_UNION),
            "schema/bad-shape",
        ),
        LimitRow::new(
            "choices of one `one of`",
            count(MOST_CHOICES),
            "schema/bad-shape",
        ),
        LimitRow::new(
            "findings of one definition or text",
            count(content::findings::MOST),
            "limit/findings; the first are shown",
        ),
    ]
}

pub(super) fn text_limits() -> Vec<LimitRow> {
    let (outline, tokens) = (OutlineTable::default(), TokenTable::default());
    let grammar = GrammarLimits::default();
    let template = format!("{} bytes", count(text::template::parse::MAX_BYTES));
    vec![
        LimitRow::new(
            "a text that is read as content, or read with `phrase`",
            bytes(outline.max_bytes),
            "limit/size; the rest is not read",
        ),
        LimitRow::new(
            "lines of a text",
            count(outline.max_lines),
            "limit/size; the rest is not read",
        ),
        LimitRow::new(
            "one line of a text",
            bytes(outline.max_line_bytes),
            "limit/size; the line is not read",
        ),
        LimitRow::new(
            "levels of bullets in a text",
            count(outline.max_level),
            "limit/depth",
        ),
        LimitRow::new("brackets in a line", count(tokens.max_depth), "limit/depth"),
        LimitRow::new("a template of a syntax line", template, "limit/size"),
        LimitRow::new(
            "brackets in a template",
            count(text::template::parse::MAX_DEPTH),
            "limit/depth",
        ),
        LimitRow::new(
            "steps to read a line",
            count(grammar.steps),
            "phrase/too-complex",
        ),
        LimitRow::new(
            "slot types and optional parts inside each other",
            count(grammar.depth),
            "phrase/too-complex",
        ),
    ]
}

pub(super) fn line_limits() -> Vec<LimitRow> {
    vec![LimitRow::new(
        "a command, also one that `\\` continues over several lines",
        bytes(attempt::line_parser::LINE),
        "limit/size",
    )]
}

pub(super) fn journal_limits() -> Vec<LimitRow> {
    use archive::{journal, snapshot};
    let since = format!(
        "{} lines and {} times the size of the snapshot",
        count(snapshot::LINES),
        count(snapshot::TIMES)
    );
    let group = format!(
        "{} and {}",
        count(journal::GROUP_LINES),
        bytes(journal::GROUP_BYTES)
    );
    let packed = format!(
        "{} and {} entries",
        bytes(archive::packed_files::ALL_BYTES),
        count(archive::unpack::ENTRIES)
    );
    vec![
        LimitRow::new(
            "a line of the journal",
            bytes(archive::operation_line::LINE_BYTES),
            "the operation is stored in `blobs/`",
        ),
        LimitRow::new(
            "a file in `blobs/` or `rules/`",
            bytes(archive::hashed_files::FILE_BYTES),
            "limit/size",
        ),
        LimitRow::new(
            "a snapshot",
            bytes(snapshot::FILE_BYTES),
            "the game opens from the journal",
        ),
        LimitRow::new(
            "snapshots that are kept",
            count(snapshot::KEPT),
            "the oldest is removed",
        ),
        LimitRow::new(
            "journal since the last snapshot",
            since,
            "a new snapshot is written",
        ),
        LimitRow::new(
            "lines and bytes that `--sync group` saves together",
            group,
            "the group is saved",
        ),
        LimitRow::new(
            "characters of the name of a game folder",
            count(archive::game_creation::NAME),
            "save/bad-name",
        ),
        LimitRow::new("a packed game when it is unpacked", packed, "save/bad-pack"),
        LimitRow::new(
            "unfinished folders beside a new game",
            count(archive::game_creation::LEFT),
            "save/not-made",
        ),
    ]
}

pub(super) fn reload_limits() -> Vec<LimitRow> {
    use load::folder_watch::{LONGEST, POLL, SETTLE};
    vec![
        LimitRow::new(
            "quiet after a saved file",
            time(SETTLE),
            "the files are read",
        ),
        LimitRow::new(
            "wait at most, while files change",
            time(LONGEST),
            "the files are read",
        ),
        LimitRow::new(
            "search for changes, if the system does not report them",
            format!("every {}", time(POLL)),
            "`reload` reads them at once",
        ),
    ]
}

pub(super) fn import_limits() -> Vec<LimitRow> {
    let tally = format!(
        "{} and {}",
        count(host::try_counts::MOST),
        count(host::try_counts::LONGEST)
    );
    vec![
        LimitRow::new(
            "steps of a file for `import`",
            count(call::import_steps::STEPS),
            "limit/import",
        ),
        LimitRow::new(
            "lines, and findings, of one step",
            count(call::import_steps::OF_STEP),
            "script/import",
        ),
        LimitRow::new(
            "files of one `import`",
            count(import::file_import::FILES),
            "import/files",
        ),
        LimitRow::new(
            "posts of a forum thread",
            count(thread::POSTS),
            "the file is refused",
        ),
        LimitRow::new(
            "bytes of the text of one post",
            bytes(thread::POST_BYTES),
            "the rest is not read",
        ),
        LimitRow::new(
            "votes, and reports, of one forum thread",
            count(api::act::thread_methods::MOST),
            "the file is refused",
        ),
        LimitRow::new(
            "nested elements of a page of a forum",
            count(thread::html_tree::DEPTH),
            "what is inside them lies on the last level",
        ),
        LimitRow::new(
            "lines at the beginning of a simulated game",
            count(call::simulation::LINES),
            "script/simulation",
        ),
        LimitRow::new(
            "winners, and lengths, of one simulated game",
            count(call::simulation::MOST),
            "script/simulation",
        ),
        LimitRow::new(
            "shards of a simulation",
            count(simulation::shards::MOST),
            "the option `--shard` is refused",
        ),
        LimitRow::new(
            "names that `act:tally` counts, and letters of each",
            tally,
            "limit/size",
        ),
    ]
}
