import-empty = The file is empty.
import-too-large = The file is larger than { $megabytes } MB, which no plan is.
import-not-json = The file is broken: what stands at line { $line }, column { $column } cannot be read. Files that Headroom exported open as they are; in one that was edited a comma, a quotation mark or a bracket is missing there, or is one too many.
import-number-too-large = A number is too large to calculate with: line { $line }, column { $column }.
import-not-a-plan = The file is not a plan of Headroom. Choose one that Headroom exported: it begins with "format": 1.
import-newer-format = The plan is of a newer format ({ $found }) than this Headroom can read ({ $supported }). Open it with a newer Headroom.
import-unknown-field = { $place } has a field “{ $field }” that is not known. Known there: { $valid }.
import-missing-field = { $place } needs a field “{ $field }”.
import-field-twice = { $place } has the field “{ $field }” twice.
import-choice = { $place } cannot be “{ $found }”. It can be: { $valid }.
import-number = { $place } has to be a number, such as 0.35.
import-whole-number = { $place } has to be a whole number from 0, such as 12.
import-text = { $place } has to be text in quotation marks.
import-flag = { $place } has to be true or false.
import-date = { $place } has to be a day, such as "2027-03-31".
import-list = { $place } has to be a list in [ ].
import-nine-numbers = { $place } has to be a list of nine numbers: p0, p10, p25, p50, p75, p90, p95, p99, p100.
import-object = { $place } needs its fields in {"{"} {"}"}.
import-word-with-content = { $place } needs its content in {"{"} {"}"}, not the word alone.
import-word-alone = { $place } has to be the word alone, without content.
import-same-id = { $place } has the id { $id }, which something else in the plan has too. Every id has to be there once.
import-whole-plan = The plan
import-entity = { $section ->
    [features] Feature “{ $name }”
    [models] Model “{ $name }”
    [pools] Pool “{ $name }”
    [commitments] Contract “{ $name }”
    [seasons] Season “{ $name }”
    [budgets] Budget “{ $name }”
   *[other] “{ $name }”
}
import-entity-numbered = { $section ->
    [features] Feature number { $number }
    [models] Model number { $number }
    [pools] Pool number { $number }
    [commitments] Contract number { $number }
    [seasons] Season number { $number }
    [budgets] Budget number { $number }
   *[other] Number { $number }
}
import-field-of = { $of }, { $field } ({ $path })
import-at = { $whole } ({ $path })
