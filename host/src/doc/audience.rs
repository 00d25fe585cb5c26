//! Audiences of texts and the viewers who may read them.

use std::fmt;

use crate::diag::Diagnostic;

/// The readers who may see a text.
///
/// Shape: its text form is `public`, `gm`, a seat's name, or `group:NAME`. A seat whose name reads like one of these is
/// written `seat:NAME`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    /// Everybody.
    #[default]
    Public,
    /// The game master alone.
    Gm,
    /// One seat, by name, and the game master.
    Seat(String),
    /// The seats of one group, and the game master.
    Group(String),
}

/// Most characters of the name of a seat or group.
pub(crate) const LONGEST: usize = 64;

const PUBLIC: &str = "public";
const GM: &str = "gm";
const SEAT: &str = "seat:";
const GROUP: &str = "group:";

impl Audience {
    /// Reads the text form; `public` and `gm` in any case.
    ///
    /// Errors: `script/document` if the text, or the name in it, is empty or longer than a name may be.
    pub fn parse(text: &str) -> Result<Audience, Box<Diagnostic>> {
        let named = |name: &str, make: fn(String) -> Audience| {
            if name.is_empty() {
                let found = format!("\"{text}\" is not an audience");
                let finding = Diagnostic::error("script/document", found);
                let hint = "write public, gm, the name of a player, or group:NAME";
                Err(Box::new(finding.hint(hint)))
            } else if name.chars().count() > LONGEST {
                let count = name.chars().count();
                let found = format!(
                    "the name of an audience has {count} characters, at most {LONGEST} are allowed"
                );
                Err(Box::new(Diagnostic::error("script/document", found)))
            } else {
                Ok(make(name.to_owned()))
            }
        };
        if text.eq_ignore_ascii_case(PUBLIC) {
            Ok(Audience::Public)
        } else if text.eq_ignore_ascii_case(GM) {
            Ok(Audience::Gm)
        } else if let Some(name) = text.strip_prefix(GROUP) {
            named(name, Audience::Group)
        } else {
            named(text.strip_prefix(SEAT).unwrap_or(text), Audience::Seat)
        }
    }
}

/// Prints the text form that [`Audience::parse`] reads; names are not gated here.
impl fmt::Display for Audience {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Audience::Public => out.write_str(PUBLIC),
            Audience::Gm => out.write_str(GM),
            Audience::Seat(name) if is_reserved_name(name) => write!(out, "{SEAT}{name}"),
            Audience::Seat(name) => out.write_str(name),
            Audience::Group(name) => write!(out, "{GROUP}{name}"),
        }
    }
}

fn is_reserved_name(name: &str) -> bool {
    name.eq_ignore_ascii_case(PUBLIC)
        || name.eq_ignore_ascii_case(GM)
        || name.starts_with(SEAT)
        || name.starts_with(GROUP)
}

/// The kinds of viewers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// The game master, who sees everything.
    Gm,
    /// A reader of the public content only.
    Public,
    /// A seat, with the groups it belongs to now.
    Seat {
        /// Name of the seat.
        name: String,
        /// Names of its groups.
        groups: Vec<String>,
    },
}

impl Viewer {
    /// Returns a seat with its groups.
    pub fn seat<'a>(name: impl Into<String>, groups: impl IntoIterator<Item = &'a str>) -> Viewer {
        Viewer::Seat {
            name: name.into(),
            groups: groups.into_iter().map(str::to_owned).collect(),
        }
    }

    /// Returns a reader who knows what the members of a group know together, and nothing of a single member.
    pub fn group(name: &str) -> Viewer {
        Viewer::seat("", [name])
    }

    /// Returns the group, if this is the reader of [`Viewer::group`].
    pub fn as_group(&self) -> Option<&str> {
        match self {
            Viewer::Seat { name, groups } if name.is_empty() => groups.first().map(String::as_str),
            Viewer::Seat { .. } | Viewer::Gm | Viewer::Public => None,
        }
    }

    /// Returns the audience that this reader is: a seat alone, without its groups.
    pub fn audience(&self) -> Audience {
        match self {
            Viewer::Gm => Audience::Gm,
            Viewer::Public => Audience::Public,
            Viewer::Seat { name, .. } => match self.as_group() {
                Some(group) => Audience::Group(group.to_owned()),
                None => Audience::Seat(name.clone()),
            },
        }
    }
}

/// Returns whether the viewer may see content for the audience.
pub fn may_see(viewer: &Viewer, audience: &Audience) -> bool {
    match (viewer, audience) {
        (Viewer::Gm, _) | (_, Audience::Public) => true,
        (Viewer::Public, _) | (Viewer::Seat { .. }, Audience::Gm) => false,
        (Viewer::Seat { name, .. }, Audience::Seat(seat)) => name == seat,
        (Viewer::Seat { groups, .. }, Audience::Group(group)) => groups.contains(group),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn who_sees_what() {
        let all = ["public", "gm", "Ann", "Bo", "group:red", "group:blue"];
        let seen = |viewer: &Viewer| -> Vec<&str> {
            let sees = |text: &&str| may_see(viewer, &Audience::parse(text).unwrap());
            all.into_iter().filter(sees).collect()
        };
        assert_eq!(seen(&Viewer::Gm), all);
        assert_eq!(seen(&Viewer::Public), ["public"]);
        assert_eq!(
            seen(&Viewer::seat("Ann", ["red"])),
            ["public", "Ann", "group:red"]
        );
    }

    #[test]
    fn a_group_reads_what_its_members_share() {
        let red = Viewer::group("red");
        let all = ["public", "gm", "Ann", "group:red", "group:blue"];
        let sees = |text: &&str| may_see(&red, &Audience::parse(text).unwrap());
        let seen: Vec<&str> = all.into_iter().filter(sees).collect();
        assert_eq!(seen, ["public", "group:red"]);
        assert_eq!(red.as_group(), Some("red"));
        assert_eq!(Viewer::seat("Ann", ["red"]).as_group(), None);
        for text in all {
            let audience = Audience::parse(text).unwrap();
            let reader = match &audience {
                Audience::Public => Viewer::Public,
                Audience::Gm => Viewer::Gm,
                Audience::Seat(name) => Viewer::seat(name.as_str(), ["red"]),
                Audience::Group(name) => Viewer::group(name),
            };
            assert_eq!(reader.audience(), audience);
        }
    }

    #[test]
    fn a_text_that_names_nobody_is_refused() {
        for text in ["", "group:", "seat:"] {
            let finding = Audience::parse(text).unwrap_err();
            assert_eq!(finding.message, format!("\"{text}\" is not an audience"));
        }
        assert_eq!(Audience::parse("GM"), Ok(Audience::Gm));
        let name = "ä".repeat(64);
        assert!(
            Audience::parse(&name).is_ok() && Audience::parse(&format!("group:{name}")).is_ok()
        );
        for long in [
            format!("{name}x"),
            format!("group:{name}x"),
            "x".repeat(1 << 20),
        ] {
            let finding = Audience::parse(&long).unwrap_err();
            assert!(finding.message.ends_with("at most 64 are allowed"));
        }
    }

    proptest! {
        #[test]
        fn audiences_round_trip(name in "public|GM|seat:|group:a|\\PC{1,12}", group: bool) {
            let audience = if group { Audience::Group(name) } else { Audience::Seat(name) };
            prop_assert_eq!(Audience::parse(&audience.to_string()), Ok(audience));
        }
    }
}
