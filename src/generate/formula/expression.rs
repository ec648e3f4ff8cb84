//! Compiled formula, evaluated at several samples at once.

use exmex::{BinOp, Express, FlatEx, MakeOperators, MatchLiteral, Operator};

use super::functions::{Lanes, MINUS, Meaning, NAMES, OPERATORS};
use super::grammar::{SyntaxError, bracketed, leading_number};

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
