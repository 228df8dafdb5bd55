//! Words of what comes out besides money and headroom: drivers of every outcome.

crate::messages! {
    /// Outcomes that inputs move.
    pub enum Outputs {
        YearBilled { period: String } = "outputs-year-billed";
        Horizon = "outputs-horizon";
        HorizonBilled = "outputs-horizon-billed";
        Over { budget: String } = "outputs-over";
        Hours { pool: String } = "outputs-hours";
        HeadroomIn { pool: String, month: String } = "outputs-headroom-in";
        HoursIn { pool: String, month: String } = "outputs-hours-in";
        FeatureCost { feature: String } = "outputs-feature-cost";
        DriversSub { outcome: String } = "outputs-drivers-sub";
        DriversSubUnit { outcome: String, unit: String } = "outputs-drivers-sub-unit";
        HoursUnit = "outputs-hours-unit";
        ChanceUnit = "outputs-chance-unit";
        OfEffective { name: String } = "outputs-of-effective";
        OfBilled { name: String } = "outputs-of-billed";
        WithinNoise = "outputs-within-noise";
        Points { points: String } = "outputs-points";
        ShortLane { feature: String } = "outputs-short-lane";
        LongLane { feature: String } = "outputs-long-lane";
        WrongLane { feature: String } = "outputs-wrong-lane";
        Occurrence { name: String, number: String } = "outputs-occurrence";
    }
}

crate::messages! {
    /// The hours of the week.
    pub enum Heat {
        TitleOver { pool: String, hours: u32 } = "heat-title-over";
        TitleFull { pool: String } = "heat-title-full";
        Sub { day: String, hour: String, share: String, month: String, zone: String, futures: String, chance: String } = "heat-sub";
        Missing = "heat-missing";
        None = "heat-none";
        Under { percent: String } = "heat-under";
        Over = "heat-over";
        OverNumbered = "heat-over-numbered";
        Day = "heat-day";
        Says { day: String, hour: String, high: String, middle: String } = "heat-says";
        Keys = "heat-keys";
    }
}

crate::messages! {
    /// What it would do to launch later.
    pub enum Later {
        Title { feature: String, weeks: u32, what: String, before: String, after: String } = "later-title";
        TitleNone = "later-title-none";
        Sub { futures: String } = "later-sub";
        SubCut { futures: String } = "later-sub-cut";
        Missing = "later-missing";
        None = "later-none";
        Launch = "later-launch";
        AsPlanned = "later-as-planned";
        Move { feature: String, weeks: u32 } = "later-move";
        MoveAny { feature: String, weeks: u32 } = "later-move-any";
        RunsOut { pool: String } = "later-runs-out";
        Over { budget: String } = "later-over";
        Cost = "later-cost";
        Same { chance: String } = "later-same";
        SameMoney = "later-same-money";
        SameMoneyWithin { error: String } = "later-same-money-within";
        Changed { chance: String, change: String, error: String } = "later-changed";
        Money { amount: String, error: String } = "later-money";
    }
}

crate::messages! {
    /// What single requests are like.
    pub enum Sizes {
        Title { feature: String, share: String } = "sizes-title";
        TitleAlike { share: String } = "sizes-title-alike";
        Sub = "sizes-sub";
        Missing = "sizes-missing";
        None = "sizes-none";
        Feature = "sizes-feature";
        Read = "sizes-read";
        Written = "sizes-written";
        Tools = "sizes-tools";
        Mean = "sizes-mean";
        P999 = "sizes-p999";
        P99 = "sizes-p99";
        Strip { low: String, high: String } = "sizes-strip";
        Top = "sizes-top";
        TopLong = "sizes-top-long";
        ReadColumn { which: String } = "sizes-read-column";
        WrittenColumn { which: String } = "sizes-written-column";
        ToolsColumn { which: String } = "sizes-tools-column";
    }
}

crate::messages! {
    /// What one request costs.
    pub enum PerRequest {
        Title { feature: String, one_in: u32, high: String, times: String, mean: String } = "per-request-title";
        TitleAlike { feature: String, mean: String } = "per-request-title-alike";
        TitleHours { feature: String, hours: String, one_in: u32, high: String, times: String, mean: String } = "per-request-title-hours";
        Sub = "per-request-sub";
        SubHours = "per-request-sub-hours";
        PricedGpus { pool: String, rate: String } = "per-request-priced-gpus";
        Missing = "per-request-missing";
        None = "per-request-none";
        InHours { feature: String, hours: String } = "per-request-in-hours";
        Hours { hours: u32 } = "per-request-hours";
        Share = "per-request-share";
        Times { which: String } = "per-request-times";
        GpuSeconds { amount: String } = "per-request-gpu-seconds";
    }
}
