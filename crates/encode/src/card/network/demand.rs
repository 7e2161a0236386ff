//! The outputs of a sorted sequence that are needed: a [`Span`] of them in each direction, together a [`Demand`].

/// Indices of outputs, counted from 1, without gaps; empty when `lo > hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Span {
    pub(super) lo: u32,
    pub(super) hi: u32,
}

impl Span {
    pub(super) const EMPTY: Self = Self { lo: 1, hi: 0 };

    /// From `lo` to `hi`; every empty span is [`EMPTY`](Self::EMPTY), so that equal spans compare equal.
    pub(super) const fn new(lo: u32, hi: u32) -> Self {
        if lo > hi { Self::EMPTY } else { Self { lo, hi } }
    }

    pub(super) const fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    pub(super) const fn contains(self, index: u32) -> bool {
        self.lo <= index && index <= self.hi
    }

    pub(super) const fn len(self) -> u32 {
        if self.is_empty() { 0 } else { self.hi - self.lo + 1 }
    }

    /// The smallest span that contains both.
    pub(super) fn hull(self, other: Self) -> Self {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => other,
            (_, true) => self,
            _ => Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) },
        }
    }

    /// The part from `lo` to `hi`.
    pub(super) fn cut(self, lo: u32, hi: u32) -> Self {
        Self::new(self.lo.max(lo), self.hi.min(hi))
    }

    /// The number of indices with the parity of `index`.
    pub(super) const fn alike(self, index: u32) -> u32 {
        if self.is_empty() { 0 } else { (self.hi - self.lo + 2 - (self.lo + index) % 2) / 2 }
    }

    /// Every index less `shift`, which is below the lowest.
    pub(super) const fn down_by(self, shift: u32) -> Self {
        if self.is_empty() { self } else { Self { lo: self.lo - shift, hi: self.hi - shift } }
    }

    /// The cone of these outputs in a part of `inner` inputs beside `outer` others.
    fn cone(self, inner: u32, outer: u32) -> Self {
        if self.is_empty() { self } else { Self::new(self.lo.saturating_sub(outer).max(1), self.hi.min(inner)) }
    }
}

/// The outputs that are needed, by direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Demand {
    /// Output l in here must become true when l inputs are true.
    pub(super) up: Span,
    /// Output l in here must become false when no l inputs can be true any more.
    pub(super) down: Span,
}

impl Demand {
    pub(super) const NONE: Self = Self { up: Span::EMPTY, down: Span::EMPTY };

    /// Every output that gets a wire: from the lowest to the highest that is needed in either direction.
    pub(super) fn hull(self) -> Span {
        self.up.hull(self.down)
    }

    /// The outputs of a part of `inner` inputs on which these outputs depend when `outer` other inputs stand beside it.
    ///
    /// Output l of all is true when l₁ of the part and l₂ = l − l₁ of the others are; l₂ is at most `outer`.
    pub(super) fn cone(self, inner: u32, outer: u32) -> Self {
        Self { up: self.up.cone(inner, outer), down: self.down.cone(inner, outer) }
    }

    /// Both directions widened to the hull, where there are two: an odd-even merge may use an output in a direction in
    /// which a direct merge would not.
    pub(super) fn levelled(self) -> Self {
        if self.up.is_empty() || self.down.is_empty() { self } else { self.filled() }
    }

    /// Both directions widened to the hull, also where one of them was empty.
    pub(super) fn filled(self) -> Self {
        Self { up: self.hull(), down: self.hull() }
    }

    pub(super) fn down_by(self, shift: u32) -> Self {
        Self { up: self.up.down_by(shift), down: self.down.down_by(shift) }
    }
}
