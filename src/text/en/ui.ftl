ui-product = Headroom
ui-plan-menu = Plans
ui-unnamed = Plan without a name
ui-undo = Undo
ui-undo-of = Undo: { $what }
ui-redo = Redo
ui-redo-of = Redo: { $what }
ui-undid = Undid: { $what }
ui-redid = Did again: { $what }
ui-unread-entries = what was typed and could not be kept
ui-answers = Answers
ui-plan = Plan
ui-show-plan = Show the plan
ui-show-answers = Show the answers
ui-hide-plan = Hide the plan
ui-nav-overview = Overview
ui-nav-spend = Spend
ui-nav-capacity = Capacity
ui-nav-features = Features
ui-nav-table = Table
ui-export = Export
ui-share = Share
ui-more = More
ui-theme-to-dark = Dark colours
ui-theme-to-light = Light colours
ui-close = Close
ui-open = Open
ui-renamed = Name of the plan
ui-copy-of = { $name }, copy
ui-plan-copied = This is the copy. The original is in the list of plans.
ui-plan-deleted = { $name } deleted.
ui-plan-restored = The plan is back in the list.
ui-name-of-plan = Name of this plan
ui-open-now = open
ui-delete-plan = Delete { $name }
ui-no-plans-yet = No plans of your own yet. The first change of a story keeps it here.
ui-duplicate-plan = Duplicate
ui-empty-plan = Empty plan
ui-new-plan = New plan
ui-stories = Stories, links and files
ui-gallery-title = Plan LLM spend and capacity as ranges
ui-gallery-lead = Enter what you know and how sure you are of it. Headroom plays 10,000 futures in this browser and shows how often the budget or the cluster breaks.
ui-open-link = Open a link
ui-open-file = Open a file
ui-paste-link = Paste a link to a plan
ui-or-story = or start from a story that you can change
ui-things-to-try = a note in it
ui-mean-is = { $mean } on average
ui-gpus-for-months = { $gpus } GPUs for { $months } months
ui-turns-read = { $turns } turns: { $tokens }
ui-read-by-turns = tokens read, by turns
ui-in-proportion = if twice the turns read twice
ui-cached-not-usual = { $now } cached, else { $usual }
ui-roadmap-of = Roadmap of { $features ->
        [one] 1 feature
       *[other] { $features } features
    }
ui-stays-here = Everything is computed in this tab. No account, no upload, no cookies.
ui-this-is-a-story = A story to change: { $title }
ui-read-all = Read all
ui-read-less = Read less
ui-other-stories = Other stories
ui-hide-line = Hide this line
ui-link = Link
ui-share-title = Share this plan as a link
ui-copy-link = Copy link
ui-copied = Copied.
ui-not-copied = The browser did not allow copying. Select the link and copy it yourself.
ui-link-differs = This link would not open to the same plan, so it is not offered. Save the plan as a file instead.
ui-link-anywhere = opens everywhere
ui-link-most = opens everywhere except in some older chat tools
ui-link-browsers = opens in browsers; some tools cut it off
ui-link-too-long = too long for many programs: send the JSON file from Export instead
ui-short-samples = Samples as nine quantiles and their mean: { $saved } characters less; no field's p50 moves by more than { $change }
ui-characters = { $count } characters
ui-mark-chat = 2,000 any chat, any e-mail
ui-mark-most = 8,000 most tools
ui-mark-browsers = 32,000 browsers only
ui-in-the-link = In the link
ui-not-in-the-link = Not in the link
ui-in-features = { $features ->
        [one] 1 feature
       *[other] { $features } features
    }, { $contracts ->
        [one] 1 contract
       *[other] { $contracts } contracts
    }
ui-in-pools = { $pools ->
        [one] 1 pool
       *[other] { $pools } pools
    }, { $models ->
        [one] 1 model
       *[other] { $models } models
    }
ui-in-seasons = { $seasons ->
        [one] 1 season
       *[other] { $seasons } seasons
    }, { $budgets ->
        [one] 1 budget
       *[other] { $budgets } budgets
    }
ui-in-seed = seed { $seed } and { $trials } futures: the same answers, to the bit
ui-in-names = names, prices and notes, readable by whoever has it
ui-not-results = results: they are computed again when it opens
ui-not-others = your other plans, your settings
ui-not-undo = what you undid
ui-plan-digest = Plan
ui-result-digest = Result
ui-after-the-run = after the run
ui-link-carries-new = The answers on the screen are from before your last changes; the link carries the new plan.
ui-after-hash = The plan is in the part after #, which browsers do not send to any server.
ui-opens-same = opens to the same plan
ui-plan-table = Plan table, .csv
ui-plan-table-words = One row per period, feature, pool and contract, for a pivot or a planning tool
ui-plan-json = Scenario, .json
ui-plan-json-words = Everything that was entered; opens again in Headroom
ui-for = For
ui-profile-excel = spreadsheets (Excel)
ui-profile-data = programs (plain UTF-8)
ui-preview-of = First rows of { $rows }
ui-do-not-add = Percentiles do not add up: a year's p90 is lower than the sum of its months' p90. Totals are rows of their own, from the same futures.
ui-nothing-to-export = There are no answers to export yet. Run the plan first.
ui-still-running = The run is not complete: the file would have the futures that are in so far.
ui-export-is-old = The answers are from before your last changes, and so is this file. Run first to export the new plan.
ui-json-opens-again = The file opens again with Plans, Stories, links and files.
ui-made-here = { $file }, made in this browser
ui-download = Download
ui-file-opened = “{ $name }” opened from the file.
ui-file-not-read = The browser could not read this file.
ui-plan-from-link = Plan from a link, not saved.
ui-keep-copy = Keep a copy
ui-link-not-opened = The link was not opened: { $why } Your own work is as it was.
ui-file-not-opened = The file was not opened: { $why } Your own work is as it was.
ui-storage-closed = This browser keeps nothing for this page: changes last until the tab is closed.
ui-other-tab = This plan was changed in another tab. Changes here are not kept until you choose.
ui-other-tab-take = Take that one
ui-other-tab-keep = Keep mine as a copy
ui-other-tab-gone = The other tab deleted the plan. It is kept again with your next change.
ui-storage-full = There is no room left in this browser's storage: the newest changes last until the tab is closed. Delete a plan, or save this one to a file.
ui-save-to-file = Save to a file
ui-plans-damaged = { $count ->
        [one] A saved plan
       *[other] { $count } saved plans
    } could not be read. The text was put aside in this browser's storage under headroom.aside, and nothing was thrown away.
ui-plans-newer = { $count ->
        [one] A saved plan is
       *[other] { $count } saved plans are
    } from a newer version of Headroom and kept for it.
ui-change = Change
ui-change-title = Change a number
ui-change-lead = The inputs that move the result most come first. New features, contracts and pools need a wider screen.
ui-dates-and-sizes = Dates and sizes
ui-worker-restarted = Restarted a worker; nothing is lost
ui-no-workers = The run could not be done: { $why }
weekday-short = { $day ->
        [1] Mon
        [2] Tue
        [3] Wed
        [4] Thu
        [5] Fri
        [6] Sat
       *[other] Sun
    }
