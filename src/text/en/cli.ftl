cli-no-command = What should it do? Commands: run, digest, url, open, stories, schema. More: headroom --help
cli-unknown-command = There is no command “{ $command }”. Commands: run, digest, url, open, stories, schema.
cli-unknown-argument = “{ $argument }” is not known here. More: headroom --help
cli-missing = { $what } is missing.
cli-no-value = { $argument } needs a value.
cli-not-one-of = { $argument } cannot be “{ $value }”. It can be: { $valid }.
cli-not-a-number = { $argument } cannot be “{ $value }”. It has to be a whole number up to { $most }.
cli-twice = { $argument } was given twice.
cli-not-text = An argument is not valid text (UTF-8).
cli-not-an-address = “{ $address }” is not the address of a page. It has to be like https://example.org/headroom/.
cli-unknown-story = There is no story “{ $name }”. Stories: { $names }.
cli-no-such-file = There is no file { $file }.
cli-is-a-folder = { $file } is a folder, not a file.
cli-may-not-read = { $file } may not be read by this user.
cli-cannot-read = { $file } cannot be read: { $reason }.
cli-file-is-not-text = { $file } is not text (UTF-8).
cli-cannot-write = { $file } cannot be written: { $reason }.
cli-cannot-print = The result cannot be written: { $reason }.
cli-not-a-number-came-out = The simulation came to a value that is not a number. This is an error of Headroom, not of the plan.
cli-and-others = { $others ->
    [one] (and one more)
   *[other] (and { $others } more)
}
cli-futures = futures
