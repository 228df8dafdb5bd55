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
        RealTracesTitle = "story-real-traces-title";
        RealTracesClaimMatch = "story-real-traces-claim-match";
        RealTracesClaimLognormal = "story-real-traces-claim-lognormal";
        RealTracesNoteTokens = "story-real-traces-note-tokens";
        RealTracesNoteWeek = "story-real-traces-note-week";
        RealTracesNoteCalls = "story-real-traces-note-calls";
    }
}
