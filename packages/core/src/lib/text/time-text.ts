/** A point in time in a session: RFC 3339 text, in which the zero time that other nodes write means absent. */
import { type Shape, text } from '../shape/shape.ts'

const rfc3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** Kept as written; a text that is not a time makes the document unreadable. */
export const timeText: Shape<string> = {
  ...text,
  read(value, path, problems) {
    const read = text.read(value, path, problems)
    if (read === '' && value !== '') return ''
    if (rfc3339.test(read)) return read.startsWith('0001-01-01T00:00:00') ? '' : read
    problems.push({ kind: 'type', path: [...path], message: 'must be a time as in RFC 3339' })
    return ''
  },
}
