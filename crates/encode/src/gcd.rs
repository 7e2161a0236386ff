//! The greatest common divisor, which sums of weights are divided by before anything else.

/// The greatest number that divides both, the other one where one is 0.
#[must_use]
pub const fn gcd(mut one: u128, mut other: u128) -> u128 {
    // Division of 128 bits takes ten times as long as that of 64.
    while other > u64::MAX as u128 {
        (one, other) = (other, one % other);
    }
    if other == 0 {
        return one;
    }
    gcd_narrow(other as u64, if one > u64::MAX as u128 { (one % other) as u64 } else { one as u64 }) as u128
}

/// That of numbers of 64 bits, without a division.
#[must_use]
pub const fn gcd_narrow(mut one: u64, mut other: u64) -> u64 {
    if one == 0 || other == 0 {
        return one | other;
    }
    let twos = (one | other).trailing_zeros();
    one >>= one.trailing_zeros();
    loop {
        other >>= other.trailing_zeros();
        if one > other {
            (one, other) = (other, one);
        }
        other -= one;
        if other == 0 {
            return one << twos;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_divides_both_and_nothing_greater_does() {
        for (one, other) in (0..40).flat_map(|one| (0..40).map(move |other| (one, other))) {
            let divides = |by: u128| one % by == 0 && other % by == 0;
            let greatest = (1..40).rev().find(|&by| divides(by)).filter(|_| one + other > 0).unwrap_or(0);
            assert_eq!(gcd(one, other), greatest, "{one} and {other}");
        }
        assert_eq!(gcd(u128::MAX, u128::MAX / 5 * 3), u128::MAX / 5);
    }
}
