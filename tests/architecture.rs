//! Who may name whom: an allow-list of modules and crates, read from the source itself. docs/architecture.md says the
//! same in a table.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

mod architecture {
    pub mod source;
}

use architecture::source::{Source, sources};

/// Which parts of the library each part may name, beside itself.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("engine", &["domain"]),
    ("catalog", &["domain"]),
    ("decide", &["domain", "engine"]),
    ("share", &["domain"]),
    ("import", &["domain", "share"]),
    ("export", &["domain", "engine"]),
    ("text", &["domain", "engine", "decide", "share", "import"]),
    ("stories", &["domain", "text"]),
    ("runner", &["domain", "engine", "text"]),
    ("chart", &["domain", "engine", "text"]),
    (
        "ui",
        &[
            "domain", "engine", "catalog", "decide", "share", "import", "export", "text",
            "stories", "runner", "chart",
        ],
    ),
];

/// Crates that exist only in a browser, and the files that may name them.
const BROWSER_CRATES: &[&str] = &[
    "console_error_panic_hook",
    "gloo",
    "js_sys",
    "leptos",
    "plotters_canvas",
    "reactive_stores",
    "wasm_bindgen",
    "wasm_bindgen_futures",
    "web_sys",
];
const BROWSER_FILES: &[&str] = &[
    "src/ui/",
    "src/runner/browser",
    "src/chart/canvas",
    "src/main.rs",
    "src/bin/collector.rs",
    "src/bin/worker.rs",
];

/// Crates of the command line.
const TERMINAL_CRATES: &[&str] = &["clap", "indicatif"];

/// Functions whose last bits differ between targets; `libm` has them for all.
const NOT_PORTABLE: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp",
    "exp2", "exp_m1", "hypot", "ln", "ln_1p", "ln_gamma", "log", "log10", "log2", "mul_add",
    "powf", "powi", "sin", "sin_cos", "sinh", "tan", "tanh",
];

/// Lines of a file, tests inside it left out: a file of over about 500 lines is asking to be two.
const LONGEST_FILE: usize = 550;
/// Files that are longer because what is in them is one thing; none is longer than [`LONGEST_OF_ALL`].
const LONG_FILES: &[&str] = &[
    "src/domain/distribution/fit.rs",
    "src/domain/grammar/lex.rs",
    "src/domain/grammar/read.rs",
    "src/domain/problem/check.rs",
    "src/engine/billing.rs",
    "src/runner/dispatch.rs",
    "src/ui/answers/view/stack.rs",
];
const LONGEST_OF_ALL: usize = 800;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn library() -> Vec<Source> {
    sources(&root(), Path::new("src"))
}

fn fails(problems: &BTreeSet<String>) {
    assert!(
        problems.is_empty(),
        "\n{}\n",
        problems.iter().cloned().collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn parts_name_only_the_parts_below_them() {
    let allowed: BTreeMap<&str, &[&str]> = MAY_NAME.iter().copied().collect();
    let mut problems = BTreeSet::new();
    for source in library() {
        let Some(part) = source.part() else { continue };
        let Some(allowed) = allowed.get(part) else {
            problems.insert(format!("{}: “{part}” is not in the table", source.name));
            continue;
        };
        for path in source.paths.iter().filter(|p| !p.in_tests) {
            let Some(other) = path.part_of_the_library(&source) else {
                continue;
            };
            // `crate::messages!` is a macro, and macros live at the root.
            if other != part && other != "messages" && !allowed.contains(&other.as_str()) {
                problems.insert(format!("{}:{} names {other}", source.name, path.line));
            }
        }
    }
    fails(&problems);
}

#[test]
fn the_table_points_one_way() {
    let below: BTreeMap<&str, &[&str]> = MAY_NAME.iter().copied().collect();
    for (part, _) in MAY_NAME {
        let mut seen = BTreeSet::new();
        let mut next: Vec<&str> = below[part].to_vec();
        while let Some(other) = next.pop() {
            assert_ne!(other, *part, "{part} is below itself");
            if seen.insert(other) {
                next.extend(below.get(other).copied().unwrap_or_default());
            }
        }
    }
}

#[test]
fn browser_and_terminal_stay_outside_the_core() {
    let mut problems = BTreeSet::new();
    for source in library() {
        let may_browse = BROWSER_FILES.iter().any(|f| source.name.starts_with(f));
        let may_print = source.name.starts_with("src/bin/headroom");
        for path in &source.paths {
            let crate_name = path.segments[0].as_str();
            if (BROWSER_CRATES.contains(&crate_name) && !may_browse)
                || (TERMINAL_CRATES.contains(&crate_name) && !may_print)
            {
                problems.insert(format!("{}:{} names {crate_name}", source.name, path.line));
            }
        }
    }
    fails(&problems);
}

#[test]
fn the_engine_plays_trials_without_dates() {
    let mut problems = BTreeSet::new();
    for source in library() {
        // Compiling a plan turns dates and terms into hours; what plays trials sees hours only.
        let compiles = ["src/engine/plan", "src/engine/billing.rs"];
        if !source.name.starts_with("src/engine/")
            || compiles.iter().any(|part| source.name.starts_with(part))
        {
            continue;
        }
        for path in source
            .paths
            .iter()
            .filter(|p| !p.in_tests && p.segments[0] == "jiff")
        {
            problems.insert(format!("{}:{} names jiff", source.name, path.line));
        }
    }
    fails(&problems);
}

#[test]
fn numbers_are_the_same_on_all_targets() {
    let mut problems = BTreeSet::new();
    for source in library() {
        if !["src/engine/", "src/domain/"]
            .iter()
            .any(|part| source.name.starts_with(part))
        {
            continue;
        }
        for call in source.methods.iter().filter(|m| !m.in_tests) {
            if NOT_PORTABLE.contains(&call.name.as_str()) {
                problems.insert(format!(
                    "{}:{} calls .{}()",
                    source.name, call.line, call.name
                ));
            }
        }
        for path in source.paths.iter().filter(|p| !p.in_tests) {
            let last = path.segments.last().map_or("", String::as_str);
            if path.segments[0] == "f64" && NOT_PORTABLE.contains(&last) {
                problems.insert(format!("{}:{} names f64::{last}", source.name, path.line));
            }
            if path
                .segments
                .iter()
                .any(|s| s == "HashMap" || s == "HashSet")
            {
                problems.insert(format!(
                    "{}:{} has an order that changes from run to run",
                    source.name, path.line
                ));
            }
        }
    }
    fails(&problems);
}

/// Where input from outside is read, nothing may end the program.
#[test]
fn untrusted_input_meets_no_panic() {
    const READERS: &[&str] = &[
        "src/share/",
        "src/import/",
        "src/export/",
        "src/domain/grammar",
        "src/domain/problem",
        "src/bin/headroom",
    ];
    let mut problems = BTreeSet::new();
    for source in library() {
        if !READERS.iter().any(|part| source.name.starts_with(part)) {
            continue;
        }
        for call in source.methods.iter().filter(|m| !m.in_tests) {
            if ["unwrap", "expect"].contains(&call.name.as_str()) {
                problems.insert(format!(
                    "{}:{} calls .{}()",
                    source.name, call.line, call.name
                ));
            }
        }
        for call in source.macros.iter().filter(|m| !m.in_tests) {
            if ["panic", "todo", "unimplemented", "unreachable"].contains(&call.name.as_str()) {
                problems.insert(format!(
                    "{}:{} calls {}!",
                    source.name, call.line, call.name
                ));
            }
        }
    }
    fails(&problems);
}

/// The first version of the share format depends on nothing that may change.
#[test]
fn frozen_formats_stand_alone() {
    let mut problems = BTreeSet::new();
    for source in library()
        .iter()
        .filter(|s| s.name.starts_with("src/share/v1/"))
    {
        for path in source.paths.iter().filter(|p| !p.in_tests) {
            if let Some(part) = path.part_of_the_library(source)
                && part != "share"
            {
                problems.insert(format!("{}:{} names {part}", source.name, path.line));
            }
        }
    }
    fails(&problems);
}

/// The brute force shares no code with what it checks: it reads a scenario and nothing else of the library.
#[test]
fn the_oracle_is_independent() {
    let oracle = sources(&root(), Path::new("tests/oracle"));
    assert!(!oracle.is_empty());
    let mut problems = BTreeSet::new();
    for source in &oracle {
        for path in source.paths.iter().filter(|p| p.segments[0] == "headroom") {
            let allowed = ["scenario", "quantity", "field", "gateway", "dependence"];
            let entries = path.segments.get(1).is_some_and(|s| s == "domain")
                && path
                    .segments
                    .get(2)
                    .is_some_and(|s| allowed.contains(&s.as_str()));
            if !entries {
                problems.insert(format!(
                    "{}:{} names {}",
                    source.name,
                    path.line,
                    path.segments.join("::")
                ));
            }
        }
    }
    fails(&problems);
}

#[test]
fn files_are_short_enough_to_read() {
    let long: BTreeSet<String> = library()
        .into_iter()
        .filter(|s| {
            let most = if LONG_FILES.contains(&s.name.as_str()) {
                LONGEST_OF_ALL
            } else {
                LONGEST_FILE
            };
            s.lines > most
        })
        .map(|s| format!("{} has {} lines", s.name, s.lines))
        .collect();
    fails(&long);
}

#[test]
fn every_dependency_is_accounted_for() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml");
    let table =
        std::fs::read_to_string(root().join("docs/dependencies.md")).expect("docs/dependencies.md");
    let mut problems = BTreeSet::new();
    let mut inside = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line == "[dependencies]" || line.ends_with("dev-dependencies]");
        } else if inside
            && let Some((name, _)) = line.split_once(" = ")
            && !name.starts_with([' ', '#'])
            && !table
                .lines()
                .any(|row| row.starts_with(&format!("| {name} ")))
        {
            problems.insert(format!("{name} is not in docs/dependencies.md"));
        }
    }
    fails(&problems);
}
