//! Words that are looked for in texts: in the panel, among presets, in the list of what varies.

/// British spellings and American ones, as parts of words. Both find both.
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

/// The words that somebody looks for.
#[derive(Clone, Debug, Default)]
pub struct Query {
    words: Vec<String>,
}

/// A text in which words are looked for.
#[derive(Clone, Debug)]
pub struct Text {
    text: String,
    american: String,
}

impl Query {
    /// The words of what was typed.
    #[must_use]
    pub fn new(typed: &str) -> Self {
        let typed = typed.to_lowercase();
        let words = typed.split_whitespace().map(str::to_owned).collect();
        Self { words }
    }

    /// How many words there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether nothing is looked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How many of the words are in a text, as parts of its words.
    #[must_use]
    pub fn count_in(&self, text: &Text) -> usize {
        let has = |word: &&String| {
            // A word that is half typed may have no other spelling yet.
            text.text.contains(*word) || text.american.contains(&american(word))
        };
        self.words.iter().filter(has).count()
    }

    /// Whether all words are in a text.
    #[must_use]
    pub fn finds(&self, text: &Text) -> bool {
        self.count_in(text) == self.len()
    }
}

impl Text {
    /// A text, in whatever letters.
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
        assert!(
            ["colo", "colou", "color", "ground co"]
                .map(Query::new)
                .iter()
                .all(|q| q.finds(&text))
        );
    }
}
