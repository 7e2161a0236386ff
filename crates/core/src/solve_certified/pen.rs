//! [`Pen`]: what a solver writes its part of a proof with.

use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

use crate::certify::Lines;

/// The lines of a proof, which the solver writes while it searches.
pub(super) type Pen = Rc<RefCell<Lines<Box<dyn Write>>>>;
