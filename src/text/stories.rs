//! Titles, claims and margin notes of the built-in stories.

crate::messages! {
    /// Titles, claims and margin notes of the built-in stories.
    pub enum Stories {
        ElevenCallsTitle = "story-eleven-calls-title";
        ElevenCallsClaimPlan = "story-eleven-calls-claim-plan";
        ElevenCallsClaimMeasured = "story-eleven-calls-claim-measured";
        ElevenCallsNoteCalls = "story-eleven-calls-note-calls";
        ElevenCallsNoteGrowth = "story-eleven-calls-note-growth";
        ElevenCallsNoteCache = "story-eleven-calls-note-cache";
        EighteenMonthContractTitle = "story-eighteen-month-contract-title";
        EighteenMonthContractClaimBefore = "story-eighteen-month-contract-claim-before";
        EighteenMonthContractClaimAfter = "story-eighteen-month-contract-claim-after";
        EighteenMonthContractClaimWithout = "story-eighteen-month-contract-claim-without";
        EighteenMonthContractNoteLaunch = "story-eighteen-month-contract-note-launch";
        EighteenMonthContractNoteSize = "story-eighteen-month-contract-note-size";
        EighteenMonthContractNoteDemand = "story-eighteen-month-contract-note-demand";
        NeverStopsTitle = "story-never-stops-title";
        NeverStopsClaimLoop = "story-never-stops-claim-loop";
        NeverStopsClaimYear = "story-never-stops-claim-year";
        NeverStopsClaimCap = "story-never-stops-claim-cap";
        NeverStopsNoteCap = "story-never-stops-note-cap";
        NeverStopsNoteFound = "story-never-stops-note-found";
        NeverStopsNoteRate = "story-never-stops-note-rate";
        RealTracesTitle = "story-real-traces-title";
        RealTracesClaimMatch = "story-real-traces-claim-match";
        RealTracesClaimLognormal = "story-real-traces-claim-lognormal";
        RealTracesNoteTokens = "story-real-traces-note-tokens";
        RealTracesNoteWeek = "story-real-traces-note-week";
        RealTracesNoteCalls = "story-real-traces-note-calls";
        TwoPopulationsTitle = "story-two-populations-title";
        TwoPopulationsClaimTail = "story-two-populations-claim-tail";
        TwoPopulationsClaimBudgets = "story-two-populations-claim-budgets";
        TwoPopulationsNoteTokens = "story-two-populations-note-tokens";
        TwoPopulationsNoteMedian = "story-two-populations-note-median";
        TwoPopulationsNoteMean = "story-two-populations-note-mean";
        CreepingContextTitle = "story-creeping-context-title";
        CreepingContextClaimSquare = "story-creeping-context-claim-square";
        CreepingContextClaimBudget = "story-creeping-context-claim-budget";
        CreepingContextNoteGrowth = "story-creeping-context-note-growth";
        CreepingContextNoteTurns = "story-creeping-context-note-turns";
        CreepingContextNoteCache = "story-creeping-context-note-cache";
        MondayTitle = "story-monday-title";
        MondayClaimPeak = "story-monday-claim-peak";
        MondayClaimTail = "story-monday-claim-tail";
        MondayNoteCache = "story-monday-note-cache";
        MondayNoteRetries = "story-monday-note-retries";
        MondayNoteWeek = "story-monday-note-week";
    }
}
