//! Weights of literals: a list, or some by lot.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::lot;
use crate::problem::Problem;

/// The largest weight: sums of all that a question may have stay far below 2⁶⁴.
pub(crate) const MOST_WEIGHT: u64 = u32::MAX as u64;

/// The weights of n literals, each at most 4294967295: repeated from a list as often as needed, or by lot. An empty
/// list stands for weights that are all 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "weights are a list of numbers, or `{\"least\": 1, \"most\": 9}`")]
pub(crate) enum Weights {
    /// The weight of the first literal, of the second, ….
    List(Vec<u64>),
    /// Each by lot between two weights, as likely as any other.
    Lot(Lot),
}

/// Weights by lot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lot {
    least: u64,
    most: u64,
    /// Equal seeds give equal weights; those of fewer literals are the first of those of more.
    #[serde(default)]
    seed: u64,
}

impl Default for Weights {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl Weights {
    /// True if the question says what the weights are.
    pub(crate) const fn are_given(&self) -> bool {
        !matches!(self, Self::List(list) if list.is_empty())
    }

    /// The weights of n literals.
    pub(crate) fn of(&self, n: usize) -> Result<Vec<u64>, Problem> {
        let too_large =
            |place: String, found: u64| Problem::refused(place, format!("a weight of {found}; at most {MOST_WEIGHT}"));
        match self {
            Self::List(list) => {
                if let Some(at) = list.iter().position(|&weight| weight > MOST_WEIGHT) {
                    return Err(too_large(format!("weights[{at}]"), list[at]));
                }
                Ok(if list.is_empty() { vec![1; n] } else { list.iter().copied().cycle().take(n).collect() })
            }
            Self::Lot(Lot { most, .. }) if *most > MOST_WEIGHT => Err(too_large("weights.most".into(), *most)),
            Self::Lot(Lot { least, most, .. }) if least > most => {
                Err(Problem::refused("weights.least", format!("weights from {least} to {most}: there are none")))
            }
            Self::Lot(Lot { least, most, seed }) => {
                let range = most - least + 1;
                Ok((0..n as u64).map(|at| least + lot::number(*seed, at) % range).collect())
            }
        }
    }
}
