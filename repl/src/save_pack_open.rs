//! Saves, packs and opens games in the REPL, and reports that to the person.

use std::path::{Path, PathBuf};

use host::diag::Diagnostic;
use host::doc::Document;
use host::doc::build::paragraph;
use host::game::{ProgramRequest, Reply, Solo};
use host::store::archive;

use crate::arguments::{Common, RulesOf, Sync};
use crate::export;
use crate::game_folder::{self, Folder};
use crate::game_thread::Start;
use crate::home_lookup;
use crate::picture_file;
use crate::typed_path;

/// Options after the name of a game to open.
const WORDS: &str =
    "after the name you can type: --rules recorded, --rules now, --read-only, anyway";

/// The game to open, and how to open it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// The typed place, without quotes.
    pub(crate) place: String,
    rules: Option<RulesOf>,
    read_only: bool,
    /// Whether a game in memory may be lost.
    pub(crate) anyway: bool,
}

impl Request {
    /// Reads the text after `open`. Errors: `save/open`.
    pub(crate) fn parse(text: &str) -> Result<Request, Box<Diagnostic>> {
        let (place, words) = split_quoted_name(text);
        let mut request = Request {
            place,
            rules: None,
            read_only: false,
            anyway: false,
        };
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "anyway" => request.anyway = true,
                "--read-only" => request.read_only = true,
                "--rules" | "--rules=now" | "--rules=recorded" => {
                    let value = match word.split_once('=') {
                        Some((_, value)) => Some(value.to_owned()),
                        None => words.next(),
                    };
                    request.rules = Some(parse_rules_of(value.as_deref())?);
                }
                other => {
                    return Err(syntax_refusal(format!(
                        "unknown word \"{other}\" after `open`"
                    )));
                }
            }
        }
        match request.place.is_empty() {
            true => Err(syntax_refusal(
                "the folder of the game is missing after `open`".to_owned(),
            )),
            false => Ok(request),
        }
    }

    /// Returns the start of the game; a packed game is unpacked, and the text reports that. Errors: there is no such
    /// game.
    pub(crate) fn session_start(
        &self,
        common: &Common,
        home: &host::game::Home,
    ) -> Result<(Start, Option<String>), Box<Diagnostic>> {
        let games = game_folder::games_folder(common);
        let (folder, told) = match game_folder::find_game_by_path_or_name(
            &games,
            &typed_path::expanded_path(&self.place),
        ) {
            Folder::Kept(folder) => (folder, None),
            Folder::Packed(file) => {
                unpack_to_folder(&file, None).map(|(to, told)| (to, Some(told)))?
            }
            Folder::New(path) => {
                return Err(Box::new(game_folder::no_game_refusal(&games, &path)));
            }
            Folder::Nowhere => {
                return Err(Box::new(game_folder::no_game_refusal(
                    &games,
                    Path::new(""),
                )));
            }
        };
        let common = Common {
            rules: self.rules.unwrap_or(common.rules),
            read_only: self.read_only,
            ..common.clone()
        };
        Ok((
            home_lookup::saved_game_start(&common, home.clone(), folder),
            told,
        ))
    }
}

/// Splits a text into a name, which may be quoted or contain spaces, and the words after it.
fn split_quoted_name(text: &str) -> (String, Vec<String>) {
    let text = text.trim();
    for quote in ['"', '\''] {
        if let Some((name, rest)) = text
            .strip_prefix(quote)
            .and_then(|rest| rest.split_once(quote))
        {
            return (
                name.to_owned(),
                rest.split_whitespace().map(str::to_owned).collect(),
            );
        }
    }
    let words: Vec<&str> = text.split(' ').collect();
    let is_option = |word: &&str| word.starts_with("--") || *word == "anyway";
    let at = words
        .iter()
        .skip(1)
        .position(is_option)
        .map_or(words.len(), |at| at + 1);
    let behind = words[at..].iter().filter(|word| !word.is_empty());
    let behind = behind.map(|word| (*word).to_owned()).collect();
    (words[..at].join(" ").trim().to_owned(), behind)
}

fn parse_rules_of(value: Option<&str>) -> Result<RulesOf, Box<Diagnostic>> {
    match value {
        Some("now") => Ok(RulesOf::Now),
        Some("recorded") => Ok(RulesOf::Recorded),
        other => Err(syntax_refusal(format!(
            "--rules must be now or recorded, not \"{}\"",
            other.unwrap_or_default()
        ))),
    }
}

fn syntax_refusal(message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("save/open", message).hint(WORDS))
}

/// Settings of the disk for requests of replies.
#[derive(Clone, Debug)]
pub(crate) struct Disk {
    /// The folder that contains the folders of games.
    pub(crate) games: PathBuf,
    /// Time at which commands are made safe.
    pub(crate) sync: Sync,
}

impl Disk {
    /// Carries out the request of a reply to the disk. Other requests stay.
    pub(crate) fn carry_out_disk_request(&self, solo: &mut Solo, reply: Reply) -> Reply {
        let done = match &reply.program_request {
            Some(ProgramRequest::Save(text)) => self.save_game(solo, text),
            Some(ProgramRequest::Pack(text)) => pack_game(solo, text),
            Some(ProgramRequest::Export {
                whom,
                format,
                place,
                corrections,
            }) => {
                let corrections = export::corrections_for_flag(*corrections);
                let written = export::export_current_game(solo, (whom, format, corrections), place);
                if written.is_err() {
                    solo.client.forget_export();
                }
                written
            }
            Some(ProgramRequest::Picture { title, place }) => {
                let (title, place) = (title.clone(), place.clone());
                return picture_file::draw_charts_of_reply(reply, &title, &place);
            }
            Some(ProgramRequest::Open(text)) => match self.refuse_game_of_fork(solo, text) {
                Some(refusal) => Err(Box::new(refusal)),
                None => return reply,
            },
            Some(
                ProgramRequest::Quit
                | ProgramRequest::As(_)
                | ProgramRequest::Format(_)
                | ProgramRequest::Post(_)
                | ProgramRequest::Verify { .. },
            )
            | None => return reply,
        };
        match done {
            Ok(lines) => {
                let lines = Document::new(lines.into_iter().map(paragraph));
                Reply::document(lines.limit_to_audience(host::doc::Audience::Gm))
            }
            Err(refusal) => Reply::refused(*refusal),
        }
    }

    /// Refuses to open a game in which a fork of the session is saved: it is held, and can be reached without opening.
    pub(crate) fn refuse_game_of_fork(&self, solo: &Solo, text: &str) -> Option<Diagnostic> {
        let request = Request::parse(text)
            .ok()
            .filter(|request| !request.read_only)?;
        let Folder::Kept(folder) = game_folder::find_game_by_path_or_name(
            &self.games,
            &typed_path::expanded_path(&request.place),
        ) else {
            return None;
        };
        let mut kept = solo.session.other_stored_lines(solo.client.at());
        let (name, _) = kept.find(|(_, own)| is_same_folder(own, &folder))?;
        let place = folder.display();
        let (message, hint) = match name {
            host::game::Session::MAIN => (
                format!(
                    "{place} is the folder of the game itself, which is in use while you play one of its forks"
                ),
                "`fork main` leads back to it".to_owned(),
            ),
            name => (
                format!("fork {name} of this session is saved in {place}"),
                format!("`fork {name}` leads there; after `fork drop {name}` you can open it"),
            ),
        };
        Some(Diagnostic::error("save/open", message).hint(hint))
    }

    fn save_game(&self, solo: &mut Solo, text: &str) -> Result<Vec<String>, Box<Diagnostic>> {
        let wanted = typed_path::expanded_path(text);
        let is_own = |own: &PathBuf| text.trim().is_empty() || is_same_folder(own, &wanted);
        if !text.trim().is_empty()
            && !solo
                .folder()
                .map(Path::to_owned)
                .as_ref()
                .is_some_and(is_own)
        {
            typed_path::check_new_path(&wanted)?;
        }
        match solo.folder().map(Path::to_owned) {
            None => {
                let ruleset = solo.session.options().ruleset.clone();
                let to = match (text.trim(), Folder::next_free(&self.games, &ruleset)) {
                    ("", Folder::New(path)) => path,
                    _ => wanted,
                };
                game_folder::make_parent_folders(&to)?;
                solo.save_in_folder(&to, game_folder::save_options_for_sync(self.sync))?;
                let safe = match self.sync {
                    Sync::Each => "every command is saved there before its answer appears",
                    Sync::Group => {
                        "with --sync group, answers can appear before the commands are saved there"
                    }
                };
                Ok(vec![format!(
                    "saved in {} from now on: {safe}",
                    to.display()
                )])
            }
            Some(own) if is_own(&own) => {
                let own = own.display();
                Ok(vec![match self.sync {
                    Sync::Each => {
                        format!(
                            "every command is already saved in {own}; `save FOLDER` makes a copy"
                        )
                    }
                    Sync::Group => format!(
                        "the game is already saved in {own}, except perhaps the last commands (--sync group); `save \
                         FOLDER` makes a copy"
                    ),
                }])
            }
            Some(own) => {
                let apart = archive::check_outside_game(&own, &wanted);
                apart.map_err(|error| Box::new(error.to_diagnostic()))?;
                game_folder::make_parent_folders(&wanted)?;
                let count = solo.game_on_disk()?.copy_to(&wanted)?;
                let (own, copy) = (own.display(), wanted.display());
                Ok(vec![
                    match solo.session.options().seed.is_missing() {
                        false => format!(
                            "copied to {copy}: {count} log lines, with the same future dice"
                        ),
                        true => format!(
                            "copied to {copy}: {count} log lines, without future dice, because the file \"secret\" \
                             is missing"
                        ),
                    },
                    format!("this game continues in {own}; `open {copy}` continues with the copy"),
                ])
            }
        }
    }
}

fn pack_game(solo: &mut Solo, text: &str) -> Result<Vec<String>, Box<Diagnostic>> {
    let file = match (text.trim(), solo.folder()) {
        ("", Some(folder)) => with_tar_ending(folder),
        _ => with_tar_ending(&typed_path::checked_new_path(text)?),
    };
    game_folder::make_parent_folders(&file)?;
    let packed = solo.game_on_disk()?.pack_into(&file)?;
    let (word, file, size) = (
        game_folder::shell_word_of_path(&file),
        file.display(),
        size_text(packed.bytes),
    );
    Ok(vec![
        format!("packed into {file}: {} files, {size}", packed.files),
        match solo.session.options().seed.is_missing() {
            false => "It contains the secret that all dice come from. Anybody who has the file can compute future \
                      dice.",
            true => "The secret that all dice come from is missing, so the packed game is read-only.",
        }
        .to_owned(),
        format!("`arbiter play {word}` unpacks it beside the file and continues; with --rules recorded it needs no \
                 other rules."),
    ])
}

/// Returns a path that ends in `.tar`.
fn with_tar_ending(path: &Path) -> PathBuf {
    if path
        .extension()
        .is_some_and(|one| one.eq_ignore_ascii_case("tar"))
    {
        return path.to_owned();
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".tar");
    path.with_file_name(name)
}

pub(crate) fn size_text(bytes: u64) -> String {
    match bytes {
        0..1_048_576 => format!("{} KiB", bytes.div_ceil(1024)),
        more => format!("{} MiB", more.div_ceil(1 << 20)),
    }
}

/// Unpacks a game into a folder, else beside its file; returns its place and a message.
///
/// Errors: it is not a packed game; the folder is in use.
pub(crate) fn unpack_to_folder(
    file: &Path,
    to: Option<&Path>,
) -> Result<(PathBuf, String), Box<Diagnostic>> {
    let to = match (to, file.extension()) {
        (Some(to), _) => {
            typed_path::check_new_path(to)?;
            to.to_owned()
        }
        (None, Some(one)) if one.eq_ignore_ascii_case("tar") => file.with_extension(""),
        (None, _) => {
            let message = format!("{} is a file, but not a packed game", file.display());
            let finding = Diagnostic::error("save/bad-pack", message);
            return Err(Box::new(
                finding.hint("the name of a packed game must end in .tar"),
            ));
        }
    };
    if game_folder::is_game_folder(&to) {
        let message = format!(
            "{} already exists: the game was unpacked before, or it is another game",
            to.display()
        );
        let finding = Diagnostic::error("save/folder-used", message);
        let (word, to) = (game_folder::shell_word_of_path(&to), to.display());
        return Err(Box::new(finding.hint(format!(
            "`arbiter play {word}` or `open {to}` continues there; `arbiter play {} --game FOLDER` unpacks into \
             another folder",
            game_folder::shell_word_of_path(file)
        ))));
    }
    game_folder::make_parent_folders(&to)?;
    archive::unpack_game(file, &to).map_err(|error| Box::new(error.to_diagnostic()))?;
    let told = format!("unpacked {} into {}", file.display(), to.display());
    Ok((to, told))
}

/// Returns whether two paths lead to one folder.
pub(crate) fn is_same_folder(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    a == b || real(a).is_some_and(|a| real(b) == Some(a))
}

#[cfg(test)]
mod tests;
