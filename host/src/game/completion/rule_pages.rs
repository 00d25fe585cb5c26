//! The pages of the book that the sources of definitions name: `toy rules 10.6, R54` is two anchors of rule pages.

include!(concat!(env!("OUT_DIR"), "/rule_pages.rs"));

/// The folder of the book.
const BOOK: &str = "docs/src/";

/// The word between the name of a ruleset and the sections of its rules.
const RULES: &str = " rules ";

/// Words after which a number is not a section, but an item of this kind.
const ITEMS: [&str; 3] = ["scenario", "trap", "example"];

/// A place in the rules of a ruleset, as a source cites it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedRule {
    /// The ruleset.
    pub ruleset: String,
    /// The anchor of a section, a ruling or an item: `r10-6`, `ruling-r54`, `trap-3`.
    pub anchor: String,
}

impl CitedRule {
    /// Returns the page with the anchor: `docs/src/rulesets/toy/rules/10-times.md#r10-6`; nothing if no page has it.
    pub fn page(&self) -> Option<String> {
        let mut pages = RULE_PAGES.iter();
        let (path, _) = pages.find(|(path, anchors)| {
            let is_of_ruleset = path.split('/').nth(1) == Some(self.ruleset.as_str());
            is_of_ruleset && anchors.contains(&self.anchor.as_str())
        })?;
        Some(format!("{BOOK}{path}#{}", self.anchor))
    }
}

/// Returns the rules that a source cites, in order. Other documents in it are left out.
pub fn rules_cited_by_source(source: &str) -> Vec<CitedRule> {
    let mut cited = Vec::new();
    for part in source.split(';') {
        let Some((before, after)) = part.split_once(RULES) else {
            continue;
        };
        let ruleset = before.split_whitespace().last().unwrap_or_default();
        let after = without_notes(after);
        let mut last = "";
        for word in after.split([',', ' ']).filter(|word| !word.is_empty()) {
            let anchor = if ITEMS.contains(&last) {
                Some(format!("{last}-{}", word.to_lowercase()))
            } else {
                anchor_of_word(word)
            };
            cited.extend(anchor.map(|anchor| CitedRule {
                ruleset: ruleset.to_owned(),
                anchor,
            }));
            last = word;
        }
    }
    cited
}

/// Returns a text without its parts in brackets.
fn without_notes(text: &str) -> String {
    let parts = text.split('(').enumerate();
    let outside = parts.map(|(number, part)| match number {
        0 => part,
        _ => part.split_once(')').map_or("", |(_, after)| after),
    });
    outside.collect()
}

fn anchor_of_word(word: &str) -> Option<String> {
    let word = word.trim_matches(['.', ':']);
    let is_number = |text: &str| {
        let mut parts = text.split('.');
        !text.is_empty() && parts.all(|part| part.parse::<u32>().is_ok())
    };
    if is_number(word) {
        return Some(format!("r{}", word.replace('.', "-")));
    }
    let (letter, number) = word.split_at_checked(1)?;
    let is_ruling = letter.chars().all(|c| c.is_ascii_uppercase()) && number.parse::<u32>().is_ok();
    is_ruling.then(|| format!("ruling-{}", word.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_cites_sections_rulings_and_items() {
        let anchors = |source: &str| {
            let cited = rules_cited_by_source(source).into_iter();
            let anchors = cited.map(|one| format!("{}#{}", one.ruleset, one.anchor));
            anchors.collect::<Vec<String>>()
        };
        assert_eq!(
            anchors("a guide > Types; toy rules 10.6, R54 (a note)"),
            ["toy#r10-6", "toy#ruling-r54"]
        );
        assert_eq!(anchors("toy rules 5.2, trap 3"), ["toy#r5-2", "toy#trap-3"]);
        assert_eq!(
            anchors("toy rules 5.2 (in 3 rounds), 6 (all)"),
            ["toy#r5-2", "toy#r6"]
        );
        assert_eq!(anchors("house rule"), Vec::<String>::new());
    }

    #[test]
    fn a_cited_rule_has_the_page_of_its_ruleset() {
        let (path, anchors) = RULE_PAGES
            .iter()
            .find(|(_, anchors)| !anchors.is_empty())
            .unwrap();
        let ruleset = path.split('/').nth(1).unwrap().to_owned();
        let anchor = anchors[0].to_owned();
        let page = CitedRule { ruleset, anchor }.page().unwrap();
        assert_eq!(page, format!("{BOOK}{path}#{}", anchors[0]));
        let none = CitedRule {
            ruleset: "none".to_owned(),
            anchor: "r1".to_owned(),
        };
        assert_eq!(none.page(), None);
    }
}
