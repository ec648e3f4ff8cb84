//! Word search in texts: settings of the panel, presets, the list of varied settings.

/// British spellings and their American counterparts, as parts of words. Each finds the other.
const SPELLINGS: &[(&str, &str)] = &[
    ("colour", "color"),
    ("grey", "gray"),
    ("centre", "center"),
    ("metre", "meter"),
    ("neighbour", "neighbor"),
    ("artefact", "artifact"),
    ("favour", "favor"),
    ("harbour", "harbor"),
    ("vapour", "vapor"),
    ("behaviour", "behavior"),
    ("mould", "mold"),
    ("plough", "plow"),
    ("fibre", "fiber"),
    ("licence", "license"),
    ("analyse", "analyze"),
    ("normalis", "normaliz"),
    ("quantis", "quantiz"),
    ("maximis", "maximiz"),
    ("minimis", "minimiz"),
    ("equalis", "equaliz"),
    ("randomis", "randomiz"),
];

/// Words of a search query.
#[derive(Clone, Debug, Default)]
pub struct Query {
    words: Vec<String>,
}

/// Searchable text.
#[derive(Clone, Debug)]
pub struct Text {
    text: String,
    american: String,
}

impl Query {
    /// Query made of the words in `typed`.
    #[must_use]
    pub fn new(typed: &str) -> Self {
        let typed = typed.to_lowercase();
        let words = typed.split_whitespace().map(str::to_owned).collect();
        Self { words }
    }

    /// Number of words in the query.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// True if the query has no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Number of query words contained in a text, as substrings.
    #[must_use]
    pub fn count_in(&self, text: &Text) -> usize {
        let has = |word: &&String| {
            // A half-typed word may not match any American spelling yet, so the original text is
            // tried as well.
            text.text.contains(*word) || text.american.contains(&american(word))
        };
        self.words.iter().filter(has).count()
    }

    /// True if the text contains all words of the query.
    #[must_use]
    pub fn finds(&self, text: &Text) -> bool {
        self.count_in(text) == self.len()
    }
}

impl Text {
    /// Text prepared for case-insensitive search.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let text = text.to_lowercase();
        Self {
            american: american(&text),
            text,
        }
    }
}

fn american(text: &str) -> String {
    let respelt = |text: String, (british, american): &(&str, &str)| match text.contains(british) {
        true => text.replace(british, american),
        false => text,
    };
    SPELLINGS.iter().fold(text.to_owned(), respelt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_find_both() {
        for (british, american) in SPELLINGS {
            for (typed, text) in [(british, american), (american, british)] {
                let text = Text::new(&format!("Some {text}s"));
                assert!(Query::new(typed).finds(&text), "{typed} in {text:?}");
            }
        }
    }

    #[test]
    fn half_a_word_is_found() {
        let text = Text::new("Ground colour");
        for typed in ["colo", "colou", "color", "ground co"] {
            assert!(Query::new(typed).finds(&text), "{typed}");
        }
    }
}
