//! [`ModuloTotalizer`] and [`KModuloTotalizer`]: totalizers of numbers with two digits. Both share one tree; the second
//! is cut to the bound.

use rustsat::types::Lit;

use super::tree::{NodeOutputs, down, down_size, splits, up, up_size};
use crate::encode::ByRelation;
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// A totalizer that counts in two digits: multiples of a modulus p in unary, and the remainder in unary.
///
/// A node over m literals has min(m, p − 1) remainders, ⌊m/p⌋ multiples and, from p remainders on, a carry.
///
/// | | |
/// |---|---|
/// | auxiliaries | O(n·log n), about n·log p + 2n/p·(p + log(n/p)) |
/// | clauses | O(n·√n) with p = √n, whatever k is |
/// | enforcing clauses | 2 for a bound, 4 for exactly k |
/// | auxiliaries are forced | true by at most k, false by at least k, both by exactly k |
/// | strength | not arc consistent; a wrong complete assignment is noticed for certain with [`full`](Self::full) only |
///
/// It is far smaller than a [`Totalizer`](crate::Totalizer) for large k, and far weaker. [`KModuloTotalizer`] is
/// smaller still.
///
/// Source: T. Ogawa, Y. Liu, R. Hasegawa, M. Koshimura, H. Fujita, *Modulo based CNF encoding of cardinality
/// constraints and its application to `MaxSAT` solvers*, ICTAI 2013, pages 9–17.
///
/// ```
/// use cnfkit::{AtMostK, ModuloTotalizer, Totalizer};
/// let (n, k) = (1000, 500);
/// assert!(ModuloTotalizer::default().amk_size(n, k).clauses < Totalizer::default().amk_size(n, k).clauses / 3);
/// ```
#[doc(alias = "mtotalizer")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ModuloTotalizer {
    /// The modulus, at least 2; ⌈√n⌉ when `None`.
    pub modulus: Option<usize>,
    /// Defines every digit and carry in both directions: exactly one model per model of the inputs.
    pub full: bool,
}

crate::encode::options!(ModuloTotalizer { modulus: Option<usize> = None, full: bool = false });

/// A [`ModuloTotalizer`] cut to the bound: multiples are counted up to the first that exceeds k, and that one, which
/// must not happen, is one variable that all nodes share.
///
/// With a modulus above k it is the plain totalizer. Otherwise it is as weak as [`ModuloTotalizer`], with the same
/// number of enforcing clauses. A bound above n/2 is encoded on the false literals.
///
/// Source: A. Morgado, A. Ignatiev, J. Marques-Silva, *MSCG: robust core-guided `MaxSAT` solving*, JSAT 9, 2014, pages
/// 129–134.
///
/// ```
/// use cnfkit::{AtMostK, KModuloTotalizer, ModuloTotalizer};
/// let (n, k) = (1000, 10);
/// assert!(KModuloTotalizer::default().amk_size(n, k).clauses < ModuloTotalizer::default().amk_size(n, k).clauses);
/// ```
#[doc(alias = "kmtotalizer")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct KModuloTotalizer {
    /// The modulus, at least 2; the best of 2, 3, 4, 6, 8, 12, … up to 2√k when `None`.
    pub modulus: Option<usize>,
    /// Defines every digit and carry in both directions: exactly one model per model of the inputs, but under a
    /// condition that is false.
    pub full: bool,
}

crate::encode::options!(KModuloTotalizer { modulus: Option<usize> = None, full: bool = false });

/// The digits of every node, and the bound that the root's are compared with.
#[derive(Clone, Copy)]
struct ModuloPlan {
    /// The modulus.
    p: usize,
    relation: Relation,
    /// Digits are defined in both directions, not only in the one that the relation needs.
    full: bool,
    /// The highest multiple that is counted, if not all are; where none may be true, it is a single variable that all
    /// nodes share.
    cap: Option<usize>,
}

/// The numbers of outputs that a node has.
#[derive(Clone, Copy)]
struct ModuloShape {
    remainders: usize,
    multiples: usize,
}

/// A tree under construction.
struct ModuloBuilder<'a, 'w> {
    plan: ModuloPlan,
    to: &'a mut Writer<'w>,
    /// The digits, remainders first, of finished nodes whose parent is not finished.
    stack: Vec<Lit>,
    /// The variable behind [`ModuloPlan::cap`], where all nodes share it.
    over: Option<Lit>,
}

#[inline]
fn whole(lits: &[Lit]) -> NodeOutputs<'_> {
    NodeOutputs { n: lits.len(), first: 1, lits }
}

impl ModuloPlan {
    /// Counts all multiples.
    fn unbounded(modulus: usize, relation: Relation, full: bool) -> Self {
        Self { p: modulus.max(2), relation, full, cap: None }
    }

    /// Counts multiples up to the first that exceeds the bound.
    fn bounded(self) -> Self {
        let (q, r) = self.bound();
        Self { cap: Some(q + usize::from(self.relation.forbids_more() || r > 0)), ..self }
    }

    /// The digits of k: multiples and remainder.
    #[inline]
    fn bound(self) -> (usize, usize) {
        (self.relation.bound() / self.p, self.relation.bound() % self.p)
    }

    /// Digits are true where they should be.
    #[inline]
    fn up(self) -> bool {
        self.relation.forbids_more() || self.full
    }

    /// Digits are false where they should be.
    #[inline]
    fn down(self) -> bool {
        self.relation.forbids_fewer() || self.full
    }

    #[inline]
    fn shape(self, m: usize) -> ModuloShape {
        let multiples = m / self.p;
        ModuloShape { remainders: m.min(self.p - 1), multiples: self.cap.map_or(multiples, |cap| multiples.min(cap)) }
    }

    #[inline]
    fn carries(self, a: ModuloShape, b: ModuloShape) -> bool {
        a.remainders + b.remainders >= self.p
    }

    /// True if the highest of these multiples is the shared variable.
    #[inline]
    fn overflows(self, multiples: usize) -> bool {
        self.relation.forbids_more() && self.cap == Some(multiples)
    }

    /// True if all multiples of both sides leave no room for a carry, which is free to be true where none is due.
    #[inline]
    fn filled(self, a: usize, b: usize, sums: usize) -> bool {
        a + b == sums && self.cap.is_none_or(|cap| sums < cap)
    }

    fn encode(self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        let root = self.shape(lits.len());
        let over = self.overflows(root.multiples).then(|| to.lit());
        let mut builder = ModuloBuilder { plan: self, to, stack: Vec::new(), over };
        builder.node(lits)?;
        let ModuloBuilder { to, stack, .. } = builder;
        let (remainders, multiples) = stack.split_at(root.remainders);
        self.compare(to, remainders, multiples)
    }

    /// Compares the root's digits with those of k. Multiple number 0 is true.
    fn compare(self, to: &mut Writer<'_>, remainders: &[Lit], multiples: &[Lit]) -> Result<(), Full> {
        let (q, r) = self.bound();
        let (equal, more) = (q.checked_sub(1).map(|last| multiples[last]), multiples.get(q).copied());
        if self.relation.forbids_more() {
            if let Some(more) = more {
                to.clause(&[!more])?;
            }
            if let Some(&remainder) = remainders.get(r) {
                match equal {
                    Some(equal) => to.clause(&[!equal, !remainder])?,
                    None => to.clause(&[!remainder])?,
                }
            }
        }
        if self.relation.forbids_fewer() {
            if let Some(equal) = equal {
                to.clause(&[equal])?;
            }
            if let Some(last) = r.checked_sub(1) {
                match more.filter(|_| !self.relation.forbids_more()) {
                    Some(more) => to.clause(&[more, remainders[last]])?,
                    None => to.clause(&[remainders[last]])?,
                }
            }
        }
        Ok(())
    }

    fn size(self, n: usize) -> Size {
        let (q, r) = self.bound();
        let root = self.shape(n);
        let (equal, more) = (q > 0, root.multiples > q);
        let mut size = Size::variables(u64::from(self.overflows(root.multiples)));
        if self.relation.forbids_more() {
            size += Size::clauses(u64::from(more), 1);
            size += Size::clauses(u64::from(r < root.remainders), 1 + usize::from(equal));
        }
        if self.relation.forbids_fewer() {
            size += Size::clauses(u64::from(equal), 1);
            size += Size::clauses(u64::from(r > 0), 1 + usize::from(more && !self.relation.forbids_more()));
        }
        let (mut m, mut small, mut large) = (n, 1_u64, 0_u64);
        while m > 0 {
            size += self.node_size(m) * small + self.node_size(m + 1) * large;
            (small, large) = if m % 2 == 0 { (2 * small + large, large) } else { (small, small + 2 * large) };
            m /= 2;
        }
        size
    }

    /// Sends that remainders i and j make remainder i + j, and never p.
    fn add_without_carry(self, to: &mut Writer<'_>, (a, b): (&[Lit], &[Lit]), own: &[Lit]) -> Result<(), Full> {
        for (j, &head) in (1..).zip(own) {
            if self.up() {
                up(to, whole(a), whole(b), j, head, true)?;
            }
            if self.down() {
                down(to, whole(a), whole(b), j, head)?;
            }
        }
        Ok(())
    }

    /// Sends that remainders i and j make remainder i + j or the carry, and from p on the carry and remainder i + j −
    /// p.
    fn add_up(self, to: &mut Writer<'_>, (a, b): (&[Lit], &[Lit]), carry: Lit, own: &[Lit]) -> Result<(), Full> {
        for (&b, &sum) in b.iter().zip(own) {
            to.define(&[!b, sum, carry])?;
        }
        for (i, &a) in (1..).zip(a) {
            to.define(&[!a, own[i - 1], carry])?;
            let (below, carried) = b.split_at(b.len().min(self.p - 1 - i));
            for (&b, &sum) in below.iter().zip(&own[i..]) {
                to.define(&[!a, !b, sum, carry])?;
            }
            let Some((&b, above)) = carried.split_first() else { continue };
            to.define(&[!a, !b, carry])?;
            for (&b, &sum) in above.iter().zip(own) {
                to.define(&[!a, !b, sum])?;
            }
        }
        Ok(())
    }

    /// Sends that multiples i and j make multiple i + j, and with the carry one more.
    fn multiply_up(self, to: &mut Writer<'_>, (a, b): (&[Lit], &[Lit]), carry: Lit, sums: &[Lit]) -> Result<(), Full> {
        if self.filled(a.len(), b.len(), sums.len()) {
            match (a.last(), b.last()) {
                (Some(&a), Some(&b)) => to.define(&[!a, !b, !carry])?,
                (Some(&one), None) | (None, Some(&one)) => to.define(&[!one, !carry])?,
                (None, None) => to.define(&[!carry])?,
            }
        }
        for (t, &head) in (1..).zip(sums) {
            if t <= a.len() + b.len() {
                up(to, whole(a), whole(b), t, head, !self.overflows(t))?;
            }
            let Some(last) = usize::checked_sub(t, 2) else {
                to.define(&[!carry, head])?;
                continue;
            };
            if let Some(&b) = b.get(last) {
                to.define(&[!b, !carry, head])?;
            }
            for (&a, &b) in pairs(a, b, last) {
                to.define(&[!a, !b, !carry, head])?;
            }
            if let Some(&a) = a.get(last) {
                to.define(&[!a, !carry, head])?;
            }
        }
        Ok(())
    }

    /// Sends that the carry needs remainders that add up to p, and that remainder s needs s, or p + s beside the carry.
    fn add_down(self, to: &mut Writer<'_>, (a, b): (&[Lit], &[Lit]), carry: Lit, own: &[Lit]) -> Result<(), Full> {
        down(to, whole(a), whole(b), self.p, carry)?;
        for (s, &head) in (1..).zip(own) {
            down(to, whole(a), whole(b), s, head)?;
            if self.p + s > a.len() + b.len() {
                to.define(&[!head, !carry])?;
                continue;
            }
            let both = self.p + s - 1;
            let (alone, others) = (a[both - b.len()], &a[both + 1 - b.len()..]);
            to.define(&[alone, !head, !carry])?;
            for (&a, &b) in others.iter().zip(b.iter().rev()) {
                to.define(&[a, b, !head, !carry])?;
            }
            to.define(&[b[both - a.len()], !head, !carry])?;
        }
        Ok(())
    }

    fn node_size(self, m: usize) -> Size {
        if m < 2 {
            return Size::ZERO;
        }
        let (a, b, own) = (self.shape(m / 2), self.shape(m - m / 2), self.shape(m));
        let digits = own.remainders + own.multiples - usize::from(self.overflows(own.multiples));
        let carries = self.carries(a, b);
        let all = (1, own.remainders);
        let mut size = Size::variables((digits + usize::from(carries)) as u64);
        if self.up() {
            let plain = || up_size(a.remainders, b.remainders, all);
            size += if carries { self.carrying_up_size(a, b, own) } else { plain() };
        }
        if self.down() {
            let plain = || down_size(a.remainders, b.remainders, all);
            size += if carries { self.carrying_down_size(a, b, own) } else { plain() };
        }
        size
    }

    /// The size of [`add_up`](Self::add_up) and [`multiply_up`](Self::multiply_up).
    fn carrying_up_size(self, a: ModuloShape, b: ModuloShape, own: ModuloShape) -> Size {
        let (ra, rb) = (a.remainders as u64, b.remainders as u64);
        let clauses = (ra + 1) * (rb + 1) - 1;
        let with_both = splits(a.remainders, b.remainders, self.p - 1) - 1;
        let mut size = Size { vars: 0, clauses, lits: ra * (rb + 1) + rb * (ra + 1) + clauses + with_both };

        let (ha, hb, h) = (a.multiples, b.multiples, own.multiples);
        let (plain, carried) = (h.min(ha + hb), (h - 1).min(ha + hb));
        if plain > 0 {
            size += up_size(ha, hb, (1, plain));
        }
        let alone = if self.overflows(h) { [ha, hb].into_iter().filter(|&side| side >= h).count() as u64 } else { 0 };
        size.clauses -= alone;
        size.lits -= 2 * alone;
        if self.filled(ha, hb, h) {
            size += Size::clause(1 + usize::from(ha > 0) + usize::from(hb > 0));
        }
        let clauses = splits(ha, hb, carried);
        let without = (ha.min(carried) + hb.min(carried) + 2) as u64;
        size + Size { vars: 0, clauses, lits: 4 * clauses - without }
    }

    /// The size of [`add_down`](Self::add_down) and [`multiply_down`].
    fn carrying_down_size(self, a: ModuloShape, b: ModuloShape, own: ModuloShape) -> Size {
        let (ra, rb) = (a.remainders, b.remainders);
        let mut size = down_size(ra, rb, (1, own.remainders)) + down_size(ra, rb, (self.p, self.p));
        let many = (ra + rb - self.p + 1) as u64;
        let few = self.p as u64 - 1 - many;
        let clauses = many * (many + 1) / 2;
        size += Size { vars: 0, clauses: clauses + few, lits: 4 * clauses - 2 * many + 2 * few };

        let (ha, hb) = (a.multiples, b.multiples);
        let defined = own.multiples - usize::from(self.overflows(own.multiples));
        let Some(less) = defined.checked_sub(1) else { return size };
        let clauses = splits(ha, hb, less);
        let without = (less + 1).saturating_sub(ha) + (less + 1).saturating_sub(hb);
        size += Size { vars: 0, clauses, lits: 4 * clauses - without as u64 };
        if less > 0 {
            let clauses = splits(ha, hb, less - 1);
            let without = less.saturating_sub(ha) + less.saturating_sub(hb);
            size += Size { vars: 0, clauses, lits: 3 * clauses - without as u64 };
        }
        size
    }
}

impl ModuloBuilder<'_, '_> {
    /// Pushes the digits of the node over `lits`.
    fn node(&mut self, lits: &[Lit]) -> Result<(), Full> {
        if let &[lit] = lits {
            self.stack.push(lit);
            return Ok(());
        }
        let m = lits.len();
        let (left, right) = lits.split_at(m / 2);
        let start = self.stack.len();
        self.node(left)?;
        let middle = self.stack.len();
        self.node(right)?;
        let end = self.stack.len();

        let Self { plan, ref mut to, ref mut stack, over } = *self;
        let to = &mut **to;
        let (left, right, own) = (plan.shape(left.len()), plan.shape(right.len()), plan.shape(m));
        let carry = plan.carries(left, right).then(|| to.lit());
        let over = over.filter(|_| plan.overflows(own.multiples));
        let defined = own.multiples - usize::from(over.is_some());
        stack.extend((0..own.remainders + defined).map(|_| to.lit()));
        stack.extend(over);

        let (children, digits) = stack[start..].split_at(end - start);
        let (first, second) = children.split_at(middle - start);
        let ((a, high), (b, low)) = (first.split_at(left.remainders), second.split_at(right.remainders));
        let (own, sums) = digits.split_at(own.remainders);
        match carry {
            None => plan.add_without_carry(to, (a, b), own)?,
            Some(carry) => {
                if plan.up() {
                    plan.add_up(to, (a, b), carry, own)?;
                    plan.multiply_up(to, (high, low), carry, sums)?;
                }
                if plan.down() {
                    plan.add_down(to, (a, b), carry, own)?;
                    multiply_down(to, (high, low), carry, &sums[..defined])?;
                }
            }
        }
        stack.drain(start..end);
        Ok(())
    }
}

/// The elements of `a` and `b` whose positions, from 0, add up to `sum` − 1.
#[inline]
fn pairs<'a>(a: &'a [Lit], b: &'a [Lit], sum: usize) -> impl Iterator<Item = (&'a Lit, &'a Lit)> {
    let a = a.get(sum.saturating_sub(b.len())..).unwrap_or_default();
    a.iter().zip(b[..b.len().min(sum)].iter().rev())
}

/// Sends that multiple t needs t on both sides together, or t − 1 and the carry.
fn multiply_down(to: &mut Writer<'_>, (a, b): (&[Lit], &[Lit]), carry: Lit, sums: &[Lit]) -> Result<(), Full> {
    for (t, &head) in (1..).zip(sums) {
        if t - 1 == a.len() + b.len() {
            to.define(&[!head, carry])?;
        }
        few(to, a, b, t - 1, head, Some(carry))?;
        if let Some(sum) = usize::checked_sub(t, 2) {
            few(to, a, b, sum, head, None)?;
        }
    }
    Ok(())
}

/// No more than `sum` on both sides together, of more that are there, and no carry, if one counts, make `head` false.
fn few(to: &mut Writer<'_>, a: &[Lit], b: &[Lit], sum: usize, head: Lit, carry: Option<Lit>) -> Result<(), Full> {
    let alone = |to: &mut Writer<'_>, one| match carry {
        Some(carry) => to.define(&[one, !head, carry]),
        None => to.define(&[one, !head]),
    };
    if let Some(&one) = sum.checked_sub(b.len()).and_then(|i| a.get(i)) {
        alone(to, one)?;
    }
    for (&a, &b) in pairs(a, b, sum + 1) {
        match carry {
            Some(carry) => to.define(&[a, b, !head, carry])?,
            None => to.define(&[a, b, !head])?,
        }
    }
    if let Some(&one) = sum.checked_sub(a.len()).and_then(|j| b.get(j)) {
        alone(to, one)?;
    }
    Ok(())
}

impl ModuloTotalizer {
    fn plan(self, n: usize, relation: Relation) -> ModuloPlan {
        let modulus = self.modulus.unwrap_or_else(|| (n - 1).isqrt() + 1);
        ModuloPlan::unbounded(modulus, relation, self.full)
    }
}

impl ByRelation for ModuloTotalizer {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        self.plan(lits.len(), relation).encode(to, lits)
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        self.plan(n, relation).size(n)
    }

    fn one_model(&self) -> bool {
        self.full
    }

    crate::encode::named!("modulo");
}

impl KModuloTotalizer {
    fn plan(self, n: usize, relation: Relation) -> ModuloPlan {
        let plan = |p| ModuloPlan::unbounded(p, relation, self.full).bounded();
        if let Some(p) = self.modulus {
            return plan(p);
        }
        let end = 2 * relation.bound().isqrt() + 2;
        let moduli = (1..usize::BITS - 1).flat_map(|log| [1 << log, 3 << (log - 1)]).take_while(|&p| p <= end);
        let best = moduli.map(plan).min_by_key(|plan| plan.size(n).cost());
        best.unwrap_or_else(|| plan(2))
    }
}

impl ByRelation for KModuloTotalizer {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        let n = lits.len();
        if relation.bound() <= n / 2 {
            return self.plan(n, relation).encode(to, lits);
        }
        let lits: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        self.plan(n, relation.mirrored(n)).encode(to, &lits)
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        let relation = if relation.bound() > n / 2 { relation.mirrored(n) } else { relation };
        self.plan(n, relation).size(n)
    }

    crate::encode::named!("k-modulo");
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::tests::{check_one_model_each, check_sizes_and_large};
    use crate::testing::{card_suite, check_sizes, guarded, relations};

    const PLAIN: ModuloTotalizer = ModuloTotalizer { modulus: None, full: false };
    const FULL: ModuloTotalizer = ModuloTotalizer { modulus: Some(2), full: true };
    const K_PLAIN: KModuloTotalizer = KModuloTotalizer { modulus: None, full: false };
    const K_FULL: KModuloTotalizer = KModuloTotalizer { modulus: None, full: true };
    const K_THREE: KModuloTotalizer = KModuloTotalizer { modulus: Some(3), full: false };
    const K_LARGE: KModuloTotalizer = KModuloTotalizer { modulus: Some(50), full: false };

    card_suite!(modulo: PLAIN, Weak);
    card_suite!(modulo_two_full: FULL, Checks);
    card_suite!(k_modulo: K_PLAIN, Weak);
    card_suite!(k_modulo_full: K_FULL, Checks);
    card_suite!(k_modulo_three: K_THREE, Weak);
    card_suite!(k_modulo_large: K_LARGE, Gac);

    #[test]
    fn sizes_up_to_64_and_large() {
        for modulus in [None, Some(2), Some(3), Some(8), Some(40), Some(2_000)] {
            for full in [false, true] {
                check_sizes(&ModuloTotalizer { modulus, full });
                check_sizes(&KModuloTotalizer { modulus, full });
            }
        }
        check_sizes_and_large(&K_PLAIN);
        check_sizes_and_large(&K_FULL);
    }

    #[test]
    fn full_has_one_model_per_model_of_the_inputs() {
        check_one_model_each(&FULL);
        check_one_model_each(&K_FULL);
        check_one_model_each(&KModuloTotalizer { modulus: Some(3), full: true });
    }

    #[test]
    fn a_condition_touches_two_clauses_a_bound() {
        for (n, k) in [(9, 3), (20, 6), (30, 11), (30, 25)] {
            for counts in [
                relations(k).map(|relation| guarded(&PLAIN, relation, n)),
                relations(k).map(|relation| guarded(&K_PLAIN, relation, n)),
            ] {
                assert!(counts.into_iter().zip([2, 2, 4]).all(|(count, most)| count <= most), "{counts:?}");
            }
        }
    }
}
