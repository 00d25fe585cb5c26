//! Writes the script API: declarations for editors, or a reference for people.

use host::content::Definition;
use host::diag::Diagnostic;
use host::doc::build::{heading, paragraph, span};
use host::doc::{Block, Document, Line, Style, markdown};
use host::game::{Home, Seed, SessionOptions, Solo, language_page};
use host::script::{
    Constructor, EngineOptions, Format, Function, Group, LIBRARY, declarations, host_definitions,
};

use crate::arguments::Common;
use crate::commands::COMMANDS;
use crate::home_lookup;

use crate::exit_code::Exit;
use crate::output::Output;

/// Start of a typed line in the tests beside a definition.
const TYPED: &str = "> ";

/// Writes `host.d.luau` or the reference; with a ruleset, the reference describes its language.
pub(crate) fn write_api(common: &Common, reference: bool, output: &mut Output) -> Exit {
    let text = match (&common.ruleset, reference) {
        (Some(ruleset), true) => match ruleset_language_page(common, ruleset) {
            Ok(text) => text,
            Err(findings) => return report_not_started(&findings, output),
        },
        (_, true) => reference_text(&declarations()),
        (ruleset, false) => match constructor_declarations(common, ruleset.as_deref()) {
            Ok(constructors) => host_definitions() + &constructors,
            Err(findings) => return report_not_started(&findings, output),
        },
    };
    output.write_safe_text(&text);
    Exit::Ok
}

/// Reports why a ruleset does not start.
fn report_not_started(findings: &[Diagnostic], output: &mut Output) -> Exit {
    for finding in findings {
        output.write_finding_to_stderr(finding);
    }
    Exit::Refused
}

/// Returns the declarations of the functions that files of rules call: those of the host and the library, and those of a
/// ruleset that is named. Without a home there are those of the host alone.
///
/// Errors: the named ruleset does not exist or does not start.
fn constructor_declarations(
    common: &Common,
    ruleset: Option<&str>,
) -> Result<String, Vec<Diagnostic>> {
    let home = home_lookup::named_or_nearest_home(common, &home_lookup::current_folder());
    let started = match ruleset {
        Some(ruleset) => {
            let home = home.map_err(|finding| vec![*finding])?;
            Some(start_ruleset(home, ruleset)?)
        }
        None => home.ok().and_then(|home| {
            let first = home.rulesets().into_iter().next()?;
            start_ruleset(home, &first).ok()
        }),
    };
    let own = [Constructor::of_rulesets(), Constructor::of_schemas()];
    let schemas = started.into_iter().flat_map(|solo| {
        let rules = solo.timeline().rules();
        // Only scripts call constructors.
        let schemas = rules
            .schemas
            .values()
            .filter(|one| one.format == Format::Luau);
        let meant = schemas.filter(|one| one.mod_name == LIBRARY || ruleset.is_some());
        meant
            .map(|schema| rules.constructor_of_schema(schema))
            .collect::<Vec<_>>()
    });
    let declarations = own.into_iter().chain(schemas).map(|one| one.declaration());
    Ok(declarations.map(|text| format!("\n{text}")).collect())
}

/// Starts a ruleset of a home. Errors: it does not exist or does not start.
pub(crate) fn start_ruleset(home: Home, ruleset: &str) -> Result<Solo, Vec<Diagnostic>> {
    let options = SessionOptions {
        home,
        ruleset: ruleset.to_owned(),
        seed: Seed::from_text("api"),
        engine: EngineOptions::default(),
    };
    Ok(Solo::start(options, &COMMANDS)?.0)
}

/// Returns the page about the language of a ruleset. Errors: the ruleset does not exist or does not start.
fn ruleset_language_page(common: &Common, ruleset: &str) -> Result<String, Vec<Diagnostic>> {
    let home = home_lookup::named_or_nearest_home(common, &home_lookup::current_folder())
        .map_err(|finding| vec![*finding])?;
    let solo = start_ruleset(home.clone(), ruleset)?;
    let rules = solo.timeline().rules();
    let example = |definition: &Definition| first_typed_line_of_test(&home, definition);
    Ok(markdown(&language_page(&rules, example)))
}

/// Returns the first line that the test beside a definition types.
fn first_typed_line_of_test(home: &Home, definition: &Definition) -> Option<String> {
    let script = definition.source.name().strip_suffix(".luau")?;
    let homes = std::iter::once(&home.folder).chain(&home.mods);
    let test = homes
        .map(|folder| folder.join(format!("{script}.test.txt")))
        .find_map(|file| std::fs::read_to_string(file).ok())?;
    let line = test.lines().find_map(|line| line.strip_prefix(TYPED))?;
    Some(line.to_owned())
}

fn reference_text(groups: &[Group]) -> String {
    let mut document = api_document(groups);
    for block in &mut document.blocks {
        if let Block::Paragraph(line) = block {
            *line = with_backticks_as_code(line);
        } else if let Block::Fields(fields) = block {
            for field in fields {
                field.value = with_backticks_as_code(&field.value);
            }
        }
    }
    markdown(&document)
}

/// Returns a line in which the text between backticks is code, because declarations are written so.
fn with_backticks_as_code(line: &Line) -> Line {
    let spans = line.0.iter().flat_map(|one| {
        let parts: Vec<&str> = one.text.split('`').collect();
        // A single backtick is text.
        if parts.len().is_multiple_of(2) {
            return vec![one.clone()];
        }
        let styles = [one.style, Style::Code].into_iter().cycle();
        let spans = styles.zip(parts).filter(|(_, text)| !text.is_empty());
        spans.map(|(style, text)| span(style, text)).collect()
    });
    Line(spans.collect())
}

fn api_document(groups: &[Group]) -> Document {
    let about = "Everything that rule scripts can call. Printed from the declarations that the host checks arguments \
                 with.";
    let head = [heading(1, "Script API"), paragraph(about)];
    Document::new(head.into_iter().chain(groups.iter().flat_map(group_blocks)))
}

fn group_blocks(group: &Group) -> Vec<Block> {
    let kind = if group.is_type { "type" } else { "global" };
    let mut blocks = vec![heading(2, format!("{} ({kind})", group.name))];
    blocks.extend((!group.text.is_empty()).then(|| paragraph(group.text.clone())));
    if group.sections.is_empty() {
        blocks.extend(
            group
                .functions
                .iter()
                .flat_map(|one| function_blocks(group, one)),
        );
    }
    for (number, section) in group.sections.iter().enumerate() {
        blocks.push(heading(2, section.title.clone()));
        blocks.push(paragraph(section.text.clone()));
        let functions = group.functions_of(number).iter();
        blocks.extend(functions.flat_map(|one| function_blocks(group, one)));
    }
    blocks
}

fn function_blocks(group: &Group, function: &Function) -> Vec<Block> {
    let head = [heading(3, qualified_name(group, function))];
    head.into_iter().chain(function.blocks()).collect()
}

/// Returns the name of a function as scripts write it: `act:get`, `dice.roll`.
pub(crate) fn qualified_name(group: &Group, function: &Function) -> String {
    match (group.is_type, function.name == group.name) {
        (true, _) => format!("{}:{}", group.name.to_lowercase(), function.name),
        (false, true) => function.name.clone(),
        (false, false) => format!("{}.{}", group.name, function.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_its_place_in_the_reference() {
        let groups = declarations();
        let text = reference_text(&groups);
        assert!(text.contains("### act:get"), "{text}");
        let section = "\n## Queues, for example a killing queue\n";
        assert!(text.contains(section), "{text}");
        for function in groups.iter().flat_map(|group| &group.functions) {
            assert!(
                text.contains(&format!("{}: {}", function.name, function.signature)),
                "{}",
                function.name
            );
        }
    }

    #[test]
    fn code_in_the_texts_is_code_in_the_reference() {
        let text = reference_text(&declarations());
        assert!(text.contains("An `act` is valid for one run"), "{text}");
        assert!(text.contains("`visible_to` of `act:create` hides an entity"));
        assert!(!text.contains("\\`"), "a backtick that is escaped is shown");
        let alone = Line::from("a ` alone");
        assert_eq!(with_backticks_as_code(&alone), alone);
    }

    #[test]
    fn each_template_of_a_shipped_language_stands_on_its_page() {
        for (ruleset, is_text) in [("wwrf", true), ("features", false), ("opend6", false)] {
            let common = Common {
                home: Some(arbiter_tests::project()),
                ..Common::default()
            };
            let text = ruleset_language_page(&common, ruleset).unwrap();
            let home = home_lookup::named_or_nearest_home(&common, &home_lookup::current_folder())
                .unwrap();
            let options = SessionOptions {
                home,
                ruleset: ruleset.to_owned(),
                seed: Seed::from_text("language"),
                engine: EngineOptions::default(),
            };
            let (solo, _) = Solo::start(options, &COMMANDS).unwrap();
            let rules = solo.timeline().rules();
            let sets = rules.schemas.values();
            let sets = sets.filter_map(|one| one.slot_type.as_deref());
            let mut count = 0;
            for set in sets.filter(|set| *set != "Command" && *set != "*") {
                for form in rules.grammar.forms(set) {
                    count += 1;
                    assert!(text.contains(&form.syntax), "{}", form.syntax);
                }
            }
            assert_eq!(count > 100, is_text, "{ruleset}: {count}");
            assert_eq!(text.contains("for example"), is_text, "{ruleset}");
        }
        let common = Common::default();
        let findings = ruleset_language_page(&common, "no such ruleset").unwrap_err();
        assert!(!findings.is_empty());
        let findings = constructor_declarations(&common, Some("no such ruleset")).unwrap_err();
        assert!(!findings.is_empty());
        let declared = constructor_declarations(&common, None).unwrap();
        assert!(
            declared.contains("\ndeclare function command(definition: {\n"),
            "{declared}"
        );
    }
}
