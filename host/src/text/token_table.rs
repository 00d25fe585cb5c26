//! The table a ruleset gives for reading its texts: brackets, quotes, marks, words, limits.

/// The form of the texts of a ruleset, for the token reader.
///
/// Every character that is not a space, word, number, bracket or quote is a *mark* of one character. The longest of
/// `marks` that fits is one mark too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenTable {
    /// Pairs that enclose nested tokens, opening and closing character.
    pub brackets: Vec<(char, char)>,
    /// Pairs that enclose literal text on one line; brackets and quotes inside them have no meaning.
    pub quotes: Vec<(char, char)>,
    /// Marks of several characters, such as `->`.
    pub marks: Vec<String>,
    /// Marks that may stand between the items of a repeated slot and of a scan.
    pub separators: Vec<char>,
    /// Marks that are bullets at the beginning of a line; the first is level 1.
    pub bullets: Vec<char>,
    /// Marks that make a signed number with the digits directly after them.
    pub signs: Vec<char>,
    /// Marks that count as letters.
    pub word_chars: Vec<char>,
    /// Marks that belong to a word between two of its letters.
    pub inner_chars: Vec<char>,
    /// Whether a word ends where digits begin and the reverse, so that `3d8` is three tokens.
    pub split_digits: bool,
    /// Whether `1.5` is one number.
    pub decimals: bool,
    /// Longest text in bytes; the rest is cut off with a finding.
    pub max_bytes: usize,
    /// Deepest nesting of brackets; deeper ones are plain marks, with a finding.
    pub max_depth: usize,
}

impl Default for TokenTable {
    /// The table of command lines: `( ) [ ] { }`, double quotes, `->`, commas, words like `half-orc's`.
    fn default() -> TokenTable {
        let marks = ["->", "=>", "<=", ">=", "!=", "==", "..."];
        TokenTable {
            brackets: vec![('(', ')'), ('[', ']'), ('{', '}')],
            quotes: vec![('"', '"')],
            marks: marks.map(String::from).to_vec(),
            separators: vec![','],
            bullets: Vec::new(),
            signs: vec!['+', '-'],
            word_chars: Vec::new(),
            inner_chars: vec!['\'', '’', '-', '_'],
            split_digits: true,
            decimals: true,
            max_bytes: 64 * 1024,
            max_depth: 16,
        }
    }
}

impl TokenTable {
    /// Returns the table for the literal parts of templates: brackets, quotes and bullets are marks.
    pub(super) fn without_structure(&self) -> TokenTable {
        TokenTable {
            brackets: Vec::new(),
            quotes: Vec::new(),
            bullets: Vec::new(),
            ..self.clone()
        }
    }

    pub(super) fn is_letter(&self, c: char) -> bool {
        let is_letter = match c.is_ascii() {
            true => c.is_ascii_alphabetic(),
            false => c.is_alphanumeric(),
        };
        is_letter || self.word_chars.contains(&c)
    }

    /// Returns the longest of `marks` that `rest` begins with, as a number of bytes.
    pub(super) fn long_mark_length(&self, rest: &str) -> Option<usize> {
        let first = rest.as_bytes().first()?;
        let begun = self
            .marks
            .iter()
            .filter(|mark| mark.as_bytes().first() == Some(first));
        begun
            .filter(|mark| rest.starts_with(mark.as_str()))
            .map(String::len)
            .max()
    }
}

/// Returns the text in its compared form: letter by letter in lower case, both apostrophes as the plain one.
pub(super) fn fold_case(text: &str) -> String {
    let plain = text.chars().map(|c| if c == '’' { '\'' } else { c });
    plain.flat_map(char::to_lowercase).collect()
}
