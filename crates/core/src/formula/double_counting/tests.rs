use super::*;
use crate::formula::go_on::unlimited;
use crate::random::Random;

/// A constraint, or a clause, of a test.
#[derive(Clone, Debug)]
struct Said {
    lits: Vec<Lit>,
    lo: u32,
    hi: u32,
    is_clause: bool,
}

fn between(lo: usize, lits: impl IntoIterator<Item = u32>, hi: usize) -> Said {
    let lits: Vec<Lit> = lits.into_iter().map(Lit::positive).collect();
    let hi = hi.min(lits.len()) as u32;
    Said { lits, lo: lo as u32, hi, is_clause: false }
}

fn clause(lits: impl IntoIterator<Item = u32>) -> Said {
    Said { is_clause: true, ..between(1, lits, usize::MAX) }
}

impl Said {
    fn allows(&self, (lo, hi): (u32, u32), assignment: u32) -> bool {
        let is_true = |lit: &&Lit| (assignment >> lit.vidx() & 1 == 1) != lit.is_neg();
        (lo..=hi).contains(&(self.lits.iter().filter(is_true).count() as u32))
    }
}

/// The bounds of all constraints, clauses left out.
fn tightened(said: &[Said]) -> Vec<(u32, u32)> {
    let cards = said.iter().filter(|said| !said.is_clause);
    let cards = cards.map(|&Said { ref lits, lo, hi, is_clause }| CountBounds { lits, lo, hi, is_clause });
    let clauses = said.iter().filter(|said| said.is_clause).map(|said| said.lits.as_slice());
    let n_vars = said.iter().flat_map(|said| &said.lits).map(|lit| lit.vidx() + 1).max().unwrap_or(0);
    let bounds = unlimited(|go_on| tighten(n_vars, cards.collect(), clauses, None, go_on));
    bounds.iter().map(|bounds| (bounds.lo, bounds.hi)).collect()
}

/// Rows and columns of a grid with some cells missing, bounded by lot, some said on the false literals.
fn grid(random: &mut Random) -> Vec<Said> {
    let (rows, columns) = (2 + random.below(3) as u32, 2 + random.below(2) as u32);
    let hole = random.below(2 * (rows * columns) as usize) as u32;
    let flips = random.below(4) == 0;
    let mut line = |cells: Vec<u32>, is_row: bool| {
        let cells: Vec<u32> = cells.into_iter().filter(|&cell| cell != hole).collect();
        let n = cells.len();
        let k = random.below(n + 1);
        let mut said = match random.below(if is_row { 6 } else { 4 }) {
            0 => between(k, cells, k),
            1 => between(0, cells, k),
            2 => between(k, cells, k + 1),
            3 if !is_row => between(0, cells, 1),
            3 | 4 if n > 1 => clause(cells),
            _ => between(k, cells, n),
        };
        if flips && !said.is_clause && random.below(2) == 0 {
            said.lits.iter_mut().for_each(|lit| *lit = !*lit);
            (said.lo, said.hi) = (n as u32 - said.hi, n as u32 - said.lo);
        }
        said
    };
    let mut said: Vec<Said> =
        (0..rows).map(|row| line((0..columns).map(|column| row * columns + column).collect(), true)).collect();
    said.extend((0..columns).map(|column| line((0..rows).map(|row| row * columns + column).collect(), false)));
    random.shuffle(&mut said);
    said
}

/// Bounds become tighter, never looser, and keep every solution; a contradiction has none.
#[test]
fn solutions_stay() {
    let mut random = Random::new(1);
    let (mut tighter, mut contradictions) = (0, 0);
    for _ in 0..6_000 {
        let said = grid(&mut random);
        let cards: Vec<&Said> = said.iter().filter(|said| !said.is_clause).collect();
        let found = tightened(&said);
        let before: Vec<(u32, u32)> = cards.iter().map(|said| (said.lo, said.hi)).collect();
        if found == before {
            continue;
        }
        let is_contradiction = found.iter().any(|(lo, hi)| lo > hi);
        tighter += usize::from(!is_contradiction);
        contradictions += usize::from(is_contradiction);
        assert!(found.iter().zip(&before).all(|(new, old)| new.0 > new.1 || new.0 >= old.0 && new.1 <= old.1));
        for assignment in 0..1 << 12 {
            if said.iter().all(|said| said.allows((said.lo, said.hi), assignment)) {
                assert!(cards.iter().zip(&found).all(|(said, &bounds)| said.allows(bounds, assignment)), "{said:?}");
            }
        }
    }
    assert!(tighter > 500 && contradictions > 500, "{tighter} {contradictions}");
}

fn row(of: u32, n: u32) -> impl Iterator<Item = u32> {
    (0..n).map(move |i| of * n + i)
}

fn column(of: u32, n: u32, rows: u32) -> impl Iterator<Item = u32> {
    (0..rows).map(move |i| i * n + of)
}

/// Events in slots with so many rooms: as many as there is room for, one less, one more.
#[test]
fn rooms_are_filled() {
    let (slots, rooms) = (4, 3);
    for (events, bounds) in [(12, (3, 3)), (11, (2, 3)), (9, (0, 3)), (13, (1, 0))] {
        for is_clause in [false, true] {
            let event = |event| if is_clause { clause(row(event, slots)) } else { between(1, row(event, slots), 1) };
            let mut said: Vec<Said> = (0..events).map(event).collect();
            said.extend((0..slots).map(|slot| between(0, column(slot, slots, events), rooms)));
            let found = tightened(&said);
            assert!(found.iter().rev().take(4).all(|&found| found == bounds), "{events} {found:?}");
        }
    }
}

/// Clauses of a length of which three have a variable in common are no family, and are in nobody's way; whether they
/// are left out early or late makes no difference.
#[test]
fn crowded_clauses_are_in_nobodys_way() {
    let mut said: Vec<Said> = (0..12).map(|event| clause(row(event, 4))).collect();
    said.extend((0..4).map(|slot| between(0, column(slot, 4, 12), 3)));
    let pairs = (1..12).map(|event| clause([0, 4 * event]));
    for more in [0, 2 * LENGTHS as u32] {
        let mut said = said.clone();
        said.extend(pairs.clone());
        // So many lengths that none is looked at.
        said.extend((0..more).map(|at| clause(0..5 + at)));
        assert_eq!(tightened(&said), [(3, 3); 4], "{more}");
    }
    // Crowded themselves, they bound nothing.
    said.push(clause(row(0, 4)));
    said.push(clause(row(0, 4)));
    assert_eq!(tightened(&said), [(0, 3); 4]);
}

/// On a torus, rows and columns are of one kind, and diagonals of either direction of another; every diagonal has a
/// queen. Numbers, listing and another torus beside it make no difference.
#[test]
fn queens_on_two_toruses() {
    let n = 5;
    let torus = |first: u32| {
        let of = move |line: u32, key: fn(u32, u32) -> u32| {
            (0..n * n).filter(move |i| key(i / n, i % n) % n == line).map(move |i| first + i)
        };
        (0..n).flat_map(move |line| {
            let keys: [fn(u32, u32) -> u32; 4] = [|r, _| r, |_, c| c, |r, c| r + c, |r, c| r + 5 - c];
            keys.into_iter().zip([1, 1, 0, 0]).map(move |(key, lo)| between(lo, of(line, key), 1))
        })
    };
    let mut random = Random::new(2);
    let mut said: Vec<Said> = torus(0).chain(torus(n * n)).collect();
    for _ in 0..20 {
        assert!(tightened(&said).iter().all(|&found| found == (1, 1)));
        let mut to: Vec<u32> = (0..2 * n * n).collect();
        random.shuffle(&mut to);
        said.iter_mut().flat_map(|said| &mut said.lits).for_each(|lit| *lit = Lit::positive(to[lit.vidx()]));
        random.shuffle(&mut said);
    }
}

/// Two toruses and constraints across both: which rows go with which rows is open, so nothing is said.
#[test]
fn sides_that_are_open_are_not_mixed() {
    let n = 3;
    let mut said = Vec::new();
    for first in [0, n * n] {
        for line in 0..n {
            said.push(between(1, row(line, n).map(|i| first + i), 1));
            said.push(between(1, column(line, n, n).map(|i| first + i), 1));
        }
    }
    let across = |line: u32| (0..n).flat_map(move |i| [line * n + i, n * n + i * n + line]);
    said.extend((0..n).map(|line| between(0, across(line), 2)));
    let found = tightened(&said);
    assert!(found.iter().rev().take(3).all(|&found| found == (0, 2)));
}

/// Variables far apart are no matter of memory.
#[test]
fn far_apart() {
    let far = |i: u32| i * 400_000_000;
    let said = [between(2, [0, 1, 2, 3].map(far), 4), between(0, [0, 1].map(far), 1), between(0, [2, 3].map(far), 1)];
    assert_eq!(tightened(&said), [(2, 2), (1, 1), (1, 1)]);
}

/// Two families of constraints, by their places, compared with each other; no clauses.
fn compared(said: &[Said], lower: &[u32], upper: &[u32]) -> (CountingResult, Vec<(u32, u32)>, Vec<CountingStep>) {
    let family = |members: &[u32]| CountFamily { members: members.to_vec(), parts: vec![None; members.len()], lits: 0 };
    parts_compared(said, &family(lower), &family(upper))
}

fn parts_compared(
    said: &[Said],
    lower: &CountFamily,
    upper: &CountFamily,
) -> (CountingResult, Vec<(u32, u32)>, Vec<CountingStep>) {
    let bounds = said.iter().map(|&Said { ref lits, lo, hi, is_clause }| CountBounds { lits, lo, hi, is_clause });
    let (vars, mut steps) = (Vars::Below(12), Vec::new());
    let (bounds, numbers) = (bounds.collect(), Vec::new());
    let mut search = FamilySearch { vars: &vars, bounds, numbers, steps: Some(&mut steps) };
    let mut places = VarMap::new(12);
    let result = search.compare(lower, upper, &mut places);
    assert!(places.values.iter().all(Option::is_none), "a place is left");
    let bounds = search.bounds.iter().map(|bounds| (bounds.lo, bounds.hi)).collect();
    (result, bounds, steps)
}

fn negated(said: &Said) -> Said {
    let (n, lits) = (said.lits.len() as u32, said.lits.iter().map(|&lit| !lit).collect());
    Said { lits, lo: n - said.hi, hi: n - said.lo, is_clause: said.is_clause }
}

fn premises(of: &[(u32, bool)]) -> Vec<Premise> {
    of.iter().map(|&(number, is_upper)| Premise { is_clause: false, number, is_upper }).collect()
}

/// Two lower bounds and one upper bound, with variables that the others lack on both sides.
#[test]
fn slack_is_what_no_bound_needs() {
    // Variables 0 to 5, of which 5 only the upper bound has, and 0 only a lower one: 6 − 2 − 1 − (5 − 3) = 1.
    let said = [between(2, 0..3, 3), between(1, 3..5, 2), between(0, 1..6, 3)];
    let (result, bounds, steps) = compared(&said, &[0, 1], &[2]);
    assert_eq!((result, bounds), (CountingResult::Tighter, vec![(2, 3), (1, 2), (2, 3)]));
    let [step] = &steps[..] else { panic!("{steps:?}") };
    assert_eq!(step.from, premises(&[(0, false), (1, false), (2, true)]));
    assert_eq!(step.of, [(2, premises(&[(2, false)])[0])]);
    // The same of the negations of each, and with the roles of both families changed.
    for flips in 0..8 {
        let flip = |at: usize| if flips >> at & 1 == 1 { negated(&said[at]) } else { said[at].clone() };
        let flipped = [flip(0), flip(1), flip(2)];
        let (_, bounds, _) = compared(&flipped, &[0, 1], &[2]);
        assert_eq!(bounds[2], (2, 3), "{flips}"); // the same of five literals and of their negations
    }
}

/// Bounds on literals of both signs have nothing to say to each other, nor those without a variable in common.
#[test]
fn bounds_that_do_not_fit_are_passed_over() {
    let mut mixed = between(0, 0..4, 1);
    mixed.lits[1] = !mixed.lits[1];
    for upper in [mixed, between(0, 4..8, 1)] {
        let said = [between(3, 0..4, 4), upper];
        let (result, bounds, steps) = compared(&said, &[0], &[1]);
        assert_eq!((result, bounds[0], steps.len()), (CountingResult::Nothing, (3, 4), 0));
    }
}

/// A contradiction follows from all bounds of its part, once for each, and from none of another part.
#[test]
fn parts_are_told_apart() {
    let said = [between(2, 0..3, 3), between(1, 4..6, 2), between(0, 0..3, 1), between(0, 4..6, 1)];
    let (result, bounds, steps) = compared(&said, &[0, 1], &[2, 3]);
    assert_eq!((result, bounds), (CountingResult::Contradiction, vec![(1, 0), (1, 1), (1, 0), (1, 1)]));
    let [impossible, exact] = &steps[..] else { panic!("{steps:?}") };
    assert_eq!(impossible.from, premises(&[(0, false), (2, true)]));
    assert_eq!(impossible.of, [(2, premises(&[(0, true)])[0]), (3, premises(&[(2, false)])[0])]);
    assert_eq!(exact.from, premises(&[(1, false), (3, true)]));
    assert_eq!(exact.of, [(0, premises(&[(1, true)])[0]), (1, premises(&[(3, false)])[0])]);
}

/// A constraint in both families is bounded from below in one and from above in the other, which leaves it as it is.
#[test]
fn a_member_of_both_families_stays() {
    let (result, bounds, steps) = compared(&[between(1, 0..3, 2)], &[0], &[0]);
    assert_eq!((result, bounds, steps.len()), (CountingResult::Nothing, vec![(1, 2)], 0));
}

/// Members of several connected parts of a group, in either family, leave open which of their sides belong together.
#[test]
fn sides_of_several_parts_are_mixed() {
    let said = [between(1, 0..2, 2), between(1, 2..4, 2), between(0, 0..4, 2)];
    let family = |members: &[u32], parts: &[Option<u32>]| CountFamily {
        members: members.to_vec(),
        parts: parts.to_vec(),
        lits: 0,
    };
    for (parts, result) in [
        ([None, None], CountingResult::Tighter),
        ([Some(0), None], CountingResult::Tighter),
        ([Some(0), Some(0)], CountingResult::Tighter),
        ([Some(0), Some(1)], CountingResult::Nothing),
    ] {
        let of = family(&[0, 1], &parts);
        assert_eq!(parts_compared(&said, &of, &family(&[2], &[Some(7)])).0, result, "{parts:?}");
        let said: Vec<Said> = said.iter().map(negated).collect();
        assert_eq!(parts_compared(&said, &family(&[2], &[Some(7)]), &of).0, result, "{parts:?}");
    }
}

/// Bounds, whatever they are, follow from the premises that are named.
#[test]
fn steps_follow_from_their_premises() {
    let mut random = Random::new(3);
    let mut n_steps = 0;
    for _ in 0..3_000 {
        let mut family = |n: u32| -> Vec<Said> {
            let mut vars: Vec<u32> = (0..6).collect();
            random.shuffle(&mut vars);
            let mut of: Vec<Said> = vars.chunks(n as usize).map(|vars| between(0, vars.iter().copied(), 9)).collect();
            for said in &mut of {
                said.lo = random.below(said.lits.len() + 1) as u32;
                said.hi = said.lo + random.below(said.lits.len() + 1 - said.lo as usize) as u32;
                let flips = [0, 0, 0, 1, 2][random.below(5)];
                said.lits.iter_mut().take(8 * flips).for_each(|lit| *lit = !*lit);
            }
            of
        };
        let said = [family(2), family(3)].concat();
        let bounded = |is: fn(&Said) -> bool, of: std::ops::Range<u32>| -> Vec<u32> {
            of.filter(|&at| is(&said[at as usize])).collect()
        };
        let is_lower = |said: &Said| said.lo > 0 || said.hi < said.lits.len() as u32;
        let (_, bounds, steps) = compared(&said, &bounded(is_lower, 0..3), &bounded(is_lower, 3..5));
        let holds = |premise: &Premise, of: (u32, u32), assignment: u32| {
            let said = &said[premise.number as usize];
            let (lo, hi) = if premise.is_upper { (0, of.1) } else { (of.0, said.lits.len() as u32) };
            said.allows((lo, hi), assignment)
        };
        let given = |premise: &Premise, assignment| {
            let said = &said[premise.number as usize];
            holds(premise, (said.lo, said.hi), assignment)
        };
        for step in &steps {
            n_steps += step.of.len();
            for (at, derived) in &step.of {
                let others = step.from.iter().enumerate().filter(|(place, _)| place != at);
                for assignment in (0..1 << 6).filter(|&it| others.clone().all(|(_, premise)| given(premise, it))) {
                    assert!(holds(derived, bounds[derived.number as usize], assignment), "{said:?} {step:?}");
                }
            }
        }
    }
    assert!(n_steps > 1_000, "{n_steps}");
}

#[test]
fn what_is_filled_in_is_cleared() {
    let mut map = VarMap::new(3);
    for round in 0..2 {
        let mut filling = Filling(&mut map);
        assert_eq!([0, 1, 2].map(|var| filling.get(var)), [None; 3], "{round}");
        [(0, 'a'), (2, 'b'), (0, 'c')].into_iter().for_each(|(var, value)| filling.set(var, value));
        assert_eq!([0, 1, 2].map(|var| filling.get(var)), [Some('c'), None, Some('b')]);
    }
}

/// Clauses stand behind constraints, and have numbers of their own: some clauses are left out.
#[test]
fn premises_have_the_numbers_of_clauses() {
    let (vars, said) = (Vars::Below(2), [between(0, 0..2, 1), clause(0..2)]);
    let bounds = said.iter().map(|&Said { ref lits, lo, hi, is_clause }| CountBounds { lits, lo, hi, is_clause });
    let search = FamilySearch { vars: &vars, bounds: bounds.collect(), numbers: vec![9], steps: None };
    let premise = |member| search.premise(AtLeast { member, is_turned: member == 0, n_new: 2, parts: [None; 2] });
    assert_eq!(premise(0), Premise { is_clause: false, number: 0, is_upper: true });
    assert_eq!(premise(1), Premise { is_clause: true, number: 9, is_upper: false });
}
