//! Expressions from text.

use std::fmt;

use rustsat::types::Lit;

use super::BoolExpr;

/// The reason why a text is no expression.
///
/// ```
/// use cnfkit::{BoolExpr, ExprError, Lit};
/// let error: ExprError = BoolExpr::parse("a & (b -> )", |_| Some(Lit::positive(0))).unwrap_err();
/// assert_eq!(error.column, 11);
/// assert_eq!(error.to_string(), "column 11: `)`, where a name, `!` or `(` is allowed");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExprError {
    /// The character at which it is wrong, from 1 on.
    pub column: usize,
    /// The fault, and what is allowed.
    pub reason: String,
}

impl fmt::Display for ExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.reason)
    }
}

impl std::error::Error for ExprError {}

/// Operators, those that bind least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Operator {
    Iff,
    Implies,
    Or,
    Xor,
    And,
}

/// A thing that is open: operators wait for their right side, and brackets for their end.
enum Open {
    Not,
    Operator(Operator),
    /// A bracket at a column; of a call, with the number of commas so far.
    Bracket(usize, Option<(Call, usize)>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    Ite,
    Xor,
}

/// The operators and signs by their spelling; longer ones before those that they begin with.
const SIGNS: [(&str, Operator); 13] = [
    ("<->", Operator::Iff),
    ("<=>", Operator::Iff),
    ("==", Operator::Iff),
    ("->", Operator::Implies),
    ("=>", Operator::Implies),
    ("||", Operator::Or),
    ("|", Operator::Or),
    ("&&", Operator::And),
    ("&", Operator::And),
    ("^", Operator::Xor),
    ("or", Operator::Or),
    ("xor", Operator::Xor),
    ("and", Operator::And),
];

const IS_NAME: fn(char) -> bool = |sign| sign.is_alphanumeric() || matches!(sign, '_' | '.' | '[' | ']' | '\'');

struct ExprText<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Open>,
    values: Vec<BoolExpr>,
}

impl BoolExpr {
    /// Reads an expression: names, `true` and `false`; from what binds least to what binds most `<->` (`<=>`, `==`),
    /// `->` (`=>`, to the right), `|` (`||`, `or`), `^` (`xor`), `&` (`&&`, `and`), `!` (`~`, `not`); brackets,
    /// `ite(if, then, else)`, and `xor(one, other, …)` of any number. Names are of letters, digits, `_`, `.`, `[`, `]`
    /// and `'`; `lit` gives their literals.
    ///
    /// ```
    /// use cnfkit::{BoolExpr, ClauseSink, Cnf, Constrain};
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(3);
    /// let lit = |name: &str| ["a", "b", "c"].iter().position(|&known| known == name).map(|at| x[at]);
    /// let expr = BoolExpr::parse("(a & b) -> c", lit)?;
    /// cnf.require(&expr)?;
    /// assert_eq!(cnf.to_string(), "p cnf 3 1\n-1 -2 3 0\n");
    /// assert!(BoolExpr::parse("a & d", lit).unwrap_err().to_string().contains("column 5: `d` is no known name"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the text is no expression, or a name has no literal: with the column.
    pub fn parse(text: &str, lit: impl Fn(&str) -> Option<Lit>) -> Result<Self, ExprError> {
        let mut text = ExprText { text, at: 0, open: Vec::new(), values: Vec::new() };
        loop {
            text.operand(&lit)?;
            if !text.operator()? {
                let value = text.values.pop();
                return value.ok_or_else(|| text.wrong("an expression"));
            }
        }
    }
}

impl ExprText<'_> {
    fn rest(&mut self) -> &str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn takes(&mut self, sign: &str) -> bool {
        let rest = self.rest();
        let is_word = sign.starts_with(IS_NAME);
        let takes = rest.strip_prefix(sign).is_some_and(|rest| !is_word || !rest.starts_with(IS_NAME));
        self.at += if takes { sign.len() } else { 0 };
        takes
    }

    fn error(&self, at: usize, reason: String) -> ExprError {
        ExprError { column: self.text[..at].chars().count() + 1, reason }
    }

    fn wrong(&mut self, allowed: &str) -> ExprError {
        let found = self.rest().chars().next().map_or("the end".to_owned(), |sign| format!("`{sign}`"));
        self.error(self.at, format!("{found}, where {allowed} is allowed"))
    }

    /// Reads what may stand before a value, and the value.
    fn operand(&mut self, lit: &dyn Fn(&str) -> Option<Lit>) -> Result<(), ExprError> {
        loop {
            if self.takes("!") || self.takes("~") || self.takes("not") {
                self.open.push(Open::Not);
            } else if self.takes("(") {
                self.open.push(Open::Bracket(self.at - 1, None));
            } else {
                let rest = self.rest();
                let len = rest.find(|sign| !IS_NAME(sign)).unwrap_or(rest.len());
                let (name, start) = (rest[..len].to_owned(), self.at);
                if name.is_empty() {
                    return Err(self.wrong("a name, `!` or `(`"));
                }
                self.at += len;
                let call = [("ite", Call::Ite), ("xor", Call::Xor)].into_iter().find(|(of, _)| *of == name);
                if let Some((_, call)) = call
                    && self.takes("(")
                {
                    self.open.push(Open::Bracket(self.at - 1, Some((call, 0))));
                    continue;
                }
                self.values.push(match (name.as_str(), lit(&name)) {
                    (_, Some(lit)) => lit.into(),
                    ("true", None) => true.into(),
                    ("false", None) => false.into(),
                    _ => return Err(self.error(start, format!("`{name}` is no known name"))),
                });
                return Ok(());
            }
        }
    }

    /// Reads what may stand behind a value, up to an operator or comma; false at the end.
    fn operator(&mut self) -> Result<bool, ExprError> {
        loop {
            while let Some(Open::Not) = self.open.last() {
                self.open.pop();
                self.apply(|one| !one);
            }
            if let Some(&(_, operator)) = SIGNS.iter().find(|(sign, _)| self.takes(sign)) {
                // To the right what is opposed to the order of reading.
                let is_done = |open: Operator| open > operator || open == operator && operator != Operator::Implies;
                self.close(is_done);
                self.open.push(Open::Operator(operator));
                return Ok(true);
            }
            if !self.rest().is_empty() && !self.rest().starts_with([')', ',']) {
                return Err(self.wrong("an operator"));
            }
            self.close(|_| true);
            match self.open.pop() {
                None if self.rest().is_empty() => return Ok(false),
                None => return Err(self.wrong("an operator")),
                Some(Open::Bracket(_, None)) if self.takes(")") => {}
                Some(Open::Bracket(at, Some((call, commas))))
                    if (call == Call::Xor || commas < 2) && self.takes(",") =>
                {
                    self.open.push(Open::Bracket(at, Some((call, commas + 1))));
                    return Ok(true);
                }
                Some(Open::Bracket(_, Some((Call::Xor, commas)))) if self.takes(")") => {
                    for _ in 0..commas {
                        if let Some(right) = self.values.pop() {
                            self.apply(|left| left ^ right);
                        }
                    }
                }
                Some(Open::Bracket(_, Some((Call::Ite, 2)))) if self.takes(")") => {
                    let other = self.values.pop();
                    if let (Some(other), Some(then)) = (other, self.values.pop()) {
                        self.apply(|cond| BoolExpr::ite(cond, then, other));
                    }
                }
                Some(Open::Bracket(at, _)) if self.rest().is_empty() => {
                    return Err(self.error(at, "a bracket that is not closed".to_owned()));
                }
                Some(Open::Bracket(_, None)) => return Err(self.wrong("`)`")),
                Some(Open::Bracket(_, Some((Call::Xor, _)))) => return Err(self.wrong("`,` or `)`")),
                Some(_) => return Err(self.wrong("`ite(if, then, else)`")),
            }
        }
    }

    fn apply(&mut self, operation: impl FnOnce(BoolExpr) -> BoolExpr) {
        if let Some(value) = self.values.pop() {
            self.values.push(operation(value));
        }
    }

    /// Applies the operators that wait and are done.
    fn close(&mut self, is_done: impl Fn(Operator) -> bool) {
        while let Some(&Open::Operator(operator)) = self.open.last()
            && is_done(operator)
        {
            self.open.pop();
            let right = self.values.pop();
            if let Some(right) = right {
                self.apply(|left| match operator {
                    Operator::Iff => left.iff(right),
                    Operator::Implies => left.implies(right),
                    Operator::Or => left | right,
                    Operator::Xor => left ^ right,
                    Operator::And => left & right,
                });
            }
        }
    }
}
