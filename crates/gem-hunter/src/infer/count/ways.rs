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

/// Above this, all are divided by it. Its square is still a number.
const LARGE: f64 = 1e100;

impl Ways for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    #[inline]
    fn choose(n: u32, k: u32) -> Self {
        const TABLE: [[f64; 9]; 9] = table();
        if n < 9 {
            return TABLE[n as usize][k as usize];
        }
        (0..k.min(n - k)).fold(1.0, |ways, at| ways * f64::from(n - at) / f64::from(at + 1))
    }

    #[inline]
    fn add_product(&mut self, a: Self, b: Self) {
        *self += a * b;
    }

    fn bits(self) -> u128 {
        self.to_bits().into()
    }

    fn keep_in_range(all: &mut [Self]) -> f64 {
        if all.iter().all(|&ways| ways < LARGE) {
            return 0.0;
        }
        for ways in all.iter_mut().filter(|ways| **ways > 0.0) {
            *ways = (*ways / LARGE).max(Self::MIN_POSITIVE);
        }
        LARGE.ln()
    }
}

const fn table() -> [[f64; 9]; 9] {
    let mut table = [[0.0; 9]; 9];
    let mut n = 0;
    while n < 9 {
        table[n][0] = 1.0;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
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
