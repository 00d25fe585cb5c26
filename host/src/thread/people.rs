//! Who takes part in a thread, and what a vote may name.

use std::collections::BTreeMap;

use super::folded_name::{NameText, fold_name, is_within_slips, slips_allowed};
use super::report::Reason;

/// What somebody is in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Lives and votes.
    Living,
    /// Does not live any more.
    Dead,
    /// Runs the game.
    Moderator,
    /// Watches.
    Spectator,
}

/// Somebody with all names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// The id that the caller knows.
    pub id: String,
    /// Game name first, then forum name and nicknames.
    pub names: Vec<String>,
    /// What they are.
    pub role: Role,
}

/// A target that is not a person, such as not to decide today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The id that the caller knows.
    pub id: String,
    /// Its names.
    pub names: Vec<String>,
}

/// Everybody, and the targets that are no persons.
#[derive(Clone, Debug, Default)]
pub struct Participants {
    people: Vec<(Participant, Vec<String>)>,
    targets: Vec<(Target, Vec<String>)>,
    by_name: BTreeMap<String, Vec<Named>>,
}

/// What a name is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Named {
    /// One of the people.
    Person(usize),
    /// One of the other targets.
    Target(usize),
}

/// What a text names, and how well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Resolved {
    pub(super) named: Named,
    /// `prefix` or `misspelt` if the text is not the name itself.
    pub(super) doubt: Option<Reason>,
    /// The end of the name in the text; unit: bytes.
    pub(super) end: usize,
}

impl Participants {
    /// Returns everybody with the folds of their names.
    #[must_use]
    pub fn new(people: Vec<Participant>, targets: Vec<Target>) -> Participants {
        let folds = |names: &[String]| -> Vec<String> {
            let folds = names.iter().map(|name| fold_name(name));
            folds.filter(|fold| !fold.is_empty()).collect()
        };
        let people: Vec<(Participant, Vec<String>)> = people
            .into_iter()
            .map(|one| (folds(&one.names), one))
            .map(|(folds, one)| (one, folds))
            .collect();
        let targets: Vec<(Target, Vec<String>)> = targets
            .into_iter()
            .map(|one| (folds(&one.names), one))
            .map(|(folds, one)| (one, folds))
            .collect();
        let mut by_name: BTreeMap<String, Vec<Named>> = BTreeMap::new();
        let of_people = people.iter().enumerate();
        let of_people = of_people
            .flat_map(|(at, (_, folds))| folds.iter().map(move |fold| (fold, Named::Person(at))));
        let of_targets = targets.iter().enumerate();
        let of_targets = of_targets
            .flat_map(|(at, (_, folds))| folds.iter().map(move |fold| (fold, Named::Target(at))));
        for (fold, named) in of_people.chain(of_targets) {
            let all = by_name.entry(fold.clone()).or_default();
            if !all.contains(&named) {
                all.push(named);
            }
        }
        Participants {
            people,
            targets,
            by_name,
        }
    }

    /// Returns the place of the author of a post; nothing for somebody unknown.
    pub(super) fn author(&self, name: &str) -> Option<usize> {
        let named = self.by_name.get(&fold_name(name))?;
        let people = named.iter().filter_map(|named| match named {
            Named::Person(at) => Some(*at),
            Named::Target(_) => None,
        });
        // A living player who shares a name with others is not known by it.
        let people: Vec<usize> = people.collect();
        (people.len() == 1).then(|| people[0])
    }

    /// Whether a name belongs to somebody.
    #[must_use]
    pub fn is_known(&self, name: &str) -> bool {
        self.author(name).is_some()
    }

    /// Returns the ids of the people whose names are a slip or two away from a name, or begin with it.
    #[must_use]
    pub fn near_people(&self, name: &str) -> Vec<String> {
        let fold = fold_name(name);
        let slips = slips_allowed(fold.chars().count()).max(1);
        let near = self.people.iter().filter(|(_, folds)| {
            folds.iter().any(|one| {
                is_within_slips(&fold, one, slips)
                    || one.len() > 1 && fold.starts_with(one.as_str())
                    || fold.len() > 1 && one.starts_with(&fold)
            })
        });
        near.map(|(one, _)| one.id.clone()).collect()
    }

    pub(super) fn role(&self, at: usize) -> Role {
        self.people[at].0.role
    }

    pub(super) fn id(&self, named: Named) -> &str {
        match named {
            Named::Person(at) => &self.people[at].0.id,
            Named::Target(at) => &self.targets[at].0.id,
        }
    }

    /// Returns the first name.
    pub(super) fn name(&self, named: Named) -> &str {
        let names = match named {
            Named::Person(at) => &self.people[at].0.names,
            Named::Target(at) => &self.targets[at].0.names,
        };
        names.first().map_or_else(|| self.id(named), String::as_str)
    }

    pub(super) fn named_by_id(&self, id: &str) -> Option<Named> {
        let person = self.people.iter().position(|(one, _)| one.id == id);
        let target = || self.targets.iter().position(|(one, _)| one.id == id);
        person
            .map(Named::Person)
            .or_else(|| target().map(Named::Target))
    }

    pub(super) fn living(&self) -> impl Iterator<Item = usize> + '_ {
        self.people_with(&[Role::Living])
    }

    fn people_with<'s>(&'s self, roles: &'s [Role]) -> impl Iterator<Item = usize> + 's {
        let all = self.people.iter().enumerate();
        all.filter(|(_, (one, _))| roles.contains(&one.role))
            .map(|(at, _)| at)
    }

    /// Returns who may be meant where a fold is exactly a name. A living player comes before others with the name.
    fn exact(&self, fold: &str) -> Option<Result<Named, Reason>> {
        let named = self.by_name.get(fold)?;
        let votable: Vec<&Named> = named.iter().filter(|one| self.is_votable(**one)).collect();
        Some(match votable[..] {
            [one] => Ok(*one),
            [] => Err(self.why_not(named)),
            _ => Err(Reason::Ambiguous),
        })
    }

    fn is_votable(&self, named: Named) -> bool {
        match named {
            Named::Person(at) => self.role(at) == Role::Living,
            Named::Target(_) => true,
        }
    }

    fn why_not(&self, named: &[Named]) -> Reason {
        let is_dead =
            |one: &Named| matches!(one, Named::Person(at) if self.role(*at) == Role::Dead);
        match named.iter().any(is_dead) {
            true => Reason::DeadTarget,
            false => Reason::NotAPlayer,
        }
    }

    /// Returns what a text names. Errors: why it names nobody who can be voted for.
    pub(super) fn resolve(&self, text: &NameText<'_>) -> Result<Resolved, Reason> {
        for (fold, end) in text.leading_runs() {
            if let Some(exact) = self.exact(&fold) {
                return exact.map(|named| Resolved {
                    named,
                    doubt: None,
                    end,
                });
            }
        }
        let (fold, end) = text.cut();
        let near = [
            (Reason::Prefix, Nearness::Beginning),
            (Reason::Misspelt, Nearness::Slips),
        ];
        for (doubt, nearness) in near {
            let living = self.living();
            let meant: Vec<usize> = living
                .filter(|at| self.is_near(*at, &fold, nearness))
                .collect();
            match meant[..] {
                [] => {}
                [at] => {
                    return Ok(Resolved {
                        named: Named::Person(at),
                        doubt: Some(doubt),
                        end,
                    });
                }
                _ => return Err(Reason::Ambiguous),
            }
        }
        let others = [
            (Reason::DeadTarget, &[Role::Dead][..]),
            (Reason::NotAPlayer, &[Role::Moderator, Role::Spectator][..]),
        ];
        for (reason, roles) in others {
            let near = |at| {
                self.is_near(at, &fold, Nearness::Beginning)
                    || self.is_near(at, &fold, Nearness::Slips)
            };
            if self.people_with(roles).any(near) {
                return Err(reason);
            }
        }
        Err(Reason::UnknownName)
    }

    /// Whether a text begins with a name or is one: no doubt about who is meant, whether one may vote for them or not.
    pub(super) fn begins_with_name(&self, text: &NameText<'_>) -> bool {
        self.end_of_leading_name(text).is_some()
    }

    /// Returns the end of the longest name at the front of a text.
    pub(super) fn end_of_leading_name(&self, text: &NameText<'_>) -> Option<usize> {
        let mut runs = text.leading_runs();
        let found = runs.find(|(fold, _)| self.by_name.contains_key(fold));
        found.map(|(_, end)| end)
    }

    /// Returns what is exactly named by a text, also if it cannot be voted for.
    pub(super) fn exactly_named(&self, text: &str) -> Option<Named> {
        match self.by_name.get(&fold_name(text))?[..] {
            [one] => Some(one),
            _ => None,
        }
    }

    fn is_near(&self, at: usize, fold: &str, nearness: Nearness) -> bool {
        let letters = fold.chars().count();
        let slips = slips_allowed(letters);
        let (_, folds) = &self.people[at];
        folds.iter().any(|name| match nearness {
            Nearness::Beginning => letters >= 2 && name.starts_with(fold),
            Nearness::Slips => slips > 0 && is_within_slips(fold, name, slips),
        })
    }
}

/// How a text is like a name that it is not.
#[derive(Clone, Copy)]
enum Nearness {
    /// It is the beginning of the name.
    Beginning,
    /// It has a slip or two.
    Slips,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn village() -> Participants {
        let of = |name: &str, names: &[&str], role| Participant {
            id: name.to_owned(),
            names: std::iter::once(name)
                .chain(names.iter().copied())
                .map(str::to_owned)
                .collect(),
            role,
        };
        let people = vec![
            of("Bo", &["captain_bo"], Role::Living),
            of("Robertina", &["tina"], Role::Living),
            of("Roberto", &[], Role::Living),
            of("Łukasz", &[], Role::Living),
            of("Old Tom", &[], Role::Living),
            of("Dora", &[], Role::Dead),
            of("Mia", &[], Role::Moderator),
            of("Sue", &[], Role::Spectator),
        ];
        let nobody = Target {
            id: "nobody".to_owned(),
            names: vec!["No Vote".to_owned()],
        };
        Participants::new(people, vec![nobody])
    }

    fn resolved(text: &str) -> Result<(String, Option<Reason>), Reason> {
        let village = village();
        let words = ["because".to_owned()];
        let found = village.resolve(&NameText::new(text, &words))?;
        Ok((village.id(found.named).to_owned(), found.doubt))
    }

    #[test]
    fn names_are_found_in_order() {
        let found = |name: &str, doubt| Ok((name.to_owned(), doubt));
        let cases = [
            ("bo", found("Bo", None)),
            ("Bo he lies", found("Bo", None)),
            ("CAPTAIN bo!", found("Bo", None)),
            ("old tom, really", found("Old Tom", None)),
            ("lukasz", found("Łukasz", None)),
            ("no vote", found("nobody", None)),
            ("luk", found("Łukasz", Some(Reason::Prefix))),
            ("robert", Err(Reason::Ambiguous)),
            ("Robertian", found("Robertina", Some(Reason::Misspelt))),
            ("Lukazs because", found("Łukasz", Some(Reason::Misspelt))),
            ("Dora", Err(Reason::DeadTarget)),
            ("Dor", Err(Reason::DeadTarget)),
            ("Mia", Err(Reason::NotAPlayer)),
            ("sue", Err(Reason::NotAPlayer)),
            ("Zed", Err(Reason::UnknownName)),
            ("b", Err(Reason::UnknownName)),
            ("", Err(Reason::UnknownName)),
        ];
        for (text, expected) in cases {
            assert_eq!(resolved(text), expected, "{text}");
        }
    }

    #[test]
    fn near_people_are_named_for_a_strange_author() {
        assert_eq!(village().near_people("Rob"), ["Robertina", "Roberto"]);
        assert_eq!(village().near_people("Dorra"), ["Dora"]);
        assert!(village().near_people("xyz").is_empty());
    }
}
