//! The names of PySAT, rustsat and pindakaas, and what stands for them here.
//!
//! The search box of this documentation knows most of them. A test compiles those of rustsat and pindakaas; those of
//! PySAT are of its documentation, `pysathq.github.io/docs/html/api/card.html`, `pb.html` and `formula.html` there.
//!
//! [`Encoding::one_model`](crate::Encoding::one_model) says of each which has exactly one model for each solution, so
//! that models can be counted: `pairwise` and `combinatorial`, and [`OneModel`](crate::OneModel), which is for
//! everything.
//!
//! | PySAT | here |
//! |---|---|
//! | `CardEnc.atmost` | [`Constrain::at_most`] |
//! | `CardEnc.atleast` | [`Constrain::at_least`] |
//! | `CardEnc.equals` | [`Constrain::exactly`] |
//! | `EncType` | [`CardEncoding`], [`AmoEncoding`]: names at run time; each is a type, too |
//! | `EncType.pairwise` | [`Pairwise`]; for k > 1, which PySAT refuses, [`Combinatorial`] |
//! | `EncType.bitwise` | [`Bitwise`] |
//! | `EncType.ladder` | [`Ladder`] |
//! | `EncType.seqcounter`, the default | [`SequentialCounter`] in the form `Sinz`; the form `Knuth` is smaller |
//! | `EncType.sortnetwrk` | [`Network`], the smallest network there |
//! | `EncType.cardnetwrk` | [`CardinalityNetwork`] |
//! | `EncType.totalizer` | [`Totalizer`] |
//! | `EncType.mtotalizer`, `kmtotalizer` | [`ModuloTotalizer`], [`KModuloTotalizer`] |
//! | `EncType.native` | a sink that [takes](ClauseSink::take) constraints as they are |
//! | `PBEnc.atmost` or `leq`, `atleast` or `geq`, `equals` | [`Constrain::pb_at_most`], `pb_at_least`, `pb_exactly` |
//! | `pb.EncType.bdd`, `seqcounter` | [`IntervalDiagram`], [`SequentialWeightCounter`] |
//! | `pb.EncType.adder`, `sortnetwrk` | [`BinaryAdder`], [`MixedRadixSorter`] |
//! | `pb.EncType.binmerge`; `best`, the default | [`LocalWatchdog`]; [`PbEncoding`]`::Auto` |
//! | `ITotalizer` | [`IncTotalizer`] |
//! | `ITotalizer.increase`, `extend` | [`IncTotalizer::widen`], [`IncTotalizer::extend`] |
//! | `CNF`, `IDPool` | [`Cnf`], [`ClauseSink::new_lit`] |
//! | `CNF.from_file`, `to_file` | [`Cnf::from_dimacs`], [`Cnf::write_dimacs`] |
//!
//! | rustsat | here |
//! |---|---|
//! | `am1::Pairwise`, `Ladder`, `Bitwise` | [`Pairwise`], [`Ladder`], [`Bitwise`] |
//! | `am1::Commander`, `Bimander`, `TwoProduct` | [`Commander`], [`Bimander`], [`Product`] |
//! | `am1::Encode` | `interop::Am1` around any of ours |
//! | `card::Totalizer` | [`Totalizer`] |
//! | `pb::GeneralizedTotalizer`, `pb::BinaryAdder` | [`GeneralizedTotalizer`], [`BinaryAdder`] |
//! | `pb::DynamicPolyWatchdog` | [`DynamicPolyWatchdog`] |
//! | `card::BoundUpper`, `BoundLower`, `BoundBoth` | `interop::Selected`, `interop::Counted` |
//! | their incremental forms | `interop::Selected`, `interop::Counted`; for bound 1, [`IncAtMostOne`] |
//! | `CardConstraint` | [`Relation`] beside its literals |
//! | `CollectClauses`, `ManageVars` | [`ClauseSink`]; `interop::Collector`, `interop::Target` translate |
//! | `SatInstance`, `Cnf` | [`Cnf`] |
//!
//! | pindakaas | here |
//! |---|---|
//! | `PairwiseEncoder`, `LadderEncoder` | [`Pairwise`], [`Ladder`] |
//! | `BitwiseEncoder`, `ProductEncoder` | [`Bitwise`], [`Product`] |
//! | `SequentialCounterEncoder` | [`SequentialCounter`] |
//! | `TotalizerEncoder` | [`Totalizer`] |
//! | `SortingNetworkEncoder` | [`Network`] |
//! | `DecisionDiagramEncoder` | [`DecisionDiagram`] |
//! | `AdderEncoder` | [`Adder`]; with weights [`BinaryAdder`] |
//! | `WatchdogEncoder`, `MixedRadixEncoder` | [`GlobalWatchdog`], [`LocalWatchdog`]; [`MixedRadixSorter`] |
//! | `Cardinality`, `CardinalityOne` | [`Relation`] beside its literals |
//! | `ClauseDatabase` | [`ClauseSink`] |
//! | `Encoder` | [`AtMostOne`], [`AtMostK`] |
//!
//! [`Pairwise`]: struct@crate::Pairwise
//! [`Combinatorial`]: struct@crate::Combinatorial
//! [`Bitwise`]: struct@crate::Bitwise
//! [`Ladder`]: struct@crate::Ladder
//! [`Network`]: struct@crate::Network
//! [`CardinalityNetwork`]: struct@crate::CardinalityNetwork
//! [`Totalizer`]: struct@crate::Totalizer
//! [`Commander`]: struct@crate::Commander
//! [`Bimander`]: struct@crate::Bimander
//! [`Product`]: struct@crate::Product
//! [`DecisionDiagram`]: struct@crate::DecisionDiagram
//! [`Adder`]: struct@crate::Adder
//! [`BinaryAdder`]: struct@crate::BinaryAdder
//! [`GeneralizedTotalizer`]: struct@crate::GeneralizedTotalizer
//! [`IntervalDiagram`]: struct@crate::IntervalDiagram
//! [`SequentialWeightCounter`]: struct@crate::SequentialWeightCounter
//! [`Constrain::pb_at_most`]: crate::Constrain::pb_at_most
//! [`DynamicPolyWatchdog`]: struct@crate::DynamicPolyWatchdog
//! [`GlobalWatchdog`]: struct@crate::GlobalWatchdog
//! [`LocalWatchdog`]: struct@crate::LocalWatchdog
//! [`MixedRadixSorter`]: struct@crate::MixedRadixSorter
//! [`Constrain::at_most`]: crate::Constrain::at_most
//! [`Constrain::at_least`]: crate::Constrain::at_least
//! [`Constrain::exactly`]: crate::Constrain::exactly

#[allow(unused_imports)] // for the links
use crate::{
    AmoEncoding, AtMostK, AtMostOne, CardEncoding, ClauseSink, Cnf, IncAtMostOne, IncTotalizer, KModuloTotalizer,
    ModuloTotalizer, PbEncoding, Relation, SequentialCounter,
};
