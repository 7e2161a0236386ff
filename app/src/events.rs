//! An answer as server-sent events: how far the work is, again and again, and then the answer or a problem.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::response::sse::{Event, Sse};
use futures_util::stream::{Stream, unfold};
use serde::Serialize;
use tokio::sync::oneshot::Receiver;
use tokio::time::{Interval, interval, sleep_until};

use crate::jobs::{Watch, Work};
use crate::problem::Problem;

/// The time between two events.
const EVERY: Duration = Duration::from_millis(200);

/// The answer to a question, or why there is none.
pub(crate) type Answer = Result<String, Problem>;

struct Asked {
    work: Work,
    /// Whoever drops the stream stops the work.
    _watch: Watch,
    answer: Receiver<Answer>,
    until: Instant,
    tick: Interval,
}

/// Events until the answer is there, or the time is over.
pub(crate) fn events(
    work: Work,
    watch: Watch,
    answer: Receiver<Answer>,
    until: Instant,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let asked = Asked { work, _watch: watch, answer, until, tick: interval(EVERY) };
    Sse::new(unfold(Some(asked), |asked| async {
        let mut asked = asked?;
        tokio::select! {
            biased;
            answer = &mut asked.answer => Some((Ok(last(answer.unwrap_or_else(|_| Err(panicked())))), None)),
            () = sleep_until(asked.until.into()) => Some((Ok(last(Err(Problem::out_of_time()))), None)),
            _ = asked.tick.tick() => {
                let progress = event("progress", &asked.work.progress());
                Some((Ok(progress), Some(asked)))
            }
        }
    }))
}

/// Why there is no answer when the work ended without one.
pub(crate) fn panicked() -> Problem {
    Problem::bug("this question met a bug in the program and was given up; the server goes on, and others are answered")
}

fn last(answer: Answer) -> Event {
    #[derive(Serialize)]
    struct Refusal<'a> {
        #[serde(flatten)]
        problem: &'a Problem,
        status: u16,
    }
    match answer {
        Ok(answer) => Event::default().event("result").data(answer),
        Err(problem) => event("error", &Refusal { problem: &problem, status: problem.status }),
    }
}

fn event(name: &str, data: &impl Serialize) -> Event {
    let data = serde_json::to_string(data).unwrap_or_else(|_| "null".into());
    Event::default().event(name).data(data)
}
