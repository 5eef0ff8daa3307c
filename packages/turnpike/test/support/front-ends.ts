/** The front ends that tests use. */
import { missingUwsBinary } from '@turnpike/adapters/front-end-uws'

const missing = missingUwsBinary()

/** uWebSockets.js has binaries for some platforms and versions of Node only. Why its tests cannot run; `undefined`: they run. */
export const withoutUws = missing && `uWebSockets.js: ${missing} (use Node 20 or 22)`

export type TestedFrontEnd = 'http1' | 'node' | 'uws'

export const frontEnds: readonly TestedFrontEnd[] =
  withoutUws === undefined ? ['http1', 'node', 'uws'] : ['http1', 'node']

/** Adds to the title of a skipped test why it does not run; `npm test` lists such titles at the end. */
export function titleWithUws(title: string): string {
  return withoutUws === undefined ? title : `${title}, not run: ${withoutUws}`
}
