//! This script gathers the host's commands: every file in `src/commands/` that declares a `COMMAND`.

use std::{env, fs, io, path::Path};

const FOLDER: &str = "src/commands";

fn main() -> io::Result<()> {
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
    let text = format!(
        "/// The host's commands.\npub static COMMANDS: [HostCommand; {}] = [\n{list}];\n",
        names.len()
    );
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("commands.rs"), text)
}
