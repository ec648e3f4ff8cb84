//! Compiled formula, evaluated at several samples at once.

use exmex::{BinOp, Express, FlatEx, MakeOperators, MatchLiteral, Operator};

use crate::generate::formula::{Lanes, MINUS, Meaning, NAMES, OPERATORS, named};
use crate::util::language::tr;

/// Height as a function of position.
#[derive(Clone, Debug)]
pub struct Expression {
    compiled: FlatEx<Lanes, Operators, Number>,
    /// Variables x, z and r that occur, in the order expected by the evaluating crate.
    variables: Vec<Variable>,
}

#[derive(Clone, Copy, Debug)]
enum Variable {
    X,
    Z,
    R,
}

impl Expression {
    /// Parse a formula of at most 1000 characters; [`NAMES`] lists the names that it may contain.
    ///
    /// # Errors
    /// The text is not a formula; the error has the column and a description of the mistake.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let text = bracketed(text)?;
        let refused = |message: String| SyntaxError {
            column: 1,
            message,
            hint: String::new(),
        };
        let compiled = FlatEx::<Lanes, Operators, Number>::parse(&text)
            .map_err(|error| refused(error.msg().to_owned()))?;
        let variables = compiled.var_names().iter().map(|name| match name.as_str() {
            "x" => Ok(Variable::X),
            "z" => Ok(Variable::Z),
            "r" => Ok(Variable::R),
            name => Err(refused(format!("unknown name `{name}`"))),
        });
        let variables = variables.collect::<Result<_, _>>()?;
        Ok(Self {
            compiled,
            variables,
        })
    }

    /// Heights at [`super::LANES`] positions of one row; NaN or infinite where the formula is undefined.
    #[must_use]
    pub fn at(&self, x: Lanes, z: f64) -> Lanes {
        let mut values = [Lanes::default(); 3];
        for (value, variable) in values.iter_mut().zip(&self.variables) {
            *value = match variable {
                Variable::X => x,
                Variable::Z => Lanes::splat(z),
                Variable::R => x.map(|x| libm::sqrt(x * x + z * z)),
            };
        }
        // This can fail only for a wrong number of variables.
        self.compiled
            .eval(&values[..self.variables.len()])
            .unwrap_or(Lanes::splat(f64::NAN))
    }
}

/// Literal matcher that accepts the numbers of the grammar.
#[derive(Clone, Debug)]
struct Number;

impl MatchLiteral for Number {
    fn is_literal(text: &str) -> Option<&str> {
        leading_number(text)
    }
}

/// Operators and functions with equal precedence, since all brackets are explicit.
#[derive(Clone, Debug)]
struct Operators;

impl MakeOperators<Lanes> for Operators {
    fn make<'a>() -> Vec<Operator<'a, Lanes>> {
        let between = |apply| BinOp {
            apply,
            prio: 0,
            // `true` would allow the crate to add constants in another order than written.
            is_commutative: false,
        };
        let named = NAMES.iter().filter_map(|entry| match entry.meaning {
            Meaning::Variable => None,
            Meaning::Constant(value) => {
                Some(Operator::make_constant(entry.name, Lanes::splat(value)))
            }
            Meaning::One(f) => Some(Operator::make_unary(entry.name, f)),
            Meaning::Two(f) => Some(Operator::make_bin(entry.name, between(f))),
        });
        let signs = OPERATORS
            .iter()
            .map(|(sign, f)| Operator::make_bin(sign, between(*f)));
        let (minus, difference, negative) = MINUS;
        let minus = Operator::make_bin_unary(minus, between(difference), negative);
        named.chain(signs).chain([minus]).collect()
    }
}

// Recursive descent parser of formulas. It checks a text, reports the column of an error, and
// rewrites the text with explicit brackets.
//
// ```text
// sum     = product (('+' | '-') product)*
// product = signed (('*' | '/') signed)*
// signed  = ('-' | '+') signed | power
// power   = atom ('^' signed)?              −x^2 is −(x²), 2^3^2 is 2^(3²), as in textbooks
// atom    = number | name | name '(' sum (',' sum)? ')' | '(' sum ')'
// ```
// The crate that evaluates formulas supports neither error columns nor these precedences; explicit
// brackets make its own precedences irrelevant.

/// Largest number of characters of a formula.
pub const MOST_CHARACTERS: usize = 1000;
/// Deepest nesting of brackets, signs and powers.
pub const MOST_NESTING: usize = 64;

/// Syntax error with its column and description.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", tr!("{message} at column {column}{hint}", message, column, hint))]
pub struct SyntaxError {
    /// Column of the wrong character, from 1; one past the last if something is missing.
    pub column: usize,
    /// Description of the error.
    pub message: String,
    /// Valid alternative, or empty; the error's text appends it to the column.
    pub hint: String,
}

impl SyntaxError {
    fn with_hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: hint.into(),
            ..self
        }
    }
}

/// Rewrite a formula with explicit brackets, and with functions of two numbers between their
/// arguments: `max(x, z)` becomes `(x max z)`.
///
/// # Errors
/// A character is not allowed at its place (the first one is reported), or the text is too long or
/// nested too deeply.
pub fn bracketed(text: &str) -> Result<String, SyntaxError> {
    let mut reader = Reader {
        rest: text,
        column: 1,
        depth: 0,
    };
    if text.chars().count() > MOST_CHARACTERS {
        reader.column = MOST_CHARACTERS + 1;
        let hint = format!("; allowed: {MOST_CHARACTERS} characters");
        return Err(reader.error("it is too long").with_hint(hint));
    }
    reader.skip_spaces();
    if reader.rest.is_empty() {
        let error = reader.error("a height is missing");
        return Err(error.with_hint(", such as sin(pi*x)"));
    }
    let whole = reader.sum()?;
    match reader.peek() {
        None => Ok(whole),
        Some(')') => Err(reader.error("`)` without `(`")),
        Some(',') => Err(reader.error("`,` outside a function of two numbers")),
        Some(_) => Err(reader.unexpected("an operator such as + or *")),
    }
}

/// Number at the start of `text`, such as `2`, `.5` or `1e-3`, if there is one.
pub fn leading_number(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let count = bytes[from..].iter().take_while(|b| b.is_ascii_digit());
        from + count.count()
    };
    let whole = digits(0);
    let mut end = whole;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        // A decimal point alone is not a number.
        if fraction == 1 {
            return None;
        }
        end = fraction;
    }
    if end == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let first = end + 1 + sign;
        if first < bytes.len() && digits(first) > first {
            end = digits(first);
        }
    }
    Some(&text[..end])
}

struct Reader<'a> {
    /// Remaining text.
    rest: &'a str,
    /// Column of the first character of `rest`, from 1.
    column: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError {
            column: self.column,
            message: message.into(),
            hint: String::new(),
        }
    }

    /// Create the error for a text with something else in the place of `expected`.
    fn unexpected(&mut self, expected: &str) -> SyntaxError {
        match self.peek() {
            None => self.error(format!("{expected} is missing")),
            Some(found) => self
                .error(format!("`{found}`"))
                .with_hint(format!(", where {expected} should be")),
        }
    }

    fn skip(&mut self, bytes: usize) -> &'a str {
        let (read, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.column += read.chars().count();
        read
    }

    fn skip_spaces(&mut self) {
        self.skip(self.rest.len() - self.rest.trim_start().len());
    }

    /// Next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        self.skip_spaces();
        self.rest.chars().next()
    }

    /// Consume the next character if it is one of `wanted`.
    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let found = self.peek().filter(|found| wanted.contains(found))?;
        self.skip(found.len_utf8());
        Some(found)
    }

    /// Parse with `inner`, one level deeper.
    fn nested(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<String, SyntaxError>,
    ) -> Result<String, SyntaxError> {
        if self.depth == MOST_NESTING {
            let hint =
                format!("; allowed: {MOST_NESTING} brackets, signs and powers in each other");
            return Err(self.error("it is nested too deeply").with_hint(hint));
        }
        self.depth += 1;
        let read = inner(self)?;
        self.depth -= 1;
        Ok(read)
    }

    fn sum(&mut self) -> Result<String, SyntaxError> {
        self.chain(&['+', '-'], |reader| {
            reader.chain(&['*', '/'], Self::signed)
        })
    }

    /// Parse a left-associative chain of operands and operators.
    fn chain(
        &mut self,
        operators: &[char],
        operand: impl Fn(&mut Self) -> Result<String, SyntaxError>,
    ) -> Result<String, SyntaxError> {
        let mut left = operand(self)?;
        while let Some(operator) = self.take(operators) {
            let right = operand(self)?;
            left = format!("({left}{operator}{right})");
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<String, SyntaxError> {
        match self.take(&['+', '-']) {
            Some('-') => Ok(format!("(-{})", self.nested(Self::signed)?)),
            Some(_) => self.nested(Self::signed),
            None => self.power(),
        }
    }

    fn power(&mut self) -> Result<String, SyntaxError> {
        let base = self.atom()?;
        match self.take(&['^']) {
            Some(_) => Ok(format!("({base} pow {})", self.nested(Self::signed)?)),
            None => Ok(base),
        }
    }

    fn atom(&mut self) -> Result<String, SyntaxError> {
        let next = self.peek();
        if let Some(number) = leading_number(self.rest) {
            if number.parse().is_ok_and(f64::is_finite) {
                return Ok(self.skip(number.len()).to_owned());
            }
            return Err(self.error(format!("the number {number} is too large")));
        }
        match next {
            Some('(') => self.nested(|reader| {
                reader.skip(1);
                let inner = reader.sum()?;
                reader.close()?;
                Ok(inner)
            }),
            Some(letter) if letter.is_alphabetic() || letter == '_' => self.name(),
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    fn close(&mut self) -> Result<(), SyntaxError> {
        match self.take(&[')']) {
            Some(_) => Ok(()),
            None => Err(self.unexpected("`)`")),
        }
    }

    fn name(&mut self) -> Result<String, SyntaxError> {
        let in_word = |c: &char| c.is_alphanumeric() || *c == '_';
        let length = self
            .rest
            .chars()
            .take_while(in_word)
            .map(char::len_utf8)
            .sum();
        let word = &self.rest[..length];
        let Some(entry) = named(word) else {
            let known: Vec<_> = NAMES.iter().map(|entry| entry.name).collect();
            let error = self.error(format!("unknown name `{word}`"));
            return Err(error.with_hint(format!("; known: {}", known.join(", "))));
        };
        self.skip(length);
        match entry.meaning {
            Meaning::Variable | Meaning::Constant(_) => Ok(word.to_owned()),
            Meaning::One(_) => self.arguments(|reader| {
                let inner = reader.sum()?;
                if reader.peek() == Some(',') {
                    let hint = format!(", but {word} takes one number");
                    return Err(reader.error("`,`").with_hint(hint));
                }
                Ok(format!("{word}({inner})"))
            }),
            Meaning::Two(_) => self.arguments(|reader| {
                let first = reader.sum()?;
                if reader.take(&[',']).is_none() {
                    let expected = format!("`,` and {word}'s second number");
                    return Err(reader.unexpected(&expected));
                }
                let second = reader.sum()?;
                if reader.peek() == Some(',') {
                    let hint = format!(", but {word} takes two numbers");
                    return Err(reader.error("`,`").with_hint(hint));
                }
                Ok(format!("({first} {word} {second})"))
            }),
        }
    }

    /// Parse a function's arguments between their brackets.
    fn arguments(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<String, SyntaxError>,
    ) -> Result<String, SyntaxError> {
        if self.peek() != Some('(') {
            return Err(self.unexpected("the function's `(`"));
        }
        self.nested(|reader| {
            reader.skip(1);
            let read = inner(reader)?;
            reader.close()?;
            Ok(read)
        })
    }
}
