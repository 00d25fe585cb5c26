//! Numbers that the host's own scripts declare as constants.

/// Returns the number of a constant in a script of the host: `local NAME = 10`, or one of several in a line. Nothing if
/// the script declares no such number.
pub(crate) fn luau_constant(script: &str, name: &str) -> Option<u64> {
    let declarations = script
        .lines()
        .filter_map(|line| line.strip_prefix("local "));
    let mut declarations = declarations.filter_map(|line| line.split_once(" = "));
    declarations.find_map(|(names, values)| {
        let at = names.split(", ").position(|one| one == name)?;
        values.split(", ").nth(at)?.trim().parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_found_by_their_names() {
        let script = "local a = f(b)\nlocal MOST, LONGEST = 5, 10\nlocal MOST_OF_ALL = 7";
        assert_eq!(luau_constant(script, "LONGEST"), Some(10));
        assert_eq!(luau_constant(script, "MOST_OF_ALL"), Some(7));
        assert_eq!(luau_constant(script, "a"), None);
        assert_eq!(luau_constant(script, "b"), None);
    }
}
