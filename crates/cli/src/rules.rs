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
//! ```
//!
//! A variable is a name; `~` or `!` before it is its negation, `-` is minus. Weights are integers, with or without `*`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, BufRead};

use cnfkit::{CapacityError, Constrain, Formula, Lit, PbEncoding, PbRelation};

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

/// The words of a line, up to a comment.
fn words(line: &str) -> Vec<RuleWord<'_>> {
    let is_name = |c: char| c.is_alphanumeric() || "_.[]'".contains(c);
    let (mut words, mut at) = (Vec::new(), 0);
    while let Some(c) = line[at..].chars().next().filter(|&c| c != '#') {
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

#[derive(Default)]
struct RulesReader {
    formula: Formula,
    vars: HashMap<String, Lit>,
    /// The group that the next rule is.
    open: Option<String>,
}

impl RulesReader {
    fn literal(&mut self, line: &mut Line<'_>) -> Read<Lit> {
        let negated = line.take(&["~", "!"]).is_some();
        let is_name = |word: &&str| {
            word.starts_with(|c: char| c.is_alphabetic() || c == '_') && !["true", "false"].contains(word)
        };
        let Some(name) = line.peek().filter(is_name) else {
            return line.wrong("a literal, which is a name, or `~` and a name");
        };
        line.words = &line.words[1..];
        let lit = match self.vars.get(name) {
            Some(&lit) => lit,
            None => *self.vars.entry(name.to_owned()).or_insert(self.formula.new_named(name)),
        };
        Ok(if negated { !lit } else { lit })
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
    fn condition(&mut self, line: &mut Line<'_>) -> Read<(Vec<Lit>, Option<Lit>)> {
        if !line.words.iter().any(|&(word, _)| word == "=>" || word == "<=>") {
            return Ok((Vec::new(), None));
        }
        let mut cond = vec![self.literal(line)?];
        while line.take(&["&"]).is_some() {
            cond.push(self.literal(line)?);
        }
        match line.peek() {
            Some("=>") => {}
            Some("<=>") if cond.len() == 1 => {}
            _ => return line.wrong("`&`, `=>`, or after one literal `<=>`"),
        }
        let is_iff = line.take(&["=>", "<=>"]) == Some("<=>");
        let iff = if is_iff { cond.pop() } else { None };
        Ok((cond, iff))
    }

    /// A sum with its lowest and highest value; a clause is such a sum, too.
    fn bounded(&mut self, line: &mut Line<'_>) -> Read<(Vec<(Lit, i64)>, Option<i64>, Option<i64>)> {
        let is_of_sums = |word: &str| RELATIONS.contains(&word) || word == "+" || word == "-";
        if !line.words.iter().any(|&(word, _)| is_of_sums(word)) {
            let mut clause = vec![(self.literal(line)?, 1)];
            while line.take(&["|"]).is_some() {
                clause.push((self.literal(line)?, 1));
            }
            return if line.words.is_empty() { Ok((clause, Some(1), None)) } else { line.wrong("`|`") };
        }
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
            return Ok((sum.terms, least, most));
        }
        line.wrong("`+`, `-`, `<=`, `>=`, `=`, `<` or `>`")
    }

    fn rule(&mut self, line: &mut Line<'_>) -> Read<Result<(), CapacityError>> {
        let (cond, iff) = self.condition(line)?;
        let (terms, least, most) = self.bounded(line)?;
        if least != most && least.is_some() && most.is_some() && iff.is_some() {
            return Err((line.end, "one relation is allowed after `<=>`".to_owned()));
        }
        let enc = PbEncoding::Auto;
        let say = |formula: &mut Formula| match (least, most, iff) {
            (Some(least), Some(most), Some(r)) if least == most => formula.pb_iff_exactly(r, &terms, least, enc),
            (Some(least), None, Some(r)) => formula.pb_iff_at_least(r, &terms, least, enc),
            (_, most, Some(r)) => formula.pb_iff_at_most(r, &terms, most.unwrap_or(i64::MAX), enc),
            (Some(least), Some(most), None) if least == most => formula.when(&cond).pb_exactly(&terms, least, enc),
            (least, most, None) => [least.map(PbRelation::AtLeast), most.map(PbRelation::AtMost)]
                .into_iter()
                .flatten()
                .try_for_each(|relation| formula.when(&cond).pb(&terms, relation, enc)),
        };
        Ok(match self.open.take() {
            Some(name) => self.formula.group(&name, say),
            None => say(&mut self.formula),
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
        self.formula = formula;
        for (name, lit) in &self.vars {
            self.formula.set_name(lit.var(), name);
        }
        Ok(())
    }
}

/// The formula that the text says.
///
/// With `groups`, each rule is a group that is called like its line.
pub(crate) fn read(mut text: impl BufRead, groups: bool) -> Result<Formula, WrongRule> {
    let (mut reader, mut content, mut is_first) = (RulesReader::default(), Vec::new(), true);
    for number in 1.. {
        if bytes::line(&mut text, usize::MAX, &mut content).map_err(WrongRule::Io)? == 0 {
            break;
        }
        let line = std::str::from_utf8(&content)
            .map_err(|error| WrongRule::Syntax(number, error.valid_up_to() + 1, "this is no UTF-8 text".to_owned()))?;
        let content = line.trim_start_matches('\u{feff}').trim_end();
        let all = words(content);
        let mut rest = Line { words: &all, end: content.len() + 1 };
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
            None if groups => {
                reader.open = Some(format!("line {number}: {}", content.trim()));
                reader.rule(&mut rest)
            }
            None => reader.rule(&mut rest),
        };
        read.map_err(|(column, message)| WrongRule::Syntax(number, column, message))?.map_err(WrongRule::Capacity)?;
        is_first = false;
    }
    if is_first { Err(WrongRule::Syntax(1, 1, "the text ends without a rule".to_owned())) } else { Ok(reader.formula) }
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
        let mut found: Vec<u32> = cnfkit::ask::Ask::new(&formula)
            .solutions()
            .map(|model| model.unwrap())
            .map(|model| (0..n as u32).filter(|&var| model.is_true(Lit::positive(var))).map(|var| 1 << var).sum())
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
            ("~a | b | !c", 3, by(3, |x| x(0) == 0 || x(1) == 1 || x(2) == 0)),
            ("a & ~b => c + d >= 2 # both", 4, by(4, |x| x(0) == 0 || x(1) == 1 || x(2) + x(3) == 2)),
            ("a <=> b + c = 1", 3, by(3, |x| (x(0) == 1) == (x(1) + x(2) == 1))),
            ("~a <=> b | c", 3, by(3, |x| (x(0) == 0) == (x(1) + x(2) > 0))),
            ("a => b\n\n# c\nb => ~a", 2, by(2, |x| x(0) == 0)),
            ("a => 1 <= b + c <= 1", 3, by(3, |x| x(0) == 0 || x(1) + x(2) == 1)),
            ("a # b\rb\r", 2, by(2, |x| x(0) + x(1) == 2)),
            ("a->b\nb <-> ~ a", 2, by(2, |x| x(0) <= x(1) && x(1) != x(0))),
            ("a + b ≥ 1\na + b == 1\n1≤a+b", 2, by(2, |x| x(0) + x(1) == 1)),
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
            ("a <=> 1 <= b + c <= 2", "1:22: one relation is allowed after `<=>`"),
            ("a & b <=> c", "1:7: `<=>` found; allowed: `&`, `=>`, or after one literal `<=>`"),
            (
                "a <= 99999999999999999999",
                "1:6: `99999999999999999999` found; allowed: a name, or a number up to 2^63 - 1",
            ),
            ("a <= 1\nmax:a", "2:1: an objective comes before all rules, and once"),
            ("false", "1:1: `false` found; allowed: a literal, which is a name, or `~` and a name"),
            ("a <= 1 # \u{e9}\n\u{e9},b", "2:3: `,` found; allowed: `|`"),
            ("a <= 1\nmin: a", "2:1: an objective comes before all rules, and once"),
            ("min: a + 3", "1:11: a number without a variable; allowed: weights of literals"),
            ("9223372036854775807 + 1 <= a", "1:29: numbers of this line sum up to more than 64 bits hold"),
        ] {
            assert_eq!(read(text.as_bytes(), false).map_or_else(said, |_| String::new()), expected, "{text}");
        }
    }
}
