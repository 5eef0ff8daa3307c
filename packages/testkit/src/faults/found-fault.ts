/** What is kept of a search for a planted fault: the seed and path that find it at once. */
import type { LawRun } from '../laws/law.ts'
import type { PlantedFault } from './fault.ts'

/** How a fault was found. */
export interface FoundFault {
  /** What is wrong, as in `PlantedFault`. */
  readonly name: string
  /** Number and name of the law. */
  readonly law: string
  /** Where to look first the next time. */
  readonly seed: number
  readonly path: string
  /** Requests that were made until it showed; those of shrinking are among them. */
  readonly requests: number
  /** What the law said. */
  readonly reason: string
}

/** The same with the shortest trace. */
export interface TracedFault extends FoundFault {
  readonly trace: string
}

/** Looks for a fault. Throws when its law does not see it. */
export async function findFault(fault: PlantedFault, run: LawRun = {}): Promise<TracedFault> {
  const report = await fault.run({ requests: 20_000, seed: 1, ...run })
  if (report.holds) throw new Error(`law ${fault.law} does not see: ${fault.name}`)
  const { seed, path, requests, reason, trace } = report
  return { name: fault.name, law: fault.law, seed, path, requests, reason, trace }
}
