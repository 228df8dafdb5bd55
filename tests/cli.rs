//! The real command line, from outside.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use headroom::domain::digest::scenario_digest;
use headroom::domain::scenario::Scenario;
use headroom::engine::projection::Projection;
use headroom::{export, share, stories};

const STORY: &str = "story:eleven-calls";

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_headroom"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn headroom(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program starts")
}

fn with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The program may end before it has read everything.
    let _ = child.stdin.take().expect("its input").write_all(input);
    child.wait_with_output().expect("the program ends")
}

fn good(output: &Output) -> String {
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{complaint}");
    assert_eq!(
        complaint, "",
        "nothing on standard error when it is no terminal"
    );
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Exit code 2, nothing on standard output, one line on standard error, which has all these words.
fn bad(output: &Output, words: &[&str]) {
    let complaint = String::from_utf8(output.stderr.clone()).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(output.stdout.is_empty());
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    assert!(
        complaint.starts_with("headroom: ") && complaint.ends_with('\n'),
        "{complaint}"
    );
    for word in words {
        assert!(complaint.contains(word), "{word:?} is not in {complaint:?}");
    }
}

/// A file in a folder of its own.
fn file(name: &str, content: &[u8]) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, content).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

fn story() -> Scenario {
    stories::find("eleven-calls").expect("a story").scenario()
}

fn digests(output: &Output) -> (String, String) {
    let text = good(output);
    let [scenario, result] = text.lines().collect::<Vec<_>>()[..] else {
        panic!("two lines: {text}")
    };
    let hex = |line: &str, name: &str| {
        let hex = line.strip_prefix(name).expect("its name").trim().to_owned();
        assert!(
            hex.len() == 32 && hex.bytes().all(|b| b.is_ascii_hexdigit()),
            "{line}"
        );
        hex
    };
    (hex(scenario, "scenario "), hex(result, "result "))
}

#[test]
fn stories_are_listed_one_a_line() {
    let text = good(&headroom(&["stories"]));
    let names: Vec<&str> = stories::all().iter().map(|s| s.name).collect();
    assert_eq!(text.lines().collect::<Vec<_>>(), names);
}

#[test]
fn a_link_and_back() {
    let url = good(&headroom(&[
        "url",
        STORY,
        "--base",
        "https://planner.example/app/#old",
    ]));
    let url = url.trim_end();
    assert!(
        url.starts_with("https://planner.example/app/#p=1."),
        "{url}"
    );
    let json = good(&headroom(&["open", url]));
    assert_eq!(json, export::scenario_json(&story()));
    let fragment = url.split_once('#').expect("a fragment").1;
    assert_eq!(good(&headroom(&["open", fragment])), json);
    let default = good(&headroom(&["url", STORY]));
    assert_eq!(
        default.trim_end(),
        format!("http://127.0.0.1:8080/#{fragment}")
    );
}

#[test]
fn every_source_of_a_scenario_gives_the_same_digests() {
    let json = export::scenario_json(&story());
    let path = file("story.json", json.as_bytes());
    let url = format!(
        "https://planner.example/#{}",
        share::encode(&story()).expect("fits")
    );
    let few = ["--trials", "100"];
    let of = |source: &str| digests(&headroom(&[&["digest", source][..], &few].concat()));
    let expected = of(STORY);
    assert_eq!(of(&path), expected);
    assert_eq!(of(&url), expected);
    let piped = with_input(&[&["digest", "-"][..], &few].concat(), json.as_bytes());
    assert_eq!(digests(&piped), expected);
    let mut scenario = story();
    scenario.settings.trials = 100;
    assert_eq!(expected.0, scenario_digest(&scenario));
}

#[test]
fn the_numbers_depend_on_seed_and_trials_but_not_on_threads() {
    let of = |more: &[&str]| {
        digests(&headroom(
            &[&["digest", STORY, "--trials", "130"][..], more].concat(),
        ))
    };
    let one = of(&["--threads", "1"]);
    assert_eq!(of(&["--threads", "2"]), one);
    assert_eq!(of(&["--threads", "5"]), one);
    assert_eq!(of(&[]), one);
    let other = of(&["--seed", "123"]);
    assert!(other.0 != one.0 && other.1 != one.1);
}

#[test]
fn the_projection_is_the_engines_own() {
    let text = good(&headroom(&["run", STORY, "--trials", "120", "--seed", "9"]));
    let projection: Projection = serde_json::from_str(&text).expect("a projection");
    let mut scenario = story();
    scenario.settings.trials = 120;
    scenario.settings.seed = 9;
    let own = headroom::engine::run_all(&scenario, 120, 9, &mut |_, _| {}).expect("it runs");
    assert_eq!(projection, own);
    let lower = text.to_lowercase();
    assert!(!lower.contains("nan") && !lower.contains("infinity"));
}

#[test]
fn the_plan_goes_to_a_file() {
    let path = file("plan.csv", b"old");
    let output = headroom(&[
        "run", STORY, "--trials", "100", "--format", "csv", "--out", &path,
    ]);
    assert_eq!(good(&output), "");
    let text = std::fs::read_to_string(&path).expect("the file");
    assert!(text.starts_with("scenario_id,scenario_version,period_start,"));
    assert_eq!(
        good(&headroom(&[
            "run", STORY, "--trials", "100", "--format", "csv"
        ])),
        text
    );
    let folder = PathBuf::from(&path)
        .parent()
        .expect("a folder")
        .join("no-such-folder/plan.csv");
    let output = headroom(&[
        "run",
        STORY,
        "--trials",
        "100",
        "--out",
        folder.to_str().expect("UTF-8"),
    ]);
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        complaint.lines().count() == 1 && complaint.contains("plan.csv"),
        "{complaint}"
    );
}

#[test]
fn schemas_are_the_ones_in_docs() {
    for name in ["scenario", "projection"] {
        let path = format!("{}/docs/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
        let docs = std::fs::read_to_string(path).expect("the schema");
        assert!(good(&headroom(&["schema", name])) == docs);
    }
}

#[test]
fn help_and_version_are_no_errors() {
    assert!(good(&headroom(&["--help"])).contains("stories"));
    assert!(good(&headroom(&["run", "--help"])).contains("--trials"));
    assert!(good(&headroom(&["--version"])).starts_with("headroom "));
}

#[test]
fn arguments_that_make_no_sense() {
    bad(&headroom(&[]), &["run, digest, url, open, stories, schema"]);
    bad(&headroom(&["simulate"]), &["simulate", "run, digest"]);
    bad(&headroom(&["run"]), &["SCENARIO", "missing"]);
    bad(&headroom(&["run", STORY, "more"]), &["more"]);
    bad(&headroom(&["run", STORY, "--fast"]), &["--fast"]);
    bad(
        &headroom(&["run", STORY, "--format", "xml"]),
        &["--format", "xml", "json, csv"],
    );
    bad(
        &headroom(&["run", STORY, "--trials"]),
        &["--trials", "value"],
    );
    for value in ["ten", "-5", "1.5", "99999999999"] {
        bad(
            &headroom(&["run", STORY, &format!("--trials={value}")]),
            &["--trials", value, "whole number"],
        );
    }
    bad(
        &headroom(&["run", STORY, "--seed", "x"]),
        &["--seed", "18446744073709551615"],
    );
    bad(
        &headroom(&["run", STORY, "--threads", "0"]),
        &["--threads", "512"],
    );
    bad(
        &headroom(&["run", STORY, "--seed", "1", "--seed", "2"]),
        &["--seed", "twice"],
    );
    bad(
        &headroom(&["schema", "plan"]),
        &["plan", "scenario, projection"],
    );
    for base in [
        "planner.example",
        "ftp://planner.example",
        "https://",
        "https://a b/",
        "file:///tmp/x",
    ] {
        bad(&headroom(&["url", STORY, "--base", base]), &["address"]);
    }
}

#[test]
fn trials_out_of_range_are_an_error_of_the_plan() {
    for trials in ["99", "100001", "0"] {
        bad(&headroom(&["run", STORY, "--trials", trials]), &["100"]);
    }
}

#[test]
fn scenarios_that_are_none() {
    bad(
        &headroom(&["run", "story:nothing"]),
        &["nothing", "eleven-calls, real-traces"],
    );
    bad(
        &headroom(&["run", "no-such-file.json"]),
        &["no-such-file.json"],
    );
    bad(&headroom(&["run", "/"]), &["folder"]);
    bad(
        &headroom(&["run", &file("empty.json", b"")]),
        &["empty.json", "empty"],
    );
    bad(
        &headroom(&["run", &file("broken.json", b"{\"format\": 1,")]),
        &["broken.json", "line 1"],
    );
    bad(
        &headroom(&["run", &file("latin.json", b"{\"name\": \"caf\xe9\"}")]),
        &["latin.json", "UTF-8"],
    );
    bad(
        &headroom(&["run", &file("other.json", b"{\"version\": 3}")]),
        &["other.json", "not a plan"],
    );
    bad(
        &headroom(&["run", &file("newer.json", b"{\"format\": 9}")]),
        &["newer.json", "(9)"],
    );
    bad(&with_input(&["run", "-"], b"[1, 2]"), &["not a plan"]);
    bad(&with_input(&["run", "-"], &vec![b' '; 9 << 20]), &["8 MB"]);
    bad(&headroom(&["run", "-"]), &["empty"]);
}

#[test]
fn problems_of_a_plan_are_named_by_field() {
    let mut plan = serde_json::to_value(story()).expect("JSON");
    plan["features"][0]["pol"] = 1.into();
    plan["settings"]["start"] = "soon".into();
    let path = file("fields.json", plan.to_string().as_bytes());
    bad(
        &headroom(&["run", &path]),
        &["settings.start", "2027-03-31", "(and one more)"],
    );

    let mut scenario = story();
    scenario.settings.horizon_months = 0;
    scenario.settings.currency = "Gold\u{1b}[31m\n".to_owned();
    let path = file("invalid.json", export::scenario_json(&scenario).as_bytes());
    for command in ["run", "digest", "url"] {
        let output = headroom(&[command, &path]);
        bad(&output, &["60", "(and one more)"]);
        assert!(!output.stderr.contains(&0x1b));
    }
}

#[test]
fn links_that_are_none() {
    let fragment = share::encode(&story()).expect("fits");
    let url = format!("https://planner.example/#{fragment}");
    bad(
        &headroom(&["open", "https://planner.example/"]),
        &["not a plan"],
    );
    bad(
        &headroom(&["open", "https://planner.example/#"]),
        &["no plan"],
    );
    bad(&headroom(&["open", ""]), &["no plan"]);
    bad(&headroom(&["open", &url[..url.len() - 9]]), &["cut off"]);
    bad(&headroom(&["run", &url[..url.len() - 1]]), &["cut off"]);
    bad(
        &headroom(&["open", &format!("{}A", &url[..url.len() - 1])]),
        &["altered"],
    );
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = command(&["run", STORY, "--trials", "100", "--format", "csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(good(&output), "");
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let odd = OsStr::from_bytes(b"caf\xe9.json");
    let run = |first: &str| {
        command(&[first])
            .arg(odd)
            .output()
            .expect("the program starts")
    };
    bad(&run("run"), &["no file"]);
    bad(&run("open"), &["not a plan"]);
    let output = command(&["run", STORY, "--format"])
        .arg(odd)
        .output()
        .expect("the program starts");
    bad(&output, &[]);
}

/// The cuts of the money by feature and by contract are the whole, in every period of every story.
#[test]
fn the_parts_of_the_plan_add_up_to_the_cent() {
    use std::collections::BTreeMap;
    for story in stories::all() {
        let source = format!("story:{}", story.name);
        let text = good(&headroom(&[
            "run", &source, "--trials", "100", "--format", "csv",
        ]));
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let mut sums: BTreeMap<(String, String), BTreeMap<String, i64>> = BTreeMap::new();
        for row in reader.deserialize() {
            let row: BTreeMap<String, String> = row.expect("a row");
            if row["metric"] != "effective_cost" || row["row_type"] == "Budget" {
                continue;
            }
            let cents: i64 = row["mean"].replace('.', "").parse().expect("cents");
            assert!(cents >= 0);
            let period = (row["x_Period"].clone(), row["period_start"].clone());
            let sum = sums.entry(period).or_default();
            *sum.entry(row["row_type"].clone()).or_default() += cents;
        }
        assert!(sums.len() > 12);
        for (period, sum) in sums {
            assert_eq!(sum["Forecast"], sum["Total"], "{} {period:?}", story.name);
            assert_eq!(sum["Contract"], sum["Total"], "{} {period:?}", story.name);
        }
    }
}
