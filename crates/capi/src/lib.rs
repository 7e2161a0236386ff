#![doc = include_str!("../README.md")]

mod border;
mod encode;
mod formula;

pub use border::*;
