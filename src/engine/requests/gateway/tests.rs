use super::*;
use crate::domain::gateway::SoftLimit;
use crate::domain::quantity::{Domain, MixPart, Shape};
use crate::engine::plan::RequestLaw;
use crate::engine::requests::{
    Tokens,
    levels::{Levels, Range},
    sample::Stratified,
    sums::{RequestSums, tests::fit},
};
use crate::engine::rng::StreamKey;

const FREE: Caps = Caps {
    tokens: None,
    calls: None,
    tool_calls: None,
    seconds: None,
    identical_errors: None,
    soft: None,
};

const LEVEL: Level = Level {
    input: 1.0,
    output: 1.0,
    growth: 1.0,
    retry: 0.5,
};

fn gateway(caps: Caps) -> Gateway {
    Gateway {
        caps,
        ttft_seconds: 1.0,
        tokens_per_second: 100.0,
        max_retries: 2,
    }
}

/// Three calls that read 1,000, 1,500 and 2,000 and write 100, 200 and 300; two tools of 5 s each between them.
fn played(caps: Caps) -> Outcome {
    with_luck(caps, &[])
}

fn with_luck(caps: Caps, luck: &[f64]) -> Outcome {
    let made = Made {
        drawn: Drawn {
            calls: 3,
            input: 1_000.0,
            growth: 500.0,
            cached_share: 0.5,
            tools: 4,
        },
        outputs: &[100.0, 200.0, 300.0],
        luck,
        tool_seconds: &[5.0; 4],
    };
    gateway(caps).play(&made, &LEVEL, 400.0, &mut |_, _| {})
}

fn spent(out: &Outcome) -> (f64, f64, f64, f64, f64) {
    let x = &out.components;
    let t = Tokens::of(x);
    (
        t.calls,
        t.uncached_input + t.cached_read,
        t.output,
        x[component::TOOLS],
        x[component::STOPPED],
    )
}

#[test]
fn without_a_binding_cap_all_is_spent() {
    let out = played(FREE);
    assert_eq!(spent(&out), (3.0, 4_500.0, 600.0, 4.0, 0.0));
    // cached: half of the prefix, of 1,000, of 1,500
    let t = Tokens::of(&out.components);
    assert_eq!(t.cached_read, 0.5 * (400.0 + 1_000.0 + 1_500.0));
    assert_eq!(Tokens::cut_off(&out.components).all(), 0.0);
    // 3 × 1 s, 6 s of writing, 4 tools of 5 s
    assert!((out.seconds - 29.0).abs() < 1e-9);
    assert_eq!(out.tool_seconds, 20.0);
}

#[test]
fn each_cap_cuts_where_it_says() {
    let caps = |change: fn(&mut Caps)| {
        let mut caps = FREE;
        change(&mut caps);
        let out = played(caps);
        // what is cut is what is missing
        let whole = Tokens::of(&played(FREE).components).all();
        let all = Tokens::of(&out.components).all() + Tokens::cut_off(&out.components).all();
        assert!((all - whole).abs() < 1e-6, "{all} {whole}");
        (spent(&out), out.seconds)
    };
    // a call whose input would reach the cap is not sent: 1,100 + 1,500 = 2,600
    let two = (1.0, 1_000.0, 100.0, 2.0, 1.0);
    assert_eq!(caps(|c| c.tokens = Some(2_600.0)).0, two);
    // an output is cut at the cap
    let cut = (2.0, 2_500.0, 150.0, 2.0, 1.0);
    assert_eq!(caps(|c| c.tokens = Some(2_650.0)).0, cut);
    assert_eq!(caps(|c| c.calls = Some(1)).0, two);
    assert_eq!(caps(|c| c.calls = Some(3)).0.4, 0.0);
    let one_tool = (1.0, 1_000.0, 100.0, 1.0, 1.0);
    assert_eq!(caps(|c| c.tool_calls = Some(1)).0, one_tool);
    // 2 s of a call, 5 s of a tool, 3 s of the next tool
    let (x, seconds) = caps(|c| c.seconds = Some(10.0));
    assert_eq!((x, seconds), (two, 10.0));
    // 2 + 10 s, then 1 s to the first token and half a second of writing
    let (x, seconds) = caps(|c| c.seconds = Some(13.5));
    assert_eq!((x, seconds), ((2.0, 2_500.0, 150.0, 2.0, 1.0), 13.5));
}

#[test]
fn errors_in_a_row_stop_a_request() {
    // luck 0.3: one failure at a chance of 0.5; 0.2: two; 0.05: three, which is all attempts
    let free = with_luck(FREE, &[0.9, 0.2, 0.9]);
    assert_eq!(spent(&free).0, 5.0);
    assert_eq!(spent(&free).1, 1_000.0 + 3.0 * 1_500.0 + 2_000.0);
    let caps = |errors| Caps {
        identical_errors: Some(errors),
        ..FREE
    };
    let out = with_luck(caps(2), &[0.9, 0.2, 0.9]);
    assert_eq!((spent(&out).0, spent(&out).4), (3.0, 1.0));
    assert_eq!(spent(&with_luck(caps(3), &[0.9, 0.2, 0.9])).4, 0.0);
    assert_eq!(spent(&with_luck(caps(3), &[0.9, 0.05, 0.9])).4, 1.0);
}

#[test]
fn soft_limits_act_between_calls() {
    let with = |then| {
        let out = played(Caps {
            tokens: Some(10_000.0),
            soft: Some(SoftLimit {
                of: CapKind::Tokens,
                at: 0.1,
                then,
            }),
            ..FREE
        });
        (spent(&out), out.components[component::SOFTENED])
    };
    assert_eq!(
        with(SoftAction::Stop),
        ((1.0, 1_000.0, 100.0, 2.0, 1.0), 1.0)
    );
    assert_eq!(
        with(SoftAction::OneMoreCall),
        ((2.0, 2_500.0, 300.0, 2.0, 1.0), 1.0)
    );
    assert_eq!(
        with(SoftAction::Degrade { token_factor: 0.5 }),
        (
            (
                3.0,
                1_000.0 + 750.0 + 1_000.0,
                100.0 + 100.0 + 150.0,
                4.0,
                0.0
            ),
            1.0
        )
    );
}

fn law(input: Shape, output: Shape) -> RequestLaw {
    RequestLaw {
        calls: fit(Shape::Fixed(1.0), Domain::IntegerFromOne),
        input: fit(input, Domain::Positive),
        context_growth: fit(Shape::Fixed(0.0), Domain::NonNegative),
        cached_share: fit(Shape::Fixed(0.0), Domain::Share),
        output: fit(output, Domain::Positive),
        tools: fit(Shape::Fixed(0.0), Domain::IntegerFromZero),
        tool_seconds: fit(Shape::Fixed(0.0), Domain::NonNegative),
        typical_prefix: 0.0,
    }
}

fn mixture() -> Shape {
    let part = |weight, value| MixPart {
        weight,
        part: Shape::Fixed(value),
    };
    Shape::Mix(vec![part(95.0, 5_000.0), part(5.0, 800_000.0)])
}

/// Almost nothing.
const NOTHING: Shape = Shape::Fixed(1e-9);

/// 95 % 5,000 and 5 % 800,000: mean 44,750, the tail's share 89.4 %; a cap of 100,000 leaves 9,750 of outputs and stops
/// 5 %; as inputs the large ones are not sent: 4,750.
#[test]
fn a_cap_on_two_populations_of_requests() {
    let caps = Caps {
        tokens: Some(100_000.0),
        ..FREE
    };
    let certain = Range::between(1.0, 1.0);
    let never = Range::of(&fit(Shape::Fixed(0.0), Domain::Share));
    let point = |law: &RequestLaw, caps| {
        let levels = Levels::new(
            &Stratified::new(law),
            &gateway(caps),
            &[certain, certain, certain, never],
        );
        levels.tables[0].1
    };
    let near = |got: f64, want: f64| assert!((got / want - 1.0).abs() < 5e-3, "{got} {want}");

    let outputs = law(NOTHING, mixture());
    let free = point(&outputs, FREE);
    near(free.mean[component::OUTPUT], 44_750.0);
    near(0.05 * 800_000.0 / free.mean[component::OUTPUT], 0.894);
    let capped = point(&outputs, caps);
    near(capped.mean[component::OUTPUT], 9_750.0);
    near(capped.mean[component::STOPPED], 0.05);
    near(capped.mean[component::CUT_OUTPUT], 35_000.0);

    let inputs = law(mixture(), NOTHING);
    let capped = point(&inputs, caps);
    near(capped.mean[component::INPUT], 4_750.0);
    near(capped.mean[component::STOPPED], 0.05);
    near(capped.mean[component::CALLS], 0.95);
}

fn agent() -> RequestLaw {
    let lognormal = |mu, sigma| Shape::Lognormal { mu, sigma };
    RequestLaw {
        calls: fit(lognormal(2.3, 0.5), Domain::IntegerFromOne),
        input: fit(lognormal(8.0, 0.8), Domain::Positive),
        context_growth: fit(Shape::Fixed(600.0), Domain::NonNegative),
        cached_share: fit(Shape::Fixed(0.7), Domain::Share),
        output: fit(lognormal(5.5, 1.0), Domain::Positive),
        tools: fit(lognormal(2.0, 0.7), Domain::IntegerFromZero),
        tool_seconds: fit(lognormal(1.0, 1.0), Domain::NonNegative),
        typical_prefix: 1_000.0,
    }
}

/// Tokens, tool calls and durations of the same requests stay joint, cut or not.
#[test]
fn tools_tokens_and_durations_stay_joint() {
    let caps = Caps {
        tokens: Some(120_000.0),
        tool_calls: Some(20),
        seconds: Some(300.0),
        ..FREE
    };
    let law = agent();
    let level = Level {
        retry: 0.0,
        ..LEVEL
    };
    let points = Levels::new(
        &Stratified::new(&law),
        &gateway(caps),
        &[
            Range::between(1.0, 1.0),
            Range::between(1.0, 1.0),
            Range::between(1.0, 1.0),
            Range::of(&fit(Shape::Fixed(0.0), Domain::Share)),
        ],
    );
    let sums = RequestSums::cut(
        &Stratified::new(&law),
        gateway(caps),
        level,
        points.tables[0].1.mean,
    );
    let mut stream = StreamKey {
        seed: 1,
        trial: 1,
        entity: 1,
        purpose: 1,
        block: 1,
    }
    .stream();
    // brute force: own draws, request by request
    let n = 64;
    let rounds = 4_000;
    let mut brute: Vec<Components> = Vec::new();
    let mut durations = Vec::new();
    for _ in 0..rounds {
        let mut total = [0.0; component::COUNT];
        let mut seconds = 0.0;
        for _ in 0..n {
            let mut draw =
                |d: &crate::domain::distribution::Distribution| d.quantile(stream.uniform());
            let calls = (draw(&law.calls) + draw(&fit_uniform())).floor().max(1.0) as u32;
            let tools = (draw(&law.tools) + draw(&fit_uniform())).floor() as u32;
            let outputs: Vec<f64> = (0..calls).map(|_| draw(&law.output)).collect();
            let tool_seconds: Vec<f64> = (0..tools).map(|_| draw(&law.tool_seconds)).collect();
            let made = Made {
                drawn: Drawn {
                    calls,
                    input: draw(&law.input),
                    growth: 600.0,
                    cached_share: 0.7,
                    tools,
                },
                outputs: &outputs,
                luck: &[],
                tool_seconds: &tool_seconds,
            };
            let out = gateway(caps).play(&made, &level, 1_000.0, &mut |_, _| {});
            for (t, x) in total.iter_mut().zip(&out.components) {
                *t += x;
            }
            seconds += out.seconds;
        }
        brute.push(total);
        durations.push(seconds);
    }
    let drawn: Vec<Components> = (0..rounds).map(|_| sums.draw(n, &mut stream)).collect();
    let correlation = |x: &dyn Fn(usize) -> f64, y: &dyn Fn(usize) -> f64| {
        let n = f64::from(rounds);
        let all = 0..rounds as usize;
        let (mx, my) = (
            all.clone().map(x).sum::<f64>() / n,
            all.clone().map(y).sum::<f64>() / n,
        );
        let sum = |f: &dyn Fn(usize) -> f64| all.clone().map(f).sum::<f64>();
        sum(&|i| (x(i) - mx) * (y(i) - my))
            / (sum(&|i| (x(i) - mx).powi(2)) * sum(&|i| (y(i) - my).powi(2))).sqrt()
    };
    let measured = [
        component::CALLS,
        component::INPUT,
        component::CACHED_INPUT,
        component::OUTPUT,
        component::TOOLS,
        component::STOPPED,
        component::CUT_UNCACHED,
    ];
    for a in measured {
        let mean = |x: &[Components]| x.iter().map(|x| x[a]).sum::<f64>() / f64::from(rounds);
        let (want, got) = (mean(&brute), mean(&drawn));
        println!("mean of {a}: {:+.2} %", (got / want - 1.0) * 100.0);
        assert!((got / want - 1.0).abs() < 0.03, "{a}: {got} {want}");
        for b in measured {
            let want = correlation(&|i| brute[i][a], &|i| brute[i][b]);
            let got = correlation(&|i| drawn[i][a], &|i| drawn[i][b]);
            assert!((got - want).abs() < 0.07, "{a} {b}: {got} {want}");
        }
    }
    // a request with more tools lasts longer
    let joint = correlation(&|i| brute[i][component::TOOLS], &|i| durations[i]);
    assert!(joint > 0.4, "{joint}");
    let mean = durations.iter().sum::<f64>() / f64::from(rounds) / n as f64;
    let got = points.tables[0].1.seconds;
    assert!((got / mean - 1.0).abs() < 0.01, "{got} {mean}");
}

fn fit_uniform() -> crate::domain::distribution::Distribution {
    fit(Shape::Uniform { min: 0.0, max: 1.0 }, Domain::Any)
}

/// A cap that never binds gives the sums of the uncapped tables, heavy tails included.
#[test]
fn a_cap_that_never_binds_changes_no_sum() {
    let heavy = Shape::Lognormal {
        mu: 10_000f64.ln() - 2.0,
        sigma: 2.0,
    };
    let law = law(NOTHING, heavy);
    let caps = Caps {
        calls: Some(1_000),
        ..FREE
    };
    let level = Level {
        retry: 0.0,
        ..LEVEL
    };
    let free = RequestSums::build(&Stratified::new(&law));
    let capped = RequestSums::cut(
        &Stratified::new(&law),
        gateway(caps),
        level,
        free.means.mean,
    );
    let mut stream = StreamKey {
        seed: 1,
        trial: 1,
        entity: 1,
        purpose: 1,
        block: 2,
    }
    .stream();
    for n in [1, 5, 50, 500, 5_000] {
        let mut quantiles = |sums: &RequestSums| {
            let mut values: Vec<f64> = (0..200_000)
                .map(|_| sums.draw(n, &mut stream)[component::OUTPUT])
                .collect();
            values.sort_by(f64::total_cmp);
            [values[100_000], values[190_000], values[198_000]]
        };
        for (a, b) in quantiles(&free).iter().zip(quantiles(&capped)) {
            assert!((b / a - 1.0).abs() < 0.03, "{n}: {a} {b}");
        }
    }
}
