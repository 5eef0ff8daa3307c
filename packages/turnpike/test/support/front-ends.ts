/** The front ends that tests use: uWebSockets.js has binaries for some platforms and versions of Node only. */
import { missingUwsBinary } from '@turnpike/adapters/front-end-uws'

const missing = missingUwsBinary()

/** Why tests with uWebSockets.js cannot run; `undefined`: they run. */
export const withoutUws = missing && `uWebSockets.js: ${missing} (use Node 20 or 22)`

export const frontEnds: readonly ('uws' | 'node')[] = withoutUws === undefined ? ['uws', 'node'] : ['node']

/** Adds to the title of a skipped test why it does not run; `npm test` lists such titles at the end. */
export function titleWithUws(title: string): string {
  return withoutUws === undefined ? title : `${title}, not run: ${withoutUws}`
}
