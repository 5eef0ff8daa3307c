/**
 * Stamps tell whether a file may have changed without reading it. A stamp taken right after a change is not trusted:
 * a second change within the same tick of the file system's clock would leave it as it is (git calls such entries
 * racily clean).
 */
import { type BigIntStats, statSync } from 'node:fs'

export interface FileStamp {
  readonly text: string
  /** Whether an equal stamp later means an unchanged file. */
  readonly trusted: boolean
}

/** Clocks of usual file systems tick every 1 to 10 ms. */
const tickNs = 50_000_000n
/** Some keep whole seconds only, the oldest every second one. */
const coarseTickNs = 2_100_000_000n
const secondNs = 1_000_000_000n

/** Looks at a file, through links; `undefined` when there is nothing to look at, or no way. */
export function lookAt(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The stamp of a file that was looked at now, by the system's clock in ms. */
export function stampOf(stats: BigIntStats, nowMs: number): FileStamp {
  const { mtimeNs, ctimeNs, size, ino, dev } = stats
  const isCoarse = mtimeNs % secondNs === 0n && ctimeNs % secondNs === 0n
  const settledNs = BigInt(Math.floor(nowMs)) * 1_000_000n - (isCoarse ? coarseTickNs : tickNs)
  return { text: `${mtimeNs} ${ctimeNs} ${size} ${ino} ${dev}`, trusted: mtimeNs < settledNs && ctimeNs < settledNs }
}
