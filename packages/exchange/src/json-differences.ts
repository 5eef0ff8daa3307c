/** Finds the members in which two JSON texts differ. */

export interface MemberDifference {
  /** JSON pointer (RFC 6901) of the member. */
  readonly pointer: string
  /** The value as JSON; `undefined` if the member is missing. */
  readonly left: string | undefined
  readonly right: string | undefined
}

/**
 * Returns the members that differ, in the order of the left text and then of the right one. Returns `undefined` if one
 * of the texts is not a JSON object or list, or if one is an object and the other a list.
 */
export function jsonDifferences(left: string, right: string): readonly MemberDifference[] | undefined {
  const [one, other] = [parse(left), parse(right)]
  if (!isBranch(one) || !isBranch(other) || Array.isArray(one) !== Array.isArray(other)) return undefined
  return differencesBelow(one, other, '')
}

type Branch = Readonly<Record<string, unknown>>

const isBranch = (value: unknown): value is Branch => typeof value === 'object' && value !== null

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function differencesBelow(left: unknown, right: unknown, pointer: string): MemberDifference[] {
  if (!isBranch(left) || !isBranch(right) || Array.isArray(left) !== Array.isArray(right)) {
    return Object.is(left, right) ? [] : [{ pointer, left: JSON.stringify(left), right: JSON.stringify(right) }]
  }
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return names.flatMap((name) => {
    const below = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return differencesBelow(left[name], right[name], below)
  })
}
