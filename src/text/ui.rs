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
        Answers = "ui-answers";
        Plan = "ui-plan";
        NavOverview = "ui-nav-overview";
        NavSpend = "ui-nav-spend";
        NavCapacity = "ui-nav-capacity";
        NavFeatures = "ui-nav-features";
        NavTable = "ui-nav-table";
        Export = "ui-export";
        Share = "ui-share";
        ThemeToDark = "ui-theme-to-dark";
        ThemeToLight = "ui-theme-to-light";
        Undid { what: String } = "ui-undid";
        Redid { what: String } = "ui-redid";
    }
}

crate::messages! {
    /// Days of the week.
    pub enum Weekday {
        Short { day: u32 } = "weekday-short";
    }
}
