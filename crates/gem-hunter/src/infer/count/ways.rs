//! Numbers of ways: as floating-point numbers, as whole numbers up to a limit, or just *some or none*.

/// A type that counts ways: sums and products without subtraction, so that rounding errors never grow beyond a few
/// units in the last place for each operation.
pub(crate) trait Ways: Copy + PartialEq {
    const ZERO: Self;
    const ONE: Self;
    /// C(n, k).
    fn choose(n: u32, k: u32) -> Self;
    /// Adds `a` · `b`.
    fn add_product(&mut self, a: Self, b: Self);
    /// The bits that tell it apart from other values.
    fn bits(self) -> u128;
    /// Divides all by a common factor if one is near the end of its range, and gives the logarithm of that factor. What
    /// is not zero stays so. By default there is no such end.
    fn keep_in_range(_all: &mut [Self]) -> f64 {
        0.0
    }
}

/// Exact up to the largest `u128`, which stands for itself and everything above.
impl Ways for u128 {
    const ZERO: Self = 0;
    const ONE: Self = 1;

    fn bits(self) -> u128 {
        self
    }

    fn choose(n: u32, k: u32) -> Self {
        let mut ways: Self = 1;
        for at in 0..k.min(n - k) {
            match ways.checked_mul((n - at).into()) {
                Some(product) => ways = product / Self::from(at + 1),
                None => return Self::MAX, // the true value is above 2¹²⁸ / n: a limit of 2⁶⁴ is passed in any case
            }
        }
        ways
    }

    #[inline]
    fn add_product(&mut self, a: Self, b: Self) {
        *self = self.saturating_add(a.saturating_mul(b));
    }
}

/// Some way, or none.
impl Ways for bool {
    const ZERO: Self = false;
    const ONE: Self = true;

    fn bits(self) -> u128 {
        self.into()
    }

    #[inline]
    fn choose(_: u32, _: u32) -> Self {
        true
    }

    #[inline]
    fn add_product(&mut self, a: Self, b: Self) {
        *self |= a & b;
    }
}
