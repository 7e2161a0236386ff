//! Sorting that is compiled once, for items of any type: keys are sorted with the places of their items, and then the
//! items are swapped. All of it is stable; `!key` puts the greatest key first.
//!
//! Integers, literals and pairs of them sort themselves: the standard library's sort of one type is compiled once, too,
//! if it has no closure.

use std::cmp::Ordering;

/// Items up to this number take no memory.
const FEW: usize = 20;

/// Items by a key.
pub fn by_key<T>(items: &mut [T], key: impl Fn(&T) -> u64) {
    sort(&mut Keyed { items, key: |item: &T| key(item).into() });
}

/// Items by a key of up to 128 bits, or by several keys in one.
pub fn by_wide_key<T>(items: &mut [T], key: impl Fn(&T) -> u128) {
    sort_wide(&mut Keyed { items, key });
}

/// Items by what compares them, where no key does.
pub fn by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = compared(items.len(), &|one, other| compare(&items[one], &items[other]));
    order.into_iter().enumerate().for_each(|(at, with)| items.swap(at, with));
}

struct Keyed<'i, T, F> {
    items: &'i mut [T],
    key: F,
}

/// [`Keyed`] without its types.
trait Sortable {
    fn len(&self) -> usize;
    fn key(&self, at: usize) -> u128;
    fn swap(&mut self, one: usize, other: usize);
}

impl<T, F: Fn(&T) -> u128> Sortable for Keyed<'_, T, F> {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn key(&self, at: usize) -> u128 {
        (self.key)(&self.items[at])
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.items.swap(one, other);
    }
}

/// By keys of 64 bits.
fn sort(items: &mut dyn Sortable) {
    let n = items.len();
    let (mut few, mut many) = ([0; FEW], Vec::new());
    let keys = if n <= FEW {
        &mut few[..n]
    } else {
        many.resize(n, 0);
        &mut many[..]
    };
    keys.iter_mut().enumerate().for_each(|(at, key)| *key = items.key(at) << 64 | at as u128);
    if keys.is_sorted() {
        return;
    }
    keys.sort_unstable();
    for at in 0..n {
        let from = source(at, |at| keys[at] as usize);
        keys[at] = from as u128;
        items.swap(at, from);
    }
}

fn sort_wide(items: &mut dyn Sortable) {
    let mut keys: Vec<(u128, usize)> = (0..items.len()).map(|at| (items.key(at), at)).collect();
    if keys.is_sorted() {
        return;
    }
    keys.sort_unstable();
    for at in 0..keys.len() {
        keys[at].1 = source(at, |at| keys[at].1);
        items.swap(at, keys[at].1);
    }
}

/// The place that each item in turn is to be swapped with.
fn compared(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&one, &other| compare(one, other));
    for at in 0..n {
        order[at] = source(at, |at| order[at]);
    }
    order
}

/// The place of the item that belongs to this one, after items were swapped into all places before.
fn source(place: usize, of: impl Fn(usize) -> usize) -> usize {
    let mut from = of(place);
    while from < place {
        from = of(from);
    }
    from
}

/// Leaves what comes an odd number of times in a sorted list, once.
pub fn cancel_pairs<T: Copy + PartialEq>(sorted: &mut Vec<T>) {
    let mut kept = 0;
    for at in 0..sorted.len() {
        if kept > 0 && sorted[kept - 1] == sorted[at] {
            kept -= 1;
        } else {
            sorted[kept] = sorted[at];
            kept += 1;
        }
    }
    sorted.truncate(kept);
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
