//! Models through the public names of the facade: the pages of the example `model`, and large numbers.

#[cfg(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat"))]
mod lawrence;
#[cfg(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat"))]
mod numbers;
#[cfg(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat"))]
mod pages;
#[cfg(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat"))]
mod symmetries;
