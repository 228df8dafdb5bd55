futures-of = { $done } of { $of } futures
