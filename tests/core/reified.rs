//! Reified bounds: the smaller of one structure and two halves, announced to the clause.

use std::convert::Infallible;

use cnfkit::encode::ByRelation;
use cnfkit::{CardEncoding, ClauseSink, Constrain, Lit, Size, Tally, Var};

/// Counts, and keeps what was announced first: the whole, before its parts.
#[derive(Default)]
struct Announced {
    tally: Tally,
    first: Option<Size>,
}

impl Announced {
    fn new(inputs: usize) -> (Self, Vec<Lit>) {
        let tally = Tally::new(inputs);
        let lits = tally.inputs();
        (Self { tally, first: None }, lits)
    }
}

impl ClauseSink for Announced {
    type Error = Infallible;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        assert!(self.first.is_some(), "{clause:?} before anything was announced");
        self.tally.add_clause(clause)
    }

    fn new_lit(&mut self) -> Lit {
        self.tally.new_lit()
    }

    fn next_var(&self) -> Var {
        self.tally.next_var()
    }

    fn reserve(&mut self, size: &Size) -> Result<(), Infallible> {
        self.first.get_or_insert(*size);
        Ok(())
    }
}

/// The size of what `post` adds under a condition, as one half of a reified bound.
fn half(inputs: usize, post: impl FnOnce(&mut dyn ClauseSink<Error = Infallible>, &[Lit])) -> Size {
    let mut tally = Tally::new(inputs + 1);
    let lits = tally.inputs();
    post(&mut tally.when(&lits[inputs..]), &lits[..inputs]);
    tally.size()
}

/// Outputs number `first` to `last`, and `links` clauses between them and the reifying literal.
fn shared(enc: CardEncoding, n: usize, first: usize, last: usize, links: u64) -> Option<u64> {
    ByRelation::outputs_size(&enc, n, first, last).map(|size| size.cost() + links)
}

#[test]
fn reified_bounds_take_the_smaller_way_and_announce_it() {
    let (mut one_structure, mut halves) = (0, 0);
    for &enc in CardEncoding::ALL {
        for (n, k) in (3..=14).chain([30, 60]).flat_map(|n| (1..n).map(move |k| (n, k))) {
            if enc == CardEncoding::Combinatorial && n > 14 {
                continue;
            }
            let most = half(n, |sink, x| sink.at_most(x, k, &enc).unwrap());
            let least = half(n, |sink, x| sink.at_least(x, k + 1, &enc).unwrap());
            let exactly = half(n, |sink, x| sink.exactly(x, k, &enc).unwrap());
            let fewer = half(n, |sink, x| sink.at_most(x, k - 1, &enc).unwrap());
            // "All of them" is one clause and units: the front door takes no structure for that.
            let trivial = k + 1 == n;
            let both = [
                ((most + least).cost(), shared(enc, n, k + 1, k + 1, 2).filter(|_| !trivial)),
                ((exactly + fewer + least).cost() + 1, shared(enc, n, k, k + 1, 3)),
            ];
            for (exact, (apart, together)) in both.into_iter().enumerate() {
                let what = format!("{enc}, {k} of {n}, exactly: {exact}");
                let (mut sink, x) = Announced::new(n + 1);
                match exact {
                    0 => sink.iff_at_most(x[n], &x[..n], k, &enc),
                    _ => sink.iff_exactly(x[n], &x[..n], k, &enc),
                }
                .unwrap();
                let (size, announced) = (sink.tally.size(), sink.first.expect("an announcement"));
                assert_eq!(size.cost(), apart.min(together.unwrap_or(u64::MAX)), "{what}");
                assert_eq!((announced.vars, announced.clauses), (size.vars, size.clauses), "{what}");
                if together.is_some_and(|together| together <= apart) {
                    assert_eq!(announced, size, "{what}");
                    one_structure += 1;
                } else {
                    // A condition is in no more than all clauses.
                    assert!(announced.lits >= size.lits, "{what}");
                    halves += 1;
                }
            }
        }
    }
    assert!(one_structure > 1000 && halves > 1000, "{one_structure} {halves}");
}

/// Variables + clauses: what one structure and what two halves come to for some shapes.
#[test]
fn sums_of_some_reified_bounds() {
    let cost = |enc: CardEncoding, n: usize, k: usize| {
        let mut tally = Tally::new(n + 1);
        let x = tally.inputs();
        tally.iff_at_most(x[n], &x[..n], k, &enc).unwrap();
        tally.size().cost()
    };
    for (enc, n, k, most) in [
        (CardEncoding::Smallest, 20, 10, 330),
        (CardEncoding::Auto, 20, 10, 408),
        (CardEncoding::Smallest, 100, 10, 2_651),
        (CardEncoding::Auto, 100, 10, 3_162),
        (CardEncoding::Auto, 100, 50, 4_073),
    ] {
        let found = cost(enc, n, k);
        assert!(found <= most, "{enc}, {k} of {n}: {found}");
    }
}
