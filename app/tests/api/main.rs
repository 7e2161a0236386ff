//! The server as its clients see it: every question, every refusal, limits, cancelling, events, and the `OpenAPI`
//! file.

mod answers;
mod clues;
mod events;
mod guard;
mod limits;
mod model;
mod openapi;
mod puzzles;
mod readme;
mod refusals;
mod tools;
