//! This script gathers what travels inside the program: the standard library of scripts, and the pages about the codes
//! of diagnostics.

use std::path::Path;
use std::{env, fs, io};

const LIBRARY: &str = "../scripts/library";
const DIAGNOSTICS: &str = "../docs/src/reference/diagnostics";

fn main() -> io::Result<()> {
    write_diagnostics()?;
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
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("library.rs"), text)
}

/// Writes a list of the pages about the codes of diagnostics.
fn write_diagnostics() -> io::Result<()> {
    println!("cargo::rerun-if-changed={DIAGNOSTICS}");
    let entries = fs::read_dir(DIAGNOSTICS)?.collect::<io::Result<Vec<_>>>()?;
    let mut pages: Vec<_> = entries.iter().map(fs::DirEntry::path).collect();
    pages.sort();
    let mut list = String::new();
    for page in &pages {
        list += &format!("    {:?},\n", fs::read_to_string(page)?);
    }
    let text = format!(
        "/// The pages about the codes of diagnostics.\nconst PAGES: [&str; {}] = [\n{list}];\n",
        pages.len()
    );
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("diagnostics.rs"), text)
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
