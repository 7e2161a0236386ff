//! Models, from the formula on that says them.

use cnfkit::CertifyError;
use cnfkit::model::{
    Expr, IntVar, Model, ModelError, all_different, cumulative, element, lex_lesseq, sum, table, times,
};

use crate::limits::check_limits;
use crate::{Folder, lot, veripb};

/// A model by lot: few variables, some constraints.
fn drawn(below: &mut impl FnMut(usize) -> usize) -> Model {
    let mut model = Model::new();
    let n = 4 + below(4);
    let x = model.ints(n, below(3) as i64 - 1..=4 + below(6) as i64);
    for _ in 0..2 + below(4) {
        let some: Vec<_> = x.iter().copied().filter(|_| below(3) > 0).collect();
        let factors: Vec<i64> =
            some.iter().map(|_| if below(4) == 0 { below(90) as i64 - 40 } else { below(9) as i64 - 4 }).collect();
        let total = sum(some.iter().zip(&factors).map(|(&x, &factor)| x * factor));
        let [one, other] = [below(n), below(n)].map(|at| x[at]);
        let number = below(30) as i64 - 5;
        match below(11) {
            9 => model.post(times(one, other, total)),
            10 => model.post(times(one, other, x[0] + x[1])),
            0 | 1 => model.post(all_different(some)),
            2 => model.post(total.le(number)),
            3 => model.post(total.eq(number)),
            4 => model.post((one + 1).eq(other).or(total.ge(number))),
            5 => model.post(lex_lesseq([one, x[0]], [other, x[1]])),
            6 => model.post(element(x.iter().copied(), one, other)),
            7 => model.post(table([one, other], [[0, 1], [1, 3], [2, 0], [3, 3]])),
            _ => model.post(cumulative(x[..3].iter().copied(), [2, 1, 2], [1, 2, 1], 2)),
        }
    }
    model
}

/// S E N D + M O R E = M O N E Y
fn send_more() -> Model {
    let mut model = Model::new();
    let [s, e, n, d, m, o, r, y]: [_; 8] = model.ints(8, 0..=9).try_into().unwrap();
    model.all_different([s, e, n, d, m, o, r, y]);
    let number = |digits: &[IntVar]| digits.iter().fold(Expr::from(0), |number, &digit| number * 10 + digit);
    model.post((number(&[s, e, n, d]) + number(&[m, o, r, e])).eq(number(&[m, o, n, e, y])));
    model.post(s.ge(1));
    model.post(m.ge(1));
    model
}

/// n queens.
fn queens(n: usize) -> Model {
    let mut model = Model::new();
    let columns = model.ints(n, 0..n as i64);
    model.all_different(&columns);
    model.all_different((0..).zip(&columns).map(|(row, &column)| column + row));
    model.all_different((0..).zip(&columns).map(|(row, &column)| column - row));
    model
}

/// Four numbers, the product of two of which is more than, or as much as, the sum of the others; and less than `most`.
fn products(is_equal: bool, most: i64) -> Model {
    let mut model = Model::new();
    let x = model.ints(4, 1..=4);
    model.all_different(&x);
    let product = model.int(1..=16);
    model.post(times(x[0], x[1], product));
    model.post(if is_equal { product.eq(x[2] + x[3]) } else { product.gt(x[2] + x[3]) });
    model.post((2 * x[0] + 3 * x[1] + x[2]).lt(most));
    model
}

/// Says why there is no proof.
fn print(model: &Model, error: &ModelError) {
    println!("{error}");
    if let ModelError::Certify(error) = error
        && let CertifyError::NotCovered { constraint, .. } | CertifyError::TooLong { constraint, .. } = **error
    {
        println!("{:?}", model.formula().unwrap().constraints().nth(constraint));
    }
}

#[test]
fn limits_hold_while_a_model_is_certified() {
    let is_interrupted = |error: &ModelError| matches!(error, ModelError::Interrupted(_));
    let limited = |limits| {
        let mut model = queens(24);
        model.set_limits(limits);
        model
    };
    check_limits(is_interrupted, |dir, limits| limited(limits).solve_certified(dir));
}

/// The verdict of VeriPB.
fn said(dir: &Folder) -> String {
    veripb(&dir.files())
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_models() {
    let mut below = lot(5);
    let mut counts = [0; 4];
    let known = [send_more(), queens(3), queens(8), products(true, 30)];
    for model in known.into_iter().chain((8..22).map(|most| products(false, most))) {
        let expected = model.solve().unwrap().is_some();
        let dir = Folder::new("known-models");
        match model.solve_certified(&dir.0) {
            Ok(found) => assert_eq!(found.is_some(), expected),
            Err(error) => {
                print(&model, &error);
                counts[3] += 1;
                continue;
            }
        }
        let verdict = if expected { "s VERIFIED SATISFIABLE" } else { "s VERIFIED UNSATISFIABLE" };
        assert!(said(&dir).contains(verdict), "{}", said(&dir));
    }
    for round in 0..60 {
        let mut model = drawn(&mut below);
        let x = model.int(0..=9);
        let y = model.int(1..=4);
        model.post((x + y).ge(3));
        let dir = Folder::new("models");
        if round % 2 == 0 {
            let found = model.solve_certified(&dir.0);
            let expected = model.solve().unwrap().is_some();
            match found {
                Err(error) => {
                    print(&model, &error);
                    counts[3] += 1;
                    continue;
                }
                Ok(found) => assert_eq!(found.is_some(), expected),
            }
            let verdict = if expected { "s VERIFIED SATISFIABLE" } else { "s VERIFIED UNSATISFIABLE" };
            assert!(said(&dir).contains(verdict), "{}", said(&dir));
            counts[usize::from(expected)] += 1;
        } else {
            let cost = 3 * x - 2 * y + 1;
            let proven = model.ask().proof(&dir.0);
            let found = if round % 4 == 1 { proven.minimum(cost.clone()) } else { proven.maximum(cost.clone()) };
            let found = match found {
                Err(error) => {
                    print(&model, &error);
                    counts[3] += 1;
                    continue;
                }
                Ok(found) => found.map(|best| best.value),
            };
            let best = if round % 4 == 1 { model.minimum(cost) } else { model.maximum(cost) };
            assert_eq!(found, best.unwrap().map(|best| best.value));
            assert!(said(&dir).contains("s VERIFIED BOUNDS"), "{}", said(&dir));
            counts[2] += 1;
        }
    }
    println!("without a solution, with one, best, refused: {counts:?}");
    assert!(counts[..3].iter().all(|&count| count > 3) && counts[3] == 0, "{counts:?}");
}
