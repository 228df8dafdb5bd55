//! Quantiles of families without a closed form: a table over normal scores, made once at the fit.
//!
//! Nodes are (z, y, dy/dz) with P(X <= x) = P(Z <= z), exact to 1e-11; y is ln(x - lower end) where there is a lower end
//! (nearly straight in both tails), else x. Between nodes runs a monotone cubic (Hermite with slopes limited to three
//! times the secant, Fritsch and Carlson 1980). Cells are halved until the middle agrees with the exact value to 1e-5 of
//! its distance from the lower end plus 1e-10 of the standard deviation, or until the cell holds less than 1e-9 of the
//! probability: that is how the gap between two separate parts of a mix is kept free.

use serde::{Deserialize, Serialize};

use super::Distribution;
use super::family::Family;
use super::special::{normal_cdf, normal_density, normal_quantile, root_increasing};

/// The scores of the smallest uniform above 0 and the largest below 1 lie inside.
const LAST: f64 = 8.5;
const FIRST_STEP: f64 = 0.5;
const CLOSE_RELATIVE: f64 = 1e-5;
const CLOSE_TO_SD: f64 = 1e-10;
const LEAST_PROBABILITY: f64 = 1e-9;
const MOST_NODES: usize = 4_000;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    z: f64,
    y: f64,
    slope: f64,
}

/// The table; at least two nodes, z ascending, y not descending.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Table {
    scale: Scale,
    nodes: Vec<Node>,
}

/// What the table holds of a value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Scale {
    /// The value.
    Plain,
    /// The logarithm of its distance from a lower end.
    LogFrom(f64),
}

impl Scale {
    fn value(self, y: f64) -> f64 {
        match self {
            Self::Plain => y,
            Self::LogFrom(low) => low + libm::exp(y),
        }
    }

    fn of(self, x: f64) -> f64 {
        match self {
            Self::Plain => x,
            Self::LogFrom(low) => libm::log((x - low).max(1e-290)),
        }
    }
}

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
        let nodes = &self.nodes;
        let i = nodes
            .partition_point(|n| n.z <= z)
            .clamp(1, nodes.len() - 1);
        self.scale.value(between(&nodes[i - 1], &nodes[i], z))
    }
}

fn between(a: &Node, b: &Node, z: f64) -> f64 {
    let (dz, dy) = (b.z - a.z, b.y - a.y);
    if dz <= 0.0 {
        return b.y;
    }
    let t = ((z - a.z) / dz).clamp(0.0, 1.0);
    let most = 3.0 * dy;
    let m0 = (a.slope * dz).min(most);
    let m1 = (b.slope * dz).min(most);
    // Horner form of the Hermite cubic through (0, 0) and (1, dy).
    let y = a.y + t * (m0 + t * ((3.0 * dy - 2.0 * m0 - m1) + t * (m0 + m1 - 2.0 * dy)));
    y.max(a.y).min(b.y)
}

struct Builder<'a> {
    d: &'a Distribution,
    scale: Scale,
    /// Ends of the search, on the scale.
    ends: (f64, f64),
    sd: f64,
    nodes: Vec<Node>,
}

impl<'a> Builder<'a> {
    fn new(d: &'a Distribution) -> Self {
        let sd = d.sd().max(1e-12 * d.mean().abs()).max(1e-200);
        let (mut low, mut high) = d.support();
        let atom_at_low = d.atoms().first().is_some_and(|(x, _)| *x <= low);
        let scale = if low.is_finite() && !atom_at_low {
            Scale::LogFrom(low)
        } else {
            Scale::Plain
        };
        let mut step = 4.0 * sd;
        if low == f64::NEG_INFINITY {
            low = d.mean() - step;
            while d.both(low).0 > normal_cdf(-LAST) && step < 1e6 * sd {
                step *= 2.0;
                low = d.mean() - step;
            }
        }
        step = 4.0 * sd;
        if high == f64::INFINITY {
            high = d.mean() + step;
            while d.both(high).1 > normal_cdf(-LAST) && step < 1e9 * sd {
                step *= 2.0;
                high = d.mean() + step;
            }
        }
        let ends = match scale {
            Scale::Plain => (low, high),
            // Below 1e-100 standard deviations nothing matters.
            Scale::LogFrom(_) => (libm::log(1e-100 * sd).max(-667.0), scale.of(high)),
        };
        Self {
            d,
            scale,
            ends,
            sd,
            nodes: Vec::new(),
        }
    }

    /// The exact value at a score, searched between two places on the scale.
    fn node(&self, z: f64, low: f64, high: f64) -> Node {
        let (log_p, log_q) = (libm::log(normal_cdf(z)), libm::log(normal_cdf(-z)));
        let miss = |y: f64| {
            let (below, above) = self.d.both(self.scale.value(y));
            // In logarithms of the smaller tail the function is nearly straight.
            if z < 0.0 {
                libm::log(below.max(1e-320)) - log_p
            } else {
                log_q - libm::log(above.max(1e-320))
            }
        };
        let tolerance = match self.scale {
            Scale::Plain => 1e-13 * low.abs().max(high.abs()),
            Scale::LogFrom(_) => 1e-13,
        };
        let mut y = root_increasing(low, high, tolerance, miss)
            .max(low)
            .min(high);
        if self.d.density(self.scale.value(y)) == 0.0 && miss(low) < -1e-12 {
            // between two parts of a mix every value has the same probability below it: the lowest one is a value
            let (mut below, mut reached) = (low, y);
            for _ in 0..100 {
                let middle = 0.5 * (below + reached);
                if miss(middle) < -1e-12 {
                    below = middle;
                } else {
                    reached = middle;
                }
            }
            y = reached;
        }
        let x = self.scale.value(y);
        let per_y = match self.scale {
            Scale::Plain => 1.0,
            Scale::LogFrom(from) => x - from,
        };
        let slope = normal_density(z) / (self.d.density(x) * per_y);
        Node {
            z,
            y,
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
                flats.push((from, to, self.scale.of(x)));
            }
        }
        scores.retain(|z| !flats.iter().any(|(from, to, _)| z >= from && z <= to));
        let mut fixed: Vec<Node> = flats
            .iter()
            .flat_map(|&(from, to, y)| [from, to].map(|z| Node { z, y, slope: 0.0 }))
            .collect();
        let mut low = self.ends.0;
        for z in scores {
            // Flat pieces are between the values on their two sides.
            let before = fixed
                .iter()
                .filter(|n| n.z < z)
                .map(|n| n.y)
                .fold(low, f64::max);
            let after = flats
                .iter()
                .filter(|f| f.0 > z)
                .map(|f| f.2)
                .fold(self.ends.1, f64::min);
            let node = self.node(z, before, after);
            low = node.y;
            fixed.push(node);
        }
        fixed.sort_by(|a, b| a.z.total_cmp(&b.z).then(a.y.total_cmp(&b.y)));
        let mut previous: Option<Node> = None;
        for node in fixed {
            if let Some(a) = previous {
                self.cell(a, node);
            }
            previous = Some(node);
        }
        self.nodes.extend(previous);
        // Two values with nothing between them are two nodes at one score: a jump, which must stay.
        self.nodes.dedup_by(|b, a| b.z <= a.z && b.y <= a.y);
        (self.nodes.len() >= 2).then_some(Table {
            scale: self.scale,
            nodes: self.nodes,
        })
    }

    /// Pushes the left end of a cell and whatever is needed inside of it.
    fn cell(&mut self, a: Node, b: Node) {
        let probability = if a.z < 0.0 {
            normal_cdf(b.z) - normal_cdf(a.z)
        } else {
            normal_cdf(-a.z) - normal_cdf(-b.z)
        };
        let done = b.y <= a.y
            || b.z - a.z < 1e-12
            || probability < LEAST_PROBABILITY && b.z - a.z < FIRST_STEP * 0.99
            || self.nodes.len() >= MOST_NODES;
        if !done {
            let middle = self.node(0.5 * (a.z + b.z), a.y, b.y);
            let exact = self.scale.value(middle.y);
            let miss = (self.scale.value(between(&a, &b, middle.z)) - exact).abs();
            let distance = match self.scale {
                Scale::Plain => exact.abs(),
                Scale::LogFrom(from) => exact - from,
            };
            // The first cells are always halved, lest one lucky middle hides a wrong quarter.
            if b.z - a.z > 0.4 || miss > CLOSE_RELATIVE * distance + CLOSE_TO_SD * self.sd {
                self.cell(a, middle);
                self.cell(middle, b);
                return;
            }
        }
        self.nodes.push(a);
    }
}
