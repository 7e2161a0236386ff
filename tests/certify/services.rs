//! Every kind of constraint with every service: what is so is tried out, and `src/guide/kinds.md` has the table.

use cnfkit::ask::Ask;
use cnfkit::{
    AmoEncoding, BoolExpr, CapacityError, CardEncoding, ClauseSink, Cnf, Constrain, Constraint, Formula, Lit,
    PbEncoding, PbRelation, Relation, Size, Terms, Var,
};

use super::Certificate;

type Sink<'s> = dyn ClauseSink<Error = CapacityError> + 's;
type Said = Box<dyn Fn(&mut Sink<'_>, Option<Lit>) -> Result<(), CapacityError>>;
type Holds = Box<dyn Fn(&[bool]) -> bool>;

/// A kind of constraint on the first [`N`] variables, how it is said, reified or not, and when it holds.
struct Kind {
    name: &'static str,
    said: Said,
    holds: Holds,
    /// The part that is said beside it, reified or not.
    beside: fn(&[bool]) -> bool,
    incremental: &'static str,
}

const N: usize = 6;
const R: Lit = Lit::positive(N as u32);
const C: Lit = Lit::positive(N as u32 + 1);

const SERVICES: [&str; 10] = [
    "size before the first clause",
    "`when`, which is r → too",
    "reified: r ↔",
    "→ r: a literal, a clause",
    "kept by `Formula`",
    "in text",
    "detected in clauses",
    "offered to sinks",
    "one model each",
    "proof",
];

/// The reason for a cell that is empty.
fn reason(kind: &str, service: &str) -> Option<&'static str> {
    match (kind, service) {
        ("clause", "size before the first clause") => Some("it is its own size"),
        ("clause", "offered to sinks") => Some("every sink takes clauses"),
        ("clause", "detected in clauses") => Some("it is one"),
        ("expression" | "lexicographic ≤", "offered to sinks") => Some("it comes as clauses"),
        ("at most one" | "exactly one" | "even parity" | "odd parity", _) => None,
        (_, "detected in clauses") => Some("detection looks for at most one, exactly one and parities"),
        _ => None,
    }
}

fn lits() -> Vec<Lit> {
    (0..N as u32).map(|var| Lit::new(var, var % 3 == 2)).collect()
}

fn terms() -> Vec<(Lit, i64)> {
    lits().into_iter().zip([3, 5, 7, 4, 2, 6]).collect()
}

fn trues(values: &[bool]) -> usize {
    lits().iter().filter(|lit| values[lit.vidx()] != lit.is_neg()).count()
}

fn weight(values: &[bool]) -> i64 {
    terms().iter().filter(|(lit, _)| values[lit.vidx()] != lit.is_neg()).map(|&(_, weight)| weight).sum()
}

fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    let mut add = |name, incremental, said: Said, holds: Holds| {
        kinds.push(Kind { name, said, holds, beside: |_| true, incremental });
    };
    let later = "`literal`";
    let clause = |sink: &mut Sink<'_>, r: Option<Lit>| match r {
        None => sink.add_clause(&lits()),
        Some(r) => sink.post(&Constraint::count(&lits(), Relation::AtLeast(1)).iff(r), CardEncoding::Auto),
    };
    add("clause", later, Box::new(clause), Box::new(|values| trues(values) >= 1));
    for (name, incremental, relation) in [
        ("at most one", "`IncAtMostOne`", Relation::AtMost(1)),
        ("exactly one", "`IncExactlyOne`", Relation::Exactly(1)),
    ] {
        let said = move |sink: &mut Sink<'_>, r: Option<Lit>| match (r, relation) {
            (None, Relation::AtMost(_)) => sink.at_most_one(lits(), AmoEncoding::Auto),
            (None, _) => sink.exactly_one(lits(), AmoEncoding::Auto),
            (Some(r), _) => sink.post(&Constraint::count(&lits(), relation).iff(r), AmoEncoding::Auto),
        };
        add(name, incremental, Box::new(said), Box::new(move |values| relation.allows(trues(values))));
    }
    for (name, relation) in
        [("at most k", Relation::AtMost(3)), ("at least k", Relation::AtLeast(3)), ("exactly k", Relation::Exactly(3))]
    {
        let said = move |sink: &mut Sink<'_>, r: Option<Lit>| {
            let lits = lits();
            let count = Constraint::count(&lits, relation);
            sink.post(&r.map_or(count, |r| count.iff(r)), CardEncoding::Auto)
        };
        add(name, "`IncTotalizer`", Box::new(said), Box::new(move |values| relation.allows(trues(values))));
    }
    let between = |sink: &mut Sink<'_>, r: Option<Lit>| match r {
        None => sink.between(lits(), 2..=3, CardEncoding::Auto),
        Some(r) => sink.iff_between(r, lits(), 2..=3, CardEncoding::Auto),
    };
    add("between l and u", "`IncTotalizer`", Box::new(between), Box::new(|values| (2..=3).contains(&trues(values))));
    for (name, relation) in [
        ("sum at most", PbRelation::AtMost(13)),
        ("sum at least", PbRelation::AtLeast(14)),
        ("sum exactly", PbRelation::Exactly(13)),
    ] {
        let said = move |sink: &mut Sink<'_>, r: Option<Lit>| match (r, relation) {
            (None, _) => sink.pb(terms(), relation, PbEncoding::Auto),
            (Some(r), PbRelation::AtMost(bound)) => sink.pb_iff_at_most(r, terms(), bound, PbEncoding::Auto),
            (Some(r), PbRelation::AtLeast(bound)) => sink.pb_iff_at_least(r, terms(), bound, PbEncoding::Auto),
            (Some(r), PbRelation::Exactly(bound)) => sink.pb_iff_exactly(r, terms(), bound, PbEncoding::Auto),
        };
        let holds = move |values: &[bool]| match relation {
            PbRelation::AtMost(bound) => weight(values) <= bound,
            PbRelation::AtLeast(bound) => weight(values) >= bound,
            PbRelation::Exactly(bound) => weight(values) == bound,
        };
        add(name, "`WeightedCounter`", Box::new(said), Box::new(holds));
    }
    let between = |sink: &mut Sink<'_>, r: Option<Lit>| match r {
        None => sink.pb_between(terms(), 9..=13, PbEncoding::Auto),
        Some(r) => sink.pb_iff_between(r, terms(), 9..=13, PbEncoding::Auto),
    };
    let holds = |values: &[bool]| (9..=13).contains(&weight(values));
    add("sum between", "`WeightedCounter`", Box::new(between), Box::new(holds));
    for (name, odd) in [("even parity", false), ("odd parity", true)] {
        let said = move |sink: &mut Sink<'_>, r: Option<Lit>| match r {
            None => sink.parity(lits(), odd),
            Some(r) => sink.iff_parity(r, lits(), odd),
        };
        add(name, later, Box::new(said), Box::new(move |values| (trues(values) % 2 == 1) == odd));
    }
    let mut expr = |name, expr: fn() -> BoolExpr| {
        let said = move |sink: &mut Sink<'_>, r: Option<Lit>| sink.require(r.map_or_else(expr, |r| expr().iff(r)));
        let holds = move |values: &[bool]| expr().holds(|lit| values[lit.vidx()] != lit.is_neg());
        add(name, later, Box::new(said), Box::new(holds));
    };
    expr("expression", || {
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| BoolExpr::from(lits()[at]));
        BoolExpr::ite(a.clone(), b.clone() ^ c.clone(), (c & d).implies(b)) | !a
    });
    expr("lexicographic ≤", || BoolExpr::lex_le(&lits()[..3], &lits()[3..]));
    let grouped = |sink: &mut Sink<'_>, r: Option<Lit>| {
        let terms: Vec<(Lit, u64)> = terms().into_iter().map(|(lit, weight)| (lit, weight.cast_unsigned())).collect();
        for group in lits().chunks(2) {
            sink.at_most_one(group, AmoEncoding::Pairwise)?;
        }
        let (groups, relation) = (Terms::grouped(&terms, &[2, 4, 6]), PbRelation::AtMost(13));
        match r {
            None => sink.pb_grouped(&groups, relation, PbEncoding::Auto),
            Some(r) => sink.pb_iff_grouped(r, &groups, relation, PbEncoding::Auto),
        }
    };
    kinds.push(Kind {
        name: "sum with groups",
        said: Box::new(grouped),
        holds: Box::new(|values| weight(values) <= 13),
        beside: |values| {
            let one = |group: &[Lit]| group.iter().filter(|lit| values[lit.vidx()] != lit.is_neg()).count() <= 1;
            lits().chunks(2).all(one)
        },
        incremental: "`WeightedCounter`",
    });
    kinds
}

/// A sink that takes note of what is announced and offered.
#[derive(Default)]
struct Witness {
    cnf: Cnf,
    announced: Size,
    offers: usize,
}

impl ClauseSink for Witness {
    type Error = CapacityError;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), CapacityError> {
        self.cnf.add_clause(clause)
    }

    fn new_lit(&mut self) -> Lit {
        self.cnf.new_lit()
    }

    fn next_var(&self) -> Var {
        self.cnf.next_var()
    }

    fn reserve(&mut self, size: &Size) -> Result<(), CapacityError> {
        self.announced += *size;
        Ok(())
    }

    fn offer(&mut self, _: &Constraint<'_>) -> Result<bool, CapacityError> {
        self.offers += 1;
        Ok(false)
    }
}

fn formula(counting: bool) -> Formula {
    let mut formula = Formula::new();
    formula.new_lits(N + 2);
    if counting { formula.for_counting() } else { formula }
}

/// The formula has these solutions of its variables.
fn allows(what: &str, formula: &Formula, holds: impl Fn(&[bool]) -> bool) {
    let all = (0..1_usize << (N + 2)).map(|set| (0..N + 2).map(|at| set >> at & 1 == 1).collect::<Vec<bool>>());
    let mut expected: Vec<Vec<bool>> = all.filter(|values| holds(values)).collect();
    let lits: Vec<Lit> = (0..N as u32 + 2).map(Lit::positive).collect();
    let ask = Ask::new(formula);
    let solutions = ask.solutions();
    let mut found: Vec<Vec<bool>> = solutions
        .map(|found| found.unwrap())
        .map(|found| lits.iter().map(|&lit| found.is_true(lit)).collect())
        .collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert!(found == expected, "{what}: {} solutions of {}", found.len(), expected.len());
}

/// The cells of each service; nothing where one is empty.
fn cells(kind: &Kind) -> Vec<Option<String>> {
    let (name, yes) = (kind.name, Some("yes".to_owned()));
    let holds = |values: &[bool]| (kind.beside)(values) && (kind.holds)(values);
    let mut plain = Witness::default();
    plain.new_lits(N + 2);
    (kind.said)(&mut plain, None).unwrap();
    let auxiliaries = (plain.cnf.n_vars() - N - 2) as u64;
    let written = Size { vars: auxiliaries, clauses: plain.cnf.n_clauses() as u64, lits: plain.cnf.n_lits() as u64 };
    let size = (plain.announced == written).then(|| "exact".to_owned());

    let mut guarded = Witness::default();
    guarded.new_lits(N + 2);
    (kind.said)(&mut guarded.when([C]), None).unwrap();
    let longer = guarded.cnf.n_lits() - plain.cnf.n_lits();
    assert!(guarded.cnf.n_clauses() == plain.cnf.n_clauses() && longer <= plain.cnf.n_clauses(), "{name}");
    for counting in [false, true] {
        let mut formula = formula(counting);
        (kind.said)(&mut formula.when([C]), None).unwrap();
        allows(name, &formula, |values| !values[N + 1] || holds(values));
    }

    let mut reified = formula(false);
    (kind.said)(&mut reified, Some(R)).unwrap();
    allows(name, &reified, |values| (kind.beside)(values) && values[N] == (kind.holds)(values));
    let mut one_sided = formula(false);
    (kind.said)(&mut one_sided, Some(R)).unwrap();
    one_sided.add_clause(&[!R, C]).unwrap();
    allows(name, &one_sided, |values| {
        (kind.beside)(values) && values[N] == (kind.holds)(values) && (!values[N] || values[N + 1])
    });

    let mut alone = formula(false);
    (kind.said)(&mut alone, None).unwrap();
    allows(name, &alone, holds);
    let kept = if alone.constraints().any(|constraint| constraint.lits().count() >= N) { "yes" } else { "as clauses" };

    // Text that is read again says the same, and says it in few lines where the format has words for it.
    let mut texts = Vec::new();
    let [mut knf, mut opb, mut wcnf, mut xor] = [(); 4].map(|()| Vec::new());
    alone.write_knf(&mut knf).unwrap();
    alone.write_opb(&mut opb).unwrap();
    alone.write_wcnf(&mut wcnf).unwrap();
    alone.write_xor_dimacs(&mut xor).unwrap();
    for (mut again, text) in [
        (Formula::read_knf(&knf[..]).unwrap(), &knf),
        (Formula::read_opb(&opb[..]).unwrap(), &opb),
        (Formula::read_wcnf(&wcnf[..]).unwrap(), &wcnf),
        (Formula::read_dimacs(&xor[..]).unwrap(), &xor),
    ] {
        again.new_lits(N + 2 - again.lits().len()); // of WCNF, which has no number of variables
        assert_eq!(again.lits().len(), N + 2, "{name}: {}", String::from_utf8_lossy(text));
        allows(name, &again, holds);
    }
    let [knf, opb, xor] = [knf, opb, xor].map(|text| String::from_utf8(text).unwrap());
    let has_line = |text: &str, begin: &str| text.lines().any(|line| line.starts_with(begin));
    texts.extend((name == "clause" || has_line(&knf, "k ")).then_some("KNF"));
    let sums = opb.lines().filter(|line| line.ends_with(';')).map(|line| line.matches('x').count());
    let sums: Vec<usize> = sums.collect();
    texts.extend((sums.len() <= 4 && sums.iter().any(|&terms| terms >= N)).then_some("OPB"));
    texts.extend(has_line(&xor, "x").then_some("`x` lines"));
    texts.extend((name == "clause").then_some("DIMACS, WCNF"));
    let text = if texts.is_empty() { "as clauses".to_owned() } else { texts.join(", ") };

    let clauses = Formula::read_dimacs(alone.encode().unwrap().to_string().as_bytes()).unwrap();
    let is_whole =
        |found: Constraint<'_>| found.parity_of().is_some() || found.lits().filter(|lit| lit.vidx() < N).count() == N;
    let detected = clauses.detect().formula().constraints().any(is_whole);
    let offered = (plain.offers > 0).then(|| "yes".to_owned());

    for reified in [None, Some(R)] {
        let mut formula = formula(true);
        (kind.said)(&mut formula, reified).unwrap();
        let cnf = formula.encode().unwrap();
        let all = Formula::read_dimacs(cnf.to_string().as_bytes()).unwrap();
        let expected = Ask::new(&formula).count(1_000).unwrap();
        assert_eq!(Ask::new(&all).count(1_000).unwrap(), expected, "{name}");
    }

    let mut proven = 0;
    for said in 0..3 {
        let mut formula = formula(false);
        match said {
            0 => (kind.said)(&mut formula, None).unwrap(),
            1 => (kind.said)(&mut formula.when([C]), None).unwrap(),
            _ => (kind.said)(&mut formula, Some(R)).unwrap(),
        }
        if let Ok(certificate) = Certificate::new(&formula) {
            certificate.replay().unwrap_or_else(|error| panic!("{name}: {error}"));
            proven += 1;
        }
    }
    let proof = ["", "some", "some", "yes"][proven];
    let proof = (proven > 0).then(|| proof.to_owned());
    let detected = detected.then(|| "yes".to_owned());
    vec![size, yes.clone(), yes.clone(), yes.clone(), Some(kept.to_owned()), Some(text), detected, offered, yes, proof]
}

/// The table of the guide is what was found; each empty cell has a reason.
#[test]
fn every_kind_with_every_service() {
    let head = format!("| | {} | incremental |", SERVICES.join(" | "));
    let mut rows = vec![head, format!("|{}", "---|".repeat(SERVICES.len() + 2))];
    let mut reasons: Vec<&str> = Vec::new();
    for kind in kinds() {
        let mut row = vec![kind.name.to_owned()];
        for (cell, service) in cells(&kind).into_iter().zip(SERVICES) {
            let empty = reason(kind.name, service);
            row.push(match (cell, empty) {
                (Some(cell), None) => cell,
                (None, Some(reason)) => {
                    let number = reasons.iter().position(|&known| known == reason).unwrap_or_else(|| {
                        reasons.push(reason);
                        reasons.len() - 1
                    });
                    format!("– ({})", number + 1)
                }
                (cell, _) => panic!("{}, {service}: {cell:?}, and {empty:?}", kind.name),
            });
        }
        row.push(kind.incremental.to_owned());
        rows.push(format!("| {} |", row.join(" | ")));
    }
    rows.push(String::new());
    rows.extend((1..).zip(reasons).map(|(number, reason)| format!("{number}. {reason}")));
    let table = rows.join("\n");
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/kinds.md")).unwrap();
    assert!(page.contains(&table), "the table is:\n{table}");
}
