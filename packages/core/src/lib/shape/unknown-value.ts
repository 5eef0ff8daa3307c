/** What is reported about a field that is not known: a similar name, and whether its value says anything. */
import { nearestName } from './nearest-name.ts'

/** The nearest name that the document does not have already: a second value would replace the first. */
export function nearestMissing(
  name: string,
  known: Iterable<string>,
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  return nearestName(
    name,
    [...known].filter((one) => !Object.hasOwn(given, one)),
  )
}

const nothings: ReadonlySet<unknown> = new Set([null, undefined, false, 0, -1, ''])

/** Returns true for `null`, `false`, 0, -1 (no limit), `""`, and for lists and objects of nothing else. */
export function isNothing(value: unknown): true | undefined {
  // Without recursion, because the value can be nested deep.
  const rest = [value]
  while (rest.length > 0) {
    const one = rest.pop()
    if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) rest.push(inner)
    else if (!nothings.has(one)) return undefined
  }
  return true
}
