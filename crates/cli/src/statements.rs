//! The statements of a text, each with its line: clauses, constraints, rules. `solve --core` and `check` name these,
//! whatever folding makes of them.
//!
//! A statement is cut out of the text here, and read by the reader of the whole text as a formula of its own, whose
//! variables are found again by their names.

use std::collections::HashMap;

use cnfkit::{ClauseSink, Constrain, Constraint, Formula, Lit, PbEncoding, SolveError, Sum, Terms};

use crate::formula::named;
use crate::input::{TextFormat, parsed};
use crate::json::Json;

/// A statement, and the line where it begins, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) line: usize,
    pub(crate) text: String,
}

impl Statement {
    pub(crate) fn words(&self) -> String {
        format!("line {}: {}", self.line, self.text)
    }

    pub(crate) fn value(&self) -> Json {
        Json::object([("line", self.line.into()), ("text", self.text.as_str().into())])
    }

    /// It is a soft constraint of OPB, or the line `soft: TOP ;`.
    fn is_soft(&self) -> bool {
        self.text.starts_with('[') || self.text.starts_with("soft") && self.text.contains(':')
    }

    /// The number in the line `soft: TOP ;` of OPB, if that is this one.
    fn top(&self) -> Option<&str> {
        let (word, top) = self.text.split_once(':')?;
        let top = top.trim_end_matches(';').trim();
        (word.trim() == "soft" && !top.is_empty()).then_some(top)
    }
}

/// The statements of a formula's text that have to hold: objectives and soft constraints are left out.
pub(crate) struct Statements<'a> {
    formula: &'a Formula,
    format: TextFormat,
    pub(crate) all: Vec<Statement>,
    /// The literals of names, where the format has names.
    lits: HashMap<String, Lit>,
    /// The weight of clauses that have to hold, in WCNF with a header.
    top: Option<String>,
    /// In OPB, what all costs are to be below, and that line with all soft constraints.
    costs: Option<(Statement, String)>,
}

impl<'a> Statements<'a> {
    pub(crate) fn of(formula: &'a Formula, format: TextFormat, text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let (mut top, mut costs) = (None, None);
        let all = match format {
            TextFormat::Rules => of_rules(text),
            TextFormat::Opb => of_sums(text, &mut costs),
            TextFormat::Cnf | TextFormat::Knf | TextFormat::Wcnf => of_clauses(text, format, &mut top),
        };
        let lits = match format {
            TextFormat::Opb | TextFormat::Rules => {
                // Those that the text does not show, too.
                let all = (0..formula.n_vars() as u32).map(Lit::positive);
                all.filter_map(|lit| Some((named(formula, format, lit)?, lit))).collect()
            }
            _ => HashMap::new(),
        };
        Self { formula, format, all, lits, top, costs }
    }

    /// The number that the costs of all soft constraints together are to be below.
    pub(crate) fn costs_below(&self) -> Option<&str> {
        self.costs.as_ref().and_then(|(below, _)| below.top())
    }

    /// The statement of this place among those of the [groups](Self::grouped).
    pub(crate) fn get(&self, at: usize) -> Option<&Statement> {
        self.all.get(at).or(self.costs.as_ref().map(|(below, _)| below))
    }

    /// The text of a statement as a formula of its own.
    fn part(&self, text: &str) -> Option<Formula> {
        let n_vars = self.formula.n_vars();
        let text = match (self.format, &self.top) {
            (TextFormat::Opb | TextFormat::Rules, _) | (TextFormat::Wcnf, None) => text.to_owned(),
            (TextFormat::Wcnf, Some(top)) => format!("p wcnf {n_vars} 1 {top}\n{text}"),
            (TextFormat::Knf, _) => format!("p knf {n_vars} 1\n{text}"),
            (TextFormat::Cnf, _) => format!("p cnf {n_vars} 1\n{text}"),
        };
        parsed(text.as_bytes(), self.format)
    }

    /// The literal of the whole formula; `None` for auxiliaries of the statement.
    fn lit(&self, part: &Formula, lit: Lit) -> Option<Lit> {
        let is_numbered = !matches!(self.format, TextFormat::Opb | TextFormat::Rules);
        let var = if is_numbered {
            Some(lit).filter(|lit| lit.vidx() < self.formula.n_vars()).map(|lit| lit.var().pos_lit())
        } else {
            named(part, self.format, lit.var().pos_lit()).and_then(|name| self.lits.get(&name).copied())
        };
        var.map(|var| if lit.is_neg() { !var } else { var })
    }

    /// The whole formula with each statement as a group, called by its place among all. `None` where the text is said
    /// in a way that is not taken apart here.
    pub(crate) fn grouped(&self) -> Result<Option<Formula>, SolveError> {
        let mut whole = Formula::with_vars(self.formula.n_vars());
        let costs = self.costs.iter().map(|(_, text)| text);
        for (at, text) in self.all.iter().map(|statement| &statement.text).chain(costs).enumerate() {
            let Some(part) = self.part(text) else { return Ok(None) };
            let mut fresh = HashMap::new();
            let mut new = |whole: &mut Formula, lit: Lit| {
                self.lit(&part, lit).unwrap_or_else(|| {
                    let var = *fresh.entry(lit.var()).or_insert_with(|| whole.new_lit());
                    if lit.is_neg() { !var } else { var }
                })
            };
            whole.group(&at.to_string(), |whole| {
                for clause in part.clauses() {
                    let clause: Vec<Lit> = clause.iter().map(|&lit| new(whole, lit)).collect();
                    whole.add_clause(&clause)?;
                }
                part.constraints().try_for_each(|constraint| renamed(&constraint, whole, &mut new))
            })?;
        }
        Ok(Some(whole))
    }

    /// The statements that do not hold. `None` where the text is said in a way that is not taken apart here.
    pub(crate) fn violated(&self, is_true: impl Fn(Lit) -> bool) -> Result<Option<Vec<&Statement>>, SolveError> {
        let mut found = Vec::new();
        for statement in &self.all {
            let Some(part) = self.part(&statement.text) else { return Ok(None) };
            let all = part.clauses().flatten().copied();
            let all = all.chain(part.constraints().flat_map(|constraint| lits(&constraint)));
            let values: HashMap<Lit, bool> = all
                .filter_map(|lit| Some((lit.var().pos_lit(), is_true(self.lit(&part, lit.var().pos_lit())?))))
                .collect();
            let value = |lit: &Lit| values.get(&lit.var().pos_lit()).map(|&value| value != lit.is_neg());
            let is_known = |lit: &Lit| value(lit).is_some();
            let holds = if part.clauses().flatten().all(is_known)
                && part.constraints().flat_map(|constraint| lits(&constraint)).all(|lit| is_known(&lit))
            {
                let is_true = |lit: Lit| value(&lit) == Some(true);
                part.clauses().all(|clause| clause.iter().any(|&lit| is_true(lit)))
                    && part.constraints().all(|constraint| constraint.holds(is_true))
            } else {
                // Auxiliaries of products and wide sums have the values that fit.
                let mut fixed = part.clone();
                values.iter().try_for_each(|(&lit, &value)| fixed.add_clause(&[if value { lit } else { !lit }]))?;
                fixed.solve()?.is_some()
            };
            if !holds {
                found.push(statement);
            }
        }
        Ok(Some(found))
    }
}

/// All literals of a constraint.
fn lits(constraint: &Constraint<'_>) -> Vec<Lit> {
    constraint.lits().chain(constraint.cond.iter().copied()).chain(constraint.iff).collect()
}

/// Says a constraint of another formula.
fn renamed(
    constraint: &Constraint<'_>,
    whole: &mut Formula,
    new: &mut impl FnMut(&mut Formula, Lit) -> Lit,
) -> Result<(), SolveError> {
    let mut all = |lits: &[Lit], whole: &mut Formula| lits.iter().map(|&lit| new(whole, lit)).collect::<Vec<Lit>>();
    let (counted, weights): (Vec<Lit>, Vec<(Lit, u64)>);
    let sum = match constraint.sum {
        Sum::Count { lits, relation } => {
            counted = all(lits, whole);
            Sum::Count { lits: &counted, relation }
        }
        Sum::Parity { lits, odd } => {
            counted = all(lits, whole);
            Sum::Parity { lits: &counted, odd }
        }
        Sum::Weights { terms, relation } => {
            let lits: Vec<Lit> = terms.all().iter().map(|&(lit, _)| lit).collect();
            weights = all(&lits, whole).into_iter().zip(terms.all()).map(|(lit, &(_, weight))| (lit, weight)).collect();
            Sum::Weights { terms: Terms::of(&weights, terms.ends()), relation }
        }
    };
    let cond = all(constraint.cond, whole);
    let iff = constraint.iff.map(|r| all(&[r], whole)[0]);
    let mut said = constraint.when(&cond);
    (said.sum, said.iff) = (sum, iff);
    Ok(whole.post(&said, PbEncoding::Auto)?)
}

/// The lines of rules.
fn of_rules(text: &str) -> Vec<Statement> {
    let is_rule = |line: &&str| {
        let said = line.split('#').next().unwrap_or_default().trim();
        let is_objective =
            |sense: &str| said.strip_prefix(sense).is_some_and(|rest| rest.trim_start().starts_with(':'));
        !said.is_empty() && !is_objective("min") && !is_objective("max")
    };
    let lines = (1..).zip(text.lines()).filter(|(_, line)| is_rule(line));
    lines.map(|(line, text)| Statement { line, text: text.trim().to_owned() }).collect()
}

/// The constraints of OPB, up to their `;`, and the bound on the costs of those that are soft, with their text.
fn of_sums(text: &str, costs: &mut Option<(Statement, String)>) -> Vec<Statement> {
    let (mut all, mut words, mut start) = (Vec::new(), String::new(), 0);
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with('*')) {
        let mut rest = line;
        while !rest.trim().is_empty() {
            if words.is_empty() {
                start = number;
            }
            let end = rest.find(';').map_or(rest.len(), |end| end + 1);
            words.push_str(if words.is_empty() { "" } else { " " });
            words.push_str(rest[..end].trim());
            if words.ends_with(';') {
                all.push(Statement { line: start, text: std::mem::take(&mut words) });
            }
            rest = &rest[end..];
        }
    }
    let soft = all.iter().filter(|statement| statement.is_soft()).map(|statement| &*statement.text);
    let soft = soft.collect::<Vec<_>>().join("\n");
    *costs = all.iter().find(|statement| statement.top().is_some()).map(|below| (below.clone(), soft));
    all.retain(|statement| {
        let is_objective = |word| statement.text.starts_with(word) && statement.text.contains(':');
        !statement.is_soft() && !["min", "max"].into_iter().any(is_objective)
    });
    all
}

/// Clauses and constraints of DIMACS, KNF and WCNF, up to their 0, and the weight `top` of those in WCNF that have to
/// hold, where the header has it.
fn of_clauses(text: &str, format: TextFormat, top: &mut Option<String>) -> Vec<Statement> {
    let (mut all, mut words, mut start) = (Vec::new(), Vec::new(), 0);
    for (number, line) in (1..).zip(text.lines()) {
        match line.trim_start().as_bytes() {
            [b'c', ..] => continue,
            [b'p', ..] => {
                *top = line.split_whitespace().nth(4).filter(|_| format == TextFormat::Wcnf).map(str::to_owned);
                continue;
            }
            _ => {}
        }
        for word in line.split_whitespace() {
            if words.is_empty() {
                start = number;
            }
            words.push(word);
            // Bounds of CNF+ end with their number.
            let is_bound = words.len() > 1 && matches!(words[words.len() - 2], "<=" | ">=");
            // Bounds of KNF and weights may be 0, too.
            let before_lits = if words[0] == "k" { 2 } else { usize::from(format == TextFormat::Wcnf) };
            if (word == "0" && words.len() > before_lits || is_bound) && !matches!(word, "<=" | ">=") {
                all.push(Statement { line: start, text: words.join(" ") });
                words.clear();
            }
        }
    }
    if format == TextFormat::Wcnf {
        all.retain(|statement| statement.text.split(' ').next() == Some(top.as_deref().unwrap_or("h")));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(format: TextFormat, text: &str) -> Vec<String> {
        let formula = parsed(text.as_bytes(), format).expect("a formula");
        Statements::of(&formula, format, text).all.iter().map(Statement::words).collect()
    }

    #[test]
    fn texts_are_cut_in_statements() {
        let clauses = "c x\np knf 3 4\n1 -2\n0\nk 0 1 2 0\nk 2 1 2 3 0\n\n3 0\n";
        let cut = ["line 3: 1 -2 0", "line 5: k 0 1 2 0", "line 6: k 2 1 2 3 0", "line 8: 3 0"];
        assert_eq!(lines(TextFormat::Knf, clauses), cut);
        assert_eq!(lines(TextFormat::Wcnf, "h 1 2 0\nc h\n3 -1 0\nh -2 0\n"), ["line 1: h 1 2 0", "line 4: h -2 0"]);
        let top = "p wcnf 2 3 9\n9 1 2 0\n3 -1 0\n9 -2 0\n";
        assert_eq!(lines(TextFormat::Wcnf, top), ["line 2: 9 1 2 0", "line 4: 9 -2 0"]);
        let sums = "* so\nmin: 1 x1 ;\n+1 x1\n* so\n +1 x2 >= 1 ; +1 x1 >= 0 ;\n";
        assert_eq!(lines(TextFormat::Opb, sums), ["line 3: +1 x1 +1 x2 >= 1 ;", "line 5: +1 x1 >= 0 ;"]);
        let rules = "# so\nmax : a\n a | b # c\n\nmin + b >= 1\n";
        assert_eq!(lines(TextFormat::Rules, rules), ["line 3: a | b # c", "line 5: min + b >= 1"]);
    }
}
