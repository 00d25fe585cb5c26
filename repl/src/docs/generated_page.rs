//! A page or picture of the book that the program writes.

/// The second line of each generated page.
const MARK: &str = "<!-- Written by `arbiter docs docs/src`; do not edit. -->";

/// A page or picture that the program writes.
pub(super) struct GeneratedPage {
    /// Its path in the folder of the book.
    pub(super) path: String,
    pub(super) text: String,
}

impl GeneratedPage {
    /// Returns a page: a title, one sentence about it, and its sections.
    pub(super) fn new(
        path: impl Into<String>,
        title: &str,
        about: &str,
        body: &str,
    ) -> GeneratedPage {
        GeneratedPage {
            path: path.into(),
            text: format!(
                "# {title}\n{MARK}\n\n*Reference.* {about}\n\n{}\n",
                body.trim_end()
            ),
        }
    }
}
