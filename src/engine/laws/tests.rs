use std::time::Instant;

use super::*;
use crate::{engine::plan::compile, stories};

/// `--nocapture` prints what building costs.
#[test]
fn building_times() {
    for s in stories::all() {
        let plan = compile(&s.scenario()).expect("a valid story");
        let start = Instant::now();
        let mut cache = Cache::default();
        let _ = Laws::new(&plan, &mut cache);
        println!(
            "{}: {} features {:.0} ms",
            s.name,
            plan.features.len(),
            start.elapsed().as_secs_f64() * 1e3
        );
        for f in &plan.features {
            let start = Instant::now();
            let _ = RequestSums::build(&f.request);
            println!("  sums {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
        }
    }
}
