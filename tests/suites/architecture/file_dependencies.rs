//! Reads the dependencies between files of a crate from `use` lines and paths in the code, through
//! re-exports. Two kinds do not count: uses by tests, and re-exports of a module's own parts.

use std::collections::{BTreeMap, BTreeSet};

use super::rust_paths::{Import, NamedPaths, read_named_paths};
use super::source_files::File;

/// A module path from the crate root.
type Module = Vec<String>;

/// The files that each file uses, by path from the project's folder.
pub(super) type Dependencies = BTreeMap<String, BTreeSet<String>>;

/// The longest chain of re-exports that is followed.
const MAX_REEXPORT_CHAIN: usize = 12;

/// The modules of one crate.
struct Crate<'a> {
    modules: BTreeMap<Module, Source<'a>>,
}

/// A file and the paths that it names.
struct Source<'a> {
    path: &'a str,
    paths: NamedPaths,
    /// The imported names of the file, with their paths.
    names: BTreeMap<String, Vec<String>>,
}

/// Returns the dependencies between the files of one crate; `folder` contains its root.
pub(super) fn dependencies_between_files(folder: &str, files: &[File]) -> Dependencies {
    let own = Crate::of(folder, files);
    let mut arrows = Dependencies::new();
    for (module, source) in &own.modules {
        let imports = source.paths.imports.iter();
        let imports =
            imports.filter(|one| !(one.is_public && own.leads_into_own_parts(module, &one.path)));
        let named = imports.map(|one| &one.path).chain(&source.paths.inline);
        let used = named.filter_map(|path| own.defining_file(module, path));
        let used = used.filter(|file| *file != source.path).map(str::to_owned);
        arrows.insert(source.path.to_owned(), used.collect());
    }
    arrows
}

impl<'a> Crate<'a> {
    fn of(folder: &str, files: &'a [File]) -> Crate<'a> {
        let mut modules = BTreeMap::new();
        let mut tests = Vec::new();
        for file in files {
            let module = module_of(folder, &file.path);
            let paths = read_named_paths(file.code_without_tests());
            tests.extend(paths.tests.iter().map(|name| child_module(&module, name)));
            let names = paths.imports.iter().map(Import::name_and_path).collect();
            let path = file.path.as_str();
            modules.insert(module, Source { path, paths, names });
        }
        let is_test = |module: &Module| tests.iter().any(|test: &Module| module.starts_with(test));
        modules.retain(|module, _| !is_test(module));
        Crate { modules }
    }

    /// Returns the file that defines the target of a path in a module. Nothing for other crates,
    /// and nothing for a path that names only a module.
    fn defining_file(&self, module: &Module, path: &[String]) -> Option<&'a str> {
        let absolute = self.path_from_root(module, path)?;
        self.defining_file_of_absolute(&absolute, MAX_REEXPORT_CHAIN)
    }

    /// Returns whether a path leads from a module into its own parts; a re-export of these is not a
    /// use.
    fn leads_into_own_parts(&self, module: &Module, path: &[String]) -> bool {
        let absolute = self.path_from_root(module, path);
        absolute.is_some_and(|absolute| absolute.starts_with(module))
    }

    /// Returns a path from the crate root; nothing if it begins with the name of another crate.
    fn path_from_root(&self, module: &Module, path: &[String]) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        let mut base = match first.as_str() {
            "crate" => Module::new(),
            "self" => module.clone(),
            "super" => module.split_last()?.1.to_vec(),
            name if self.modules.contains_key(&child_module(module, name)) => {
                child_module(module, name)
            }
            name => {
                let meant = self.modules.get(module)?.names.get(name)?;
                let is_other = meant.first() != Some(first);
                is_other
                    .then(|| self.path_from_root(module, meant))
                    .flatten()?
            }
        };
        for name in rest {
            match name.as_str() {
                "super" => drop(base.pop()),
                name => base.push(name.to_owned()),
            }
        }
        Some(base)
    }

    /// Returns the file that defines an absolute path, following re-exports.
    fn defining_file_of_absolute(&self, path: &[String], chain: usize) -> Option<&'a str> {
        let depth = (0..path.len())
            .rev()
            .find(|depth| self.modules.contains_key(&path[..*depth]))?;
        if self.modules.contains_key(path) || chain == 0 {
            return None;
        }
        let module = path[..depth].to_vec();
        let source = &self.modules[&module];
        match source.names.get(&path[depth]) {
            None => Some(source.path),
            Some(meant) => {
                let mut behind = self.path_from_root(&module, meant)?;
                behind.extend_from_slice(&path[depth + 1..]);
                self.defining_file_of_absolute(&behind, chain - 1)
            }
        }
    }
}

/// Returns the module path of a file.
fn module_of(folder: &str, path: &str) -> Module {
    let inner = path.strip_prefix(folder).unwrap_or(path);
    let inner = inner.trim_start_matches('/').trim_end_matches(".rs");
    let mut names: Module = inner.split('/').map(str::to_owned).collect();
    let is_folder = names.last().is_some_and(|name| name == "mod");
    let is_root = names.len() == 1 && ["lib", "main"].contains(&names[0].as_str());
    if is_folder || is_root {
        names.pop();
    }
    names
}

fn child_module(module: &[String], name: &str) -> Module {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

/// Returns the circles: sets of files in which each file uses every other one, directly or through
/// others.
pub(super) fn dependency_circles(arrows: &Dependencies) -> Vec<BTreeSet<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = arrows
        .keys()
        .map(|file| (file.as_str(), files_reached_from(arrows, file)))
        .collect();
    let circle = |file: &str| {
        let there = reached[file].iter().copied();
        let back = there.filter(|other| reached.get(other).is_some_and(|far| far.contains(file)));
        back.collect::<BTreeSet<&str>>()
    };
    let all: BTreeSet<BTreeSet<&str>> = reached.keys().map(|file| circle(file)).collect();
    all.into_iter().filter(|circle| circle.len() > 1).collect()
}

fn files_reached_from<'a>(arrows: &'a Dependencies, file: &'a str) -> BTreeSet<&'a str> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![file]);
    while let Some(one) = open.pop() {
        for used in arrows.get(one).into_iter().flatten() {
            if reached.insert(used.as_str()) {
                open.push(used);
            }
        }
    }
    reached
}
