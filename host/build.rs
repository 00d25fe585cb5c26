//! This script gathers what travels inside the program: the standard library of scripts, the pages about the codes of
//! diagnostics, and the anchors of the rule pages.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

const LIBRARY: &str = "../scripts/library";
const BOOK: &str = "../docs/src";
const DIAGNOSTICS: &str = "../docs/src/reference/diagnostics";
const RULESETS: &str = "../docs/src/rulesets";

fn main() -> io::Result<()> {
    write_diagnostics()?;
    write_rule_pages()?;
    println!("cargo::rerun-if-changed={LIBRARY}");
    let root = fs::canonicalize(LIBRARY)?;
    let mut files = Vec::new();
    gather(&root, "", &mut files)?;
    files.sort();
    let mut list = String::new();
    for path in &files {
        // The text itself, not its place: what is built outlives the folder that it was built from.
        let text = fs::read_to_string(root.join(path))?;
        list += &format!("    ({path:?}, {text:?}),\n");
    }
    let text = format!(
        "/// The scripts of the library: where each lies in its folder, and its text.\npub(super) const FILES: [(&str, &str); {}] = [\n{list}];\n",
        files.len()
    );
    write_out("library.rs", &text)
}

/// Writes a list of the pages about the codes of diagnostics: those of the host, and those of each ruleset.
fn write_diagnostics() -> io::Result<()> {
    println!("cargo::rerun-if-changed={DIAGNOSTICS}");
    let of_host = files_in(Path::new(DIAGNOSTICS))?.into_iter();
    let mut pages: Vec<(String, PathBuf)> = of_host.map(|page| (String::new(), page)).collect();
    for ruleset in files_in(Path::new(RULESETS))? {
        let name = ruleset.file_name().unwrap_or_default().to_string_lossy();
        pages.push((name.into_owned(), ruleset.join("diagnostics.md")));
    }
    let mut list = String::new();
    for (ruleset, page) in pages.iter().filter(|(_, page)| page.exists()) {
        let path = page
            .strip_prefix(BOOK)
            .unwrap_or(page)
            .display()
            .to_string();
        list += &format!(
            "    ({ruleset:?}, {path:?}, {:?}),\n",
            fs::read_to_string(page)?
        );
    }
    let text = format!(
        "/// The pages about the codes of diagnostics: the ruleset, empty for the host, the path in the book, and the text.\nconst PAGES: &[(&str, &str, &str)] = &[\n{list}];\n"
    );
    write_out("diagnostics.rs", &text)
}

/// Writes the anchors of the rule pages of each ruleset.
fn write_rule_pages() -> io::Result<()> {
    println!("cargo::rerun-if-changed={RULESETS}");
    let mut list = String::new();
    for ruleset in files_in(Path::new(RULESETS))? {
        for page in files_in(&ruleset.join("rules"))? {
            let text = fs::read_to_string(&page)?;
            let anchors = text
                .split("<a id=\"")
                .skip(1)
                .filter_map(|rest| rest.split('"').next());
            let anchors: Vec<&str> = anchors.collect();
            let path = [&ruleset, &page]
                .map(|path| path.file_name().unwrap_or_default().to_string_lossy());
            list += &format!(
                "    (\"rulesets/{}/rules/{}\", &{anchors:?}),\n",
                path[0], path[1]
            );
        }
    }
    let text = format!(
        "/// The rule pages: their paths in the book, and their anchors.\nconst RULE_PAGES: &[(&str, &[&str])] = &[\n{list}];\n"
    );
    write_out("rule_pages.rs", &text)
}

/// Returns the files and folders in a folder, in order of name; none if it does not exist.
fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    Ok(paths)
}

fn write_out(name: &str, text: &str) -> io::Result<()> {
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join(name), text)
}

/// Gathers the scripts below a folder; tests stay at home.
fn gather(root: &Path, folder: &str, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = match folder {
            "" => name,
            folder => format!("{folder}/{name}"),
        };
        if entry.file_type()?.is_dir() {
            gather(root, &path, files)?;
        } else if path.ends_with(".luau") && !path.contains(".test.") && !path.ends_with(".d.luau")
        {
            files.push(path);
        }
    }
    Ok(())
}
