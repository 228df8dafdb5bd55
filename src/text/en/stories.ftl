story-eleven-calls-title = Eleven calls, not one
story-eleven-calls-claim-plan = Planned at one call per request with 30 % burst, the research assistant takes 40 % of the key.
story-eleven-calls-claim-measured = With the measured fan-out (11 calls at the median, 12.3 on average, 30 at p99) it needs more than 4 times the plan, and the key runs out.
story-eleven-calls-note-calls = Type 1 to see the plan as it was made.
story-eleven-calls-note-growth = Each call reads what the calls before it added. Type 0 to see how much that is.
story-eleven-calls-note-cache = Cached reads do not count towards this key's limit. Try 20% to 50%.

story-eighteen-month-contract-title = The 18-month GPU contract
story-eighteen-month-contract-claim-before = Before the assistant launches, the cluster needs about 85 % of its 64 GPUs in its busiest hour.
story-eighteen-month-contract-claim-after = With the assistant, November 2027 runs out of GPUs in about 2 of 3 futures, mostly because of it; burst GPUs at the on-demand rate fill the gap.
story-eighteen-month-contract-claim-without = Without that launch, no month runs out in more than 1 of 20 futures.
story-eighteen-month-contract-note-launch = Try 10 January 2028, after the rush.
story-eighteen-month-contract-note-size = 45 % below the on-demand rate is this story's own assumption. Try 72 GPUs.
story-eighteen-month-contract-note-demand = Nobody knows this number yet: it moves the result most.

story-real-traces-title = Measured, not guessed
story-real-traces-claim-match = Tokens come from a public code trace, calls from tau-bench, the week from ServeGen; simulated percentiles and means match the files.
story-real-traces-claim-lognormal = A lognormal through the same p50 and p99 would plan 8 % too few input tokens.
story-real-traces-note-tokens = Nine percentiles and the mean. Try 1469, p99 7436 without the mean.
story-real-traces-note-week = 168 hours from two measured weeks.
story-real-traces-note-calls = Calls are whole numbers; runs were stopped at 30.

story-two-populations-title = Two populations
story-two-populations-claim-tail = 5 % of the requests write 89 % of the tokens: 5,000 at the median, 44,750 on average, 800,000 at p99.
story-two-populations-claim-budgets = A budget from the median request is exceeded in every future, about 8 times over; one from the p99 request is 17 times too large; only the mean is near.
story-two-populations-note-tokens = Type 5000 to see a plan with the short requests alone.
story-two-populations-note-median = The median request times the requests: it forgets the few that cost most.
story-two-populations-note-mean = The mean request times the requests: what the invoice follows.

story-creeping-context-title = The creeping context
story-creeping-context-claim-square = Twice the turns read four times the tokens: 10 turns read 100,000, 20 turns 400,000, because every turn reads all that the turns before it added.
story-creeping-context-claim-budget = A budget that counts 20 turns as twice 10, with 10 % on top, is exceeded in nearly every future.
story-creeping-context-note-growth = Type 0: then twice the turns are twice the tokens.
story-creeping-context-note-turns = Try 40: four times the turns of 10, sixteen times the tokens.
story-creeping-context-note-cache = Type 80% to see how much of the growth a cache takes back.

story-monday-title = Monday, nine to eleven
story-monday-claim-peak = On weekdays from 9 to 11 a task costs a third more than at other times: the cached share is 15 points lower, and calls are repeated twice as often.
story-monday-claim-tail = 1 in 20 of the tasks of those hours costs more than 2.6 times what the month's average says.
story-monday-note-cache = 80 % of a cached share of 75 % is 60 %. Choose the same all week to see what the peak costs.
story-monday-note-retries = Twice as many repeats from 9 to 11.
story-monday-note-week = A third of the tasks come in ten of 168 hours.
story-never-stops-title = The agent that never stops
story-never-stops-claim-loop = A loop that burns 123 M tokens an hour costs $47,000 if it is found after 11 days, as 1 in 100 is.
story-never-stops-claim-year = No plan holds them: loops cost less than $20,000 in half of the years, and more than $75,000 in 1 of 20.
story-never-stops-claim-cap = With a cap of 2 M tokens per request, all loops of a year cost less than $50 in 19 of 20 futures, and fewer than 1 in 1,000 requests is stopped.
story-never-stops-note-cap = Type 2M to cap every request, then look at the runaways below.
story-never-stops-note-found = Half are found within 20 hours, 1 in 100 after 11 days. Try 2h to 12h.
story-never-stops-note-rate = Nobody has counted them yet: 1 to 5 in a million.
