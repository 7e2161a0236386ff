//! Wires, the elements of sorted sequences while clauses are made: a literal, or a conjunction of literals.
//!
//! A conjunction stands where a variable would be defined only to say that two things are both true. In clauses it
//! stands on the side of the premises alone, where *a and b imply c* is one clause, ¬a ∨ ¬b ∨ c; a sequence with
//! conjunctions is *wide*. Conjunctions of conjunctions are longer conjunctions.

use rustsat::types::Lit;

/// A literal, or the conjunction of a literal and others among [`Conjunctions`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Wire {
    pub(super) lit: Lit,
    tail: u32,
    tail_len: u32,
}

impl From<Lit> for Wire {
    fn from(lit: Lit) -> Self {
        Self { lit, tail: 0, tail_len: 0 }
    }
}

impl Wire {
    pub(super) const fn is_single(self) -> bool {
        self.tail_len == 0
    }

    /// The literal, if it is one.
    #[inline]
    pub(super) fn single(self) -> Option<Lit> {
        self.is_single().then_some(self.lit)
    }
}

/// All but the first literals of conjunctions.
#[derive(Clone, Debug, Default)]
pub(super) struct Conjunctions(Vec<Lit>);

impl Conjunctions {
    pub(super) fn tail(&self, wire: Wire) -> &[Lit] {
        &self.0[wire.tail as usize..][..wire.tail_len as usize]
    }

    /// A wire that is the conjunction of two.
    pub(super) fn conjoin(&mut self, first: Wire, second: Wire) -> Wire {
        let tail = self.0.len() as u32;
        self.0.extend_from_within(first.tail as usize..(first.tail + first.tail_len) as usize);
        self.0.push(second.lit);
        self.0.extend_from_within(second.tail as usize..(second.tail + second.tail_len) as usize);
        Wire { lit: first.lit, tail, tail_len: first.tail_len + second.tail_len + 1 }
    }

    /// A wire from elsewhere, its literals replaced.
    pub(super) fn take(&mut self, wire: Wire, from: &Self, to: impl Fn(Lit) -> Lit) -> Wire {
        let tail = self.0.len() as u32;
        self.0.extend(from.tail(wire).iter().map(|&lit| to(lit)));
        Wire { lit: to(wire.lit), tail, ..wire }
    }

    /// Adds to a clause what says that the wire is false.
    #[inline]
    pub(super) fn negate(&self, wire: Wire, clause: &mut Vec<Lit>) {
        clause.push(!wire.lit);
        if !wire.is_single() {
            clause.extend(self.tail(wire).iter().map(|&lit| !lit));
        }
    }
}
