use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
    pigeons(&mut session, 14);
    session.watch(&clock);
    assert!(matches!(session.solve(&[]), Err(SolveError::Interrupted(_))));
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
    pigeons(&mut session, 14);
    session.watch(&clock);
    assert!(matches!(session.solve(&[]), Err(SolveError::Interrupted(_))));
}

#[test]
fn loading_heeds_the_clock() {
    let flag = Arc::new(AtomicBool::new(false));
    let mut session = Session::new(Choices::default());
    session.watch(&Limits::none().cancel(Arc::clone(&flag)).start());
    session.new_vars(2).unwrap();
    let clause = [Lit::positive(0), Lit::positive(1)];
    session.add_clause(&clause).unwrap();
    flag.store(true, Ordering::Relaxed);
    let refused = (0..20_000).find_map(|_| session.add_clause(&clause).err());
    assert!(matches!(refused, Some(SolveError::Interrupted(_))), "{refused:?}");
}

#[test]
fn watching_another_clock_forgets_the_first() {
    let mut session = Session::new(Choices::default());
    pigeons(&mut session, 5);
    session.watch(&Limits::none().cancel(Arc::new(AtomicBool::new(true))).start());
    assert!(matches!(session.solve(&[]), Err(SolveError::Interrupted(_))));
    session.watch(&Limits::none().start());
    assert!(!session.solve(&[]).unwrap());
}

#[test]
fn more_variables_than_there_are_is_refused() {
    let mut session = Session::new(Choices::default());
    let refused = session.new_vars(usize::MAX);
    assert!(matches!(refused, Err(SolveError::Capacity(error)) if error.needed.vars == u64::MAX), "{refused:?}");
    assert_eq!(session.next_var().idx(), 0);
}

#[cfg(feature = "batsat")]
mod batsat_only {
    use super::*;

    #[test]
    fn steps_run_out_and_are_not_owed() {
        let clock = Limits::none().start();
        let mut session = Session::new(Choices::default());
        pigeons(&mut session, 7);
        assert_eq!(session.solve_within(&clock, 3).unwrap(), None);
        assert!(!session.solve(&[]).unwrap(), "the next question has all the time there is");
        let mut session = Session::new(Choices::default());
        pigeons(&mut session, 4);
        assert_eq!(session.solve_within(&clock, 1_000_000).unwrap(), Some(false));
        let over = Limits::none().cancel(Arc::new(AtomicBool::new(true))).start();
        let mut session = Session::new(Choices::default());
        pigeons(&mut session, 14);
        assert!(matches!(session.solve_within(&over, 1_000_000), Err(SolveError::Interrupted(_))));
    }

    /// The values of 100 variables of which no two neighbours are both true.
    fn values(choices: Choices) -> Vec<bool> {
        let mut session = Session::new(choices);
        session.new_vars(100).unwrap();
        let lits: Vec<Lit> = (0..100).map(Lit::positive).collect();
        lits.windows(2).for_each(|pair| session.add_clause(&[!pair[0], !pair[1]]).unwrap());
        assert!(session.solve(&[]).unwrap());
        let values: Vec<bool> = lits.iter().map(|&lit| session.is_true(lit)).collect();
        assert!(values.windows(2).all(|pair| !(pair[0] && pair[1])));
        values
    }

    #[test]
    fn choices_are_heard() {
        let plain = Choices::default();
        let trues = |choices| values(choices).into_iter().filter(|&value| value).count();
        assert!(trues(plain) >= 33, "true first");
        assert_eq!(trues(Choices { patient: true, ..plain }), 0, "false first");
        // The seed says in which order variables come.
        assert_eq!(values(Choices { seed: 1, ..plain }), values(Choices { seed: 1, ..plain }));
        let shuffled: std::collections::HashSet<Vec<bool>> =
            (0..=8).map(|seed| values(Choices { seed, ..plain })).collect();
        assert_eq!(shuffled.len(), 9);
    }
}
