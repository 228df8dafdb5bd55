//! Words of the answers: status, verdict, figures, charts and their tables.

crate::messages! {
    /// The first line.
    pub enum Verdict {
        Over { chance: String, error: String, period: String, amount: String } = "verdict-over";
        RunsOut { pool: String, when: String, chance: String, error: String, because: String } = "verdict-runs-out";
        InMonth { month: String } = "verdict-in-month";
        FromTo { first: String, last: String } = "verdict-from-to";
        Mostly { cause: String } = "verdict-mostly";
        Because { causes: String } = "verdict-because";
        Together { first: String, second: String } = "verdict-together";
        And { first: String, last: String } = "verdict-and";
        Fine { period: String, amount: String, chance: String, error: String } = "verdict-fine";
        Costs { period: String, middle: String, low: String, high: String } = "verdict-costs";
        Unbounded { feature: String } = "verdict-unbounded";
        Free { pool: String } = "verdict-free";
        Empty { feature: String, pool: String } = "verdict-empty";
        EmptyFeature = "verdict-empty-feature";
        EmptyPool = "verdict-empty-pool";
    }
}

crate::messages! {
    /// How the run stands.
    pub enum Status {
        OnPlan = "status-on-plan";
        Watch = "status-watch";
        AtRisk = "status-at-risk";
        FirstLook = "status-first-look";
        Nothing = "status-nothing";
        NotRun = "status-not-run";
        NoStatus = "status-none";
        Futures { count: String } = "status-futures";
        FuturesOnPhone { done: String, all: String } = "status-futures-on-phone";
        FuturesOf { done: String, of: String } = "status-futures-of";
        StoppedAt { done: String, of: String } = "status-stopped-at";
        Seed { seed: String } = "status-seed";
        UpToDate = "status-up-to-date";
        Starting = "status-starting";
        Newest = "status-newest";
        BeforeFix = "status-before-fix";
        SecondsLeft { seconds: u32 } = "status-seconds-left";
        Searching = "status-searching";
        MinutesLeft { minutes: u32 } = "status-minutes-left";
        StopHere = "status-stop-here";
        Continue = "status-continue";
        RunAll = "status-run-all";
        Run = "status-run";
        Stale { changes: u32 } = "status-stale";
        ToFix { fields: u32 } = "status-to-fix";
        Failed = "status-failed";
        Ranges = "status-ranges";
        RunEnd { futures: String, sentence: String } = "status-run-end";
    }
}

crate::messages! {
    /// The five figures.
    pub enum Figure {
        Spend { period: String } = "figure-spend";
        SpendBilled { period: String } = "figure-spend-billed";
        Median = "figure-median";
        Over { amount: String } = "figure-over";
        OnAverage { amount: String } = "figure-on-average";
        Never = "figure-never";
        Worst { pool: String, month: String } = "figure-worst";
        UnitMedian { unit: String } = "figure-unit-median";
        Unused = "figure-unused";
        Driver { owner: String } = "figure-driver";
        OnlyNoise = "figure-only-noise";
        On { range: String, period: String } = "figure-on";
        NoBudget = "figure-no-budget";
        AddBudget = "figure-add-budget";
        NoLimit = "figure-no-limit";
        AddLimit = "figure-add-limit";
        EnterLimit { pool: String } = "figure-enter-limit";
        NoContract = "figure-no-contract";
        AddContract = "figure-add-contract";
        NoDriver = "figure-no-driver";
        AddRange = "figure-add-range";
    }
}

crate::messages! {
    /// Budgets that have no line in the spend that is shown.
    pub enum Unseen {
        OnEffective { count: u32, amount: String } = "unseen-on-effective";
        OnBilled { count: u32, amount: String } = "unseen-on-billed";
        OfMonths { count: u32, amount: String } = "unseen-of-months";
        OfYears { count: u32, amount: String } = "unseen-of-years";
        OfQuarters { count: u32, amount: String } = "unseen-of-quarters";
        ShowEffective = "unseen-show-effective";
        ShowBilled = "unseen-show-billed";
        ShowMonths = "unseen-show-months";
        ShowYears = "unseen-show-years";
        ShowTable = "unseen-show-table";
    }
}

crate::messages! {
    /// Charts: titles, subtitles, labels.
    pub enum Chart {
        Table = "chart-table";
        Fill = "chart-fill";
        More = "chart-more";
        CopyData = "chart-copy-data";
        DataCopied = "chart-data-copied";
        DataNotCopied = "chart-data-not-copied";
        SavePng = "chart-save-png";
        SaveSvg = "chart-save-svg";
        Unfill = "chart-unfill";
        P5 = "chart-p5";
        P25 = "chart-p25";
        P50 = "chart-p50";
        P75 = "chart-p75";
        P90 = "chart-p90";
        P95 = "chart-p95";
        Mean = "chart-mean";
        Median = "chart-median";
        Named { name: String, value: String } = "chart-named";
        Budget { amount: String } = "chart-budget";
        BudgetLeft { amount: String } = "chart-budget-left";
        EndAbove { chance: String } = "chart-end-above";
        StackName = "chart-stack-name";
        StackSummary { spend: String, headroom: String } = "chart-stack-summary";
        StackSpend { period: String, middle: String, low: String, high: String } = "chart-stack-spend";
        StackHeadroom { pool: String, month: String, chance: String } = "chart-stack-headroom";
        Spend = "chart-spend";
        SpendToDate = "chart-spend-to-date";
        SpendPerMonth = "chart-spend-per-month";
        ToDate = "chart-to-date";
        PerMonth = "chart-per-month";
        Effective = "chart-effective";
        Billed = "chart-billed";
        CostSwitch = "chart-cost-switch";
        ShapeSwitch = "chart-shape-switch";
        LimitSwitch = "chart-limit-switch";
        Headroom = "chart-headroom";
        Needed = "chart-needed";
        NeededSwitch = "chart-needed-switch";
        HeadroomOf { pool: String, unit: String } = "chart-headroom-of";
        NeededOf { pool: String, unit: String } = "chart-needed-of";
        Committed { amount: String } = "chart-committed";
        Limit { amount: String } = "chart-limit";
        BelowZero = "chart-below-zero";
        BelowZeroKey = "chart-below-zero-key";
        RunOut = "chart-run-out";
        RunOutCell = "chart-run-out-cell";
        RunsOut = "chart-runs-out";
        RunsOutIn { pool: String, month: String, chance: String } = "chart-runs-out-in";
        Used = "chart-used";
        Live = "chart-live";
        Slip { date: String, low: String, high: String } = "chart-slip";
        SlipFixed { date: String, days: String } = "chart-slip-fixed";
        Gpus = "chart-gpus";
        TokensPerMinute = "chart-tokens-per-minute";
        CallsPerMinute = "chart-calls-per-minute";
        ContractGpus { gpus: String, months: u32, rate: String } = "chart-contract-gpus";
        ContractGpusShort { gpus: String, months: u32 } = "chart-contract-gpus-short";
        ContractGpusOnly { gpus: String } = "chart-contract-gpus-only";
        ContractSpend { amount: String, discount: String } = "chart-contract-spend";
        ContractSpendOnly { amount: String } = "chart-contract-spend-only";
        Month = "chart-month";
        Period = "chart-period";
        Chance = "chart-chance";
        LimitColumn { pool: String, unit: String } = "chart-limit-column";
        StackTwin = "chart-stack-twin";
    }
}

crate::messages! {
    /// What is said about the month under the pointer.
    pub enum Month {
        Hours { hours: String } = "month-hours";
        Spend = "month-spend";
        ToDate = "month-to-date";
        Lowest { unit: String } = "month-lowest";
        RunsOut { chance: String } = "month-runs-out";
        Safe = "month-safe";
        HoursShort { hours: String } = "month-hours-short";
        Mostly { cause: String, share: String } = "month-mostly";
        Committed { amount: String } = "month-committed";
        Limit { amount: String } = "month-limit";
        Season { name: String, factor: String } = "month-season";
        Pin = "month-pin";
        Unpin = "month-unpin";
        Says { month: String, spend: String, rest: String } = "month-says";
    }
}

crate::messages! {
    /// The cards below the fold.
    pub enum Card {
        ExceedTitle { chance: String, period: String, amount: String } = "card-exceed-title";
        ExceedTitlePlain { period: String, middle: String } = "card-exceed-title-plain";
        ExceedSub { excess: String, expected: String, cvar: String } = "card-exceed-sub";
        ExceedSubNever { cvar: String } = "card-exceed-sub-never";
        ExceedSubPlain { low: String, high: String, cvar: String } = "card-exceed-sub-plain";
        ExceedOtherEffective { amount: String } = "card-exceed-other-effective";
        ExceedOtherBilled { amount: String } = "card-exceed-other-billed";
        ExceedMissing = "card-exceed-missing";
        ExceedNone = "card-exceed-none";
        ExceedShares = "card-exceed-shares";
        ExceedMoney { period: String } = "card-exceed-money";
        ExceedHover { amount: String, share: String } = "card-exceed-hover";
        ExceedTwin = "card-exceed-twin";
        ExceedAmount = "card-exceed-amount";
        ExceedShare = "card-exceed-share";
        DriversTitle { input: String, owner: String, outcome: String } = "card-drivers-title";
        DriversMissing = "card-drivers-missing";
        DriversNone = "card-drivers-none";
        DriversLow = "card-drivers-low";
        DriversHigh = "card-drivers-high";
        DriversCorrelation = "card-drivers-correlation";
        DriversInput = "card-drivers-input";
        DriversOwner = "card-drivers-owner";
        DriversMore { more: u32 } = "card-drivers-more";
        DriversMoreNoise { more: u32, noise: u32 } = "card-drivers-more-noise";
        DriversNoise { outcome: String } = "card-drivers-noise";
        DriversLess = "card-drivers-less";
        OutcomeYear { period: String } = "card-outcome-year";
        OutcomeHeadroom { pool: String } = "card-outcome-headroom";
        Outcome = "card-outcome";
        UsageTitle { share: String } = "card-usage-title";
        UsageTitleOf { share: String, name: String } = "card-usage-title-of";
        UsageSub { used: String } = "card-usage-sub";
        UsageMissing = "card-usage-missing";
        UsageNone = "card-usage-none";
        UsageAll = "card-usage-all";
        UsageBurst = "card-usage-burst";
        UsageUnused = "card-usage-unused";
        UsageUsed = "card-usage-used";
        UsageContract = "card-usage-contract";
        CapacityTitle { pool: String, month: String, needed: String, committed: String } = "card-capacity-title";
        CapacitySub { unit: String } = "card-capacity-sub";
        CapacityMissing = "card-capacity-missing";
        CapacityNone = "card-capacity-none";
        CapacityNoLimit { pool: String } = "card-capacity-no-limit";
        CapacityLimit = "card-capacity-limit";
        HeatMonth = "card-heat-month";
        CostsTitle { feature: String, share: String } = "card-costs-title";
        CostsSub { period: String } = "card-costs-sub";
        CostsMissing = "card-costs-missing";
        CostsNone = "card-costs-none";
        CostsRange = "card-costs-range";
        CostsPer1000 = "card-costs-per-1000";
        AfterLast = "card-after-last";
        CostsShare = "card-costs-share";
        CostsFeature = "card-costs-feature";
        CostsUnused = "card-costs-unused";
        CostsTotal = "card-costs-total";
        CostsHigh1000 = "card-costs-high-1000";
        TokensTitle { feature: String, share: String } = "card-tokens-title";
        TokensSub { period: String } = "card-tokens-sub";
        TokensMissing = "card-tokens-missing";
        TokensRequests = "card-tokens-requests";
        TokensCalls = "card-tokens-calls";
        TokensUncached = "card-tokens-uncached";
        TokensCached = "card-tokens-cached";
        TokensOutput = "card-tokens-output";
        TokensEach = "card-tokens-each";
        MonthlyTitle { total: String } = "card-monthly-title";
        MonthlySub { cost: String, currency: String } = "card-monthly-sub";
        MonthlyMissing = "card-monthly-missing";
        MonthlySeveral { subtitle: String } = "card-monthly-several";
        MonthlyHorizon = "card-monthly-horizon";
        MonthlyBudget = "card-monthly-budget";
        MonthlyOver = "card-monthly-over";
        BudgetsTitle { name: String, chance: String } = "card-budgets-title";
        BudgetsSub = "card-budgets-sub";
        BudgetsMissing = "card-budgets-missing";
        BudgetsNone = "card-budgets-none";
        BudgetsName = "card-budgets-name";
        BudgetsExcess = "card-budgets-excess";
        BudgetsCvar = "card-budgets-cvar";
        Partial { period: String } = "card-partial";
        Year = "card-year";
        Waiting = "card-waiting";
        ToFixFirst = "card-to-fix-first";
    }
}
