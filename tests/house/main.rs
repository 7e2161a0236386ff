//! The house: which room may use which, read from DESIGN.md and held against the imports of every file; and the habits
//! of prose that a program can check; what CONTRIBUTING.md quotes; and the oldest compiler that is promised.

mod contributing;
mod examples;
mod msrv;
mod names;
mod prose;
mod rooms;
mod source;
