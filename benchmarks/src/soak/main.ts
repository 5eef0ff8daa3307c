/**
 * npm run soak [-- --small] [-- --front-end uws|node] [-- --only PART[,PART …]]
 *              [-- --minutes N] [-- --hours N] [-- --html FILE] [-- --json FILE]
 *
 * Sends difficult traffic through the built gateway: bodies larger than memory, slow readers, upstreams and clients that
 * disconnect midway; hours of a whole gateway at virtual speed; and minutes of load with faults in real time. Prints a
 * table, and exits with 1 if memory, handles, sockets or responses are not as expected.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { machineFacts } from '../measure/machine.ts'
import { printTable, type Row, rowOf } from '../report/table.ts'
import { expectServing, soakBreaks } from './breaks.ts'
import { inLanes } from './lanes.ts'
import { soakLargeBodies } from './large-bodies.ts'
import { soakInRealTime } from './real-time/real-time-soak.ts'
import type { SoakRecord } from './report/series.ts'
import { soakPage } from './report/soak-page.ts'
import { fullSize, smallSize } from './soak-size.ts'
import { startSoakUpstream } from './soak-upstream.ts'
import { startSoakedGateway } from './soaked-gateway.ts'
import { soakStoppedReaders } from './stopped-readers.ts'
import { soakVirtually } from './virtual/virtual-soak.ts'

const { values: options } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    'front-end': { type: 'string' },
    only: { type: 'string' },
    minutes: { type: 'string' },
    hours: { type: 'string' },
    html: { type: 'string' },
    json: { type: 'string' },
  },
})
const size = options.small ? smallSize : fullSize
const only = options.only?.split(',')
const wanted = (part: string) => only === undefined || only.includes(part)
const minutes = Number(options.minutes ?? size.minutes)
const hours = Number(options.hours ?? size.hours)
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
    rows.push(brokenOff(frontEnd, cause))
    await gateway.stop().catch(() => {})
  } finally {
    await upstream.close()
  }
  return rows
}

function brokenOff(name: string, cause: unknown): Row {
  const note = cause instanceof Error ? cause.message : String(cause)
  return { name: `${name}: broken off`, measured: '', note, budget: '', verdict: 'missed' }
}

const rows: Row[] = []
const records: SoakRecord[] = []
const frontEnds = options['front-end'] === undefined ? ['http1', 'node'] : [options['front-end']]
const keep = (record: SoakRecord) => {
  records.push(record)
  rows.push(...record.rows)
}
/** A part that fails as a whole is a missed row, and the other parts run. */
const attempt = async (name: string, part: () => Promise<SoakRecord>) => {
  try {
    keep(await part())
  } catch (cause) {
    rows.push(brokenOff(name, cause))
  }
}

if (wanted('virtual')) await attempt('virtual time', () => soakVirtually({ hours, log }))
for (const frontEnd of frontEnds) {
  if (['bodies', 'breaks', 'readers'].some(wanted)) rows.push(...(await soak(frontEnd)))
  if (!wanted('faults')) continue
  const part = { minutes: minutes / frontEnds.length, frontEnd, stallBudgetMs: size.stallBudgetMs, log }
  await attempt(frontEnd, () => soakInRealTime(part))
}
console.log(printTable(rows))
writeResults()
const missed = rows.filter(({ verdict }) => verdict === 'missed').length
console.log(`\n${rows.length - missed} passed, ${missed} failed`)
process.exitCode = missed === 0 ? 0 : 1

function writeResults(): void {
  const { cpu, cores, memoryGiB, kernel, node } = machineFacts()
  const facts = `${new Date().toISOString()}, ${cpu}, ${cores} cores, ${memoryGiB} GiB, Linux ${kernel}, Node ${node}`
  if (options.html !== undefined) writeFileSync(options.html, soakPage(records, facts))
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ facts, rows, records }, null, 1)}\n`)
}
