//! Encodings whose clauses go to a function, literal by literal, as IPASIR's `ipasir_add` takes them.

use cnfkit::{
    AmoEncoding, CapacityError, CardEncoding, ClauseSink, Cnf, Constrain, Lit, PbEncoding, Relation, Size, Var,
};

use crate::formula::{CError, ErrorStatus, known_lits};

/// A sink that hands each literal, and a 0 after each clause, to a function.
pub(crate) struct Handing<'a> {
    add: &'a mut dyn FnMut(i32),
    next: u32,
}

impl<'a> Handing<'a> {
    /// `next` is the first free variable, from 0 on.
    pub(crate) fn new(add: &'a mut dyn FnMut(i32), next: u32) -> Self {
        Self { add, next }
    }

    pub(crate) const fn next(&self) -> u32 {
        self.next
    }
}

impl ClauseSink for Handing<'_> {
    type Error = CapacityError;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), CapacityError> {
        for lit in clause {
            (self.add)(lit.to_ipasir());
        }
        (self.add)(0);
        Ok(())
    }

    /// A constraint has at most what a `Cnf` may have: what is beyond would take hours.
    fn reserve(&mut self, size: &Size) -> Result<(), CapacityError> {
        let limit = Cnf::DEFAULT_LIMIT;
        let needed = Size { vars: size.vars.saturating_add(self.next.into()), ..*size };
        if needed.fits(&limit) { Ok(()) } else { Err(CapacityError::new(needed, limit)) }
    }

    fn new_lit(&mut self) -> Lit {
        self.next += 1;
        Lit::positive(self.next - 1)
    }

    fn next_var(&self) -> Var {
        Var::new(self.next)
    }
}

/// A bound to encode: on a number of literals, or on a sum of weights.
pub(crate) enum Asked<'a> {
    Count(Relation),
    Sum(&'a [i64], i64),
}

/// Encodes a bound on literals by an encoding of that name; `next` is the first free variable, from 1 on, before and
/// after.
pub(crate) fn encode(
    add: &mut dyn FnMut(i32),
    next: &mut i32,
    lits: &[i32],
    asked: &Asked<'_>,
    name: Option<&str>,
) -> Result<(), CError> {
    let first = u32::try_from(*next).ok().filter(|&first| first > 0);
    let first = first.ok_or_else(|| CError::argument(format!("next_var is {next}; allowed: 1 and more")))?;
    let lits = known_lits(lits)?;
    if let Some(high) = lits.iter().find(|lit| lit.vidx32() + 1 >= first) {
        let text = format!("variable {} is at or above next_var, {first}", high.vidx32() + 1);
        return Err(CError::argument(text));
    }
    let name = name.unwrap_or("auto");
    let unknown = |allowed: String| CError::argument(format!("`{name}` is no encoding here; allowed: {allowed}"));
    let mut sink = Handing::new(add, first - 1);
    match *asked {
        Asked::Sum(weights, bound) => {
            let enc: PbEncoding = name.parse().map_err(|_| unknown(listed(PbEncoding::ALL)))?;
            let terms: Vec<(Lit, i64)> = lits.iter().copied().zip(weights.iter().copied()).collect();
            sink.pb_at_most(&terms, bound, enc)
        }
        Asked::Count(relation) => match (name.parse::<CardEncoding>(), name.parse::<AmoEncoding>(), relation) {
            (Ok(enc), ..) => sink.cardinality(&lits, relation, enc),
            (_, Ok(enc), Relation::AtMost(1)) => sink.at_most_one(&lits, enc),
            (_, Ok(enc), Relation::Exactly(1)) => sink.exactly_one(&lits, enc),
            _ => return Err(unknown(listed(CardEncoding::ALL))),
        },
    }?;
    *next = i32::try_from(sink.next() + 1)
        .map_err(|_| CError::new(ErrorStatus::Capacity, "more variables than 2^31 - 1".to_owned()))?;
    Ok(())
}

fn listed(names: &[impl ToString]) -> String {
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
