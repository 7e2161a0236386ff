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

/// The primes that divide each number below 256, a bit each; all of 0.
const PRIMES: [u64; 256] = primes();

const fn primes() -> [u64; 256] {
    let mut dividing = [0; 256];
    dividing[0] = u64::MAX;
    let (mut number, mut prime) = (2, 0);
    while number < 256 {
        if dividing[number] == 0 {
            let mut multiple = number;
            while multiple < 256 {
                dividing[multiple] |= 1 << prime;
                multiple += number;
            }
            prime += 1;
        }
        number += 1;
    }
    dividing
}

/// True if it is clear at once that several numbers have no common divisor, whichever one of them is left out: those
/// below 256 are looked up.
#[must_use]
pub fn none_is_odd(numbers: &[u64]) -> bool {
    let (mut once, mut twice) = (0, 0);
    for &number in numbers {
        let Some(dividing) = usize::try_from(number).ok().and_then(|number| PRIMES.get(number)) else { return false };
        (once, twice) = (once | !dividing, twice | once & !dividing);
    }
    twice == u64::MAX
}

/// That of numbers of 64 bits, without a division.
#[must_use]
pub const fn gcd_narrow(mut one: u64, mut other: u64) -> u64 {
    if one < 256 && other < 256 && PRIMES[one as usize] & PRIMES[other as usize] == 0 {
        return 1;
    }
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
        assert_eq!(gcd_narrow(255, 256 * 85), 85);
    }

    #[test]
    fn no_number_is_odd_if_all_others_have_no_common_divisor_without_it() {
        let mut found = [0; 2];
        for numbers in
            (0..7_u64.pow(4)).map(|at| [3, 2, 1, 0].map(|place| [1, 2, 6, 9, 15, 254, 300][digit(at, place)]))
        {
            let without = |out: usize| (0..4).filter(|at| *at != out).fold(0, |all, at| gcd_narrow(all, numbers[at]));
            let is_clear = none_is_odd(&numbers);
            let expected = numbers.iter().all(|&number| number < 256) && (0..4).all(|out| without(out) == 1);
            assert_eq!(is_clear, expected, "{numbers:?}");
            found[usize::from(is_clear)] += 1;
        }
        assert!(found.iter().all(|&times| times > 100), "{found:?}");
    }

    fn digit(number: u64, place: u32) -> usize {
        (number / 7_u64.pow(place) % 7) as usize
    }
}
