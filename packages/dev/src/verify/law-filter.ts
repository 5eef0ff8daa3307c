/**
 * Which laws a run is about. The numbers are those of the verification kit; a law decides what happens in traces and
 * which of the differences between engine and promise are its own.
 */
/** What happens to the gateway: a reload; a key written anew, with its counters or without; a key deleted. */
export type Happening = 'reload' | 'rewrite' | 'update' | 'delete'

export interface VerifiedLaw {
  readonly number: number
  readonly name: string
  /** In a sentence, for `--help` and reports. */
  readonly statement: string
}

/** The laws that traces can break. */
export const verifiedLaws: readonly VerifiedLaw[] = [
  { number: 1, name: 'rolling log', statement: 'no window admits more than its rate (rolling windows)' },
  { number: 2, name: 'fixed window', statement: 'no window admits more than its rate (other limiters)' },
  { number: 6, name: 'no starvation', statement: 'who keeps to a limit is not refused by it' },
  { number: 8, name: 'non-interference', statement: 'a key does not feel what other keys do, but for shared limits' },
  { number: 9, name: 'time', statement: 'a clock that steps back admits nothing more' },
  { number: 11, name: 'quota conservation', statement: 'no period admits more than its quota' },
  { number: 14, name: 'reload', statement: 'a reload that changes nothing is not felt' },
  { number: 17, name: 'keys', statement: 'a deleted key admits nothing' },
]

export interface LawFilter {
  readonly severalKeys: boolean
  readonly clockSteps: boolean | 'always'
  readonly happenings: readonly Happening[]
  /** Whether a difference of this law counts. */
  counts(law: number): boolean
}

/** Everything. */
export const allLaws: LawFilter = {
  severalKeys: true,
  clockSteps: true,
  happenings: ['reload', 'rewrite', 'update', 'delete'],
  counts: () => true,
}

/** One law alone; `undefined`: traces know no such law. */
export function onlyLaw(number: number): LawFilter | undefined {
  if (!verifiedLaws.some((law) => law.number === number)) return undefined
  const onlyIt = (law: number) => law === number
  const plain: LawFilter = { severalKeys: false, clockSteps: false, happenings: [], counts: onlyIt }
  // Whatever differs in such a trace and not in a plain one is the law's.
  if (number === 8) return { ...plain, severalKeys: true }
  if (number === 9) return { ...plain, clockSteps: 'always' }
  if (number === 14) return { ...plain, happenings: ['reload', 'rewrite'] }
  return number === 17 ? { ...plain, happenings: ['delete'] } : plain
}
