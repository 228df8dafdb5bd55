verdict-over = In { $chance } { $error } of futures { $period } exceeds the { $amount } budget.
verdict-runs-out = { $pool } runs out of headroom { $when } in { $chance } { $error }{ $because }.
verdict-in-month = in { $month }
verdict-from-to = from { $first } to { $last }
verdict-mostly = , mostly because of { $cause }
verdict-because = , because of { $causes }
verdict-together = , because of { $first } together with { $second }
verdict-and = { $first } and { $last }
verdict-fine = { $period } stays within the { $amount } budget in { $chance } { $error } of futures.
verdict-costs = { $period } costs { $middle } in the median; 9 in 10 futures lie between { $low } and { $high }.
verdict-unbounded = What one runaway request of { $feature } costs is unbounded: no cap stops it.
verdict-free = { $pool } has no contract and no burst price: what runs on it costs nothing here.
verdict-empty = Add a { $feature } that sends requests and a { $pool } that runs them. A budget and contracts can come later.
verdict-empty-feature = feature
verdict-empty-pool = pool

status-on-plan = On plan
status-watch = Watch
status-at-risk = At risk
status-first-look = First look
status-nothing = Nothing to simulate yet
status-not-run = Cannot run yet
status-none = No limit to judge by
status-futures = { $count } futures
status-futures-on-phone = { $done } futures on a phone, the plan asks for { $all }
status-futures-of = { $done } of { $of } futures
status-stopped-at = { $done } of { $of } futures, stopped
status-seed = seed { $seed }
status-up-to-date = up to date
status-starting = starting
status-newest = for your newest change
status-before-fix = of the plan before what is to fix
status-seconds-left = about { $seconds } s left
status-searching = looking for causes and what would change
status-minutes-left = about { $minutes } min left
status-stop-here = Stop here
status-continue = Continue
status-run = Run
status-run-all = Run all
status-stale = { $changes ->
    [one] From before your last change
   *[other] From before your last { $changes } changes
}
status-to-fix = { $fields ->
    [one] 1 field to fix
   *[other] { $fields } fields to fix
}
status-failed = The run could not be done
status-ranges = ranges are p5 to p95 unless said otherwise
status-run-end = { $futures } futures. { $sentence }

figure-spend = { $period } spend
figure-spend-billed = { $period } invoices
figure-median = median
figure-over = Over the { $amount } budget
figure-on-average = by { $amount } on average
figure-never = in no future
figure-worst = { $pool }, { $month }
figure-unit-median = { $unit } median
figure-unused = Paid for, not used
figure-only-noise = no input moves it by more than noise
figure-driver = Biggest driver, { $owner }
figure-on = { $range } on { $period }
figure-no-budget = Over budget
figure-add-budget = Add a budget to see the risk of overspending
figure-no-limit = Headroom
figure-add-limit = Add a pool with a limit to see when it runs out
figure-enter-limit = { $pool } has no limit entered: enter tokens or calls per minute to see when it runs out
figure-no-contract = Paid for, not used
figure-add-contract = Add a contract to see what it wastes
figure-no-driver = Biggest driver
figure-add-range = Give an input a range to see what it moves

chart-table = Table
chart-more = Copy or save
chart-copy-data = Copy data
chart-data-copied = The numbers are on the clipboard, ready for a spreadsheet.
chart-data-not-copied = The browser did not allow copying. Show the table and select the numbers yourself.
chart-save-png = Save as PNG
chart-save-svg = Save as SVG
chart-fill = Fill the window
chart-unfill = Back to all answers
chart-p5 = p5
chart-p25 = p25
chart-p50 = p50
chart-p75 = p75
chart-p90 = p90
chart-p95 = p95
chart-mean = mean
chart-median = median
chart-named = { $name } { $value }
chart-budget = budget { $amount }
chart-budget-left = budget left { $amount }
chart-end-above = { $chance } end above budget
chart-stack-name = Spend, headroom, contracts and roadmap on one time axis
chart-stack-summary = { $spend } { $headroom }
chart-stack-spend = { $period }: { $middle }, { $low } to { $high }.
chart-stack-headroom = { $pool } is most likely to run out in { $month }: { $chance }.
chart-spend = Spend
chart-spend-to-date = fiscal year to date
chart-spend-per-month = per month
chart-to-date = Year to date
chart-per-month = Per month
chart-effective = Effective
chart-billed = Billed
chart-cost-switch = Which cost
chart-shape-switch = How spend is summed
chart-limit-switch = Which limit
chart-headroom = Headroom
chart-needed = Needed
chart-needed-switch = Headroom or need
chart-headroom-of = { $pool }, lowest in the month, { $unit }
chart-needed-of = { $pool }, highest in the month, { $unit }
chart-committed = committed { $amount }
chart-limit = limit { $amount }
chart-below-zero = below 0: more needed than committed
chart-below-zero-key = below 0: more sent than the key allows
chart-run-out = Futures that run out, %
chart-run-out-cell = Futures that run out
chart-runs-out = runs out
chart-runs-out-in = { $pool } runs out in { $month } in { $chance }
chart-used = used
chart-live = live
chart-slip = { $date } +{ $low }–{ $high } d
chart-slip-fixed = { $date } +{ $days } d
chart-gpus = GPUs
chart-tokens-per-minute = tokens/min
chart-calls-per-minute = calls/min
chart-contract-gpus = { $gpus } GPUs · { $months ->
    [one] 1 month
   *[other] { $months } months
} · { $rate }/h
chart-contract-gpus-short = { $gpus } GPUs · { $months ->
    [one] 1 month
   *[other] { $months } months
}
chart-contract-gpus-only = { $gpus } GPUs
chart-contract-spend = { $amount }/h · { $discount } off · use it or lose it
chart-contract-spend-only = { $amount }/h
chart-month = Month
chart-period = Period
chart-chance = Chance
chart-limit-column = { $pool }, { $unit }
chart-stack-twin = Spend, year to date, headroom and chance to run out by month

unseen-on-effective = { $count ->
    [one] The { $amount } budget is on effective cost and has no line here.
   *[other] The { $count } budgets are on effective cost and have no line here.
}
unseen-on-billed = { $count ->
    [one] The { $amount } budget is on invoices and has no line here.
   *[other] The { $count } budgets are on invoices and have no line here.
}
unseen-of-months = { $count ->
    [one] The { $amount } budget is by month and has no line here.
   *[other] The { $count } budgets are by month and have no line here.
}
unseen-of-years = { $count ->
    [one] The { $amount } budget is by year and has no line here.
   *[other] The { $count } budgets are by year and have no line here.
}
unseen-of-quarters = { $count ->
    [one] The { $amount } budget is by quarter and has no line: see the table of budgets.
   *[other] The { $count } budgets are by quarter and have no line: see the table of budgets.
}
unseen-show-effective = Show effective cost
unseen-show-billed = Show invoices
unseen-show-months = Show months
unseen-show-years = Show the year to date
unseen-show-table = Go to the table

month-hours = { $hours } h
month-spend = Spend, this month
month-to-date = Spend, year to date
month-lowest = Lowest headroom, { $unit }
month-runs-out = Runs out in { $chance }
month-safe = Runs out in no future
month-hours-short = { $hours } hours short on average
month-mostly = { $cause } takes { $share } of it away when removed
month-committed = { $amount } committed
month-limit = limit { $amount }
month-season = { $name } { $factor }
month-pin = Click pins the month
month-unpin = Esc lets go
month-says = { $month }. Spend { $spend }. { $rest }

card-exceed-title = { $chance } of futures end { $period } above { $amount }
card-exceed-title-plain = Half of the futures end { $period } above { $middle }
card-exceed-sub = When one does, it is over by { $excess } on average ({ $expected } over all futures); the worst 5 % average { $cvar }
card-exceed-sub-never = No future does; the worst 5 % average { $cvar }
card-exceed-other-effective = The { $amount } budget is on effective cost and has no line here
card-exceed-other-billed = The { $amount } budget is on invoices and has no line here
card-exceed-sub-plain = 9 in 10 futures lie between { $low } and { $high }; the worst 5 % average { $cvar }
card-exceed-missing = Risk of overspending
card-exceed-none = Add a feature to see what a year may cost.
card-exceed-shares = futures that cost more
card-exceed-money = { $period } spend
card-exceed-hover = costs at least { $amount } in { $share }
card-exceed-twin = Share of futures that cost more than an amount
card-exceed-amount = Amount
card-exceed-share = Futures that cost more
card-drivers-title = { $outcome }: moved most by { $input } of { $owner }
card-drivers-missing = What moves the result
card-drivers-none = No input has a range yet. Give one a range to see what it moves.
card-drivers-low = input in its lowest fifth
card-drivers-high = in its highest fifth
card-drivers-correlation = rank corr.
card-drivers-input = Input
card-drivers-owner = Of
card-drivers-more = { $more } more
card-drivers-more-noise = { $more } more, { $noise } of them within noise
card-drivers-noise = { $outcome }: no input moves it by more than noise
card-drivers-less = Only those that move it most
card-outcome-year = { $period } spend
card-outcome-headroom = { $pool } headroom
card-outcome = Outcome
card-usage-title = { $share } of what the contracts cost is paid for and not used
card-usage-title-of = { $share } of what { $name } costs is paid for and not used
card-usage-sub = Effective cost by month, mean; thin lines p10 to p90. Used over the horizon: { $used }
card-usage-missing = Used and not used
card-usage-none = Add a contract to see what is used of it.
card-usage-all = All contracts
card-usage-burst = burst
card-usage-unused = paid for, not used
card-usage-used = used
card-usage-contract = Contract
card-capacity-title = { $pool } needs { $needed } in { $month } and has { $committed }
card-capacity-sub = Highest need of the month in { $unit }, against what is committed
card-capacity-missing = Need and capacity
card-capacity-none = Add a pool with a limit to see what it needs.
card-capacity-no-limit = { $pool } has no limit entered. Enter its tokens or calls per minute to see what it needs.
card-capacity-limit = Limit
card-heat-month = Month
card-costs-title = { $feature } takes { $share } of what features cost
card-costs-sub = { $period } effective cost by feature, mean; unused commitment belongs to nobody
card-costs-missing = Cost by feature
card-costs-none = Add a feature to see what it costs.
card-costs-range = p5 to p95
card-costs-per-1000 = per 1,000 requests
card-costs-share = of total
card-costs-feature = Feature
card-costs-unused = Not used
card-costs-total = Total
card-costs-high-1000 = per 1,000 requests, p5 to p95
card-tokens-title = { $feature } moves { $share } of the tokens
card-tokens-sub = { $period } per feature, median and p5 to p95
card-tokens-missing = Tokens by feature
card-tokens-requests = Requests
card-tokens-calls = Calls
card-tokens-uncached = Read, uncached
card-tokens-cached = Read from cache
card-tokens-output = Written
card-tokens-each = Tokens per request
card-monthly-title = { $total } over the horizon, month by month
card-monthly-sub = { $cost } cost in { $currency }. Percentiles do not add: totals come from the futures
card-monthly-several = { $subtitle }. Of several budgets of one period it is the one that most futures exceed
card-monthly-missing = Month by month
card-monthly-horizon = Horizon
card-monthly-budget = Budget
card-monthly-over = Over
card-budgets-title = { $name } is the budget in most danger: { $chance }
card-budgets-sub = Every budget and period; excess over all futures, and the mean of the worst 5 %
card-budgets-missing = Budgets
card-budgets-none = Add a budget to see the risk of overspending.
card-budgets-name = Budget
card-budgets-excess = Expected excess
card-budgets-cvar = Worst 5 %
card-partial = { $period }, part
card-year = Fiscal year
card-to-fix-first = Answers come once the fields to fix are right.
card-after-last = Found out after the last future.
card-waiting = Waiting for the first futures.
