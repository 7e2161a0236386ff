//! Reads a constraint on literals: a list of them, or a sum of terms, and perhaps what is demanded of it.

use cnfkit::{Lit, PbRelation, constrain::positive};

use super::named::Words;
use super::weights::MOST_WEIGHT;
use crate::api::shown;
use crate::problem::Problem;

/// The most literals of a constraint.
const MOST_LITERALS: usize = 100_000;
/// The largest number of a variable: one in the millions would make a formula with as many variables.
const MOST_NUMBER: i32 = 1_000_000;

/// Longer signs come first, as they begin with shorter ones. Beside each the relation, and what is added to the bound.
const SIGNS: [(&str, Words, i64); 9] = [
    ("<=", Words::AtMost, 0),
    (">=", Words::AtLeast, 0),
    ("=<", Words::AtMost, 0),
    ("==", Words::Exactly, 0),
    ("≤", Words::AtMost, 0),
    ("≥", Words::AtLeast, 0),
    ("<", Words::AtMost, -1),
    (">", Words::AtLeast, 1),
    ("=", Words::Exactly, 0),
];

/// A constraint as a text gives it.
#[derive(Debug)]
pub(crate) struct Constraint {
    /// Literals with their weights.
    pub(crate) terms: Vec<(Lit, u64)>,
    /// The relation and bound of the sum of the weights of those that are true, if the text says it.
    pub(crate) said: Option<PbRelation>,
}

/// The constraint of a text.
pub(crate) fn read(text: &str) -> Result<Constraint, Problem> {
    let text = text.trim().trim_end_matches(';');
    let at = text.find(['<', '>', '=', '≤', '≥']);
    let (left, demand) = at.map_or((text, None), |at| (&text[..at], Some(&text[at..])));
    let demand = demand.map(bound).transpose()?;
    let terms = if left.contains(['x', 'X']) { sum(left)? } else { list(left)? };
    let Some((words, bound)) = demand else {
        if let Some((lit, weight)) = terms.iter().find(|term| term.1 < 0) {
            let error = format!("{weight} {lit} is negative; that needs a bound in the text too, such as `<= 4`");
            return Err(wrong(error));
        }
        let terms = terms.into_iter().map(|(lit, weight)| (lit, weight.unsigned_abs())).collect();
        return Ok(Constraint { terms, said: None });
    };
    let (terms, relation) = positive(&terms, words.with(bound)).ok_or_else(|| wrong("weights beyond 64 bits"))?;
    Ok(Constraint { terms, said: Some(relation) })
}

fn wrong(error: impl Into<String>) -> Problem {
    Problem::refused("text", error)
}

/// `<= 4`.
fn bound(text: &str) -> Result<(Words, i64), Problem> {
    let sign = SIGNS.iter().find_map(|&(sign, words, more)| Some((text.strip_prefix(sign)?, words, more)));
    let (number, words, more) = sign.ok_or_else(|| wrong("no relation"))?;
    let bound: i64 = number.split_whitespace().collect::<String>().parse().map_err(|_| {
        let number = shown(number.trim());
        wrong(format!("`{number}` is no bound; after `<=`, `>=` or `=` there is one whole number"))
    })?;
    Ok((words, bound.saturating_add(more)))
}

/// `1 -2 3*-4`.
fn list(text: &str) -> Result<Vec<(Lit, i64)>, Problem> {
    let mut words =
        text.split(|sign: char| sign.is_whitespace() || sign == ',').filter(|word| !word.is_empty()).peekable();
    let mut terms = Vec::new();
    while let Some(word) = words.next() {
        if word == "0" && words.peek().is_none() {
            break; // the end of a clause in DIMACS
        }
        let (weight, literal) = match word.split_once('*') {
            Some((weight, literal)) => (weight.parse().ok(), literal),
            None => (Some(1_u64), word),
        };
        let literal = literal.parse::<i32>().ok().and_then(literal_of);
        let weight = weight.filter(|&weight| weight <= MOST_WEIGHT).map(u64::cast_signed);
        let Some(term) = literal.zip(weight) else {
            let error = format!(
                "`{}`, number {} of the text, is no literal; allowed are -{MOST_NUMBER} to {MOST_NUMBER} but not 0, \
                 and before it perhaps a weight and `*`; or a sum such as `3 x1 + 2 x2 <= 4`",
                shown(word),
                terms.len() + 1
            );
            return Err(wrong(error));
        };
        push(&mut terms, term)?;
    }
    Ok(terms)
}

/// `3 x1 + 2 ~x2 - x3`.
fn sum(text: &str) -> Result<Vec<(Lit, i64)>, Problem> {
    let mut terms = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let start = rest;
        let number = terms.len() + 1;
        let unread = |why: &str| wrong(format!("term {number}, at `{}`: {why}", shown(start)));
        let mut negative = false;
        if let Some(left) = rest.strip_prefix(['+', '-', '−']) {
            negative = !rest.starts_with('+');
            rest = left.trim_start();
        } else if number > 1 && !rest.starts_with(|sign: char| sign.is_ascii_digit()) {
            return Err(unread("terms are parted by `+` or `-`"));
        }
        let (digits, left) = digits(rest);
        let weight = match digits {
            "" => 1,
            _ => digits
                .parse::<u64>()
                .ok()
                .filter(|&weight| weight <= MOST_WEIGHT)
                .map(u64::cast_signed)
                .ok_or_else(|| unread(&format!("weights are at most {MOST_WEIGHT}")))?,
        };
        rest = left.trim_start();
        rest = rest.strip_prefix('*').unwrap_or(rest).trim_start();
        let negated = rest.starts_with(['~', '!', '¬']);
        rest = rest.trim_start_matches(['~', '!', '¬']).trim_start();
        let Some(named) = rest.strip_prefix(['x', 'X']) else {
            return Err(unread("a term is a weight and a variable such as `x7`, or `~x7` for its negation"));
        };
        let (digits, left) = self::digits(named.strip_prefix('_').unwrap_or(named));
        let literal = digits.parse::<i32>().ok().and_then(literal_of);
        let literal = literal.ok_or_else(|| unread(&format!("variables are x1 to x{MOST_NUMBER}")))?;
        rest = left.trim_start();
        push(&mut terms, (if negated { !literal } else { literal }, if negative { -weight } else { weight }))?;
    }
    Ok(terms)
}

/// The digits that a text begins with, and what is behind them.
fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len()))
}

fn literal_of(number: i32) -> Option<Lit> {
    let allowed = number != 0 && (-MOST_NUMBER..=MOST_NUMBER).contains(&number);
    if allowed { Lit::from_ipasir(number).ok() } else { None }
}

fn push(terms: &mut Vec<(Lit, i64)>, term: (Lit, i64)) -> Result<(), Problem> {
    if terms.len() == MOST_LITERALS {
        return Err(wrong(format!("more than {MOST_LITERALS} literals")));
    }
    terms.push(term);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text as weights and numbers of literals.
    fn said(text: &str) -> (Vec<(u64, i32)>, Option<PbRelation>) {
        let Constraint { terms, said } = read(text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
        (terms.iter().map(|(lit, weight)| (*weight, lit.to_ipasir())).collect(), said)
    }

    #[test]
    fn lists_and_sums_are_read() {
        assert_eq!(said("1 -2, 3*-4 0"), (vec![(1, 1), (1, -2), (3, -4)], None));
        let all = (vec![(3, 1), (2, -2), (1, 3)], Some(PbRelation::AtMost(4)));
        for text in [
            "3 x1 + 2 ~x2 + x3 <= 4",
            "3*x1+2*!x2+x3≤4",
            "3x_1 +2 ¬X2 + 1 x3 < 5;",
            "3*1 2*-2 3 <= 4",
            "+3 x1 2 ~x2 +1 x3 =< 4",
        ] {
            assert_eq!(said(text), all, "{text}");
        }
        assert_eq!(said("x7 > 0"), (vec![(1, 7)], Some(PbRelation::AtLeast(1))));
        assert_eq!(said("x7 + x8 = 1"), (vec![(1, 7), (1, 8)], Some(PbRelation::Exactly(1))));
    }

    /// 2 x1 - 3 x2 is 2 x1 + 3 ¬x2 - 3.
    #[test]
    fn negative_weights_become_positive() {
        assert_eq!(said("2 x1 - 3 x2 <= 1"), (vec![(2, 1), (3, -2)], Some(PbRelation::AtMost(4))));
        assert_eq!(said("x1 - x2 >= -5"), (vec![(1, 1), (1, -2)], Some(PbRelation::AtLeast(0))));
        assert_eq!(said("x1 + x2 <= -1"), (vec![(1, 1), (1, 2)], Some(PbRelation::AtLeast(3))), "never");
        assert_eq!(said("x1 + x2 = -1").1, Some(PbRelation::AtLeast(3)), "never");
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (text, part) in [
            ("1 two 3", "`two`, number 2"),
            ("1 0 3", "`0`, number 2"),
            ("3 x1 + y2 <= 4", "term 2"),
            ("3 x1 + 2 <= 4", "term 2"),
            ("x1 x2 <= 1", "parted by"),
            ("x1 + x2 <= many", "`many` is no bound"),
            ("x1 <= 1 <= 2", "no bound"),
            ("x1 - x2", "negative"),
            ("x0 <= 1", "variables are"),
            ("99999999999 x1 <= 1", "weights are at most"),
            ("x1000001 <= 1", "variables are"),
        ] {
            let problem = read(text).expect_err(text);
            assert_eq!(problem.place.as_deref(), Some("text"));
            assert!(problem.error.contains(part), "{text}: {problem}");
        }
    }
}
