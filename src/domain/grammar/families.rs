//! Families by name, with the names of their parameters.

use crate::domain::distribution::Part;
use crate::domain::quantity::Shape;

/// One parameter of a family.
pub(super) struct Parameter {
    pub names: &'static [&'static str],
    /// Whether it is in the field's unit.
    pub measured: bool,
    pub part: Part,
}

/// A family with the names of its parameters.
pub(super) struct Family {
    pub names: &'static [&'static str],
    pub parts: &'static [Parameter],
    pub needed: usize,
    /// The shape of the values in the order of `parts`; none if one that is needed is missing.
    pub make: fn([Option<f64>; 4]) -> Option<Shape>,
}

const fn measured(names: &'static [&'static str], part: Part) -> Parameter {
    Parameter {
        names,
        measured: true,
        part,
    }
}

const fn bare(names: &'static [&'static str], part: Part) -> Parameter {
    Parameter {
        names,
        measured: false,
        part,
    }
}

pub(super) const FAMILIES: &[Family] = &[
    Family {
        names: &["normal", "gaussian"],
        parts: &[
            measured(&["mean"], Part::Mean),
            measured(&["sd", "stdev"], Part::Sd),
        ],
        needed: 2,
        make: |v| {
            Some(Shape::Normal {
                mean: v[0]?,
                sd: v[1]?,
            })
        },
    },
    Family {
        names: &["lognormal"],
        parts: &[bare(&["mu"], Part::Mu), bare(&["sigma"], Part::Sigma)],
        needed: 2,
        make: |v| {
            Some(Shape::Lognormal {
                mu: v[0]?,
                sigma: v[1]?,
            })
        },
    },
    Family {
        names: &["uniform"],
        parts: &[measured(&["min"], Part::Min), measured(&["max"], Part::Max)],
        needed: 2,
        make: |v| {
            Some(Shape::Uniform {
                min: v[0]?,
                max: v[1]?,
            })
        },
    },
    Family {
        names: &["pert"],
        parts: &[
            measured(&["min"], Part::Min),
            measured(&["mode"], Part::Mode),
            measured(&["max"], Part::Max),
        ],
        needed: 3,
        make: |v| {
            Some(Shape::Pert {
                min: v[0]?,
                mode: v[1]?,
                max: v[2]?,
            })
        },
    },
    Family {
        names: &["triangular", "triangle"],
        parts: &[
            measured(&["min"], Part::Min),
            measured(&["mode"], Part::Mode),
            measured(&["max"], Part::Max),
        ],
        needed: 3,
        make: |v| {
            Some(Shape::Triangular {
                min: v[0]?,
                mode: v[1]?,
                max: v[2]?,
            })
        },
    },
    Family {
        names: &["beta"],
        parts: &[
            bare(&["alpha"], Part::Alpha),
            bare(&["beta"], Part::Beta),
            measured(&["min"], Part::Min),
            measured(&["max"], Part::Max),
        ],
        needed: 2,
        make: |v| {
            Some(Shape::Beta {
                alpha: v[0]?,
                beta: v[1]?,
                min: v[2].unwrap_or(0.0),
                max: v[3].unwrap_or(1.0),
            })
        },
    },
    Family {
        names: &["gamma"],
        parts: &[
            bare(&["shape"], Part::Shape),
            measured(&["scale"], Part::Scale),
        ],
        needed: 2,
        make: |v| {
            Some(Shape::Gamma {
                shape: v[0]?,
                scale: v[1]?,
            })
        },
    },
];

/// The family with this name.
pub(super) fn family(word: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|f| f.names.contains(&word))
}
