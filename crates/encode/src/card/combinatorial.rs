//! [`Combinatorial`]: a clause for every combination that is too large; and binomial coefficients.

use rustsat::types::Lit;

use crate::encode::ByRelation;
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// Every forbidden combination spelled out: at most k negates each (k+1)-subset, at least k asserts each
/// (n−k+1)-subset.
///
/// | | at most k | at least k | exactly k |
/// |---|---|---|---|
/// | auxiliaries | none | none | none |
/// | clauses | C(n, k+1) | C(n, n−k+1) | both |
/// | literals per clause | k+1 | n−k+1 | as above |
/// | enforcing clauses | all | all | all |
///
/// It is generalised arc consistent, and has exactly one model per model of the inputs, as there is nothing but inputs.
/// Clauses come in lexicographic order of the positions in `lits`, so overlapping constraints on sorted literals yield
/// literally the same clauses.
///
/// This is the folklore encoding, also called binomial, naive or subset encoding. It is the best there is for up to
/// about 8 literals; C(n, k+1) explodes soon after, and a [`Cnf`](crate::Cnf) refuses what does not fit before the
/// first clause.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Combinatorial, Constrain};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(3);
/// cnf.at_least(&x, 2, &Combinatorial).unwrap();
/// assert_eq!(cnf.to_string(), "p cnf 3 3\n1 2 0\n1 3 0\n2 3 0\n");
/// let many = cnf.new_lits(60);
/// assert!(cnf.at_most(&many, 30, &Combinatorial).is_err()); // 1.1 · 10¹⁷ clauses
/// ```
#[doc(alias = "binomial")]
#[doc(alias = "naive")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Combinatorial;

crate::by_value!(Combinatorial);

impl ByRelation for Combinatorial {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        if let Some(most) = relation.most().filter(|&most| most < lits.len()) {
            let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
            each_subset(to, &negated, most + 1)?;
        }
        match relation.least() {
            Some(least) if least > 0 => each_subset(to, lits, lits.len() - least + 1),
            _ => Ok(()),
        }
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        let most = |most: usize| Size::clauses(binomial(n as u64, most as u64 + 1), most + 1);
        relation.most().map_or(Size::ZERO, most) + relation.least().map_or(Size::ZERO, |least| most(n - least))
    }

    fn one_model(&self) -> bool {
        true
    }

    crate::encode::named!("combinatorial");
}

/// Sends each `size`-subset of `lits` as a clause, in lexicographic order; 1 ≤ `size` ≤ `lits.len()`.
fn each_subset(to: &mut Writer<'_>, lits: &[Lit], size: usize) -> Result<(), Full> {
    fn short<const R: usize>(to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        subsets(to, lits, std::array::from_fn::<_, R, _>(|i| lits[i]), [0; R])
    }
    match size {
        2 => short::<2>(to, lits),
        3 => short::<3>(to, lits),
        4 => short::<4>(to, lits),
        5 => short::<5>(to, lits),
        6 => short::<6>(to, lits),
        7 => short::<7>(to, lits),
        8 => short::<8>(to, lits),
        _ => subsets(to, lits, lits[..size].to_vec(), vec![0; size]),
    }
}

/// `clause` and `at` are room for one subset and its positions; arrays make copying a short clause cheap.
#[inline]
fn subsets(
    to: &mut Writer<'_>,
    lits: &[Lit],
    mut clause: impl AsMut<[Lit]>,
    mut at: impl AsMut<[usize]>,
) -> Result<(), Full> {
    let (clause, at) = (clause.as_mut(), at.as_mut());
    let last = clause.len() - 1;
    at.iter_mut().enumerate().for_each(|(i, at)| *at = i);
    loop {
        for &lit in &lits[at[last]..] {
            clause[last] = lit;
            to.clause(clause)?;
        }
        // The rightmost position that can move on takes all behind it along.
        let room = lits.len() - clause.len();
        let Some(mut moving) = (0..last).rev().find(|&i| at[i] < room + i) else { return Ok(()) };
        let mut position = at[moving] + 1;
        while moving < last {
            (at[moving], clause[moving]) = (position, lits[position]);
            (moving, position) = (moving + 1, position + 1);
        }
        at[last] = position;
    }
}

/// The binomial coefficient C(n, r), or [`u64::MAX`] when it is larger.
pub(crate) fn binomial(n: u64, r: u64) -> u64 {
    let Some(r) = n.checked_sub(r).map(|rest| rest.min(r)) else { return 0 };
    let mut value = 1_u64;
    for i in 1..=r {
        // C(n−r+i, i), which only grows with i.
        let factor = n - r + i;
        value = match value.checked_mul(factor) {
            Some(product) => product / i,
            None => match u64::try_from(u128::from(value) * u128::from(factor) / u128::from(i)) {
                Ok(quotient) => quotient,
                Err(_) => return u64::MAX,
            },
        };
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AtMostK;
    use crate::ClauseSink;
    use crate::testing::{Recorder, card_suite, inputs};
    use crate::{Cnf, Constrain, Tally};

    card_suite!(suite: Combinatorial, Gac);

    #[test]
    fn binomials_saturate() {
        for n in 0..=60 {
            for r in 1..=n {
                assert_eq!(binomial(n, r), binomial(n - 1, r) + binomial(n - 1, r - 1));
            }
        }
        assert_eq!((binomial(5, 0), binomial(5, 6)), (1, 0));
        assert_eq!(binomial(60, 30), 118_264_581_564_861_424);
        assert_eq!((binomial(67, 33), binomial(68, 34)), (14_226_520_737_620_288_370, u64::MAX));
        assert_eq!((binomial(u64::MAX, 1), binomial(u64::MAX, 2)), (u64::MAX, u64::MAX));
        assert_eq!(Combinatorial.amk_size(200, 100), Size { vars: 0, clauses: u64::MAX, lits: u64::MAX });
    }

    #[test]
    fn worked_examples() {
        let clauses = |post: &dyn Fn(&mut Recorder)| {
            let mut recorder = Recorder::new(4);
            post(&mut recorder);
            recorder.clauses.iter().map(|c| c.iter().map(|l| l.to_ipasir()).collect()).collect::<Vec<Vec<_>>>()
        };
        let most = clauses(&|sink| sink.at_most(&inputs(3), 1, &Combinatorial).unwrap());
        assert_eq!(most, [[-1, -2], [-1, -3], [-2, -3]]);
        let least = clauses(&|sink| sink.at_least(&inputs(3), 2, &Combinatorial).unwrap());
        assert_eq!(least, [[1, 2], [1, 3], [2, 3]]);
        let most = clauses(&|sink| sink.at_most(&inputs(4), 2, &Combinatorial).unwrap());
        assert_eq!(most, [[-1, -2, -3], [-1, -2, -4], [-1, -3, -4], [-2, -3, -4]]);
    }

    /// Of eight neighbours four are traps: 112 clauses in lexicographic order.
    #[test]
    fn long_clauses_come_in_order() {
        let mut tally = Tally::new(8);
        tally.exactly(&inputs(8), 4, &Combinatorial).unwrap();
        assert_eq!(tally.size(), Size::clauses(112, 5));
        for size in 1..=12 {
            let mut recorder = Recorder::new(12);
            recorder.write_by(&mut |to| each_subset(to, &inputs(12), size)).unwrap();
            assert_eq!(recorder.clauses.len() as u64, binomial(12, size as u64));
            assert!(recorder.clauses.is_sorted_by(|a, b| a < b));
            assert!(recorder.clauses.iter().all(|clause| clause.len() == size && clause.is_sorted_by(|a, b| a < b)));
        }
    }

    #[test]
    fn too_large_is_refused_at_once() {
        let mut cnf = Cnf::with_vars(60);
        let error = cnf.at_most(&inputs(60), 30, &Combinatorial).unwrap_err();
        assert_eq!(error.needed.clauses, binomial(60, 31));
        assert_eq!(cnf.n_clauses(), 0);
    }
}
