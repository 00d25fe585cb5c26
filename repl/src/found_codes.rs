//! Names the codes of findings that `help` explains, in one line below the findings.

use std::collections::BTreeSet;

use host::diag::Diagnostic;
use host::game::is_explained_code;

/// The command that explains a code: in a game, and for the program.
pub(crate) const IN_GAME: &str = "help";
pub(crate) const ON_COMMAND_LINE: &str = "arbiter help";

/// Number of codes that the line names.
const NAMED: usize = 3;

/// The codes of some findings, each once.
#[derive(Debug, Default)]
pub(crate) struct FoundCodes {
    seen: BTreeSet<String>,
    of_errors: Vec<String>,
    /// Codes of warnings and notes.
    of_others: Vec<String>,
}

impl FoundCodes {
    /// Returns the codes of some findings.
    pub(crate) fn of<'a>(findings: impl IntoIterator<Item = &'a Diagnostic>) -> FoundCodes {
        let mut codes = FoundCodes::default();
        for finding in findings {
            codes.add(finding);
        }
        codes
    }

    /// Adds the code of a finding, if `help` explains it.
    pub(crate) fn add(&mut self, finding: &Diagnostic) {
        let code = &*finding.code;
        if is_explained_code(code) && self.seen.insert(code.to_owned()) {
            let codes = match finding.is_error() {
                true => &mut self.of_errors,
                false => &mut self.of_others,
            };
            codes.push(code.to_owned());
        }
    }

    /// Returns the line that says how to have the codes explained, those of errors first; nothing without a code.
    pub(crate) fn help_line(&self, help: &str) -> Option<String> {
        let codes: Vec<&str> = self
            .of_errors
            .iter()
            .chain(&self.of_others)
            .map(String::as_str)
            .collect();
        match codes[..] {
            [] => None,
            [only] => Some(format!("`{help} {only}` explains this code")),
            _ => {
                let named = codes.iter().take(NAMED).copied();
                let named = named.collect::<Vec<&str>>().join(", ");
                let more = match codes.len().saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                Some(format!("`{help} CODE` explains a code: {named}{more}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(findings: &[Diagnostic]) -> Option<String> {
        FoundCodes::of(findings).help_line(ON_COMMAND_LINE)
    }

    #[test]
    fn one_code_is_named_in_the_command_that_explains_it() {
        let warning = || Diagnostic::warning("script/renamed", "x");
        let expected = Some("`arbiter help script/renamed` explains this code".to_owned());
        assert_eq!(line(&[warning(), warning()]), expected);
        assert_eq!(line(&[]), None);
        assert_eq!(line(&[Diagnostic::error("no/such-code", "x")]), None);
    }

    #[test]
    fn of_several_codes_the_first_are_named_those_of_errors_before_the_others() {
        let codes = ["store/bad-name", "store/bad-ends", "script/syntax"];
        let mut findings = vec![Diagnostic::warning("script/renamed", "x")];
        findings.extend(codes.map(|code| Diagnostic::error(code, "x")));
        assert_eq!(
            line(&findings[..2]).unwrap(),
            "`arbiter help CODE` explains a code: store/bad-name, script/renamed"
        );
        assert_eq!(
            line(&findings).unwrap(),
            "`arbiter help CODE` explains a code: store/bad-name, store/bad-ends, script/syntax and 1 more"
        );
    }
}
