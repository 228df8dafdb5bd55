//! Quantiles of families without a closed form: a table over normal scores, made once at the fit.
//!
//! Nodes are (z, x, dx/dz) with P(X <= x) = P(Z <= z), exact to 1e-11; between them runs a monotone cubic (Hermite with
//! slopes limited to three times the secant, Fritsch and Carlson 1980). Cells are halved until the middle agrees with
//! the exact value to 1e-5 of it plus 1e-6 of the standard deviation, or until the cell holds less than 1e-9 of the
//! probability: that is how the gap between two separate parts of a mix is kept free.

use serde::{Deserialize, Serialize};

use super::Distribution;
use super::family::Family;
use super::special::{normal_cdf, normal_density, normal_quantile, root_increasing};

/// The scores of the smallest uniform above 0 and the largest below 1 lie inside.
const LAST: f64 = 8.5;
const FIRST_STEP: f64 = 0.5;
const CLOSE_RELATIVE: f64 = 1e-5;
const CLOSE_TO_SD: f64 = 1e-6;
const LEAST_PROBABILITY: f64 = 1e-9;
const MOST_NODES: usize = 4_000;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    z: f64,
    x: f64,
    slope: f64,
}

/// The table; at least two nodes, z ascending, x not descending.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Table(Vec<Node>);

impl Table {
    /// The table of a distribution that needs one.
    pub(super) fn of(d: &Distribution) -> Option<Self> {
        if !matches!(
            d.family(),
            Family::Beta { .. } | Family::Gamma { .. } | Family::Mix(_)
        ) {
            return None;
        }
        Builder::new(d).build()
    }

    pub(super) fn at(&self, z: f64) -> f64 {
        let nodes = &self.0;
        let i = nodes
            .partition_point(|n| n.z <= z)
            .clamp(1, nodes.len() - 1);
        between(&nodes[i - 1], &nodes[i], z)
    }
}

fn between(a: &Node, b: &Node, z: f64) -> f64 {
    let (dz, dx) = (b.z - a.z, b.x - a.x);
    let t = ((z - a.z) / dz).clamp(0.0, 1.0);
    let most = 3.0 * dx;
    let m0 = (a.slope * dz).min(most);
    let m1 = (b.slope * dz).min(most);
    // Horner form of the Hermite cubic through (0, 0) and (1, dx).
    let x = a.x + t * (m0 + t * ((3.0 * dx - 2.0 * m0 - m1) + t * (m0 + m1 - 2.0 * dx)));
    x.max(a.x).min(b.x)
}

struct Builder<'a> {
    d: &'a Distribution,
    low: f64,
    high: f64,
    scale: f64,
    nodes: Vec<Node>,
}

impl<'a> Builder<'a> {
    fn new(d: &'a Distribution) -> Self {
        let scale = d.sd().max(1e-12 * d.mean().abs()).max(1e-290);
        let (mut low, mut high) = d.support();
        let mut step = 4.0 * scale;
        if low == f64::NEG_INFINITY {
            low = d.mean() - step;
            while d.both(low).0 > normal_cdf(-LAST) && step < 1e6 * scale {
                step *= 2.0;
                low = d.mean() - step;
            }
        }
        step = 4.0 * scale;
        if high == f64::INFINITY {
            high = d.mean() + step;
            while d.both(high).1 > normal_cdf(-LAST) && step < 1e9 * scale {
                step *= 2.0;
                high = d.mean() + step;
            }
        }
        Self {
            d,
            low,
            high,
            scale,
            nodes: Vec::new(),
        }
    }

    /// The exact value at a score, searched between two values.
    fn node(&self, z: f64, low: f64, high: f64) -> Node {
        let (p, q) = (normal_cdf(z), normal_cdf(-z));
        let (log_p, log_q) = (libm::log(p), libm::log(q));
        let miss = |x: f64| {
            let (below, above) = self.d.both(x);
            // In logarithms of the smaller tail the function is nearly straight.
            if z < 0.0 {
                libm::log(below.max(1e-320)) - log_p
            } else {
                log_q - libm::log(above.max(1e-320))
            }
        };
        // Next to 0 many orders of magnitude may lie in one cell: search the logarithm there.
        let wide = low >= 0.0 && high > 0.0 && high > 1e3 * low;
        let x = if wide {
            let least = libm::log((1e-14 * self.scale).min(high).max(low));
            let top = libm::log(high);
            if miss(libm::exp(least)) >= 0.0 {
                if low == 0.0 { 0.0 } else { libm::exp(least) }
            } else {
                libm::exp(root_increasing(least, top, 1e-13, |l| miss(libm::exp(l))))
            }
        } else {
            let tolerance = 1e-13 * low.abs().max(high.abs());
            root_increasing(low, high, tolerance, miss)
        };
        let x = x.max(low).min(high);
        let slope = normal_density(z) / self.d.density(x);
        Node {
            z,
            x,
            slope: if slope.is_finite() { slope } else { 1e300 },
        }
    }

    fn build(mut self) -> Option<Table> {
        let mut scores: Vec<f64> = Vec::new();
        let mut z = -LAST;
        while z <= LAST {
            scores.push(z);
            z += FIRST_STEP;
        }
        // A value with a probability of its own is a flat piece between two scores.
        let mut flats = Vec::new();
        for (x, p) in self.d.atoms() {
            let up_to = self.d.cdf(x);
            let from = normal_quantile((up_to - p).max(0.0)).max(-LAST);
            let to = normal_quantile(up_to.min(1.0)).min(LAST);
            if from < to {
                flats.push((from, to, x));
            }
        }
        scores.retain(|z| !flats.iter().any(|(from, to, _)| z >= from && z <= to));
        let mut fixed: Vec<Node> = flats
            .iter()
            .flat_map(|&(from, to, x)| [from, to].map(|z| Node { z, x, slope: 0.0 }))
            .collect();
        let mut low = self.low;
        for z in scores {
            // Flat pieces are between the values on their two sides.
            let before = fixed
                .iter()
                .filter(|n| n.z < z)
                .map(|n| n.x)
                .fold(low, f64::max);
            let after = flats
                .iter()
                .filter(|f| f.0 > z)
                .map(|f| f.2)
                .fold(self.high, f64::min);
            let node = self.node(z, before, after);
            low = node.x;
            fixed.push(node);
        }
        fixed.sort_by(|a, b| a.z.total_cmp(&b.z).then(a.x.total_cmp(&b.x)));
        let mut previous: Option<Node> = None;
        for node in fixed {
            if let Some(a) = previous {
                self.cell(a, node);
            }
            previous = Some(node);
        }
        self.nodes.extend(previous);
        self.nodes.dedup_by(|b, a| b.z <= a.z);
        (self.nodes.len() >= 2).then_some(Table(self.nodes))
    }

    /// Pushes the left end of a cell and whatever is needed inside of it.
    fn cell(&mut self, a: Node, b: Node) {
        let probability = if a.z < 0.0 {
            normal_cdf(b.z) - normal_cdf(a.z)
        } else {
            normal_cdf(-a.z) - normal_cdf(-b.z)
        };
        let done = b.x <= a.x
            || b.z - a.z < 1e-12
            || probability < LEAST_PROBABILITY && b.z - a.z < FIRST_STEP * 0.99
            || self.nodes.len() >= MOST_NODES;
        if !done {
            let middle = self.node(0.5 * (a.z + b.z), a.x, b.x);
            let miss = (between(&a, &b, middle.z) - middle.x).abs();
            // The first cells are always halved, lest one lucky middle hides a wrong quarter.
            if b.z - a.z > 0.4 || miss > CLOSE_RELATIVE * middle.x.abs() + CLOSE_TO_SD * self.scale
            {
                self.cell(a, middle);
                self.cell(middle, b);
                return;
            }
        }
        self.nodes.push(a);
    }
}
