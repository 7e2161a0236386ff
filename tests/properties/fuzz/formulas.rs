//! Bytes as a formula of at most ten variables, whose answers are compared with all assignments by the definition of
//! each constraint.

use std::fmt::Debug;
use std::ops::RangeInclusive;

use cnfkit::{
    AmoEncoding, BoolExpr, CardEncoding, ClauseSink, Cnf, Constrain, Formula, Lit, Order, PbEncoding, PbRelation,
    Questions, Relation,
};

/// Bytes one by one; zeros behind the last.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }

    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        usize::from(self.next()) % end
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn lit(&mut self, n: usize) -> Lit {
        let byte = self.next();
        Lit::new(u32::from(byte >> 1) % n as u32, byte & 1 == 1)
    }

    fn lits(&mut self, n: usize, most: usize) -> Vec<Lit> {
        (0..self.below(most + 1)).map(|_| self.lit(n)).collect()
    }
}

#[derive(Debug)]
enum Body {
    Clause(Vec<Lit>),
    AtMostOne(Vec<Lit>, AmoEncoding),
    Count(Vec<Lit>, Relation, CardEncoding),
    Sum(Vec<(Lit, i64)>, PbRelation<i64>, PbEncoding),
    CountBetween(Vec<Lit>, RangeInclusive<usize>, CardEncoding),
    SumBetween(Vec<(Lit, i64)>, RangeInclusive<i64>, PbEncoding),
    Parity(Vec<Lit>, bool),
    Expr(BoolExpr),
}

/// A constraint, under a condition or reified.
#[derive(Debug)]
struct Rule {
    body: Body,
    cond: Vec<Lit>,
    iff: Option<Lit>,
}

fn holds(relation: PbRelation<i64>, sum: i128) -> bool {
    match relation {
        PbRelation::AtMost(bound) => sum <= bound.into(),
        PbRelation::AtLeast(bound) => sum >= bound.into(),
        PbRelation::Exactly(bound) => sum == bound.into(),
    }
}

impl Rule {
    fn read(bytes: &mut Bytes<'_>, n: usize) -> Self {
        let kind = bytes.next();
        let is_between = kind & 8 != 0;
        let cond = if kind & 64 != 0 { bytes.lits(n, 2) } else { Vec::new() };
        let iff = (kind & 128 != 0).then(|| bytes.lit(n));
        let body = match kind % 8 {
            0 => Body::Clause(bytes.lits(n, 4)),
            1 => Body::AtMostOne(bytes.lits(n, 12), bytes.one(AmoEncoding::ALL)),
            2 | 3 => {
                let (lits, bound) = (bytes.lits(n, 12), bytes.below(14));
                if is_between {
                    let range = bound..=bound.saturating_add_signed(bytes.below(9) as isize - 1);
                    return Self { body: Body::CountBetween(lits, range, bytes.one(CardEncoding::ALL)), cond, iff };
                }
                let relations = [Relation::AtMost(bound), Relation::AtLeast(bound), Relation::Exactly(bound)];
                Body::Count(lits, bytes.one(&relations), bytes.one(CardEncoding::ALL))
            }
            4 | 5 => {
                let weight = |bytes: &mut Bytes<'_>| match bytes.next() {
                    byte @ ..=250 => i64::from(byte.cast_signed()) % 40,
                    251 => 1 << 40,
                    252 => -(1 << 62),
                    253 => 65_537,
                    254 => i64::from(bytes.next()) << 24,
                    255 => 0,
                };
                let terms: Vec<_> = bytes.lits(n, 12).into_iter().map(|lit| (lit, weight(bytes))).collect();
                let part: i64 = terms.iter().take(bytes.below(13)).map(|&(_, weight)| weight / 16).sum();
                let bound = part + i64::from(bytes.next().cast_signed());
                if is_between {
                    let range = bound..=bound + i64::from(bytes.next()) % 20 - 1;
                    return Self { body: Body::SumBetween(terms, range, bytes.one(PbEncoding::ALL)), cond, iff };
                }
                let relations = [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)];
                Body::Sum(terms, bytes.one(&relations), bytes.one(PbEncoding::ALL))
            }
            6 => Body::Parity(bytes.lits(n, 10), bytes.next() & 1 == 1),
            _ => Body::Expr(expr(bytes, n, 4)),
        };
        Self { body, cond, iff }
    }

    /// The definition.
    fn holds(&self, is_true: impl Fn(Lit) -> bool + Copy) -> bool {
        let count = |lits: &[Lit]| lits.iter().filter(|&&lit| is_true(lit)).count();
        let sum = |terms: &[(Lit, i64)]| -> i128 {
            terms.iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| i128::from(weight)).sum()
        };
        let body = match &self.body {
            Body::Clause(lits) => count(lits) > 0,
            Body::AtMostOne(lits, _) => count(lits) <= 1,
            Body::Count(lits, relation, _) => match *relation {
                Relation::AtMost(bound) => count(lits) <= bound,
                Relation::AtLeast(bound) => count(lits) >= bound,
                Relation::Exactly(bound) => count(lits) == bound,
            },
            Body::Sum(terms, relation, _) => holds(*relation, sum(terms)),
            Body::CountBetween(lits, range, _) => range.contains(&count(lits)),
            Body::SumBetween(terms, range, _) => {
                (i128::from(*range.start())..=(*range.end()).into()).contains(&sum(terms))
            }
            Body::Parity(lits, odd) => (count(lits) % 2 == 1) == *odd,
            Body::Expr(expr) => expr.holds(is_true),
        };
        // Clauses, at most one and expressions have no reified form of their own here.
        let body = match self.reified_by() {
            Some(iff) => is_true(iff) == body,
            None => body,
        };
        body || self.cond.iter().any(|&lit| !is_true(lit))
    }

    fn reified_by(&self) -> Option<Lit> {
        self.iff.filter(|_| !matches!(self.body, Body::Clause(_) | Body::AtMostOne(..) | Body::Expr(_)))
    }

    fn post<S: ClauseSink<Error: Debug>>(&self, sink: &mut S) -> Result<(), S::Error> {
        let mut sink = sink.when(&self.cond);
        if let Some(iff) = self.reified_by() {
            return match &self.body {
                Body::Count(lits, Relation::AtMost(bound), enc) => sink.iff_at_most(iff, lits, *bound, *enc),
                Body::Count(lits, Relation::AtLeast(bound), enc) => sink.iff_at_least(iff, lits, *bound, *enc),
                Body::Count(lits, Relation::Exactly(bound), enc) => sink.iff_exactly(iff, lits, *bound, *enc),
                Body::Sum(terms, PbRelation::AtMost(bound), enc) => sink.pb_iff_at_most(iff, terms, *bound, *enc),
                Body::Sum(terms, PbRelation::AtLeast(bound), enc) => sink.pb_iff_at_least(iff, terms, *bound, *enc),
                Body::Sum(terms, PbRelation::Exactly(bound), enc) => sink.pb_iff_exactly(iff, terms, *bound, *enc),
                Body::CountBetween(lits, range, enc) => sink.iff_between(iff, lits, range.clone(), *enc),
                Body::SumBetween(terms, range, enc) => sink.pb_iff_between(iff, terms, range.clone(), *enc),
                Body::Parity(lits, odd) => sink.iff_parity(iff, lits, *odd),
                Body::Clause(_) | Body::AtMostOne(..) | Body::Expr(_) => unreachable!("it is not reified"),
            };
        }
        match &self.body {
            Body::Clause(lits) => sink.add_clause(lits),
            Body::AtMostOne(lits, enc) => sink.at_most_one(lits, *enc),
            Body::Count(lits, relation, enc) => sink.cardinality(lits, *relation, *enc),
            Body::Sum(terms, relation, enc) => sink.pb(terms, *relation, *enc),
            Body::CountBetween(lits, range, enc) => sink.between(lits, range.clone(), *enc),
            Body::SumBetween(terms, range, enc) => sink.pb_between(terms, range.clone(), *enc),
            Body::Parity(lits, odd) => sink.parity(lits, *odd),
            Body::Expr(expr) => sink.require(expr),
        }
    }
}

fn expr(bytes: &mut Bytes<'_>, n: usize, depth: usize) -> BoolExpr {
    let kind = bytes.next();
    if depth == 0 {
        return bytes.lit(n).into();
    }
    let mut part = || expr(bytes, n, depth - 1);
    match kind % 8 {
        0 => BoolExpr::all([part(), part()]),
        1 => BoolExpr::any([part(), part(), part()]),
        2 => part().implies(part()),
        3 => part().iff(part()),
        4 => part() ^ part(),
        5 => !part(),
        6 => BoolExpr::ite(part(), part(), part()),
        _ => bytes.lit(n).into(),
    }
}

/// The codes of assignments that satisfy all of the rules.
fn solutions(n: usize, rules: &[&Rule]) -> Vec<usize> {
    let is_true = |code: usize| move |lit: Lit| (code >> lit.vidx() & 1 == 1) == lit.is_pos();
    (0..1 << n).filter(|&code| rules.iter().all(|rule| rule.holds(is_true(code)))).collect()
}

/// Reads a formula, and compares its answers with those of the definition.
pub(crate) fn run(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let n = 1 + bytes.below(super::targets::MOST);
    let options = bytes.next();
    let weights: Vec<i64> = (0..n).map(|_| i64::from(bytes.next().cast_signed()) % 16).collect();
    let mut rules = Vec::new();
    while !bytes.0.is_empty() && rules.len() < 8 {
        rules.push(Rule::read(&mut bytes, n));
    }
    let orders = [Order::Given, Order::Variable, Order::Formula];
    let mut formula = Formula::with_vars(n).order(orders[usize::from(options >> 1) % 3]);
    if options & 1 == 1 {
        formula = formula.for_counting();
    }
    let mut cnf = Cnf::with_vars(n);
    for (at, rule) in rules.iter().enumerate() {
        formula.group(&at.to_string(), |formula| rule.post(formula)).expect("it is small");
        rule.post(&mut cnf).expect("it is small");
    }
    let expected = solutions(n, &rules.iter().collect::<Vec<_>>());
    let code = |model: &cnfkit::Assignment| {
        (0..n).filter(|&var| model.is_true(Lit::positive(var as u32))).map(|var| 1 << var).sum::<usize>()
    };
    let found = formula.solve().expect("no limit").map(|model| code(&model));
    assert!(found.map_or(expected.is_empty(), |code| expected.contains(&code)), "{found:?}: {rules:?}");
    for formula in [&formula, &shown(&cnf, n)] {
        let mut found: Vec<usize> = formula.solutions().map(|model| code(&model.expect("no limit"))).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{rules:?}");
    }
    if options & 1 == 1 {
        let mut clauses = Formula::new();
        for clause in formula.encode().expect("it is small").clauses() {
            clauses.add_clause(clause).expect("it is small");
        }
        let unseen = (clauses.n_vars()..n).count();
        assert_eq!(clauses.count(1 << 12).expect("no limit") << unseen, expected.len(), "{rules:?}");
    }
    if formula.n_vars() == n {
        detected(&formula, &expected, n);
    }
    if expected.is_empty() {
        let core = formula.unsat_core().expect("no limit").expect("there is no solution");
        let is_in = |at: usize| core.groups.contains(&at.to_string().as_str());
        let kept: Vec<&Rule> = (0..rules.len()).filter(|&at| is_in(at)).map(|at| &rules[at]).collect();
        assert!(solutions(n, &kept).is_empty(), "{core}: {rules:?}");
        return;
    }
    shared(&formula, &expected, n);
    let value = |code: usize| (0..n).filter(|var| code >> var & 1 == 1).map(|var| i128::from(weights[var])).sum();
    formula.set_objective(weights.iter().enumerate().map(|(var, &weight)| (Lit::positive(var as u32), weight)));
    let values = || expected.iter().map(|&code| -> i128 { value(code) });
    let best = formula.minimum().expect("no limit").expect("there are solutions");
    assert_eq!((Some(best.value), value(code(&best.model))), (values().min(), best.value), "{rules:?}");
    let best = formula.maximum().expect("no limit").expect("there are solutions");
    assert_eq!((Some(best.value), value(code(&best.model))), (values().max(), best.value), "{rules:?}");
}

/// These clauses, whose solutions are told apart by the first `n` variables.
fn shown(cnf: &Cnf, n: usize) -> Formula {
    let vars: Vec<String> = (1..=n).map(|var| var.to_string()).collect();
    let text = cnf.to_string().replacen('\n', &format!("\nc p show {} 0\n", vars.join(" ")), 1);
    Formula::read_dimacs(text.as_bytes()).expect("it was written")
}

/// A formula with the constraints that are found in its clauses has the same solutions, but for what vanished.
/// All variables of both are the formula's own.
fn detected(formula: &Formula, expected: &[usize], n: usize) {
    let detected = formula.detect();
    let vanished = detected.auxiliaries().fold(0, |vars, var| vars | 1 << var.idx());
    let mut seen: Vec<usize> = expected.iter().map(|code| code & !vanished).collect();
    seen.sort_unstable();
    seen.dedup();
    let found = detected.formula();
    assert_eq!(found.count(1 << n).expect("no limit"), seen.len() << detected.auxiliaries().len(), "{formula:?}");
}

/// The values that all solutions share.
fn shared(formula: &Formula, expected: &[usize], n: usize) {
    let of = |var: usize| {
        let mut values = expected.iter().map(|code| code >> var & 1 == 1);
        let first = values.next()?;
        values.all(|value| value == first).then_some(first)
    };
    let backbone = formula.backbone().expect("no limit").expect("there are solutions");
    assert_eq!(backbone[..n], (0..n).map(of).collect::<Vec<_>>());
}
