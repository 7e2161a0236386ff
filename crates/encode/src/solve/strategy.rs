//! [`Strategy`]: the ways in which the least value of an objective is searched for.

/// The way in which the least value is searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// Core-guided search with stratification, where each incumbent is polished by short SAT calls: the default. With
    /// BatSat it takes turns with a search between the bounds, for which the objective is watched and not encoded. With
    /// a solver that forgets its learnt clauses (Kissat), solution-improving search.
    #[default]
    Auto,
    /// Solution-improving search: better and better incumbents, each asked for by a bound on a
    /// [`WeightedCounter`](crate::WeightedCounter).
    ///
    /// Strata of a Boolean multilevel (lexicographic) objective, weights each above the sum of all lighter ones, are
    /// minimised one after the other, the heaviest first. The lower bound moves only between them.
    #[doc(alias = "linear SAT-UNSAT")]
    SolutionImproving,
    /// Core-guided search: unsatisfiable cores are relaxed, each of which raises the lower bound and is counted from
    /// then on (OLL), heavy weights first (stratification).
    ///
    /// Sources: B. Andres, B. Kaufmann, O. Matheis, T. Schaub, *Unsatisfiability-Based Optimization in clasp*, ICLP
    /// 2012 (technical communications), pages 211–221; A. Morgado, C. Dodaro, J. Marques-Silva, *Core-Guided `MaxSAT`
    /// with Soft Cardinality Constraints*, CP 2014, LNCS 8656, pages 564–573; A. Ignatiev, A. Morgado, J.
    /// Marques-Silva, *RC2: an Efficient `MaxSAT` Solver*, Journal on Satisfiability, Boolean Modeling and Computation
    /// 11(1), 2019, pages 53–64.
    #[doc(alias = "OLL")]
    #[doc(alias = "RC2")]
    CoreGuided,
}
