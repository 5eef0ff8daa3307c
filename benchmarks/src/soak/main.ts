/**
 * npm run soak [-- --small] [-- --front-end uws|node] [-- --only bodies|breaks|readers]
 *
 * Sends difficult traffic through the built gateway: bodies larger than memory, slow readers, upstreams and clients that
 * disconnect midway. Prints a table, and exits with 1 if memory, sockets or responses are not as expected.
 */
import { parseArgs } from 'node:util'
import { printTable, type Row, rowOf } from '../report/table.ts'
import { expectServing, soakBreaks } from './breaks.ts'
import { inLanes } from './lanes.ts'
import { soakLargeBodies } from './large-bodies.ts'
import { fullSize, smallSize } from './soak-size.ts'
import { startSoakUpstream } from './soak-upstream.ts'
import { startSoakedGateway } from './soaked-gateway.ts'
import { soakStoppedReaders } from './stopped-readers.ts'

const { values: options } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    'front-end': { type: 'string' },
    only: { type: 'string' },
  },
})
const size = options.small ? smallSize : fullSize
const wanted = (part: string) => options.only === undefined || options.only === part
const log = (text: string) => console.error(text)
/** A shutdown that takes longer waits for requests that no longer exist. */
const promptStopMs = 5_000

/** Runs all parts against a fresh process. */
async function soak(frontEnd: string): Promise<Row[]> {
  const rows: Row[] = []
  const upstream = await startSoakUpstream()
  const gateway = await startSoakedGateway(frontEnd, upstream.url)
  try {
    await inLanes(500, 8, () => expectServing(gateway))
    if (wanted('bodies')) rows.push(...(await soakLargeBodies(gateway, size, log)))
    if (wanted('breaks')) rows.push(...(await soakBreaks(gateway, upstream, size, log)))
    if (wanted('readers')) rows.push(...(await soakStoppedReaders(gateway, upstream, size, log)))
    // A shutdown waits for active requests, so a leaked request would make it hang.
    rows.push(rowOf(`${frontEnd}: stop afterwards`, await gateway.stop(), ' ms', promptStopMs, 'none under way'))
  } catch (cause) {
    const note = cause instanceof Error ? cause.message : String(cause)
    rows.push({ name: `${frontEnd}: broken off`, measured: '', note, budget: '', verdict: 'missed' })
    await gateway.stop().catch(() => {})
  } finally {
    await upstream.close()
  }
  return rows
}

const rows: Row[] = []
for (const frontEnd of options['front-end'] === undefined ? ['uws', 'node'] : [options['front-end']]) {
  rows.push(...(await soak(frontEnd)))
}
console.log(printTable(rows))
const missed = rows.filter(({ verdict }) => verdict === 'missed').length
console.log(`\n${rows.length - missed} passed, ${missed} failed`)
process.exitCode = missed === 0 ? 0 : 1
