//! Every way from constraints to clauses.

use std::fmt;

use cnfkit::{
    AmoEncoding, CapacityError, CardEncoding, Cnf, Constrain, Formula, IncAtMostOne, IncExactlyOne, Order, PbEncoding,
    Relation, Size,
};

use super::problem::{Constraint, Problem, Random};

/// A way to encode a problem.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// Every constraint by one encoding.
    Card(CardEncoding),
    /// At most one and exactly one by one encoding, the others by the default.
    Amo(AmoEncoding),
    /// Every constraint as a sum of weights, by one encoding.
    Pb(PbEncoding),
    /// A `Formula`, in one of its orders.
    Formula(Order),
    /// A `Formula`, written in a format and read back.
    Format(Format),
    /// At most one and exactly one in random steps.
    Growing,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Format {
    Knf,
    Opb,
    Dimacs,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Card(enc) => write!(f, "{enc}"),
            Self::Amo(enc) => write!(f, "one by {enc}"),
            Self::Pb(enc) => write!(f, "sum by {enc}"),
            Self::Formula(order) => write!(f, "formula, {order:?}"),
            Self::Format(format) => write!(f, "formula, by {format:?}"),
            Self::Growing => f.write_str("growing"),
        }
    }
}

/// All of them: a new encoding is here as soon as it is in `ALL`.
pub(crate) fn ways() -> Vec<Way> {
    let card = CardEncoding::ALL.iter().map(|&enc| Way::Card(enc));
    let amo = AmoEncoding::ALL.iter().map(|&enc| Way::Amo(enc));
    let orders = [Order::Given, Order::Variable, Order::Formula].map(Way::Formula);
    let formats = [Format::Knf, Format::Opb, Format::Dimacs].map(Way::Format);
    let pb = PbEncoding::ALL.iter().map(|&enc| Way::Pb(enc));
    card.chain(amo).chain(pb).chain(orders).chain(formats).chain([Way::Growing]).collect()
}

/// Larger formulas are left out: encodings without auxiliaries have far too many clauses in the middle.
const LIMIT: Size = Size { vars: 100_000, clauses: 3_000, lits: 100_000 };

impl Way {
    /// The clauses, the inputs first; `None` where they are too many.
    pub(crate) fn encode(self, problem: &Problem, random: &mut Random) -> Option<Cnf> {
        let mut cnf = Cnf::with_vars(problem.n).with_limit(LIMIT);
        match self {
            Self::Card(enc) => {
                problem.post_by(&mut cnf, |cnf, constraint| constraint.post(cnf, None::<&AmoEncoding>, &enc)).ok()?;
            }
            Self::Amo(enc) => {
                let post =
                    |cnf: &mut Cnf, constraint: &Constraint| constraint.post(cnf, Some(&enc), &CardEncoding::Auto);
                problem.post_by(&mut cnf, post).ok()?;
            }
            Self::Pb(enc) => problem.post_by(&mut cnf, |cnf, constraint| constraint.post_sum(cnf, &enc)).ok()?,
            Self::Formula(order) => {
                let mut formula = Formula::with_vars(problem.n).order(order);
                problem.post_by_default(&mut formula);
                return formula.encode().ok();
            }
            Self::Format(format) => return Some(format.encode(problem)),
            Self::Growing => problem.post_by(&mut cnf, |cnf, constraint| grow(cnf, constraint, random)).ok()?,
        }
        Some(cnf)
    }
}

impl Format {
    fn encode(self, problem: &Problem) -> Cnf {
        let mut formula = Formula::with_vars(problem.n);
        problem.post_by_default(&mut formula);
        let mut text = Vec::new();
        let read = match self {
            Self::Knf => formula.write_knf(&mut text).map(|()| Formula::read_knf(&text[..])).unwrap(),
            Self::Opb => formula.write_opb(&mut text).map(|()| Formula::read_opb(&text[..])).unwrap(),
            Self::Dimacs => {
                formula.encode().unwrap().write_dimacs(&mut text).unwrap();
                Formula::read_dimacs(&text[..])
            }
        };
        read.unwrap_or_else(|error| panic!("{self:?}: {error}, {problem:?}")).encode().unwrap()
    }
}

/// In steps of 0 to 4 literals; the rest by the default.
fn grow(cnf: &mut Cnf, constraint: &Constraint, random: &mut Random) -> Result<(), CapacityError> {
    if !constraint.is_one() {
        return constraint.post(cnf, Some(&AmoEncoding::Auto), &CardEncoding::Auto);
    }
    let mut sink = cnf.when(&constraint.cond);
    let mut left = &constraint.lits[..];
    let (mut most, mut exactly) = (IncAtMostOne::new(), IncExactlyOne::new());
    loop {
        let (step, rest) = left.split_at(random.below(5).min(left.len()));
        match constraint.relation {
            Relation::Exactly(_) => exactly.extend(&mut sink, step)?,
            _ => most.extend(&mut sink, step)?,
        }
        left = rest;
        if left.is_empty() {
            break;
        }
    }
    if matches!(constraint.relation, Relation::Exactly(_)) { exactly.close(&mut sink) } else { Ok(()) }
}
