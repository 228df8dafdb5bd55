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
        Points { points: String } = "outputs-points";
        Occurrence { name: String, number: String } = "outputs-occurrence";
    }
}
