ed-features = Features
ed-contracts = Contracts
ed-pools = Pools
ed-models = Models
ed-seasons = Seasons
ed-budgets = Budgets
ed-new-feature = New feature
ed-new-contract = New contract
ed-new-pool = New pool
ed-new-model = New model
ed-new-season = New season
ed-new-budget = New budget
ed-none-yet = none yet
ed-unnamed = No name
ed-needs-fix = needs a fix
ed-to-fix = { $count ->
        [one] 1 field to fix
       *[other] { $count } fields to fix
    }
ed-added = { $what } added
ed-copied = { $what } copied
ed-moved = { $what } moved
ed-deleted = { $what } deleted
ed-deleted-undo = { $what } deleted. Undo brings it back.
ed-changed = { $what }
ed-noted = Note on { $what }
ed-close = Close { $what }
ed-duplicate = Duplicate
ed-move-up = Up
ed-move-down = Down
ed-move-up-key = One place up (Alt + up arrow)
ed-move-down-key = One place down (Alt + down arrow)
ed-delete = Delete
ed-still-uses = The run still uses { $value }.
ed-swap-them = Swap them
ed-too-large = This number is too large here.
ed-unit-days = days
ed-unit-seconds = s
ed-unit-hours = h
ed-unit-per-million = per million
ed-number-missing = A number is missing, such as 120k.
ed-date-missing = A date is missing, such as 1 Jul 2027.
ed-same-name = Another one has this name: charts, sentences and rows of a CSV cannot tell them apart.
ed-lanes-idle = Long requests run where all others do: lanes change nothing until another pool or model is chosen, or added.
ed-story-had = Changed: the story has { $value }.
ed-no-date = This is not a date. Try 1 Jul 2027 or 2027-07-01.
ed-fixed = fixed
ed-uncertain = uncertain
ed-varies = varies
ed-open-panel = { $what }: { $kind }. Open.
ed-note-of = Note on { $what }
ed-note-key = { $words } (Shift F2)
ed-note-read = Note: { $text } (Shift F2)
ed-note-text = Note
ed-note-source = Source
ed-note-owner = Owner
ed-note-date = As of
ed-choose-one = Choose one
ed-year-median = { $year }, p50
ed-retired = retired
ed-live = live
ed-planned = planned
ed-launches = launches { $date }
ed-live-from-start = live from the start
ed-make-live = It is live already
ed-never = never
ed-group-when = When
ed-group-how-much = How much
ed-group-one-request = One request
ed-group-where = Where it runs
ed-group-caps = Stop a request at
ed-group-runaways = Rare and costly
ed-runaways-tick = some requests never end by themselves
ed-runaways-set = runaway requests
ed-cap-line-stops = stopped at { $cap }: { $share } of requests
ed-cap-line-all = a request is stopped at { $cap }, all its calls together
ed-unbounded = no cap of tokens: what one request costs is unbounded
ed-cap-tokens = { $amount } tokens
ed-cap-calls = { $amount } calls
ed-cap-tool-calls = { $amount } tool calls
ed-cap-seconds = { $amount } s
ed-cap-errors = { $amount } errors in a row
ed-soft-none = none
ed-soft-stop = stop
ed-soft-one-more = one more call
ed-soft-degrade = read and write less
ed-group-retries = Retries and drift
ed-group-noise = Noise
ed-none-set = none
ed-retries-summary = retries { $retries }, drift { $drift }
ed-noise-default = as measured elsewhere
ed-noise-summary = hours ±{ $hours }, burstiness { $burstiness }
ed-chain-requests = requests/day
ed-chain-calls = calls each
ed-chain-tokens = tokens/call
ed-chain-total = tokens/day
ed-committed-in-all = { $amount } committed in all
ed-contract-span = { $start }, { $months ->
        [one] 1 month
       *[other] { $months } months
    }
ed-kind-of-contract = Kind of contract
ed-kind-capacity = Capacity
ed-kind-spend = Spend per hour
ed-reserved-sentence = We commit to { $gpus } GPUs in { $pool } from { $start } for { $months } months, at { $rate } per GPU-hour, { $upfront } of it upfront.
ed-spend-sentence = We commit to spend { $amount } per hour, counted { $basis }, from { $start } for { $months } months, and get { $discount } off what it covers. What an hour does not use is lost.
ed-basis-discounted = after the discount
ed-basis-list = at list price
ed-over-the-term = { $amount } over the term
ed-gpu-hours-in = { $gpu_hours } GPU-hours in { $hours } h
ed-hours-counted = { $hours } hours
ed-strip-with = { $gpus } GPUs with this contract
ed-strip-outside = no full month of this contract lies in the plan
ed-strip-needed = needed at the peak, p50
ed-ends = ends { $date }
ed-used-share = used { $share } at the median
ed-cluster-line = GPU cluster, { $features ->
        [one] 1 feature
       *[other] { $features } features
    }
ed-key-line = key, { $features ->
        [one] 1 feature
       *[other] { $features } features
    }
ed-gpu-count = { $count ->
        [one] 1 GPU
       *[other] { $count } GPUs
    }
ed-kind-of-pool = Kind of pool
ed-kind-cluster = GPU cluster
ed-kind-key = Pay as you go
ed-chance-a-month = chance a month
ed-no-contract-yet = none: add a contract
ed-gpus-from = { $count } from { $date }
ed-committed-gpus = Committed GPUs
ed-per-gpu-hour = per GPU-hour
ed-burst-tick = add GPUs by the hour when short
ed-unit-gpus = GPUs
ed-no-limit = no limit
ed-not-known = not known
ed-cached-reads-tick = cached reads use up the limit
ed-model-both = priced and served
ed-model-priced = list price
ed-model-served = own GPUs
ed-model-nowhere = neither priced nor served
ed-tokens-a-second = tokens/s
ed-price-tick = can be paid by use
ed-serving-tick = can run on own GPUs
ed-per-million = per M tokens
ed-yearly-dates = { $first } – { $last }, yearly
ed-dates-from-to = { $first } – { $last }
ed-several-dates = { $count ->
        [one] 1 window
       *[other] { $count } windows
    }
ed-yearly-tick = comes again every year
ed-range-to = to
ed-remove-dates = Remove these dates
ed-add-dates = Add dates
ed-touches-all = all features
ed-period-month = each month
ed-period-quarter = each fiscal quarter
ed-period-year = each fiscal year
ed-every-period = every period
ed-cost-effective = effective (upfront spread)
ed-cost-billed = billed (invoices)
ed-chance-of-over = chance of more
ed-budget-outcome = { $period }: { $spend } at the median, over in { $chance }
ed-settings-summary = { $first } – { $last } · { $zone } · { $currency } · FY from { $fiscal }
ed-seed-rule = A seed is a whole number from 0 to { $most }.
ed-rolled = New seed
ed-roll = roll
ed-unit-months = months
ed-trials-unit = futures
ed-trials-give = { $trials } futures: chances are exact to ±{ $points } points or better.
ed-week-flat = the same all week
ed-week-office = office hours
ed-week-consumer = evenings and weekends
ed-week-custom = own hours
ed-week-grid = hour by hour
ed-week-grid-label = { $what } by hour of the week
ed-week-keys = Arrow keys move, + and − change, digits set, Shift + arrows paint. Paste 168, 24 or 7 numbers.
ed-week-paste-rule = Paste 168 numbers from Monday 00:00, or 24 for each day, or 7 for the days.
ed-week-cell = { $day } { $hour }: { $weight }
ed-group-peak = At peak
ed-peak-hint = Hours are read at the feature's own clock. The cached share and the chance of repeats stay between 0 and 100 %; a p99 of tokens that was measured at low load is optimistic at peak.
ed-peak-cached = cache down to { $left } of its share
ed-peak-retries = repeats up to { $times }
ed-peak-load = tokens + { $more } when full
ed-factors-always = the same all week
ed-factors-by-hour = by hour of the week
ed-cached-week-keys = Arrow keys move, + and − change by 5 points, digits set tenths, Delete sets all of it, Shift + arrows paint. Paste 168, 24 or 7 numbers from 0 to 1.
ed-retry-week-keys = Arrow keys move, + and − change, digits set, Delete sets 1, Shift + arrows paint. Paste 168, 24 or 7 numbers.
ed-group-lanes = Lanes
ed-lanes-one = all requests in one pool
ed-lanes-two = long requests elsewhere
ed-lanes-summary = above { $tokens } tokens to { $pool }
ed-lanes-hint = A triage sends each request by its predicted input to one of two pools; some go to the wrong one.
ed-factor-paste-rule = Paste 168 numbers from Monday 00:00, or 24 for each day, or 7 for the days, none above { $most }.
ed-zone-of-plan = { $zone }, as the plan
ed-close-panel = Close
ed-done = Done
ed-form-of-entry = Form of the entry
ed-tab-fixed = Fixed
ed-tab-between = Between
ed-tab-probably = Between, probably
ed-tab-few-are-large = Few are large
ed-tab-data = Data
ed-tab-mix = Mix
ed-sentence-fixed = exactly { $a }
ed-sentence-between = between { $a } and { $b }
ed-sentence-probably = between { $a } and { $b }, probably { $c }
ed-moves-together = Moves together
ed-moves-together-with = In the same future, this moves together with:
ed-nothing-together = nothing: every number is drawn on its own
ed-pairs-together = { $count ->
    [one] one pair
   *[other] { $count } pairs
}
ed-shock-together = a demand shock
ed-shock-and-pairs = { $count ->
    [one] a demand shock and one pair
   *[other] a demand shock and { $count } pairs
}
ed-shock-tick = All features share good and bad weeks
ed-weakly = weakly
ed-clearly = clearly
ed-closely = closely
ed-the-other-way = { $how }, the other way
ed-how-closely = How closely
ed-pair-of = { $a } with { $b }
ed-pair-first = Choose a number…
ed-pair-with = Moves together with…
ed-remove-pair = Remove this pair
ed-pairs-dropped = { $count ->
    [one] One pair that moved together is gone, because one of its numbers is certain or gone; undo brings it back.
   *[other] { $count } pairs that moved together are gone, because one of their numbers is certain or gone; undo brings them back.
}
ed-contradiction = The other pairs do not allow this.
ed-use-nearest = Use the nearest: { $rank } → { $nearest }
ed-pick-calendar = Add a holiday calendar…
ed-calendar-us = United States, 2026 to 2028
ed-calendar-eu = European Union, 2026 to 2028
ed-calendar-cn = China, 2026 to 2028
ed-calendar-in = India, 2026 to 2028
ed-largest-are = The largest
ed-tail-light = thin out fast (lognormal)
ed-tail-heavy = keep coming (heavy tail)
ed-tail-index = tail index
ed-tail-hint = Twice as large is 2 to the power of this index times rarer: 1.5 is very heavy, 3 is mild.
ed-sentence-few-are-large = half are below { $a }, { $high } is above { $b }
ed-one-in-ten = 1 in 10
ed-one-in-twenty = 1 in 20
ed-one-in-hundred = 1 in 100
ed-ends-are = the ends are
ed-ends-soft = likely: 8 in 10 fall between
ed-ends-hard = hard limits: none fall outside
ed-number-of-sentence = Number { $number } of the sentence
ed-help-data = Paste a column of numbers into the box, or write percentiles from p0 to p100, or a family with its parameters.
ed-help-mix = Shares with their values, separated by commas, 100 % in all: 95% 5k, 5% 800k; or parts: 3 parts 5k, 1 part 800k. Each part may be a range.
ed-dots-uncertain = Each dot is 1 of 20 futures.
ed-dots-varies = Each dot is 1 of 20 requests.
ed-picture-of = Distribution: p5 { $low }, p50 { $middle }, p95 { $high }
ed-figure-mean = mean
ed-figure-p5 = p5
ed-figure-p50 = p50
ed-figure-p95 = 1 in 20 above
ed-mean-from-invoices = Mean from invoices
ed-not-pinned = not pinned
ed-enter-keeps = keeps it
ed-esc-restores = goes back to { $value }
ed-cancel = Cancel
ed-keep = Keep
ed-run = Run
ed-stop = Stop
ed-continue = Continue
ed-run-key = Run (Ctrl + Enter)
ed-futures-choice = { $count } futures
ed-futures-give = exact to ±{ $points } points
ed-changed-futures = Number of futures
ed-auto-run = run after each change
ed-primary = first hand
ed-secondary = second hand
ed-weak = weak
ed-preset = { $what } · { $date } · { $sure }
ed-preset-committed = { $provider } { $gpu }: { $rate } for { $months ->
        [one] 1 month
       *[other] { $months } months
    }
ed-preset-on-demand = { $provider } { $gpu }: { $rate }
ed-preset-price = { $model }: { $input } in, { $output } out
ed-preset-serving = { $model } on { $count } × { $gpu }
ed-from-catalog = From the catalog: { $what }
ed-pick-rate = Rate from the catalog …
ed-pick-on-demand = On-demand rate from the catalog …
ed-pick-limits = Limits from the catalog …
ed-pick-price = Prices from the catalog …
ed-pick-serving = Serving profile from the catalog …
ed-pick-season = A season from the catalog …
ed-pick-request = Measured request shapes …
ed-answers-of-last-valid = answers show the last valid plan
