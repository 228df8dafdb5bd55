run-failed-other-build = This page is of another version than the rest of Headroom on this address. Reload the page; your plan is kept.
run-failed-no-start = The part of Headroom that computes did not start. Check the connection and reload the page; your plan is kept.
run-failed-restarts = The computation broke { $restarts ->
        [one] once
       *[other] { $restarts } times
    } on this plan and was given up. Your plan is kept; change it or run it again.
run-failed-contradiction = The computation gave two different answers to one question and was given up ({ $detail }). Run it again.
run-failed-no-workers = This browser does not let the page start web workers, and Headroom computes in them.
run-failed-not-finite = Some numbers of this plan are so large that nothing can be computed with them. Look for a request count, a growth rate or a price that is far too large.
run-failed-memory = There is not enough memory for so many futures of so large a plan. Ask for fewer futures.
