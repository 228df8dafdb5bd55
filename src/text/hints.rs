//! What the controls of the plan that are no fields of it do, in a sentence each.

crate::messages! {
    /// What a control does.
    pub enum About {
        Uncertain = "about-uncertain";
        Varies = "about-varies";
        MakePlanned = "about-make-planned";
        MakeLive = "about-make-live";
        Roll = "about-roll";
        KindOfPool = "about-kind-of-pool";
        KindOfContract = "about-kind-of-contract";
        Catalog = "about-catalog";
        Calendar = "about-calendar";
        Pair = "about-pair";
        PairRank = "about-pair-rank";
        Ends = "about-ends";
        Tail = "about-tail";
        Mean = "about-mean";
        Note = "about-note";
        AutoRun = "about-auto-run";
        CommittedGpus = "about-committed-gpus";
    }
}
