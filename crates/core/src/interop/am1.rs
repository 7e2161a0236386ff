//! At most one behind rustsat's trait. The trait encodes the whole constraint at each call, as our front door does, so
//! there is nothing to keep but the literals and the size of the last formula.

use rustsat::OutOfMemory;
use rustsat::encodings::{CollectClauses, am1};
use rustsat::instances::ManageVars;
use rustsat::types::Lit;

use super::collector::Collector;
use super::encoder::encoder;
use crate::constrain::Constrain;
use crate::encode::AtMostOne;
use crate::size::Size;

/// Any of our at-most-one encodings behind rustsat's [`am1::Encode`].
///
/// `Am1<E>` stands where `rustsat::encodings::am1::Pairwise` or another of rustsat's encoders stood: it is made [from
/// literals](From), takes [more](Extend) later, and each [`encode`](am1::Encode::encode) encodes the whole constraint.
/// The statistics are those of the last `encode`.
///
/// ```
/// use cnfkit::interop::{Am1, Target};
/// use cnfkit::{ClauseSink, Cnf, Pairwise};
/// use cnfkit::rustsat::encodings::am1::Encode;
/// let mut cnf = Cnf::new();
/// let mut enc: Am1<Pairwise> = cnf.new_lits(5).into_iter().collect();
/// let target = Target::new(&mut cnf);
/// enc.encode(&mut &target, &mut &target).unwrap();
/// assert_eq!(cnf.n_clauses(), 10);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Am1<E> {
    lits: Vec<Lit>,
    enc: E,
    size: Size,
}

encoder!(Am1 {});

impl<E> Extend<Lit> for Am1<E> {
    fn extend<T: IntoIterator<Item = Lit>>(&mut self, lits: T) {
        self.lits.extend(lits);
    }
}

impl<E: AtMostOne> am1::Encode for Am1<E> {
    fn n_lits(&self) -> usize {
        self.lits.len()
    }

    fn encode<Col>(&mut self, collector: &mut Col, var_manager: &mut dyn ManageVars) -> Result<(), OutOfMemory>
    where
        Col: CollectClauses,
    {
        let mut sink = Collector::new(collector, var_manager);
        sink.mark_used(&self.lits);
        let result = sink.at_most_one(&self.lits, &self.enc);
        self.size = sink.size();
        result
    }
}
