/** The record of a detected mutant: the seed and path that detect it again at once. */
import type { CheckOptions } from '../properties/property.ts'
import type { Mutant } from './mutant.ts'

/** How a mutant was detected. */
export interface FoundMutant {
  /** What is wrong, as in `Mutant`. */
  readonly name: string
  /** Number and name of the property. */
  readonly property: string
  /** Seed and path to try first the next time. */
  readonly seed: number
  readonly path: string
  /** Number of requests until detection, including those of shrinking. */
  readonly requests: number
  /** The message of the property. */
  readonly reason: string
}

/** The record with the shortest trace. */
export interface TracedMutant extends FoundMutant {
  readonly trace: string
}

/** Searches for a mutant. Throws if its property does not detect it. */
export async function findMutant(fault: Mutant, run: CheckOptions = {}): Promise<TracedMutant> {
  const report = await fault.run({ requests: 20_000, seed: 1, ...run })
  if (report.holds) throw new Error(`property ${fault.property} does not see: ${fault.name}`)
  const { seed, path, requests, reason, trace } = report
  return { name: fault.name, property: fault.property, seed, path, requests, reason, trace }
}
