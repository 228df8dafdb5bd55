month-short = { $month ->
    [1] Jan
    [2] Feb
    [3] Mar
    [4] Apr
    [5] May
    [6] Jun
    [7] Jul
    [8] Aug
    [9] Sep
    [10] Oct
    [11] Nov
   *[12] Dec
}
month-long = { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
}
date-day-month-year = { $day } { $month } { $year }
date-day-month = { $day } { $month }
date-month-year = { $month } { $year }
fiscal-year = FY{ $year }
fiscal-quarter = Q{ $quarter } FY{ $year }
