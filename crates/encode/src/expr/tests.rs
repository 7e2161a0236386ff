use rustsat::types::Lit;

use super::BoolExpr;
use crate::random::Random;
use crate::testing::{Engine, Recorder};
use crate::{ClauseSink, Cnf, Constrain};

const VARS: usize = 5;

/// An expression of so many operations, with parts that come again.
fn any_expr(random: &mut Random, operations: usize) -> BoolExpr {
    let lit = |random: &mut Random| Lit::new(random.below(VARS) as u32, random.below(2) == 0);
    let mut made: Vec<BoolExpr> = (0..VARS).map(|_| lit(random).into()).collect();
    if random.below(4) == 0 {
        made.push((random.below(2) == 0).into());
    }
    for _ in 0..operations {
        let any = |random: &mut Random| {
            let one = made[random.below(made.len())].clone();
            if random.below(3) == 0 { !one } else { one }
        };
        let [a, b, c] = std::array::from_fn(|_| any(random));
        let new = match random.below(8) {
            0 => a & b,
            1 => a | b,
            2 => a ^ b,
            3 => a.implies(b),
            4 => a.iff(b),
            5 => BoolExpr::ite(a, b, c),
            6 => BoolExpr::all([a, b, c]),
            _ => BoolExpr::any([a, b, c]) ^ lit(random),
        };
        made.push(new);
    }
    made.pop().unwrap()
}

/// The number of models of the clauses for each assignment of the first variables.
fn models(recorder: &Recorder, n: usize) -> Vec<usize> {
    let aux: Vec<Lit> = (n as u32..recorder.next_var().idx32()).map(Lit::positive).collect();
    (0..1_u32 << n)
        .map(|set| {
            let mut engine = Engine::new(recorder);
            let own = (0..n as u32).all(|var| engine.assume(Lit::new(var, set >> var & 1 == 0)));
            if own { count(&mut engine, &aux) } else { 0 }
        })
        .collect()
}

fn count(engine: &mut Engine, aux: &[Lit]) -> usize {
    let Some((&first, rest)) = aux.split_first() else { return 1 };
    let mut all = 0;
    for lit in [first, !first] {
        let mark = engine.mark();
        all += if engine.assume(lit) { count(engine, rest) } else { 0 };
        engine.undo(mark);
    }
    all
}

fn value(set: usize) -> impl Fn(Lit) -> bool {
    move |lit: Lit| (set >> lit.vidx() & 1 == 1) == lit.is_pos()
}

#[test]
fn what_is_required_holds() {
    let mut random = Random::new(51);
    let (mut never, mut shared) = (0, 0);
    for round in 0..1_500 {
        let operations = 1 + random.below(9);
        let expr = any_expr(&mut random, operations);
        let text = expr.to_string();
        let read =
            BoolExpr::parse(&text, |name| name.strip_prefix('x')?.parse().ok().map(|n: u32| Lit::positive(n - 1)));
        let read = read.unwrap_or_else(|error| panic!("{text}: {error}"));
        let (condition, r) = (Lit::positive(VARS as u32), VARS + 1);
        for kind in 0..3 {
            let mut recorder = Recorder::new(VARS + 2);
            match kind {
                0 => recorder.require(&expr).unwrap(),
                1 => recorder.when(condition).require(&expr).unwrap(),
                _ => {
                    let lit = recorder.literal(&expr).unwrap();
                    recorder.add_clause(&[lit, Lit::negative(r as u32)]).unwrap();
                    recorder.add_clause(&[!lit, Lit::positive(r as u32)]).unwrap();
                }
            }
            shared += usize::from(recorder.next_var().idx() == VARS + 2);
            for (set, models) in models(&recorder, VARS + 2).into_iter().enumerate() {
                let holds = expr.holds(value(set));
                assert_eq!(holds, read.holds(value(set)), "{text}");
                let allowed = match kind {
                    0 => holds,
                    1 => holds || !value(set)(condition),
                    _ => holds == (set >> r & 1 == 1),
                };
                never += usize::from(!allowed);
                assert_eq!(models > 0, allowed, "round {round}, {kind}: {text}, {set:b}");
                assert!(kind < 2 || models <= 1, "round {round}: {text}");
            }
        }
    }
    assert!(never > 10_000 && shared > 100, "{never} {shared}");
}

/// By the definition, with as many clauses as are said; a disjunction that a conjunction alone has takes no gate.
#[test]
fn lists_in_lexicographic_order() {
    for n in 1..=4_usize {
        let lits: Vec<Lit> = (0..2 * n as u32).map(|var| Lit::new(var, var % 3 == 1)).collect();
        let expr = BoolExpr::lex_le(&lits[..n], &lits[n..]);
        let mut recorder = Recorder::new(2 * n);
        recorder.require(&expr).unwrap();
        assert_eq!((recorder.next_var().idx() + 1, recorder.clauses.len() + 2), (3 * n, 3 * n), "{n}");
        for (set, models) in models(&recorder, 2 * n).into_iter().enumerate() {
            let values: Vec<bool> = lits.iter().map(|&lit| value(set)(lit)).collect();
            let allowed = values[..n] <= values[n..];
            assert_eq!((models > 0, expr.holds(value(set))), (allowed, allowed), "{n} {set:b}");
        }
    }
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|var| BoolExpr::from(Lit::positive(var)));
    let mut cnf = Cnf::with_vars(5);
    cnf.require(e | ((a.clone() | b.clone()) & (c.clone() | d.clone()) & a)).unwrap();
    assert_eq!((cnf.n_vars(), cnf.n_clauses()), (6, 4), "{cnf}");
    assert!(BoolExpr::lex_le(&[], &[]).holds(|_| false));
}

/// Chains and nests of 100,000: no recursion, no copy.
#[test]
fn deep_expressions() {
    const N: usize = 100_000;
    let lits: Vec<Lit> = (0..N as u32).map(Lit::positive).collect();
    let nested = |join: fn(BoolExpr, BoolExpr) -> BoolExpr| {
        lits.iter().map(|&lit| BoolExpr::from(lit)).reduce(|all, lit| join(lit, all)).unwrap()
    };
    let chained =
        |join: fn(BoolExpr, BoolExpr) -> BoolExpr| lits.iter().map(|&lit| BoolExpr::from(lit)).reduce(join).unwrap();
    let size = |expr: &BoolExpr| {
        let mut cnf = Cnf::with_vars(N);
        cnf.require(expr).unwrap();
        (cnf.n_vars() - N, cnf.n_clauses())
    };
    assert_eq!(size(&chained(|a, b| a & b)), (0, N));
    assert_eq!(size(&nested(|a, b| a & b)), (0, N));
    assert_eq!(size(&chained(|a, b| a | b)), (0, 1));
    assert_eq!(size(&nested(BoolExpr::iff)), (N - 2, 4 * (N - 2) + 2));
    assert_eq!(size(&chained(|a, b| a ^ b)), (N - 2, 4 * (N - 2) + 2));
    assert_eq!(size(&nested(BoolExpr::implies)), (N - 2, N - 1));
    let text = format!("{}x1{}", "(".repeat(N), ")".repeat(N));
    assert!(BoolExpr::parse(&text, |_| Some(lits[0])).is_ok());
    assert!(BoolExpr::parse(&"!".repeat(N), |_| Some(lits[0])).is_err());
    drop(nested(|a, b| BoolExpr::ite(a, b, false)));
}

#[test]
fn errors_say_where() {
    let lit = |name: &str| name.strip_prefix('x')?.parse().ok().map(Lit::positive);
    for (text, column, reason) in [
        ("", 1, "the end"),
        ("x1 &", 5, "the end"),
        ("x1 x2", 4, "`x`"),
        ("(x1 | x2", 1, "not closed"),
        ("x1)", 3, "`)`"),
        ("x1 & y", 6, "`y` is no known name"),
        ("ite(x1, x2)", 11, "ite"),
        ("ite(x1, x2, x3, x4)", 15, "ite"),
        ("xor(x1, x2", 4, "not closed"),
        ("xor(x1 x2)", 8, "`x`"),
        ("xor()", 5, "`)`"),
        ("x1, x2", 3, "`,`"),
        ("x1 & (x2, x3)", 9, "`,`"),
    ] {
        let error = BoolExpr::parse(text, lit).unwrap_err();
        assert!(error.column == column && error.reason.contains(reason), "{text}: {error}");
    }
    let same = [
        ("x1 -> x2 -> x3", "x1 -> (x2 -> x3)"),
        ("x1 | x2 & !x3 ^ x0", "x1 | ((x2 & (!x3)) ^ x0)"),
        ("xor(x1 & x2, !x3 -> x0, xor(x2)) | x3", "(x1 & x2) ^ (!x3 -> x0) ^ x2 | x3"),
        ("ite(x0, xor(x1, x2), x1 xor (x3))", "ite(x0, x1 ^ x2, x1 ^ x3)"),
    ];
    for (one, other) in same {
        let [one, other] = [one, other].map(|text| BoolExpr::parse(text, lit).unwrap());
        assert!((0..16).all(|set| one.holds(value(set)) == other.holds(value(set))));
    }
}
