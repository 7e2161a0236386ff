//! Encodings of *at most*, *at least* and *exactly k*, one a file. They know no chooser: `choose/` lists them by name.
//!
//! * without auxiliaries: `combinatorial`;
//! * counting along the literals: `sequential` (registers), `diagram` (a decision diagram);
//! * counting in a tree of halves: `totalizer` (with `tree`, which plans its nodes), `modulo` (two digits a node),
//!   `network` (sorting networks, a room of its own), `adder` (binary numbers, of the adders in `bits`);
//! * two or three of many, by a grid of lines: `product`; few of many, moved into a smaller grid: `compression`;
//! * counts as literals, for bounds that are chosen after encoding: `count`, and `incremental` for literals that come
//!   later.

mod adder;
mod bits;
mod combinatorial;
mod compression;
mod count;
mod diagram;
#[doc(hidden)]
pub mod growing;
mod incremental;
mod modulo;
mod network;
mod product;
mod sequential;
mod totalizer;
mod tree;

pub use adder::Adder;
pub(crate) use bits::AdderInputs;
pub use combinatorial::Combinatorial;
pub use compression::GridCompression;
pub use count::{Bound, Count, Counter};
pub use diagram::DecisionDiagram;
pub use incremental::IncTotalizer;
pub use modulo::{KModuloTotalizer, ModuloTotalizer};
pub use network::{CardinalityNetwork, Network};
pub use product::GeneralizedProduct;
pub use sequential::{SequentialCounter, SequentialForm};
pub use totalizer::Totalizer;

crate::by_value!(
    Adder,
    CardinalityNetwork,
    DecisionDiagram,
    GeneralizedProduct,
    GridCompression,
    KModuloTotalizer,
    ModuloTotalizer,
    Network,
    SequentialCounter,
    Totalizer
);

#[cfg(test)]
pub(crate) mod tests {
    use super::combinatorial;
    use crate::testing::pb::is_exhaustive;
    use crate::testing::{Engine, Recorder, inputs, relations};
    use crate::{AtMostK, Constrain, Tally};

    /// Predicted size against emitted, for all n ≤ 32 and every k, and for some large n; for all n ≤ 64, and half of
    /// 1,000, where [`is_exhaustive`] says so, else for a sixteenth of them.
    pub(crate) fn check_sizes_and_large(enc: &dyn AtMostK) {
        let pairs = (3..=64_usize).flat_map(|n| (1..n).map(move |k| (n, k)));
        let small = pairs.filter(|(n, k)| *n <= 32 || is_exhaustive() || (n + k).is_multiple_of(16));
        let half = if is_exhaustive() { (1000, 500) } else { (300, 150) };
        for (n, k) in small.chain([half, (1000, 10), (1000, 990), (10_000, 10), (10_000, 9_990)]) {
            for (relation, size) in
                relations(k).into_iter().zip([enc.amk_size(n, k), enc.alk_size(n, k), enc.exk_size(n, k)])
            {
                if relation.folded(n).is_some() {
                    continue;
                }
                let mut tally = Tally::new(n);
                tally.cardinality(&inputs(n), relation, enc).unwrap();
                assert_eq!(tally.size(), size, "{relation} of {n}");
            }
        }
    }

    /// As many models as the inputs have: auxiliaries follow from them.
    pub(crate) fn check_one_model_each(enc: &dyn AtMostK) {
        for n in 3..=8 {
            for relation in (1..n).flat_map(relations) {
                let mut recorder = Recorder::new(n);
                recorder.cardinality(&inputs(n), relation, enc).unwrap();
                let models = (0..=n).filter(|&count| relation.allows(count));
                let expected: u64 = models.map(|count| combinatorial::binomial(n as u64, count as u64)).sum();
                assert_eq!(Engine::new(&recorder).count(0) as u64, expected, "{relation} of {n}");
            }
        }
    }
}
