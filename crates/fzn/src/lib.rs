//! FlatZinc, which MiniZinc compiles models to, as a [`Model`](cnfkit::model::Model) of cnfkit.
//!
//! ```
//! use cnfkit_fzn::{FAR, Objective, Problem, Wrong, WrongKind};
//! let text = "
//!     var 1..9: x :: output_var;
//!     var 1..9: y :: output_var;
//!     constraint int_lin_eq([1, 1], [x, y], 12);
//!     solve maximize x;";
//! let mut problem = Problem::read(text)?;
//! let Objective::Maximise(x) = &problem.objective else { unreachable!() };
//! assert_eq!((problem.counts, problem.shown().len()), ([0, 2, 1], 2));
//! let best = problem.model.maximum(x.clone())?.expect("there are solutions");
//! assert_eq!((best.value, problem.lines(&best.solution)), (9, vec!["x = 9;".into(), "y = 3;".into()]));
//!
//! // As MiniZinc reads it.
//! use cnfkit_fzn::{AnswerText, UNKNOWN, Wanted, answer};
//! let mut said = String::new();
//! let mut say = |what: AnswerText<'_>| if let AnswerText::Now(text) = what { said += text };
//! let (wanted, start) = (Wanted::default(), std::time::Instant::now());
//! answer(Problem::read(text)?, &wanted, None, cnfkit::Limits::none(), start, &mut say)?;
//! assert!(said.ends_with("x = 9;\ny = 3;\n----------\n==========\n") && !said.contains(UNKNOWN));
//!
//! // Nothing bounds x.
//! let problem = Problem::read("var int: x;\nsolve satisfy;")?;
//! assert_eq!((&problem.unbounded[..], FAR), (&["x".to_owned()][..], 1_000_000));
//!
//! let wrong: Wrong = Problem::read("var 1..9: x;\nconstraint int_lt(x, z);\nsolve satisfy;").unwrap_err();
//! assert_eq!((wrong.line, wrong.column, wrong.kind), (2, 22, WrongKind::Unknown("z".into())));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod bounds;
mod constraints;
mod library;
mod names;
mod problem;
mod syntax;

pub use answer::{AnswerText, UNKNOWN, Wanted, answer};
pub use library::install;
pub use problem::{FAR, Objective, Problem};
pub use syntax::{Wrong, WrongKind};
