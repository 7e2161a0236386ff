//! Sets of places that are joined, each place on one of two sides: union-find with parity.
//!
//! # Invariant
//!
//! Whatever the order of calls, two places in the same set are on the same side if and only if an even number of
//! [`set_apart`](Sides::set_apart)s leads from one to the other, counted along the calls that joined two sets.

pub(super) struct Sides {
    /// The parent of each place, and whether they are on different sides.
    parents: Vec<(u32, bool)>,
    sizes: Vec<u32>,
}

impl Sides {
    pub(super) fn new(n: usize) -> Self {
        Self { parents: (0..n as u32).map(|place| (place, false)).collect(), sizes: vec![1; n] }
    }

    /// The number of places in the set with this root.
    pub(super) fn size(&self, root: u32) -> u32 {
        self.sizes[root as usize]
    }

    /// The root of a place's set, and its side there.
    pub(super) fn find(&mut self, place: u32) -> (u32, bool) {
        let (mut root, mut side) = (place, false);
        while self.parents[root as usize].0 != root {
            let (parent, differs) = self.parents[root as usize];
            (root, side) = (parent, side != differs);
        }
        // All on the way point to the root from now on.
        let (mut at, mut left) = (place, side);
        while self.parents[at as usize].0 != at {
            let (parent, differs) = std::mem::replace(&mut self.parents[at as usize], (root, left));
            (at, left) = (parent, left != differs);
        }
        (root, side)
    }

    /// Joins two places, whatever their sides.
    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (one, other) = (self.find(a), self.find(b));
        if one.0 != other.0 {
            self.link(one.0, other.0, false);
        }
    }

    /// Joins two places on different sides; false if they are on the same.
    pub(super) fn set_apart(&mut self, a: u32, b: u32) -> bool {
        let (one, other) = (self.find(a), self.find(b));
        if one.0 == other.0 {
            return one.1 != other.1;
        }
        self.link(one.0, other.0, one.1 == other.1);
        true
    }

    fn link(&mut self, a: u32, b: u32, differs: bool) {
        let (small, large) = if self.sizes[a as usize] <= self.sizes[b as usize] { (a, b) } else { (b, a) };
        self.parents[small as usize] = (large, differs);
        self.sizes[large as usize] += self.sizes[small as usize];
    }
}
