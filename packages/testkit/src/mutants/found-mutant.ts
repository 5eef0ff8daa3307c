/** What is kept of a search for a planted fault: the seed and path that find it at once. */
import type { CheckOptions } from '../properties/property.ts'
import type { Mutant } from './mutant.ts'

/** How a fault was found. */
export interface FoundMutant {
  /** What is wrong, as in `Mutant`. */
  readonly name: string
  /** Number and name of the property. */
  readonly property: string
  /** Where to look first the next time. */
  readonly seed: number
  readonly path: string
  /** Requests that were made until it showed; those of shrinking are among them. */
  readonly requests: number
  /** What the property said. */
  readonly reason: string
}

/** The same with the shortest trace. */
export interface TracedMutant extends FoundMutant {
  readonly trace: string
}

/** Looks for a fault. Throws when its property does not see it. */
export async function findMutant(fault: Mutant, run: CheckOptions = {}): Promise<TracedMutant> {
  const report = await fault.run({ requests: 20_000, seed: 1, ...run })
  if (report.holds) throw new Error(`property ${fault.property} does not see: ${fault.name}`)
  const { seed, path, requests, reason, trace } = report
  return { name: fault.name, property: fault.property, seed, path, requests, reason, trace }
}
