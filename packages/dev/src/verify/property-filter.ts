/**
 * Selects the properties that a run tests. The numbers are those of packages/testkit/src/properties. A property
 * decides which events occur in a trace and which differences between engine and model are its violations.
 */

/** An event during a trace: a reload; a key that is written again, with its counters kept or reset; a deleted key. */
export type GatewayEvent = 'reload' | 'rewrite' | 'update' | 'delete'

export interface VerifiedProperty {
  readonly number: number
  readonly name: string
  /** Description for `--help` and reports. */
  readonly statement: string
}

/** The properties that a trace can violate. */
export const verifiedProperties: readonly VerifiedProperty[] = [
  { number: 1, name: 'rolling log', statement: 'no window admits more than its rate (rolling windows)' },
  { number: 2, name: 'fixed window', statement: 'no window admits more than its rate (other limiters)' },
  { number: 6, name: 'no starvation', statement: 'a limit rejects no client that stays within it' },
  {
    number: 8,
    name: 'non-interference',
    statement: 'requests of other keys change no decision, except for shared limits',
  },
  { number: 9, name: 'shifted clocks', statement: 'a clock that steps back admits no additional request' },
  { number: 11, name: 'quota conservation', statement: 'no period admits more than its quota' },
  { number: 14, name: 'refinement', statement: 'a reload without changes changes no decision' },
  { number: 17, name: 'lifetime of keys', statement: 'a deleted key admits nothing' },
]

export interface PropertyFilter {
  readonly severalKeys: boolean
  readonly clockSteps: boolean | 'always'
  readonly events: readonly GatewayEvent[]
  /** Returns true if a violation of this property counts. */
  counts(property: number): boolean
}

/** Selects all properties. */
export const allProperties: PropertyFilter = {
  severalKeys: true,
  clockSteps: true,
  events: ['reload', 'rewrite', 'update', 'delete'],
  counts: () => true,
}

/** Selects one property; returns `undefined` if traces cannot test it. */
export function onlyProperty(number: number): PropertyFilter | undefined {
  if (!verifiedProperties.some((property) => property.number === number)) return undefined
  const onlyIt = (property: number) => property === number
  const plain: PropertyFilter = { severalKeys: false, clockSteps: false, events: [], counts: onlyIt }
  // A difference that occurs in such a trace, but not in a plain one, violates the selected property.
  if (number === 8) return { ...plain, severalKeys: true }
  if (number === 9) return { ...plain, clockSteps: 'always' }
  if (number === 14) return { ...plain, events: ['reload', 'rewrite'] }
  return number === 17 ? { ...plain, events: ['delete'] } : plain
}
