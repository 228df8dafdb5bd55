//! Words of what a gateway sees: caps, tools, runaways, what is under way at once.

crate::messages! {
    /// The table of gateways.
    pub enum Gateway {
        TitleStopped { feature: String, share: String, cost: String } = "gateway-title-stopped";
        TitleUnbounded { feature: String } = "gateway-title-unbounded";
        TitleBounded = "gateway-title-bounded";
        Sub = "gateway-sub";
        Missing = "gateway-missing";
        Stopped = "gateway-stopped";
        Softened = "gateway-softened";
        CutOff = "gateway-cut-off";
        Tools = "gateway-tools";
        Runaways = "gateway-runaways";
        RunawayCost = "gateway-runaway-cost";
        PeakRequests = "gateway-peak-requests";
        PeakTools = "gateway-peak-tools";
        Ceiling = "gateway-ceiling";
        Memory = "gateway-memory";
        Unbounded = "gateway-unbounded";
    }
}
