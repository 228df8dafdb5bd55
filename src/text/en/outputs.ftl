outputs-year-billed = { $period } invoices
outputs-horizon = Spend over the horizon
outputs-horizon-billed = Invoices over the horizon
outputs-over = Chance to exceed { $budget }
outputs-hours = { $pool } hours short
outputs-headroom-in = { $pool } headroom in { $month }
outputs-hours-in = { $pool } hours short in { $month }
outputs-feature-cost = Cost of { $feature }
outputs-drivers-sub = { $outcome }: change of its mean when one input is low or high and all others vary as usual
outputs-drivers-sub-unit = { $outcome }, { $unit }: change of its mean when one input is low or high and all others vary as usual
outputs-hours-unit = hours
outputs-chance-unit = percentage points
outputs-of-effective = { $name } (effective cost)
outputs-of-billed = { $name } (invoices)
outputs-within-noise = within noise
outputs-points = { $points } pt
outputs-occurrence = { $name }, time { $number }
outputs-short-lane = { $feature }: lane for short requests
outputs-long-lane = { $feature }: lane for long requests
outputs-wrong-lane = { $feature }: sent to the wrong lane

heat-title-over = { $hours ->
    [one] 1 hour of the week fills { $pool } in 1 of 20 futures
   *[other] { $hours } hours of the week fill { $pool } in 1 of 20 futures
}
heat-title-full = No hour of the week fills { $pool } in 1 of 20 futures
heat-sub = Fullest on { $day } at { $hour }: { $share }. Highest need of each hour in { $month } as a share of what there is, p95 of the first { $futures } futures; { $zone } time. Some hour of the month is short in { $chance } of all futures
heat-missing = Hours of the week
heat-none = Add a pool with a limit to see which hours of the week fill it.
heat-under = under { $percent }
heat-over = 100 and over
heat-over-numbered = 100 and over: number shown
heat-day = Day
heat-says = { $day } { $hour }: p95 { $high }, median { $middle }
heat-keys = Hours of the week: arrow keys read an hour

later-title = { $feature } { $weeks } weeks later: { $what } { $before } → { $after }
later-title-none = No later launch makes running out or overspending clearly less likely
later-sub = Each launch moved alone, others as planned. As planned: all futures; changes in points ± error: the same { $futures } futures played both ways
later-sub-cut = Each launch moved alone, others as planned. As planned: all futures; changes in points ± error: the same { $futures } futures played both ways. The limits and budgets in most danger
later-missing = If a launch moves
later-none = No feature launches inside the horizon: give one a launch date to see what moving it does.
later-launch = Launch
later-as-planned = As planned
later-move = { $feature }, { $weeks } weeks later
later-move-any = { $feature }, up to { $weeks } weeks later
later-runs-out = { $pool } runs out in any month
later-over = Over { $budget }
later-cost = Cost over the horizon
later-same = { $chance } (same)
later-same-money = same
later-same-money-within = same (within ±{ $error })
later-changed = { $chance } ({ $change } ±{ $error })
later-money = { $amount } ±{ $error }

sizes-title-alike = Requests of one feature cost nearly the same: the costliest 5 % take { $share } of the cost
sizes-title = The costliest 5 % of { $feature } requests take { $share } of its cost
sizes-sub = Tokens per request over all its calls, at the start of the horizon. Bar: p50 to p90, dot p99, tick p99.9, on a log scale
sizes-missing = Tokens per request
sizes-none = Add a feature that sends requests to see what they read and write.
sizes-feature = Per request
sizes-read = Tokens read
sizes-written = Tokens written
sizes-tools = Tool calls
sizes-mean = mean
sizes-p999 = p99.9
sizes-p99 = p99
sizes-strip = { $low } … { $high }, log
sizes-top = top 5 %
sizes-top-long = the 5 % most expensive requests
sizes-read-column = read { $which }
sizes-written-column = written { $which }
sizes-tools-column = tool calls { $which }

per-request-title = 1 in { $one_in } { $feature } requests costs { $high } or more: { $times } the average of { $mean }
per-request-title-alike = All { $feature } requests cost { $mean }
per-request-title-hours = { $feature }, { $hours }: 1 in { $one_in } requests costs { $high } or more, { $times } the week’s average of { $mean }
per-request-sub = What one request costs at list price (on own GPUs: GPU-seconds), with the tokens of the start of the horizon
per-request-sub-hours = What one request costs at list price (on own GPUs: GPU-seconds), with the tokens of the start of the horizon: all week, and in the hours in which it costs most, on the feature’s clock
per-request-priced-gpus = Beside a paid lane GPU time of { $pool } is priced at its on-demand rate, { $rate } per GPU-hour
per-request-missing = Cost per request
per-request-none = No feature has requests with a price: choose a model with one, or a cluster with an on-demand rate.
per-request-in-hours = { $feature }, { $hours }
per-request-hours = { $hours ->
    [one] 1 hour of the week
   *[other] { $hours } hours of the week
}
per-request-share = requests
per-request-times = { $which } ÷ average
per-request-gpu-seconds = { $amount } GPU-s
