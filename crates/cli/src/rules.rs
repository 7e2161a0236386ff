//! The format `rules`: a constraint a line.
//!
//! ```text
//! # who comes, and what it costs
//! max: 3 anna + 2 ben - cleo
//! 1 <= anna + ben + cleo <= 2
//! 4 anna + 3 ben + 2 ~dora < 7 + cleo
//! anna & ~ben => cleo + dora >= 1
//! full <=> anna + ben + cleo = 3
//! ~anna | dora
//! (anna | ben) & ~dora -> cleo
//! anna ^ ben ^ cleo = 1
//! ```
//!
//! A variable is a name; `~` or `!` before it is its negation, `-` is minus. Weights are integers, with or without `*`.
//! A line with neither a sum nor a relation is a Boolean expression, which holds.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, BufRead};

use cnfkit::{BoolExpr, CapacityError, ClauseSink, Constrain, Formula, Lit, PbEncoding};

use crate::bytes;

/// The reason why a text is no list of rules.
pub(crate) enum WrongRule {
    Io(io::Error),
    /// Line and column, from 1, and what is found and allowed there.
    Syntax(usize, usize, String),
    Capacity(CapacityError),
}

/// A word of a line, and its column from 1.
type RuleWord<'a> = (&'a str, usize);

const RELATIONS: [&str; 5] = ["<=", ">=", "=", "<", ">"];

/// Operators of several signs, and others for which they stand.
const OPERATORS: [(&str, &str); 9] = [
    ("<=>", "<=>"),
    ("<->", "<=>"),
    ("=>", "=>"),
    ("->", "=>"),
    ("<=", "<="),
    ("≤", "<="),
    (">=", ">="),
    ("≥", ">="),
    ("==", "="),
];

/// The words of a line without its comment.
fn words(line: &str) -> Vec<RuleWord<'_>> {
    let is_name = |c: char| c.is_alphanumeric() || "_.[]'".contains(c);
    let (mut words, mut at) = (Vec::new(), 0);
    while let Some(c) = line[at..].chars().next() {
        let rest = &line[at..];
        let name = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let operator = OPERATORS.into_iter().find(|(word, _)| rest.starts_with(word));
        let len = operator.map_or(if name > 0 { name } else { c.len_utf8() }, |(word, _)| word.len());
        if !c.is_whitespace() {
            words.push((operator.map_or(&rest[..len], |(_, word)| word), at + 1));
        }
        at += len;
    }
    words
}

/// A part of a line; or the column of what is wrong, and the message.
type Read<T> = Result<T, (usize, String)>;

/// The words of one line that are not read yet.
struct Line<'a> {
    text: &'a str,
    words: &'a [RuleWord<'a>],
    /// The column after the last word.
    end: usize,
}

impl<'a> Line<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.first().map(|&(word, _)| word)
    }

    /// The next word, if it is one of these.
    fn take(&mut self, of: &[&str]) -> Option<&'a str> {
        let word = self.peek().filter(|word| of.contains(word))?;
        self.words = &self.words[1..];
        Some(word)
    }

    fn wrong<T>(&self, allowed: &str) -> Read<T> {
        Err(match self.words.first() {
            Some((word, column)) => (*column, format!("`{}` found; allowed: {allowed}", word.escape_debug())),
            None => (self.end, format!("the line ends; allowed: {allowed}")),
        })
    }

    /// The next word, if it is a number.
    fn number(&mut self) -> Read<Option<i64>> {
        let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
        match self.peek().filter(is_number).map(str::parse) {
            None => Ok(None),
            Some(Ok(number)) => {
                self.words = &self.words[1..];
                Ok(Some(number))
            }
            Some(Err(_)) => self.wrong("a name, or a number up to 2^63 - 1"),
        }
    }

    /// The next word, which is one of these numbers.
    fn number_of(&mut self, allowed: &[i64]) -> Read<i64> {
        let number = self.peek().and_then(|word| word.parse().ok()).filter(|number| allowed.contains(number));
        match number {
            Some(number) => {
                self.words = &self.words[1..];
                Ok(number)
            }
            None => self.wrong(&allowed.iter().map(|number| format!("`{number}`")).collect::<Vec<_>>().join(" or ")),
        }
    }

    /// A number that the sum of numbers in this line is, if 64 bits hold it.
    fn held(&self, number: Option<i64>) -> Read<i64> {
        number.ok_or_else(|| (self.end, "numbers of this line sum up to more than 64 bits hold".to_owned()))
    }
}

/// A sum of weights, and a constant.
#[derive(Clone, Default)]
struct LinearSum {
    terms: Vec<(Lit, i64)>,
    constant: i64,
}

/// Words of expressions, which are no names.
const RESERVED: [&str; 7] = ["true", "false", "and", "or", "not", "xor", "ite"];

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_') && !RESERVED.contains(&word)
}

#[derive(Default)]
struct RulesReader {
    formula: Formula,
    vars: HashMap<String, Lit>,
}

/// The part of a line that holds if its condition does.
enum Said {
    /// A sum with its lowest and highest value; a clause is such a sum, too.
    Sum(Vec<(Lit, i64)>, Option<i64>, Option<i64>),
    Parity(Vec<Lit>, bool),
}

impl RulesReader {
    /// The variable of a name.
    fn variable(&mut self, name: &str) -> Lit {
        match self.vars.get(name) {
            Some(&lit) => lit,
            None => *self.vars.entry(name.to_owned()).or_insert(self.formula.new_named(name)),
        }
    }

    fn literal(&mut self, line: &mut Line<'_>) -> Read<Lit> {
        let mut negated = false;
        while line.take(&["~", "!"]).is_some() {
            negated = !negated;
        }
        let Some(name) = line.peek().filter(|word| is_name(word)) else {
            return line.wrong("a literal, which is a name, or `~` and a name");
        };
        line.words = &line.words[1..];
        let lit = self.variable(name);
        Ok(if negated { !lit } else { lit })
    }

    /// The words of a line as a Boolean expression.
    fn expression(&mut self, line: &Line<'_>) -> Read<BoolExpr> {
        let Some(&(_, start)) = line.words.first() else { return line.wrong("an expression") };
        let text = &line.text[start - 1..line.end - 1];
        let reader = RefCell::new(self);
        let lit = |name: &str| is_name(name).then(|| reader.borrow_mut().variable(name));
        BoolExpr::parse(text, lit).map_err(|error| {
            let before: usize = text.chars().take(error.column - 1).map(char::len_utf8).sum();
            (start + before, error.reason)
        })
    }

    fn linear(&mut self, line: &mut Line<'_>) -> Read<LinearSum> {
        let mut sum = LinearSum::default();
        let mut sign = if line.take(&["-", "+"]) == Some("-") { -1 } else { 1 };
        loop {
            let number = line.number()?;
            let is_term = number.is_none()
                || line.take(&["*"]).is_some()
                || line.peek().is_some_and(|word| !RELATIONS.contains(&word) && !["+", "-"].contains(&word));
            let number = sign * number.unwrap_or(1);
            if is_term {
                sum.terms.push((self.literal(line)?, number));
            } else {
                sum.constant = line.held(sum.constant.checked_add(number))?;
            }
            sign = match line.take(&["+", "-"]) {
                Some("-") => -1,
                Some(_) => 1,
                None => return Ok(sum),
            };
        }
    }

    /// The condition of a line, and the literal that says if the rest holds.
    fn condition(&mut self, line: &mut Line<'_>) -> Read<Result<(Vec<Lit>, Option<Lit>), CapacityError>> {
        let mut depth = 0_usize;
        let is_operator = |&(word, _): &RuleWord<'_>| {
            match word {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && (word == "=>" || word == "<=>")
        };
        let Some(at) = line.words.iter().position(is_operator) else {
            return Ok(Ok((Vec::new(), None)));
        };
        let (operator, column) = line.words[at];
        let mut left = Line { text: line.text, words: &line.words[..at], end: column };
        line.words = &line.words[at + 1..];
        let is_sum = |word: &str| RELATIONS.contains(&word) || word == "+" || word == "-";
        if let Some(at) = left.words.iter().position(|&(word, _)| is_sum(word)) {
            left.words = &left.words[at..];
            return left.wrong("Boolean expressions before `=>` and `<=>`");
        }
        if operator == "=>" && left.words.iter().all(|(word, _)| is_name(word) || ["~", "!", "&"].contains(word)) {
            let mut cond = vec![self.literal(&mut left)?];
            while left.take(&["&"]).is_some() {
                cond.push(self.literal(&mut left)?);
            }
            return if left.words.is_empty() { Ok(Ok((cond, None))) } else { left.wrong("`&` or `=>`") };
        }
        let expr = self.expression(&left)?;
        let literal = self.formula.literal(&expr);
        Ok(literal.map(|lit| if operator == "=>" { (vec![lit], None) } else { (Vec::new(), Some(lit)) }))
    }

    /// Literals of which an odd number is true, or an even one after `= 0`.
    fn parity(&mut self, line: &mut Line<'_>) -> Read<Said> {
        let (is_called, sign) = if line.take(&["xor"]).is_some() { (true, ",") } else { (false, "^") };
        if is_called && line.take(&["("]).is_none() {
            return line.wrong("`(`");
        }
        let mut lits = vec![self.literal(line)?];
        while line.take(&[sign]).is_some() {
            lits.push(self.literal(line)?);
        }
        if is_called && line.take(&[")"]).is_none() {
            return line.wrong("`,` or `)`");
        }
        let is_odd = line.take(&["="]).is_none() || line.number_of(&[0, 1])? == 1;
        if line.words.is_empty() { Ok(Said::Parity(lits, is_odd)) } else { line.wrong(&format!("`{sign}` or `=`")) }
    }

    fn bounded(&mut self, line: &mut Line<'_>) -> Read<Said> {
        let mut sum = self.linear(line)?;
        let mut lowest_first = None;
        let (mut least, mut most) = (None, None);
        while let Some(relation) = line.take(&RELATIONS) {
            let is_second = least.is_some() || most.is_some();
            let mut right = self.linear(line)?;
            let (is_up, is_strict) = (relation.starts_with('<'), !relation.ends_with('='));
            if is_second {
                // LOWEST <= SUM was read; now the highest.
                let fits = lowest_first == Some(is_up) && relation != "=" && right.terms.is_empty();
                if !fits || least.is_some() && most.is_some() {
                    return Err((line.end, "allowed with two relations: LOWEST <= SUM <= HIGHEST".to_owned()));
                }
                let bound = line.held(right.constant.checked_sub(sum.constant))?;
                let bound = line.held(bound.checked_add(i64::from(is_strict) * if is_up { -1 } else { 1 }))?;
                (least, most) = if is_up { (least, Some(bound)) } else { (Some(bound), most) };
                continue;
            }
            // Constants alone on the left are a bound on what is on the right.
            let is_turned = sum.terms.is_empty();
            lowest_first = is_turned.then_some(is_up);
            if is_turned {
                std::mem::swap(&mut sum, &mut right);
            }
            sum.terms.extend(right.terms.iter().map(|&(lit, weight)| (lit, -weight)));
            let bound = line.held(right.constant.checked_sub(sum.constant))?;
            let is_most = is_up != is_turned;
            let bound = line.held(bound.checked_add(i64::from(is_strict) * if is_most { -1 } else { 1 }))?;
            (least, most) = match (relation, is_most) {
                ("=", _) => (Some(bound), Some(bound)),
                (_, true) => (None, Some(bound)),
                (_, false) => (Some(bound), None),
            };
        }
        if line.words.is_empty() && (least.is_some() || most.is_some()) {
            return Ok(Said::Sum(sum.terms, least, most));
        }
        line.wrong("`+`, `-`, `<=`, `>=`, `=`, `<` or `>`")
    }

    fn rule(&mut self, line: &mut Line<'_>) -> Read<Result<(), CapacityError>> {
        let has = |words: &[&str]| line.words.iter().any(|(word, _)| words.contains(word));
        let has_sum = has(&RELATIONS) || has(&["+", "-"]);
        // Those are kept as they are, and expressions are clauses at once.
        let is_parity =
            line.words.iter().all(|(word, _)| is_name(word) || ["^", "~", "!"].contains(word)) && has(&["^"]);
        // Between two parts of an expression it is an operator, and with others it is a part of one.
        let is_called = |at: usize| {
            let called = &line.words[at + 1..];
            let end = called.iter().position(|(word, _)| *word == ")");
            (at == 0 || ["=>", "<=>"].contains(&line.words[at - 1].0))
                && end.is_some_and(|end| {
                    let is_of_lits = |(word, _): &(&str, _)| is_name(word) || ["(", ",", "~", "!"].contains(word);
                    called[..end].iter().all(is_of_lits) && called.get(end + 1).is_none_or(|(word, _)| *word == "=")
                })
        };
        let calls = line.words.iter().zip(0..).any(|((word, _), at)| *word == "xor" && is_called(at));
        if !has_sum && !is_parity && !calls {
            if line.words.iter().all(|(word, _)| is_name(word) || ["|", "~", "!"].contains(word)) {
                let mut clause = vec![self.literal(line)?];
                while line.take(&["|"]).is_some() {
                    clause.push(self.literal(line)?);
                }
                return if line.words.is_empty() { Ok(self.formula.add_clause(&clause)) } else { line.wrong("`|`") };
            }
            let expr = self.expression(line)?;
            return Ok(self.formula.require(&expr));
        }
        let (cond, iff) = match self.condition(line)? {
            Ok(condition) => condition,
            Err(error) => return Ok(Err(error)),
        };
        let has = |words: &[&str]| line.words.iter().any(|(word, _)| words.contains(word));
        let said = if has(&["^", "xor"]) { self.parity(line)? } else { self.bounded(line)? };
        let (formula, enc) = (&mut self.formula, PbEncoding::Auto);
        Ok(match said {
            Said::Parity(lits, is_odd) => match iff {
                Some(r) => formula.iff_parity(r, &lits, is_odd),
                None => formula.when(&cond).parity(&lits, is_odd),
            },
            Said::Sum(terms, least, most) => match (least, most, iff) {
                (Some(least), Some(most), Some(r)) => formula.pb_iff_between(r, &terms, least..=most, enc),
                (Some(least), None, Some(r)) => formula.pb_iff_at_least(r, &terms, least, enc),
                (None, most, Some(r)) => formula.pb_iff_at_most(r, &terms, most.unwrap_or(i64::MAX), enc),
                (Some(least), Some(most), None) => formula.when(&cond).pb_between(&terms, least..=most, enc),
                (Some(least), None, None) => formula.when(&cond).pb_at_least(&terms, least, enc),
                (None, most, None) => formula.when(&cond).pb_at_most(&terms, most.unwrap_or(i64::MAX), enc),
            },
        })
    }

    /// The objective: the formula begins with it.
    fn objective(&mut self, line: &mut Line<'_>, sense: &str) -> Read<()> {
        let sum = self.linear(line)?;
        if !line.words.is_empty() {
            return line.wrong("`+` or `-`");
        }
        if sum.constant != 0 {
            return Err((line.end, "a number without a variable; allowed: weights of literals".to_owned()));
        }
        let mut text = format!("{sense}:");
        for (lit, weight) in sum.terms {
            let _ = write!(text, " {weight:+} {}x{}", if lit.is_neg() { "~" } else { "" }, lit.vidx() + 1);
        }
        let formula = Formula::read_opb(format!("{text};").as_bytes()).map_err(|error| (1, error.to_string()))?;
        self.formula = if self.formula.is_for_counting() { formula.for_counting() } else { formula };
        for (name, lit) in &self.vars {
            self.formula.set_name(lit.var(), name);
        }
        Ok(())
    }
}

/// The formula that the text says; for counting, expressions have one model for each solution, too.
pub(crate) fn read(mut text: impl BufRead, is_counted: bool) -> Result<Formula, WrongRule> {
    let (mut reader, mut content, mut is_first, mut has_rule) = (RulesReader::default(), Vec::new(), true, false);
    if is_counted {
        reader.formula = reader.formula.for_counting();
    }
    let mut ended = (1, 1);
    for number in 1.. {
        if bytes::line(&mut text, usize::MAX, &mut content).map_err(WrongRule::Io)? == 0 {
            break;
        }
        let line = std::str::from_utf8(&content)
            .map_err(|error| WrongRule::Syntax(number, error.valid_up_to() + 1, "this is no UTF-8 text".to_owned()))?;
        let content = line.trim_start_matches('\u{feff}').split('#').next().unwrap_or_default().trim_end();
        let all = words(content);
        let mut rest = Line { text: content, words: &all, end: content.len() + 1 };
        let sense = match all.as_slice() {
            [(sense @ ("min" | "max"), _), (":", _), ..] => Some(*sense),
            _ => None,
        };
        let read = match sense {
            Some(_) if !is_first => Err((1, "an objective comes before all rules, and once".to_owned())),
            Some(sense) => {
                rest.words = &all[2..];
                reader.objective(&mut rest, sense).map(Ok)
            }
            None if all.is_empty() => continue,
            None => reader.rule(&mut rest),
        };
        read.map_err(|(column, message)| WrongRule::Syntax(number, column, message))?.map_err(WrongRule::Capacity)?;
        (is_first, has_rule) = (false, has_rule || sense.is_none());
        ended = (number, rest.end);
    }
    let (line, column) = ended;
    let none = || WrongRule::Syntax(line, column, "the text ends without a rule".to_owned());
    if has_rule { Ok(reader.formula) } else { Err(none()) }
}

#[cfg(test)]
mod tests {
    use cnfkit::ClauseSink;

    use super::*;

    fn formula(text: &str) -> Formula {
        match read(text.as_bytes(), false) {
            Ok(formula) => formula,
            Err(wrong) => panic!("{text}: {}", said(wrong)),
        }
    }

    fn said(wrong: WrongRule) -> String {
        match wrong {
            WrongRule::Syntax(line, column, message) => format!("{line}:{column}: {message}"),
            WrongRule::Io(error) => error.to_string(),
            WrongRule::Capacity(error) => error.to_string(),
        }
    }

    /// The assignments of the named variables that the rules allow, as bits in the order of the names.
    fn allowed(text: &str, n: usize) -> Vec<u32> {
        let mut formula = formula(text);
        while formula.n_vars() < n {
            formula.new_lit();
        }
        let own = formula.lits();
        let mut found: Vec<u32> = cnfkit::ask::Ask::new(&formula)
            .solutions()
            .map(|model| model.unwrap())
            .map(|model| (0..n).filter(|&at| model.is_true(own[at])).map(|at| 1 << at).sum())
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn by(n: u32, holds: impl Fn(&dyn Fn(u32) -> i64) -> bool) -> Vec<u32> {
        (0..1 << n).filter(|bits| holds(&|var| i64::from(bits >> var & 1))).collect()
    }

    #[test]
    fn rules_allow_what_they_say() {
        for (text, n, expected) in [
            ("1 <= a + b + ~c <= 2", 3, by(3, |x| (1..=2).contains(&(x(0) + x(1) + 1 - x(2))))),
            ("3 > a + b + c > 0", 3, by(3, |x| (1..3).contains(&(x(0) + x(1) + x(2))))),
            ("2 a + 3*b - c < 4 - d", 4, by(4, |x| 2 * x(0) + 3 * x(1) - x(2) < 4 - x(3))),
            ("1 = a + b", 2, by(2, |x| x(0) + x(1) == 1)),
            ("2 >= 2 a + b + 1", 2, by(2, |x| 2 > 2 * x(0) + x(1))),
            ("~~a + ~!~b >= 2", 2, by(2, |x| x(0) + 1 - x(1) == 2)),
            ("~a | b | !c", 3, by(3, |x| x(0) == 0 || x(1) == 1 || x(2) == 0)),
            ("a & ~b => c + d >= 2 # both", 4, by(4, |x| x(0) == 0 || x(1) == 1 || x(2) + x(3) == 2)),
            ("a <=> b + c = 1", 3, by(3, |x| (x(0) == 1) == (x(1) + x(2) == 1))),
            ("~a <=> b | c", 3, by(3, |x| (x(0) == 0) == (x(1) + x(2) > 0))),
            ("a => b\n\n# c\nb => ~a", 2, by(2, |x| x(0) == 0)),
            ("a => 1 <= b + c <= 1", 3, by(3, |x| x(0) == 0 || x(1) + x(2) == 1)),
            ("a # b\rb\r", 2, by(2, |x| x(0) + x(1) == 2)),
            ("a->b\nb <-> ~ a", 2, by(2, |x| x(0) <= x(1) && x(1) != x(0))),
            ("a + b ≥ 1\na + b == 1\n1≤a+b", 2, by(2, |x| x(0) + x(1) == 1)),
            ("(a & b) -> c", 3, by(3, |x| x(0) * x(1) <= x(2))),
            ("(a | b) & ~c", 3, by(3, |x| x(0) + x(1) > 0 && x(2) == 0)),
            ("a & b <=> c | d", 4, by(4, |x| x(0) * x(1) == (x(2) + x(3)).min(1))),
            ("a xor b' and not (c or true)", 3, by(3, |x| x(0) == 1)),
            ("ite(a, b, c) # by a", 3, by(3, |x| if x(0) == 1 { x(1) == 1 } else { x(2) == 1 })),
            ("a | ~(b ^ c)", 3, by(3, |x| x(0) == 1 || x(1) == x(2))),
            ("a ^ b ^ ~c = 1", 3, by(3, |x| (x(0) + x(1) + 1 - x(2)) % 2 == 1)),
            ("a ^ b ^ c == 0", 3, by(3, |x| (x(0) + x(1) + x(2)) % 2 == 0)),
            ("a => xor(b, c)", 3, by(3, |x| x(0) == 0 || x(1) != x(2))),
            ("a & b <=> xor(c, d)", 4, by(4, |x| (x(0) + x(1) == 2) == (x(2) != x(3)))),
            ("xor(a, b) | xor(a & b, c)", 3, by(3, |x| x(0) != x(1) || x(0) * x(1) != x(2))),
            ("xor(a, b) => c", 3, by(3, |x| x(0) == x(1) || x(2) == 1)),
            ("xor(a, ~b, c)\nxor(a, b) = 0", 3, by(3, |x| (x(0) + 1 - x(1) + x(2)) % 2 == 1 && x(0) == x(1))),
            ("a => b ^ c = 1", 3, by(3, |x| x(0) == 0 || x(1) != x(2))),
            ("a <=> b ^ c = 0", 3, by(3, |x| (x(0) == 1) == (x(1) == x(2)))),
            ("(a -> b) => c + d >= 2", 4, by(4, |x| x(0) > x(1) || x(2) + x(3) == 2)),
            ("a | b => c + d >= 2", 4, by(4, |x| x(0) + x(1) == 0 || x(2) + x(3) == 2)),
            ("a & ~b <=> c + d = 1", 4, by(4, |x| (x(0) == 1 && x(1) == 0) == (x(2) + x(3) == 1))),
            ("a <=> 1 <= b + c + d <= 2", 4, by(4, |x| (x(0) == 1) == (1..=2).contains(&(x(1) + x(2) + x(3))))),
            (
                "a => 5 >= 2 b + 3 c + 4 d >= 3",
                4,
                by(4, |x| x(0) == 0 || (3..=5).contains(&(2 * x(1) + 3 * x(2) + 4 * x(3)))),
            ),
            ("~a <=> -1 <= 2 b - 3 c <= 1", 3, by(3, |x| (x(0) == 0) == ((-1..=1).contains(&(2 * x(1) - 3 * x(2)))))),
            ("x[1] + x[2]' >= 2", 2, by(2, |x| x(0) + x(1) == 2)),
            ("\u{feff}-a - b <= -1\r\n", 2, by(2, |x| x(0) + x(1) > 0)),
        ] {
            assert_eq!(allowed(text, n), expected, "{text}");
        }
    }

    #[test]
    fn objectives_come_first() {
        let formula = formula("max: 3 anna - 2 ~ben\nanna + ben <= 1\n");
        assert!(formula.is_maximised() && formula.name(Lit::positive(1).var()) == Some("ben"));
        assert_eq!(formula.objective(), [(Lit::positive(0), -3), (Lit::negative(1), 2)]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("", "1:1: the text ends without a rule"),
            ("a + b", "1:6: the line ends; allowed: `+`, `-`, `<=`, `>=`, `=`, `<` or `>`"),
            ("a b", "1:3: `b` found; allowed: `|`"),
            ("\n a + 3 <= 4 5", "2:13: `5` found; allowed: a literal, which is a name, or `~` and a name"),
            ("a + <= 3", "1:5: `<=` found; allowed: a literal, which is a name, or `~` and a name"),
            ("a <= b <= c", "1:12: allowed with two relations: LOWEST <= SUM <= HIGHEST"),
            ("1 <= a >= 0", "1:12: allowed with two relations: LOWEST <= SUM <= HIGHEST"),
            ("1 <= a + b <= 2 <= 3", "1:21: allowed with two relations: LOWEST <= SUM <= HIGHEST"),
            ("a + b => c >= 1", "1:3: `+` found; allowed: Boolean expressions before `=>` and `<=>`"),
            ("é & (b -> ) # c", "1:12: `)`, where a name, `!` or `(` is allowed"),
            ("a & (b => c", "1:5: a bracket that is not closed"),
            ("a ^ b = 2", "1:9: `2` found; allowed: `0` or `1`"),
            ("xor(a, b & c) = 1", "1:10: `&` found; allowed: `,` or `)`"),
            ("a + or >= 1", "1:5: `or` found; allowed: a literal, which is a name, or `~` and a name"),
            (
                "a <= 99999999999999999999",
                "1:6: `99999999999999999999` found; allowed: a name, or a number up to 2^63 - 1",
            ),
            ("a <= 1\nmax:a", "2:1: an objective comes before all rules, and once"),
            ("~false + a >= 1", "1:2: `false` found; allowed: a literal, which is a name, or `~` and a name"),
            ("a <= 1 # \u{e9}\n\u{e9},b", "2:3: `,`, where an operator is allowed"),
            ("a <= 1\nmin: a", "2:1: an objective comes before all rules, and once"),
            ("# so\nmin: a", "2:7: the text ends without a rule"),
            ("min: a + 3", "1:11: a number without a variable; allowed: weights of literals"),
            ("9223372036854775807 + 1 <= a", "1:29: numbers of this line sum up to more than 64 bits hold"),
        ] {
            assert_eq!(read(text.as_bytes(), false).map_or_else(said, |_| String::new()), expected, "{text}");
        }
    }
}
