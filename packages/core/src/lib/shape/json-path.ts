/** Formats a path in a JSON document for messages: `version_data.versions["v 1"].paths.ignored[0]`. */
import type { JsonPath } from './shape.ts'

const plainName = /^[A-Za-z_$][\w$-]*$/

/** The path as text; the whole document is `(document)`. */
export function printJsonPath(path: JsonPath): string {
  if (path.length === 0) return '(document)'
  let out = ''
  for (const step of path) {
    if (typeof step === 'number') out += `[${step}]`
    else if (!plainName.test(step)) out += `[${JSON.stringify(step)}]`
    else out += out === '' ? step : `.${step}`
  }
  return out
}
