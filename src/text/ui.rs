//! Words of the frame: top bar, run bar, dialogs, first run, storage.

crate::messages! {
    /// Words of the frame.
    pub enum Ui {
        Product = "ui-product";
        PlanMenu = "ui-plan-menu";
        Unnamed = "ui-unnamed";
        Undo = "ui-undo";
        UndoOf { what: String } = "ui-undo-of";
        Redo = "ui-redo";
        RedoOf { what: String } = "ui-redo-of";
        Undid { what: String } = "ui-undid";
        Redid { what: String } = "ui-redid";
        UnreadEntries = "ui-unread-entries";
        Answers = "ui-answers";
        Plan = "ui-plan";
        ShowPlan = "ui-show-plan";
        ShowAnswers = "ui-show-answers";
        HidePlan = "ui-hide-plan";
        NavOverview = "ui-nav-overview";
        NavSpend = "ui-nav-spend";
        NavCapacity = "ui-nav-capacity";
        NavFeatures = "ui-nav-features";
        NavTable = "ui-nav-table";
        Export = "ui-export";
        Share = "ui-share";
        More = "ui-more";
        ThemeToDark = "ui-theme-to-dark";
        ThemeToLight = "ui-theme-to-light";
        Close = "ui-close";
        Open = "ui-open";
        Renamed = "ui-renamed";
        CopyOf { name: String } = "ui-copy-of";
        PlanCopied = "ui-plan-copied";
        PlanDeleted { name: String } = "ui-plan-deleted";
        PlanRestored = "ui-plan-restored";
        NameOfPlan = "ui-name-of-plan";
        OpenNow = "ui-open-now";
        DeletePlan { name: String } = "ui-delete-plan";
        NoPlansYet = "ui-no-plans-yet";
        DuplicatePlan = "ui-duplicate-plan";
        EmptyPlan = "ui-empty-plan";
        NewPlan = "ui-new-plan";
        Stories = "ui-stories";
        GalleryTitle = "ui-gallery-title";
        GalleryLead = "ui-gallery-lead";
        OpenLink = "ui-open-link";
        OpenFile = "ui-open-file";
        PasteLink = "ui-paste-link";
        OrStory = "ui-or-story";
        ThingsToTry = "ui-things-to-try";
        MeanIs { mean: String } = "ui-mean-is";
        GpusForMonths { gpus: u32, months: u32 } = "ui-gpus-for-months";
        TurnsRead { turns: String, tokens: String } = "ui-turns-read";
        ReadByTurns = "ui-read-by-turns";
        InProportion = "ui-in-proportion";
        CachedNotUsual { now: String, usual: String } = "ui-cached-not-usual";
        RoadmapOf { features: u32 } = "ui-roadmap-of";
        StaysHere = "ui-stays-here";
        ThisIsAStory { title: String } = "ui-this-is-a-story";
        OtherStories = "ui-other-stories";
        HideLine = "ui-hide-line";
        Link = "ui-link";
        ShareTitle = "ui-share-title";
        CopyLink = "ui-copy-link";
        Copied = "ui-copied";
        NotCopied = "ui-not-copied";
        LinkDiffers = "ui-link-differs";
        LinkAnywhere = "ui-link-anywhere";
        LinkMost = "ui-link-most";
        LinkBrowsers = "ui-link-browsers";
        LinkTooLong = "ui-link-too-long";
        Characters { count: String } = "ui-characters";
        ShortSamples { saved: String, change: String } = "ui-short-samples";
        MarkChat = "ui-mark-chat";
        MarkMost = "ui-mark-most";
        MarkBrowsers = "ui-mark-browsers";
        InTheLink = "ui-in-the-link";
        NotInTheLink = "ui-not-in-the-link";
        InFeatures { features: u32, contracts: u32 } = "ui-in-features";
        InPools { pools: u32, models: u32 } = "ui-in-pools";
        InSeasons { seasons: u32, budgets: u32 } = "ui-in-seasons";
        InSeed { seed: String, trials: String } = "ui-in-seed";
        InNames = "ui-in-names";
        NotResults = "ui-not-results";
        NotOthers = "ui-not-others";
        NotUndo = "ui-not-undo";
        PlanDigest = "ui-plan-digest";
        ResultDigest = "ui-result-digest";
        AfterTheRun = "ui-after-the-run";
        LinkCarriesNew = "ui-link-carries-new";
        AfterHash = "ui-after-hash";
        OpensSame = "ui-opens-same";
        PlanTable = "ui-plan-table";
        PlanTableWords = "ui-plan-table-words";
        PlanJson = "ui-plan-json";
        PlanJsonWords = "ui-plan-json-words";
        For = "ui-for";
        ProfileExcel = "ui-profile-excel";
        ProfileData = "ui-profile-data";
        PreviewOf { rows: String } = "ui-preview-of";
        DoNotAdd = "ui-do-not-add";
        NothingToExport = "ui-nothing-to-export";
        StillRunning = "ui-still-running";
        ExportIsOld = "ui-export-is-old";
        JsonOpensAgain = "ui-json-opens-again";
        MadeHere { file: String } = "ui-made-here";
        Download = "ui-download";
        FileNotRead = "ui-file-not-read";
        PlanFromLink = "ui-plan-from-link";
        KeepCopy = "ui-keep-copy";
        LinkNotOpened { why: String } = "ui-link-not-opened";
        FileNotOpened { why: String } = "ui-file-not-opened";
        StorageClosed = "ui-storage-closed";
        OtherTab = "ui-other-tab";
        OtherTabTake = "ui-other-tab-take";
        OtherTabKeep = "ui-other-tab-keep";
        OtherTabGone = "ui-other-tab-gone";
        StorageFull = "ui-storage-full";
        SaveToFile = "ui-save-to-file";
        PlansDamaged { count: u32 } = "ui-plans-damaged";
        PlansNewer { count: u32 } = "ui-plans-newer";
        Change = "ui-change";
        ChangeTitle = "ui-change-title";
        ChangeLead = "ui-change-lead";
        DatesAndSizes = "ui-dates-and-sizes";
        WorkerRestarted = "ui-worker-restarted";
        NoWorkers { why: String } = "ui-no-workers";
    }
}

crate::messages! {
    /// Days of the week.
    pub enum Weekday {
        Short { day: u32 } = "weekday-short";
    }
}
