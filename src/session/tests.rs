use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustsat::types::Lit;

use super::{Choices, Session};
use crate::{AtMostOne, ClauseSink, Limits, Pairwise, SolveError};

/// `holes` + 1 pigeons in `holes` holes.
fn pigeons(session: &mut Session, holes: usize) {
    session.new_vars(holes * (holes + 1)).unwrap();
    let lit = |pigeon: usize, hole: usize| Lit::positive((pigeon * holes + hole) as u32);
    for pigeon in 0..=holes {
        let clause: Vec<Lit> = (0..holes).map(|hole| lit(pigeon, hole)).collect();
        session.add_clause(&clause).unwrap();
    }
    for hole in 0..holes {
        let lits: Vec<Lit> = (0..=holes).map(|pigeon| lit(pigeon, hole)).collect();
        Pairwise.at_most_one(session, &lits).unwrap();
    }
}

#[test]
fn is_asked_again_and_again() {
    let mut session = Session::new(Choices::default());
    for _ in 0..2 {
        assert!(session.solve(&[]).unwrap(), "nothing is asked");
        session.new_vars(2).unwrap();
        let (a, b) = (Lit::positive(0), Lit::positive(1));
        session.add_clause(&[a, b]).unwrap();
        let c = session.new_lit();
        assert_eq!((c, session.next_var().idx()), (Lit::positive(2), 3));
        session.add_clause(&[!b, c]).unwrap();
        assert!(session.solve(&[!a]).unwrap());
        assert!(session.is_true(b) && session.is_true(c) && session.is_true(!a) && !session.is_true(a));
        assert!(!session.solve(&[a, !a]).unwrap());
        assert!(!session.solve(&[!c, !a]).unwrap());
        let core = session.core().unwrap();
        assert!(!core.is_empty() && core.iter().all(|lit| [!c, !a].contains(lit)), "{core:?}");
        assert!(session.solve(&[!c]).unwrap(), "assumptions hold for one question");
        assert!(session.is_true(a) && session.is_true(!b));
        session.add_clause(&[!a]).unwrap();
        assert!(!session.solve(&[!c]).unwrap());
        assert!(session.solve(&[]).unwrap());
        session.add_clause(&[]).unwrap();
        assert!(!session.solve(&[]).unwrap());
        session.clear();
    }
    pigeons(&mut session, 4);
    assert!(!session.solve(&[]).unwrap());
}

#[test]
fn a_time_limit_interrupts() {
    let start = Instant::now();
    let clock = Limits::none().time(Duration::from_millis(100)).start();
    let mut session = Session::new(Choices::default());
    session.watch(&clock);
    pigeons(&mut session, 14);
    assert!(matches!(session.solve(&[]), Err(SolveError::Interrupted)));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let clock = Limits::none().time(Duration::from_secs(3600)).start();
    let mut session = Session::new(Choices::default());
    session.watch(&clock);
    pigeons(&mut session, 4);
    assert!(!session.solve(&[]).unwrap(), "there is time enough");
}

#[test]
fn a_flag_cancels() {
    let clock = Limits::none().cancel(Arc::new(AtomicBool::new(true))).start();
    let mut session = Session::new(Choices::default());
    session.watch(&clock);
    pigeons(&mut session, 14);
    assert!(matches!(session.solve(&[]), Err(SolveError::Interrupted)));
}
