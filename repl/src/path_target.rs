//! Finds the target of command line paths: a home, rulesets in it, or content outside of all mods.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use host::diag::Diagnostic;
use host::game::Home;
use host::script::LIBRARY;

use crate::arguments::Common;
use crate::exit_code::Exit;
use crate::home_lookup;
use crate::output::Output;
use crate::path_scope::{Scope, real_paths};
use crate::reply_output;

/// Meaning of the paths.
#[derive(Debug)]
pub(crate) struct Begun {
    /// The home that contains them.
    pub(crate) home: Home,
    /// The parts of the home that they reach.
    pub(crate) scope: Scope,
    /// The only requested ruleset, if there is one. Its existence is not checked yet.
    pub(crate) only: Option<String>,
}

/// Target of a check or of writing.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) home: Home,
    pub(crate) scope: Scope,
    /// The rulesets that the paths reach, in order of name.
    pub(crate) rulesets: Vec<String>,
}

/// Returns the home of the paths and the parts of it that they reach.
///
/// Errors: a path that does not exist, no home, content elsewhere that may belong to several rulesets.
pub(crate) fn home_and_scope(common: &Common, paths: &[PathBuf]) -> Result<Begun, Box<Diagnostic>> {
    let real = real_paths(paths).map_err(|refusal| add_ruleset_hint(common, paths, refusal))?;
    let named = real.into_iter().next();
    let inside =
        named.filter(|path| home_lookup::nearest_home_at_or_above(path, &common.mods).is_some());
    let home = home_lookup::named_or_nearest_home(
        common,
        &inside.unwrap_or_else(home_lookup::current_folder),
    )?;
    let only = match (&common.ruleset, &home.content) {
        (Some(named), _) => Some(named.clone()),
        (None, Some(_)) => Some(home_lookup::ruleset_choice(&home, None)?.only_ruleset()?),
        (None, None) => None,
    };
    let scope = Scope::of_paths(&home, paths, only.as_deref())?;
    Ok(Begun { home, scope, only })
}

/// Adds a hint to the refusal of a missing path that has the name of a ruleset.
fn add_ruleset_hint(
    common: &Common,
    paths: &[PathBuf],
    refusal: Box<Diagnostic>,
) -> Box<Diagnostic> {
    let home = home_lookup::named_or_nearest_home(common, &home_lookup::current_folder());
    let rulesets = home.map_or_else(|_| Vec::new(), |home| home.rulesets());
    let missing = paths.iter().filter(|path| !path.exists());
    let mut names = missing.filter_map(|path| path.to_str());
    match names.find(|name| rulesets.iter().any(|one| one == name)) {
        Some(name) => Box::new(refusal.hint(format!("for the ruleset, write --ruleset {name}"))),
        None => refusal,
    }
}

/// Returns the target of the paths for a verb that takes the content of a ruleset outside of all mods, too.
///
/// Errors: the errors of `home_and_scope`, a ruleset that does not exist, paths that reach nothing; they are reported.
pub(crate) fn find_target(
    common: &Common,
    paths: &[PathBuf],
    output: &mut Output,
) -> Result<Target, Exit> {
    target_of_paths(common, paths).map_err(|refusals| {
        for refusal in &refusals {
            reply_output::write_refusal(output, refusal);
        }
        Exit::Usage
    })
}

/// Returns the target of the paths, or all refusals.
pub(crate) fn target_of_paths(
    common: &Common,
    paths: &[PathBuf],
) -> Result<Target, Vec<Diagnostic>> {
    let alone = |refusal: Box<Diagnostic>| vec![*refusal];
    let mut begun = home_and_scope(common, paths).map_err(alone)?;
    if let Some(named) = &common.ruleset {
        home_lookup::ruleset_choice(&begun.home, Some(named)).map_err(alone)?;
    }
    let lost = begun.scope.unreached_path_numbers();
    match (paths, &begun.only, &begun.home.content) {
        ([folder], Some(ruleset), None) if !lost.is_empty() && folder.is_dir() => {
            begun.home.content = Some(folder.clone());
            begun.scope = Scope::of_outside_content(&begun.home, paths, ruleset).map_err(alone)?;
        }
        _ if !lost.is_empty() => return Err(unreached_path_refusals(&begun, paths, &lost)),
        _ => {}
    }
    let rulesets = reached_rulesets(&begun);
    if rulesets.is_empty() {
        return Err(vec![no_mod_found_finding(
            &begun.home,
            "no mod found here".to_owned(),
        )]);
    }
    Ok(Target {
        home: begun.home,
        scope: begun.scope,
        rulesets,
    })
}

/// Returns the reached rulesets, or all of them if the library is reached; if one ruleset is meant, only that one.
fn reached_rulesets(begun: &Begun) -> Vec<String> {
    let reached = begun.scope.mod_names();
    let mut rulesets: BTreeSet<String> = reached.iter().map(|name| (*name).to_owned()).collect();
    if rulesets.remove(LIBRARY) {
        rulesets.extend(begun.home.rulesets());
        if rulesets.is_empty() {
            rulesets.insert(LIBRARY.to_owned());
        }
    }
    let is_meant = |one: &String| begun.only.as_ref().is_none_or(|only| only == one);
    rulesets.into_iter().filter(is_meant).collect()
}

/// Returns a refusal for each of the paths that reaches no mod.
fn unreached_path_refusals(begun: &Begun, paths: &[PathBuf], lost: &[usize]) -> Vec<Diagnostic> {
    let refusal = |number: &usize| {
        let path = &paths[*number];
        let message = format!("no mod found under {}", path.display());
        no_mod_found_finding(&begun.home, message).hint(outside_path_hint(begun, path, paths.len()))
    };
    lost.iter().map(refusal).collect()
}

/// Returns a hint on how to use a path outside of all mods.
fn outside_path_hint(begun: &Begun, path: &Path, paths: usize) -> String {
    if !path.is_dir() {
        "a file outside the home is read together with its whole folder; name only that folder, with --ruleset NAME"
            .to_owned()
    } else if let Some(content) = begun.home.external_content_prefix() {
        format!("--content already sets the content to {content}")
    } else if paths > 1 {
        "content outside the home is read alone; name only its folder, with --ruleset NAME"
            .to_owned()
    } else {
        "a folder outside the home is read as the content of a ruleset; name the ruleset with --ruleset NAME"
            .to_owned()
    }
}

fn no_mod_found_finding(home: &Home, message: String) -> Diagnostic {
    let hint = format!(
        "the mods of {} are in its folders scripts and content",
        home.folder.display()
    );
    Diagnostic::error("content/nothing-here", message).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy_game::Toy;

    fn common(toy: &Toy, ruleset: Option<&str>) -> Common {
        Common {
            home: Some(toy.path(".")),
            ruleset: ruleset.map(str::to_owned),
            ..Common::default()
        }
    }

    #[test]
    fn each_path_that_reaches_nothing_is_refused_by_name() {
        let toy = Toy::new();
        toy.write("notes/a.txt", "x");
        let paths = ["notes", "scripts/mini", "notes/a.txt"].map(|path| toy.path(path));
        for ruleset in [None, Some("mini")] {
            let refusals = target_of_paths(&common(&toy, ruleset), &paths).unwrap_err();
            let messages: Vec<&str> = refusals.iter().map(|one| one.message.as_str()).collect();
            let expected =
                [&paths[0], &paths[2]].map(|path| format!("no mod found under {}", path.display()));
            assert_eq!(messages, expected);
            assert!(refusals[0].hints[1].contains("alone"), "{refusals:?}");
            assert!(
                refusals[1].hints[1].contains("whole folder"),
                "{refusals:?}"
            );
        }
    }

    #[test]
    fn a_folder_elsewhere_is_the_content_of_the_ruleset_that_is_named() {
        let toy = Toy::new();
        toy.write("my books/people/Cy.yaml", "name: Cy\n");
        let book = [toy.path("my books/")];
        let refusal = target_of_paths(&common(&toy, None), &book)
            .unwrap_err()
            .remove(0);
        assert_eq!(refusal.code, "content/nothing-here");
        assert!(
            refusal.hints[1].contains("--ruleset NAME"),
            "{:?}",
            refusal.hints
        );
        let wrong = target_of_paths(&common(&toy, Some("mni")), &book)
            .unwrap_err()
            .remove(0);
        assert_eq!(wrong.code, "content/unknown-ruleset");
        let found = target_of_paths(&common(&toy, Some("mini")), &book).unwrap();
        assert_eq!(found.rulesets, ["mini"]);
        assert_eq!(found.home.content.as_ref(), Some(&book[0]));
        let name = format!(
            "{}/people/Cy.yaml",
            found.home.external_content_prefix().unwrap(),
        );
        assert!(
            found.scope.includes_file(&name) && !name.contains("//"),
            "{name}"
        );
        let file = found.scope.file_of_shown_name(&name).unwrap();
        assert_eq!(std::fs::read_to_string(file).unwrap(), "name: Cy\n");
        assert!(!found.scope.includes_file("scripts/mini/ruleset.luau"));
        // It is named already.
        toy.write("other/a.yaml", "");
        let named = Common {
            content: Some(book[0].clone()),
            ..common(&toy, Some("mini"))
        };
        let refusal = target_of_paths(&named, &[toy.path("other")])
            .unwrap_err()
            .remove(0);
        assert!(
            refusal.hints[1].contains("--content already sets the content"),
            "{:?}",
            refusal.hints
        );
        let within = target_of_paths(&named, &[toy.path("my books/people/Cy.yaml")]).unwrap();
        assert_eq!(within.rulesets, ["mini"]);
        assert!(within.scope.includes_file(&name));
    }

    #[test]
    fn content_that_is_named_is_that_of_one_ruleset() {
        let toy = Toy::new();
        toy.write("book/people/cy.yaml", "name: Cy\n");
        let named = Common {
            content: Some(toy.path("book")),
            ..common(&toy, None)
        };
        assert_eq!(target_of_paths(&named, &[]).unwrap().rulesets, ["mini"]);
        toy.write("scripts/other/ruleset.luau", "return ruleset {}\n");
        let refusal = target_of_paths(&named, &[]).unwrap_err().remove(0);
        assert_eq!(refusal.code, "content/which-ruleset");
        let missing = Common {
            content: Some(toy.path("boook")),
            ..common(&toy, Some("mini"))
        };
        let refusal = target_of_paths(&missing, &[]).unwrap_err().remove(0);
        assert_eq!(refusal.code, "content/missing-folder");
    }
}
