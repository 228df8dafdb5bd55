ui-product = Headroom
ui-plan-menu = Plans
ui-unnamed = Plan without a name
ui-undo = Undo
ui-undo-of = Undo: { $what }
ui-redo = Redo
ui-redo-of = Redo: { $what }
ui-answers = Answers
ui-plan = Plan
ui-nav-overview = Overview
ui-nav-spend = Spend
ui-nav-capacity = Capacity
ui-nav-features = Features
ui-nav-table = Table
ui-export = Export
ui-share = Share
ui-theme-to-dark = Dark colours
ui-theme-to-light = Light colours
ui-undid = Undid: { $what }
ui-redid = Did again: { $what }
weekday-short = { $day ->
        [1] Mon
        [2] Tue
        [3] Wed
        [4] Thu
        [5] Fri
        [6] Sat
       *[other] Sun
    }
