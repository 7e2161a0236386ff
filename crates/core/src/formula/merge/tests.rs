use super::*;
use crate::choose::CardEncoding;
use crate::relation::Relation;

const AUTO: AskedEncoding = AskedEncoding::Open(Goal::Solving);

fn lits(of: &[i32]) -> Vec<Lit> {
    of.iter().map(|&lit| Lit::new(lit.unsigned_abs(), lit < 0)).collect()
}

fn items(constraints: &[(Constraint<'_>, AskedEncoding)]) -> Items {
    let mut items = Items::default();
    for ((constraint, asked), from) in constraints.iter().zip(0..) {
        let item = items.item(from, constraint, *asked).expect("no condition that is never met");
        items.all.push(item);
    }
    items
}

/// The key of an item that was added, and whether its literals are turned.
fn key(items: &Items, at: usize) -> (Vec<u64>, bool) {
    let mut words = Vec::new();
    let is_turned = items.key(&items.all[at], &mut words);
    (words, is_turned)
}

/// Each item that is left: the first constraint of it, and what it says.
fn merged(constraints: &[(Constraint<'_>, AskedEncoding)]) -> Vec<(u32, Says)> {
    let (mut items, mut first) = (items(constraints), FxHashMap::default());
    for item in std::mem::take(&mut items.all) {
        items.add(item, &mut first, &mut Default::default());
    }
    items.all.iter().map(|item| (item.from, item.says)).collect()
}

/// All orders and signs of two and three of four variables: the same key for the same literals, and for their
/// negations, for nothing else.
#[test]
fn counts_are_the_same_up_to_order_and_the_sign_of_all() {
    let signs = (-4..=4).filter(|&lit| lit != 0);
    let pairs = signs.clone().flat_map(|a| (-4..=4).map(move |b| vec![a, b]));
    let all = pairs.clone().chain(signs.flat_map(|c| pairs.clone().map(move |pair| [&pair[..], &[c]].concat())));
    let distinct =
        |of: &Vec<i32>| (0..of.len()).all(|at| of[at] != 0 && !of[..at].iter().any(|lit| lit.abs() == of[at].abs()));
    let all: Vec<Vec<Lit>> = all.filter(distinct).map(|of| lits(&of)).collect();
    let sorted = |of: &[Lit], negated: bool| {
        let mut of: Vec<Lit> = of.iter().map(|&lit| if negated { !lit } else { lit }).collect();
        of.sort_unstable();
        of
    };
    let constraints: Vec<_> = all.iter().map(|of| (Constraint::count(of, Relation::AtMost(1)), AUTO)).collect();
    let items = items(&constraints);
    let keys: Vec<_> = (0..all.len()).map(|at| key(&items, at)).collect();
    for (one, (words, is_turned)) in all.iter().zip(&keys) {
        for (other, (others, was_turned)) in all.iter().zip(&keys) {
            let (same, negated) =
                (sorted(one, false) == sorted(other, false), sorted(one, true) == sorted(other, false));
            assert_eq!(words == others, same || negated, "{one:?} {other:?}");
            assert!(words != others || (is_turned == was_turned) == same, "{one:?} {other:?}");
        }
    }
}

fn iff(r: i32, mut constraint: Constraint<'_>) -> Constraint<'_> {
    constraint.iff = lits(&[r]).first().copied();
    constraint
}

/// A condition, an order that is to be kept, the literal that says so and its relation are no others'.
#[test]
fn keys_of_other_constraints_differ() {
    let (all, cond, other_cond) = (lits(&[1, 2, -3]), lits(&[4]), lits(&[-4]));
    let (negated, four, swapped) = (lits(&[-1, -2, 3]), lits(&[1, 2, -3, 4]), lits(&[2, 1, -3]));
    let plain = Constraint::count(&all, Relation::AtMost(2));
    let reified = |r, lits, relation| iff(r, Constraint::count(lits, relation));
    let under = |cond| {
        let mut constraint = plain;
        constraint.cond = cond;
        constraint
    };
    let mut in_order = plain;
    in_order.in_order = true;
    let terms = |of: &[Lit], weights: [u64; 3]| -> Vec<(Lit, u64)> { of.iter().copied().zip(weights).collect() };
    let (weights, turned) = (terms(&all, [2, 3, 4]), terms(&negated, [2, 3, 4]));
    let (others, shuffled) = (terms(&all, [2, 3, 5]), terms(&swapped, [2, 3, 4]));
    let sum = |terms| Constraint::weights(terms, PbRelation::AtMost(5));
    let different = [
        plain,
        under(&cond),
        under(&other_cond),
        in_order,
        Constraint::count(&four, Relation::AtMost(2)),
        reified(5, &all, Relation::AtMost(2)),
        reified(-5, &all, Relation::AtMost(2)),
        reified(5, &negated, Relation::AtMost(2)),
        reified(5, &all, Relation::AtLeast(2)),
        reified(5, &all, Relation::Exactly(2)),
        reified(5, &all, Relation::AtMost(1)),
        sum(Terms::new(&weights)),
        sum(Terms::new(&others)),
        sum(Terms::new(&shuffled)),
        sum(Terms::of(&weights, &[1, 3])),
        sum(Terms::of(&weights, &[2, 3])),
        sum(Terms::of(&turned, &[2, 3])),
        // Like no other, not even its repetition.
        iff(5, sum(Terms::new(&weights))),
        iff(5, sum(Terms::new(&weights))),
    ];
    let different = different.map(|constraint| (constraint, AUTO));
    let items = items(&different);
    for at in 0..different.len() {
        for other in 0..at {
            assert_ne!(key(&items, at).0, key(&items, other).0, "{:?} {:?}", different[at], different[other]);
        }
    }
    let same = [sum(Terms::new(&weights)), sum(Terms::new(&turned))].map(|constraint| (constraint, AUTO));
    assert_eq!(merged(&same), [(0, Says::between(4, 5))]);
}

/// A named encoding takes what is left open, and nothing of another name, in the order of listing.
#[test]
fn names_are_not_mixed() {
    let (all, negated) = (lits(&[1, 2, 3, 4]), lits(&[-1, -2, -3, -4]));
    let at_most = |k| Constraint::count(&all, Relation::AtMost(k));
    let [tree, counter] = [&CardEncoding::Totalizer, &CardEncoding::Sequential].map(AskedEncoding::Card);
    let found = merged(&[
        (at_most(3), AUTO),
        (Constraint::count(&negated, Relation::AtMost(2)), tree), // at least 2
        (at_most(2), counter),
        (at_most(1), counter),
        (Constraint::count(&negated, Relation::AtMost(1)), tree), // at least 3
    ]);
    assert_eq!(found, [(0, Says::Between(3, 3)), (2, Says::Between(0, 1))]);
    assert_eq!(
        merged(&[(at_most(1), AUTO), (Constraint::count(&all, Relation::AtLeast(3)), AUTO)]),
        [(0, Says::Never)]
    );
}

#[test]
fn what_is_said_of_the_negations() {
    let all =
        [Says::Between(1, 3), Says::Between(0, 5), Says::Never, Says::Iff(Lit::positive(0), PbRelation::AtMost(2))];
    let negated = Says::Iff(Lit::positive(0), PbRelation::AtLeast(3));
    for (says, of_negated) in all.into_iter().zip([Says::Between(2, 4), Says::Between(0, 5), Says::Never, negated]) {
        assert_eq!((says.of_negated(5), of_negated.of_negated(5)), (of_negated, says));
    }
    assert_eq!(Says::Between(1, 3).and(Says::Between(2, 5)), Says::Between(2, 3));
    for never in [Says::Between(1, 3).and(Says::Between(4, 5)), Says::Never.and(all[0]), all[0].and(Says::Never)] {
        assert_eq!(never, Says::Never);
    }
}

/// The sides of a sum are encoded one by one where that is asked for, though they are the same.
#[test]
fn relations_of_an_item() {
    let terms: Vec<(Lit, u64)> = lits(&[1, 2, 3]).into_iter().zip([2, 3, 4]).collect();
    let mut items = items(&[(Constraint::weights(Terms::of(&terms, &[2, 3]), PbRelation::Exactly(5)), AUTO)]);
    assert_eq!(items.all[0].relations(), [Some(PbRelation::Exactly(5)), None]);
    items.ungroup(0);
    assert!(!items.terms(&items.all[0]).is_grouped());
    let [at_most, at_least] = [PbRelation::AtMost, PbRelation::AtLeast];
    assert_eq!(items.all[0].relations(), [Some(at_most(5)), Some(at_least(5))]);
    for (says, relations) in [
        (Says::Never, [None, None]),
        (Says::Between(0, 5), [Some(at_most(5)), None]),
        (Says::Between(5, 9), [Some(at_least(5)), None]),
        (Says::Between(2, 7), [Some(at_most(7)), Some(at_least(2))]),
    ] {
        items.all[0].says = says;
        assert_eq!(items.all[0].relations(), relations);
    }
}
