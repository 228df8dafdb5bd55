//! Why a run failed.

crate::messages! {
    /// Why a run cannot go on.
    pub enum Failure {
        OtherBuild = "run-failed-other-build";
        NoStart = "run-failed-no-start";
        TooManyRestarts { restarts: u32 } = "run-failed-restarts";
        Contradiction { detail: String } = "run-failed-contradiction";
        NotFinite = "run-failed-not-finite";
        Memory = "run-failed-memory";
        NoWorkers = "run-failed-no-workers";
    }
}
