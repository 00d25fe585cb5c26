//! Exit codes of the program and their meanings.

use std::process::ExitCode;

use host::diag::Diagnostic;

/// Reason for the end of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything went well; warnings do not count.
    Ok,
    /// Errors were found, a command was refused, a test failed.
    Refused,
    /// The program was called with wrong arguments.
    Usage,
    /// The rules or content that a game needs do not load.
    NotLoaded,
    /// A script is broken.
    Script,
    /// A limit was exceeded.
    Limit,
    /// A replayed game differs from its record.
    Differs,
    /// The host is broken.
    Bug,
}

impl Exit {
    /// Returns the exit code of a refusal, by the area of its code.
    pub(crate) fn of_refusal(refusal: &Diagnostic) -> Exit {
        match refusal.code_area() {
            "script" => Exit::Script,
            "limit" => Exit::Limit,
            "host" if refusal.code == "host/bug" => Exit::Bug,
            _ => Exit::Refused,
        }
    }

    /// Returns the number of the exit code.
    fn code(self) -> u8 {
        match self {
            Exit::Ok => 0,
            Exit::Refused => 1,
            Exit::Usage => 2,
            Exit::NotLoaded => 3,
            Exit::Script => 4,
            Exit::Limit => 5,
            Exit::Differs => 6,
            Exit::Bug => 70,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_of_a_code_decides_how_the_program_ends() {
        let ends = |code: &'static str| Exit::of_refusal(&Diagnostic::error(code, "no")).code();
        assert_eq!(ends("phrase/no-match"), 1);
        assert_eq!(ends("E_SIZE"), 1);
        assert_eq!(ends("script/error"), 4);
        assert_eq!(ends("limit/fuel"), 5);
        assert_eq!(ends("host/bug"), 70);
        assert_eq!(ends("host/gm-only"), 1);
    }
}
