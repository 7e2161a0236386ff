//! Sorting that is compiled once, whatever is sorted: keys are sorted with the places of their items, and then the items
//! are swapped. All of it is stable; `!key` puts the greatest key first.
//!
//! Integers, literals and pairs of them sort themselves: the standard library's sort of one type is compiled once, too,
//! if it has no closure.

use std::cmp::Ordering;

/// Items by a key.
pub fn by_key<T>(items: &mut [T], key: impl Fn(&T) -> u64) {
    let swaps = swaps(items.len(), &|at| key(&items[at]));
    swap(items, &swaps);
}

/// Items by a key of up to 128 bits, or by several keys in one.
pub fn by_wide_key<T>(items: &mut [T], key: impl Fn(&T) -> u128) {
    let swaps = wide_swaps(items.len(), &|at| key(&items[at]));
    swap(items, &swaps);
}

/// Items by what compares them, where no key does.
pub fn by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let swaps = compared_swaps(items.len(), &|one, other| compare(&items[one], &items[other]));
    swap(items, &swaps);
}

fn swap<T>(items: &mut [T], swaps: &[usize]) {
    for (at, &with) in swaps.iter().enumerate() {
        items.swap(at, with);
    }
}

#[inline(never)]
fn swaps(n: usize, key: &dyn Fn(usize) -> u64) -> Vec<usize> {
    if n < 2 {
        return Vec::new();
    }
    let mut keys: Vec<u128> = (0..n).map(|at| u128::from(key(at)) << 64 | at as u128).collect();
    if keys.is_sorted() {
        return Vec::new();
    }
    keys.sort_unstable();
    swaps_into(keys.into_iter().map(|key| key as usize).collect())
}

#[inline(never)]
fn wide_swaps(n: usize, key: &dyn Fn(usize) -> u128) -> Vec<usize> {
    if n < 2 {
        return Vec::new();
    }
    let mut keys: Vec<(u128, usize)> = (0..n).map(|at| (key(at), at)).collect();
    if keys.is_sorted() {
        return Vec::new();
    }
    keys.sort_unstable();
    swaps_into(keys.into_iter().map(|(_, at)| at).collect())
}

#[inline(never)]
fn compared_swaps(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&one, &other| compare(one, other));
    swaps_into(order)
}

/// From the place that each item comes from, the later one that it is found at once those before it are in order.
fn swaps_into(mut order: Vec<usize>) -> Vec<usize> {
    for at in 0..order.len() {
        let mut from = order[at];
        while from < at {
            from = order[from];
        }
        order[at] = from;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn as_the_standard_library_sorts() {
        let mut random = Random::new(1);
        for n in (0..70).chain([1_000]) {
            let items: Vec<(u64, usize)> = (0..n).map(|at| (random.below(1 + n / 3) as u64, at)).collect();
            let (mut up, mut down, mut compared) = (items.clone(), items.clone(), items.clone());
            by_key(&mut up, |item| item.0);
            by_wide_key(&mut down, |item| !(u128::from(item.0) << 64));
            by(&mut compared, |one, other| other.0.cmp(&one.0));
            let (mut ascending, mut descending) = (items.clone(), items);
            ascending.sort_by_key(|item| item.0);
            descending.sort_by_key(|item| std::cmp::Reverse(item.0));
            assert_eq!(up, ascending);
            assert_eq!(down, descending);
            assert_eq!(compared, descending);
        }
    }
}
