//! cnfkit on a page in the browser: a server on this machine that answers questions about Sudokus, Gem Hunter boards,
//! encodings and models, and serves the page that asks them.
//!
//! Rooms, each using only those before it: `options` are the arguments of the program; a [`problem`] is why a question
//! has no answer; [`memory`] is what all questions may take together; [`engines`] are programs of others that answer
//! some of them; [`jobs`] are the threads that answer; [`api`] are the questions, one folder each subject; `guard` is
//! what requests must have; `page` are the files of the page; `events` is progress while an answer is on its way;
//! `connections` is what a browser is connected by; [`serve`] is all of them together.

pub mod api;
mod connections;
pub mod engines;
mod events;
mod guard;
pub mod jobs;
pub mod memory;
pub mod options;
mod page;
pub mod problem;
pub mod serve;
