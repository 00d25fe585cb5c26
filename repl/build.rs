//! This script gathers the host's commands: every file in `src/commands/` that declares a `COMMAND`.
//!
//! It also gathers the rulesets of the demonstration, one for each file of `demo/`, which is named for it: they travel inside
//! the program.

use std::{env, fs, io, path::Path};

const FOLDER: &str = "src/commands";
const SESSIONS: &str = "demo";
/// What says where the files of a folder come from.
const NOTICE: &str = "/NOTICE";

fn main() -> io::Result<()> {
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("commands.rs"), commands()?)?;
    fs::write(Path::new(&out).join("demo.rs"), rulesets()?)
}

/// Returns the list of the host's commands.
fn commands() -> io::Result<String> {
    println!("cargo::rerun-if-changed={FOLDER}");
    let mut names = Vec::new();
    for file in fs::read_dir(FOLDER)? {
        let path = file?.path();
        let is_command = path.extension().is_some_and(|ending| ending == "rs")
            && fs::read_to_string(&path)?.contains("pub(crate) const COMMAND: HostCommand");
        let name = path
            .file_stem()
            .map(|name| name.to_string_lossy().into_owned());
        names.extend(name.filter(|_| is_command));
    }
    names.sort();
    let list: String = names
        .iter()
        .map(|name| format!("    {name}::COMMAND,\n"))
        .collect();
    Ok(format!(
        "/// The host's commands.\npub static COMMANDS: [HostCommand; {}] = [\n{list}];\n",
        names.len()
    ))
}

/// Returns the list of the files that the rulesets of the demonstration consist of.
fn rulesets() -> io::Result<String> {
    println!("cargo::rerun-if-changed={SESSIONS}");
    let mut files = Vec::new();
    for file in fs::read_dir(SESSIONS)? {
        let path = file?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        for part in ["scripts", "content"] {
            let folder = format!("{part}/{name}");
            println!("cargo::rerun-if-changed=../{folder}");
            gather(&folder, &mut files)?;
        }
    }
    files.sort();
    let (notices, files): (Vec<String>, Vec<String>) =
        files.into_iter().partition(|path| path.ends_with(NOTICE));
    Ok(format!(
        "/// The files of the rulesets: the path of each in a home, and its text.\nstatic FILES: {}\n\
         /// What is to be said of where they come from, with the paths of that.\nstatic NOTICES: {}",
        texts(&files)?,
        texts(&notices)?
    ))
}

/// Returns the type and the value of a list of files with their texts: what is built outlives the folder that it was built
/// from.
fn texts(files: &[String]) -> io::Result<String> {
    let mut list = String::new();
    for path in files {
        let text = fs::read_to_string(Path::new("..").join(path))?;
        list += &format!("    ({path:?}, {text:?}),\n");
    }
    Ok(format!("[(&str, &str); {}] = [\n{list}];\n", files.len()))
}

/// Gathers the files below a folder that a game is played with, and where they come from: scripts, content, notices, no
/// tests.
fn gather(folder: &str, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(Path::new("..").join(folder))? {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            gather(&path, files)?;
        } else if [".luau", ".yaml", ".txt", ".json", NOTICE]
            .iter()
            .any(|end| path.ends_with(end))
            && !path.contains(".test.")
            && !path.ends_with(".d.luau")
        {
            files.push(path);
        }
    }
    Ok(())
}
