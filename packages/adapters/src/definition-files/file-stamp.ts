/**
 * File stamps (times, size, inode) detect changes without reading the file. A stamp taken shortly after a change is not
 * trusted, because a second change within the same tick of the file system's clock would not alter it (git calls such
 * entries racily clean).
 */
import { type BigIntStats, statSync } from 'node:fs'

export interface FileStamp {
  readonly text: string
  /** True if an equal stamp at a later time proves that the file did not change. */
  readonly trusted: boolean
}

/** File system clocks usually tick every 1 to 10 ms; 50 ms is a safe bound. */
const tickNs = 50_000_000n
/** Some file systems store times with a resolution of 1 or 2 seconds. */
const coarseTickNs = 2_100_000_000n
const secondNs = 1_000_000_000n

/** Returns the status of a file, following links, or `undefined` if it does not exist or is not accessible. */
export function statFile(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Returns the stamp of a file whose status was read at `nowMs`, system time in milliseconds. */
export function stampOf(stats: BigIntStats, nowMs: number): FileStamp {
  const { mtimeNs, ctimeNs, size, ino, dev } = stats
  const isCoarse = mtimeNs % secondNs === 0n && ctimeNs % secondNs === 0n
  const settledNs = BigInt(Math.floor(nowMs)) * 1_000_000n - (isCoarse ? coarseTickNs : tickNs)
  return { text: `${mtimeNs} ${ctimeNs} ${size} ${ino} ${dev}`, trusted: mtimeNs < settledNs && ctimeNs < settledNs }
}
