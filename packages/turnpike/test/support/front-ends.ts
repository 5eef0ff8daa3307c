/** The front ends that tests use. uWebSockets.js has binaries for Node 20 and 22; a later Node has the node front end only. */
import { uwsAvailable } from '@turnpike/adapters/front-end-uws'

const hasBinary = Number(process.versions.node.split('.')[0]) <= 22
const available = hasBinary ? true : await uwsAvailable()

/** Why tests with uWebSockets.js cannot run; `undefined`: they can. With Node 20 and 22 they always run. */
export const withoutUws = available === true ? undefined : `${available.reason} (use Node 20 or 22)`

export const frontEnds: readonly ('uws' | 'node')[] = withoutUws === undefined ? ['uws', 'node'] : ['node']

/** Adds to the title of a skipped test why it does not run; `npm test` lists such titles at the end. */
export function titleWithUws(title: string): string {
  return withoutUws === undefined ? title : `${title}, not run: ${withoutUws}`
}
