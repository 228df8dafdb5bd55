//! One trial: demand, then requests, then pools, then billing, month by month, with plain rows between.

mod few;
mod hourly;
mod pools;
mod requests;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use super::{
    billing::{Charge, MoneyRow, allocate},
    cause::Removal,
    demand::{
        FeatureDraw, Month, MonthSums, Surroundings, draw_feature, draw_window, is_live,
        month_sums, rates, shock,
    },
    heat,
    laws::{Laws, NodeLaws},
    plan::{Plan, PlanPoolKind},
    pools::{Loads, gpu},
    requests::minute::joint::Joint,
    rng::{StreamKey, purpose},
    runaway::{self, Burn},
};
use crate::domain::scenario::Id;

/// Rows of a trial in one place, so that nothing is allocated per trial.
#[derive(Debug, Default)]
pub struct Workspace {
    trial: u32,
    draws: Vec<FeatureDraw>,
    multipliers: Vec<f64>,
    /// x of the demand shock by week.
    shock: Vec<f64>,
    /// Expected requests: a row of the month's hours per feature.
    rates: Vec<Vec<f64>>,
    /// Sums of those rows; none in months without requests.
    sums: Vec<Option<MonthSums>>,
    /// Month and left-out windows that the rows are of.
    filled: Vec<Option<(usize, Vec<Id>)>>,
    /// Which laws of the feature are nearest in the month.
    nodes: Vec<usize>,
    /// Runaway requests that burn.
    burns: Vec<Vec<Burn>>,
    noise: Vec<f32>,
    /// What hours are like besides demand, by feature.
    hourly: Vec<hourly::Hourly>,
    loads: Loads,
    /// Planned minute of every hour.
    planned: Vec<f64>,
    /// Joint laws of few requests, by place of the limit in its pool, kind, and features with their laws.
    joints: BTreeMap<JointKey, Arc<Mutex<Joint>>>,
    flight: gpu::InFlight,
    live: Vec<bool>,
    needed: Vec<f64>,
    work: Vec<f64>,
    /// The same of one feature.
    own_work: Vec<f64>,
    cost: Vec<f64>,
    list: Vec<f64>,
    rest: Vec<f64>,
    hour_costs: Vec<Vec<f64>>,
    /// Month totals of the features.
    totals: Vec<Totals>,
}

impl Workspace {
    /// Month in which a feature is launched in the trial that is open; the number of months: after the horizon.
    #[must_use]
    pub fn launch_month(&self, plan: &Plan, f: usize) -> usize {
        let launch = self.draws[f].launch;
        let begun = plan
            .month_start
            .partition_point(|m| f64::from(*m) <= launch);
        begun.saturating_sub(1)
    }
}

/// Place of a limit in its pool, kind, features with their laws.
type JointKey = (usize, JointKind, Vec<(usize, usize)>);

/// Which joint law under a limit: from trial to trial another may be the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum JointKind {
    /// Of sizes.
    Sizes,
    /// Of sizes at one of the prefixes.
    AtPrefix(usize),
    /// Of counted calls, by number of the law that differs from the typical ones; 0: none does.
    Calls(usize),
}

/// What a feature did in a month.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    requests: f64,
    list_cost: f64,
    /// Of that, what runaways burned.
    burned_cost: f64,
    busy_gpu_hours: f64,
    mean_cost: f64,
    cost_weights: super::requests::Components,
}

/// Where a trial's results go.
#[derive(Debug)]
pub struct Rows<'a> {
    /// [`super::columns::Layout::money_width`] values.
    pub money: &'a mut [f64],
    /// [`super::columns::Layout::physical_width`] values.
    pub physical: &'a mut [f32],
    /// [`super::columns::Layout::inputs`] values.
    pub inputs: &'a mut [f32],
}

/// Plays trials of a plan.
#[derive(Clone, Copy, Debug)]
pub struct Player<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its laws.
    pub laws: &'a Laws,
}

impl Player<'_> {
    /// Draws what a trial is uncertain about.
    fn open(&self, trial: u32, ws: &mut Workspace, inputs: &mut [f32]) {
        let plan = self.plan;
        ws.trial = trial;
        ws.draws.clear();
        ws.draws.extend(
            plan.features
                .iter()
                .map(|f| draw_feature(plan, f, trial, inputs)),
        );
        ws.multipliers.clear();
        ws.multipliers.extend(
            plan.windows
                .iter()
                .map(|w| draw_window(plan, w, trial, inputs)),
        );
        if let Some(law) = &plan.shock {
            shock::fill(law, plan.seed, trial, plan.hours(), &mut ws.shock);
        }
        ws.rates.resize_with(plan.features.len(), Vec::new);
        ws.hour_costs.resize_with(plan.features.len(), Vec::new);
        ws.hourly.resize_with(plan.features.len(), Default::default);
        ws.hourly.iter_mut().for_each(hourly::Hourly::clear);
        ws.sums.clear();
        ws.sums.resize(plan.features.len(), None);
        ws.filled.clear();
        ws.filled.resize(plan.features.len(), None);
        ws.nodes.clear();
        ws.nodes.resize(plan.features.len(), 0);
        ws.burns.resize_with(plan.features.len(), Vec::new);
        ws.burns.iter_mut().for_each(Vec::clear);
    }

    /// The laws of a feature that are nearest in the month.
    fn node<'a>(&'a self, f: usize, ws: &Workspace) -> &'a NodeLaws {
        &self.laws.features[f].nodes[ws.nodes[f]]
    }

    /// Plays a trial.
    pub fn play(&self, trial: u32, ws: &mut Workspace, rows: &mut Rows) {
        self.play_from(0, trial, ws, rows);
    }

    /// Plays a trial from a month on. What earlier months hold is then of no use; only runaways reach over their ends.
    pub fn play_from(&self, first: usize, trial: u32, ws: &mut Workspace, rows: &mut Rows) {
        self.open(trial, ws, rows.inputs);
        rows.physical.fill(0.0);
        let mut money = MoneyRow::new(self.plan.layout, rows.money);
        self.plan.billing.start_trial(&mut money);
        self.smoulder(first, ws);
        for index in first..self.plan.months.len() {
            let month = self.plan.month(index);
            for f in 0..self.plan.features.len() {
                self.fill(f, &month, &[], ws);
            }
            for pool in 0..self.plan.pools.len() {
                self.hours(pool, &month, &|_| true, ws);
            }
            self.requests(&month, ws, rows.physical);
            for pool in 0..self.plan.pools.len() {
                match self.plan.pools[pool].kind {
                    PlanPoolKind::GpuCluster { .. } => {
                        self.cluster(pool, &month, ws, &mut money, rows.physical);
                    }
                    PlanPoolKind::PayAsYouGo { .. } => {
                        self.key(pool, &month, ws, &mut money, rows.physical);
                    }
                }
            }
            self.spend(&month, ws, &mut money);
            self.triage(&month, ws, &mut money);
        }
    }

    /// Hours in which a limit is exceeded in a month of a trial, with something removed.
    pub fn breach_hours(
        &self,
        limit: u32,
        month: u32,
        removal: &Removal,
        ws: &mut Workspace,
    ) -> u32 {
        let limit = limit as usize;
        let month = self.plan.month(month as usize);
        let pool = self.plan.limits[limit].pool as usize;
        for f in &self.plan.pools[pool].features {
            self.fill(*f as usize, &month, &removal.seasons, ws);
        }
        let stays = |f: usize| !removal.features.contains(&(f as u32));
        self.hours(pool, &month, &stays, ws);
        self.limit_month(pool, limit, &month, &stays, ws)
            .breach_hours
    }

    /// Highest share of what is committed under a limit in each hour of the week of a month.
    pub fn heat(&self, limit: u32, month: usize, ws: &mut Workspace, row: &mut [f32]) {
        let limit = limit as usize;
        let month = self.plan.month(month);
        let pool = self.plan.limits[limit].pool as usize;
        for f in &self.plan.pools[pool].features {
            self.fill(*f as usize, &month, &[], ws);
        }
        self.hours(pool, &month, &|_| true, ws);
        let mut hours = heat::hours_of_week(self.plan, month.first, month.hours);
        let each = |committed, needed| {
            if let Some(highest) = hours.next().and_then(|h| row.get_mut(h)) {
                *highest = highest.max(heat::share(committed, needed));
            }
        };
        self.limit_hours(pool, limit, &month, &|_| true, ws, each);
    }

    /// Opens a trial for [`Player::breach_hours`] and [`Player::heat`].
    pub fn open_for_causes(&self, trial: u32, ws: &mut Workspace) {
        self.open(trial, ws, &mut []);
    }

    /// Expected requests of a feature in a month.
    fn fill(&self, f: usize, month: &Month, without: &[Id], ws: &mut Workspace) {
        let (plan, feature, laws) = (self.plan, &self.plan.features[f], &self.laws.features[f]);
        if ws.filled[f]
            .as_ref()
            .is_some_and(|(m, w)| *m == month.index && w == without)
        {
            return;
        }
        ws.filled[f] = Some((month.index, without.to_vec()));
        let draw = &ws.draws[f];
        if !is_live(feature, draw, month) {
            ws.sums[f] = None;
            return;
        }
        ws.noise.clear();
        if let Some(noise) = &laws.noise {
            ws.noise.resize(month.hours, 0.0);
            let stream = self.stream(ws.trial, f, purpose::HOUR_NOISE, month);
            noise.fill(&self.laws.normals, stream, &mut ws.noise);
        }
        let first = month.first as usize;
        let around = Surroundings {
            month: *month,
            profile: &laws.profile[first..first + month.hours],
            noise: &ws.noise,
            multipliers: &ws.multipliers,
            shock: &ws.shock,
            without,
        };
        let row = &mut ws.rates[f];
        row.clear();
        row.resize(month.hours, 0.0);
        rates(plan, feature, draw, &around, row);
        let sums = month_sums(draw, month, row);
        ws.nodes[f] = laws.nearest(draw, &sums.moment);
        ws.sums[f] = Some(sums);
    }

    fn stream(&self, trial: u32, f: usize, purpose: u32, month: &Month) -> StreamKey {
        StreamKey {
            seed: self.plan.seed,
            trial,
            entity: self.plan.features[f].id.0,
            purpose: purpose + self.plan.flow_purpose(f, purpose),
            block: month.block,
        }
    }

    /// Adds effective cost to a feature, and to its lane.
    fn add_cost(&self, f: usize, month: &Month, cost: f64, money: &mut MoneyRow) {
        for row in &self.plan.features[f].rows {
            money.add_feature(*row as usize, month.index, cost);
        }
    }

    /// What sorting requests into lanes costs: paid by use, and eligible for no contract.
    fn triage(&self, month: &Month, ws: &Workspace, money: &mut MoneyRow) {
        for (feature, totals) in self.plan.features.iter().zip(&ws.totals) {
            if let (Some(flow), Some(row)) = (&feature.flow, feature.rows.first()) {
                let cost = totals.requests * flow.triage_cost;
                money.add_charge(month.index, Charge::Uncovered(cost));
                money.add_feature(*row as usize, month.index, cost);
            }
        }
    }

    fn gpus_per_replica(&self, model: usize) -> f64 {
        self.plan.models[model]
            .serving
            .map_or(0.0, |s| f64::from(s.gpus_per_replica))
    }

    /// Everything that is paid by use.
    fn spend(&self, month: &Month, ws: &mut Workspace, money: &mut MoneyRow) {
        let by_use = |f: &usize| {
            let pool = self.plan.features[*f].pool as usize;
            matches!(self.plan.pools[pool].kind, PlanPoolKind::PayAsYouGo { .. })
        };
        let features = (0..self.plan.features.len()).filter(by_use);
        let end = month.first + month.hours as u32;
        let billing = &self.plan.billing;
        if !billing
            .spend
            .iter()
            .any(|c| c.first < end && c.end > month.first)
        {
            for f in features {
                let cost = ws.totals[f].list_cost;
                money.add_charge(month.index, Charge::Uncovered(cost));
                self.add_cost(f, month, cost, money);
            }
            return;
        }
        for row in [&mut ws.list, &mut ws.rest, &mut ws.cost] {
            row.clear();
            row.resize(month.hours, 0.0);
        }
        for f in features.clone() {
            let row = &mut ws.hour_costs[f];
            row.clear();
            let law = self.laws.features[f].nodes[ws.nodes[f]].hour_cost.as_ref();
            let t = &ws.totals[f];
            let (Some(law), true) = (law, ws.sums[f].is_some() || t.burned_cost > 0.0) else {
                continue;
            };
            row.resize(month.hours, 0.0);
            let t = &ws.totals[f];
            if ws.sums[f].is_some() {
                let mut stream = self.stream(ws.trial, f, purpose::HOUR_COST, month).stream();
                let mut relative = Vec::new();
                if ws.hourly[f].is_on() && t.mean_cost > 0.0 {
                    let measure = &self.laws.features[f].list_cost;
                    self.each_mean(f, month, measure, ws, &mut |_, mean| {
                        relative.push(mean / t.mean_cost);
                    });
                }
                law.fill(
                    &ws.rates[f],
                    (&relative, &t.cost_weights),
                    t.mean_cost,
                    t.list_cost - t.burned_cost,
                    &mut stream,
                    &mut ws.hour_costs[f],
                );
            }
            let row = &mut ws.hour_costs[f];
            runaway::spread(&ws.burns[f], month, t.burned_cost, row);
            for (sum, x) in ws.list.iter_mut().zip(row.iter()) {
                *sum += x;
            }
        }
        billing.spend_month(month.index, &ws.list, &mut ws.rest, &mut ws.cost, money);
        for f in features {
            let row = &ws.hour_costs[f];
            if !row.is_empty() {
                self.add_cost(f, month, allocate(row, &ws.cost), money);
            }
        }
    }
}
