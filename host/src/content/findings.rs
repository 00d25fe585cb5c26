//! Collects the findings of one text and keeps their number bounded.

use crate::diag::Diagnostic;

/// Findings kept of one text; further ones are only counted.
pub(crate) const MOST: usize = 100;

/// A list of findings with a limited length.
#[derive(Default)]
pub(super) struct Findings {
    kept: Vec<Diagnostic>,
    left_out: usize,
}

impl Findings {
    /// Adds a finding, or counts it if there are too many.
    pub(super) fn push(&mut self, finding: Diagnostic) {
        if self.kept.len() < MOST {
            self.kept.push(finding);
        } else {
            self.left_out += 1;
        }
    }

    /// Counts a finding that needs no message any more. Returns false while there is room for the finding.
    pub(super) fn skip_when_full(&mut self) -> bool {
        let full = self.kept.len() >= MOST;
        self.left_out += usize::from(full);
        full
    }

    /// Adds findings in their order.
    pub(super) fn extend(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        for finding in findings {
            self.push(finding);
        }
    }

    /// Returns the findings; the last one reports how many were left out.
    pub(super) fn into_vec(mut self) -> Vec<Diagnostic> {
        if self.left_out > 0 {
            let message = format!("{} more findings here are not shown", self.left_out);
            let place = self.kept.last().and_then(|last| last.place.clone());
            let mut more = Diagnostic::error("content/more", message)
                .hint("fix the findings above, then check again");
            more.place = place;
            self.kept.push(more);
        }
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_beyond_the_bound_are_counted() {
        let mut findings = Findings::default();
        findings.extend((0..MOST + 7).map(|_| Diagnostic::error("a/b", "wrong")));
        let all = findings.into_vec();
        assert_eq!(all.len(), MOST + 1);
        assert!(all[MOST].message.starts_with("7 more"));
    }
}
