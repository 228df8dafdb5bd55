share-empty = The link has no plan in it: the part after # is empty.
share-not-ours = The part after # is not a plan of Headroom.
share-cut-off = The link was cut off: its end is missing. Ask for it again, as a file if it has to go through a tool that shortens text.
share-altered = The link was altered on its way: a letter is wrong or was added. Ask for it again.
share-newer-version = The link is of a newer kind ({ $found }) than this Headroom can read ({ $supported }). Open it with the address that it came with, or reload the page to get the newest Headroom.
share-too-long = The plan is too long for a link. Export it as a file instead.
share-invalid = { $count ->
    [one] The plan has an entry that cannot be right.
   *[other] The plan has { $count } entries that cannot be right.
}
