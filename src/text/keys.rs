//! Words of the map of keys.

crate::messages! {
    /// Places and what keys do there.
    pub enum Keys {
        Title = "keys-title";
        Open = "keys-open";
        Note = "keys-note";
        Everywhere = "keys-everywhere";
        Run = "keys-run";
        Stop = "keys-stop";
        Undo = "keys-undo";
        Redo = "keys-redo";
        HidePlan = "keys-hide-plan";
        HideAnswers = "keys-hide-answers";
        ThisMap = "keys-this-map";
        InPlan = "keys-in-plan";
        Keep = "keys-keep";
        Restore = "keys-restore";
        Nudge = "keys-nudge";
        OpenNote = "keys-open-note";
        MoveEntity = "keys-move-entity";
        InWeek = "keys-in-week";
        WeekMove = "keys-week-move";
        WeekPaint = "keys-week-paint";
        WeekSet = "keys-week-set";
        InTime = "keys-in-time";
        Month = "keys-month";
        Ends = "keys-ends";
        LetGo = "keys-let-go";
        InCards = "keys-in-cards";
        Table = "keys-table";
        Fill = "keys-fill";
        Hour = "keys-hour";
    }
}
