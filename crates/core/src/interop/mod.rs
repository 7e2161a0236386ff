//! Both ways between this crate and rustsat's own encoding traits, formulas and instances;
//! [`coming_from_rustsat`] is the page to read first.
//!
//! | have | want | take |
//! |---|---|---|
//! | code written for `rustsat::encodings::am1::Encode` | our at-most-one encodings | [`Am1`] |
//! | code written for `card::BoundUpper`, `BoundLower`, `BoundBoth` | our cardinality encodings | [`Selected`] |
//! | code written for `card::BoundUpperIncremental` and so on: bounds that move, inputs that come later | our counters | [`Counted`] |
//! | code written for `pb::BoundUpper`, `pb::BoundUpperIncremental` and so on: weights | a `WeightedCounter` | [`Summed`] |
//! | a rustsat collector and variable manager | a [`ClauseSink`](crate::ClauseSink) | [`Collector`] |
//! | a `Cnf` | a rustsat collector and variable manager | [`Target`] |
//! | a `SatInstance`, an `OptInstance` | a [`Formula`](crate::Formula), constraints as data | `Formula::try_from(instance)` |
//! | a `Formula` | a `SatInstance`, an `OptInstance`, as data | `SatInstance::try_from(&formula)` |
//! | a rustsat `Cnf` | a [`Cnf`](crate::Cnf) or `Formula`, and back | `Cnf::try_from(&theirs)`, `Cnf::from(&ours)` |
//!
//! Four things hold for all of them and not for rustsat's own encoders:
//!
//! * `EncodeStats` counts what was emitted, not by how much the collector grew: a solver that simplifies what it is
//!   given changes nothing.
//! * Inputs are marked as used before a variable is taken, so that auxiliaries never collide with them, also where the
//!   variable manager was not told of the inputs. A manager that hands out a variable it said was in use is refused
//!   with a panic.
//! * Repeated and complementary literals count as often as they are given.
//! * A formula that would be larger than [`Cnf::DEFAULT_LIMIT`](crate::Cnf::DEFAULT_LIMIT) is refused before its first
//!   clause: [`OutOfMemory::TryReserve`](rustsat::OutOfMemory::TryReserve).
//!
//! ```
//! use cnfkit::interop::Am1;
//! use cnfkit::Pairwise;
//! use cnfkit::rustsat::encodings::{EncodeStats, am1::Encode};
//! use cnfkit::rustsat::instances::{BasicVarManager, Cnf};
//! use cnfkit::rustsat::{lit, types::Lit};
//!
//! // was: rustsat::encodings::am1::Pairwise::from(...)
//! let mut enc = Am1::<Pairwise>::from(vec![lit![0], lit![1], lit![2]]);
//! let (mut cnf, mut vars) = (Cnf::new(), BasicVarManager::default());
//! enc.encode(&mut cnf, &mut vars).unwrap();
//! assert_eq!((enc.n_clauses(), enc.n_vars()), (3, 0));
//! ```

#[doc = include_str!("coming_from_rustsat.md")]
pub mod coming_from_rustsat {}

mod am1;
mod bounds;
mod collector;
mod counted;
#[cfg(all(test, feature = "batsat"))]
mod differential;
mod encoder;
mod instance;
mod selected;
mod summed;
mod target;
mod variables;

pub use am1::Am1;
pub use cnfkit_encode::card::growing::Growing;
pub use collector::Collector;
pub use counted::Counted;
pub use instance::InstanceError;
pub use selected::Selected;
pub use summed::Summed;
pub use target::Target;
