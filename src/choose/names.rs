//! The names of PySAT, rustsat and pindakaas, and what stands for them here.
//!
//! The search box of this documentation knows most of them.
//!
//! | PySAT | here |
//! |---|---|
//! | `CardEnc.atmost`, `atleast`, `equals` | [`Constrain::at_most`], [`at_least`](Constrain::at_least), [`exactly`](Constrain::exactly) |
//! | `EncType` | [`CardEncoding`], [`AmoEncoding`]: names at run time; each is a type, too |
//! | `EncType.pairwise` | [`Pairwise`](struct@Pairwise); for k > 1, which PySAT refuses, [`Combinatorial`](struct@Combinatorial) |
//! | `EncType.bitwise` | [`Bitwise`](struct@Bitwise) |
//! | `EncType.ladder` | [`Ladder`](struct@Ladder) |
//! | `EncType.seqcounter`, the default | [`SequentialCounter`] in the form [`Sinz`](crate::SequentialForm::Sinz); the form `Knuth` is smaller |
//! | `EncType.sortnetwrk` | [`Network`](struct@Network), the smallest network there |
//! | `EncType.cardnetwrk` | [`CardinalityNetwork`](struct@CardinalityNetwork) |
//! | `EncType.totalizer` | [`Totalizer`](struct@Totalizer) |
//! | `EncType.mtotalizer`, `kmtotalizer` | [`ModuloTotalizer`], [`KModuloTotalizer`] |
//! | `EncType.native` | a sink that [takes](crate::ClauseSink::take) constraints as they are |
//! | `ITotalizer`, `increase`, `extend` | [`IncTotalizer`], [`widen`](IncTotalizer::widen), [`extend`](IncTotalizer::extend) |
//! | `CNF`, `IDPool` | [`Cnf`], [`ClauseSink::new_lit`](crate::ClauseSink::new_lit) |
//! | `CNF.from_file`, `to_file` | [`Cnf::from_dimacs`], [`Cnf::write_dimacs`] |
//!
//! | rustsat | here |
//! |---|---|
//! | `am1::Pairwise`, `Ladder`, `Bitwise`, `Commander`, `Bimander` | [`Pairwise`](struct@Pairwise), [`Ladder`](struct@Ladder), [`Bitwise`](struct@Bitwise), [`Commander`](struct@Commander), [`Bimander`](struct@Bimander) |
//! | `am1::Encode` | [`interop::Am1`](crate::interop::Am1) around any of ours |
//! | `card::Totalizer` | [`Totalizer`](struct@Totalizer) |
//! | `card::DbTotalizer` | [`IncTotalizer`] |
//! | `card::BoundUpper`, `BoundLower`, `BoundBoth` and the incremental ones | [`interop::Selected`](crate::interop::Selected), [`interop::Counted`](crate::interop::Counted) |
//! | `CardConstraint` | [`Relation`] beside its literals |
//! | `CollectClauses`, `ManageVars` | [`ClauseSink`](crate::ClauseSink); [`interop::Collector`](crate::interop::Collector) and [`interop::Target`](crate::interop::Target) translate |
//! | `SatInstance`, `Cnf` | [`Cnf`] |
//!
//! | pindakaas | here |
//! |---|---|
//! | `PairwiseEncoder`, `LadderEncoder`, `BitwiseEncoder`, `ProductEncoder` | [`Pairwise`](struct@Pairwise), [`Ladder`](struct@Ladder), [`Bitwise`](struct@Bitwise), [`Product`](struct@Product) |
//! | `SequentialCounterEncoder` | [`SequentialCounter`] |
//! | `TotalizerEncoder` | [`Totalizer`](struct@Totalizer) |
//! | `SortingNetworkEncoder` | [`Network`](struct@Network) |
//! | `DecisionDiagramEncoder` | [`DecisionDiagram`](struct@DecisionDiagram) |
//! | `AdderEncoder` | [`Adder`](struct@Adder) |
//! | `Cardinality`, `CardinalityOne` | [`Relation`] beside its literals |
//! | `ClauseDatabase` | [`ClauseSink`](crate::ClauseSink) |
//! | `Encoder` | [`AtMostOne`](crate::AtMostOne), [`AtMostK`](crate::AtMostK) |

#[allow(unused_imports)] // for the links
use crate::{
    Adder, AmoEncoding, Bimander, Bitwise, CardEncoding, CardinalityNetwork, Cnf, Combinatorial, Commander, Constrain,
    DecisionDiagram, IncTotalizer, KModuloTotalizer, Ladder, ModuloTotalizer, Network, Pairwise, Product, Relation,
    SequentialCounter, Totalizer,
};
