/** Upstreams and clients that disconnect midway. Anything that leaks would add up. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Row, rowOf } from '../report/table.ts'
import { inLanes } from './lanes.ts'
import { leftoverBudgetMiB, type SoakSize } from './soak-size.ts'
import type { SoakUpstream } from './soak-upstream.ts'
import type { SoakedGateway } from './soaked-gateway.ts'
import { exchange, goneClient } from './wire-client.ts'

const lanes = 64
/** Idle connections of both sides are closed after this time. */
const settleMs = 30_000

const cutPaths = ['/cut?by=reset', '/cut?by=end', '/cut-chunked?by=reset', '/cut-chunked?by=end', '/cut-head?by=reset']

interface Break {
  readonly what: string
  readonly count: number
  readonly once: (gateway: SoakedGateway, number: number) => Promise<void>
}

/** Measures leaked sockets and memory after each kind of disconnect. */
export async function soakBreaks(
  gateway: SoakedGateway,
  upstream: SoakUpstream,
  size: SoakSize,
  log: (text: string) => void,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const { what, count, once } of [
    { what: 'upstreams killed in mid-answer', count: size.cuts, once: upstreamCut },
    { what: 'clients gone in mid-request', count: size.cuts, once: clientGone },
    { what: 'uploads cut in the middle', count: size.cutUploads, once: uploadCut },
  ] satisfies Break[]) {
    const run = (times: number) => inLanes(times, lanes, (number) => once(gateway, number))
    // The first run creates pools, compiled code and caches that stay.
    await run(Math.min(count, 10 * lanes))
    await settled(gateway, upstream, 0)
    const descriptors = gateway.descriptors()
    const { usedBytes: held } = await gateway.probe()
    log(`${gateway.frontEnd}: ${count} ${what} …`)
    const began = performance.now()
    await run(count)
    gateway.check()
    const seconds = (performance.now() - began) / 1000
    const left = await settled(gateway, upstream, descriptors)
    const leftMiB = ((await gateway.probe()).usedBytes - held) / 2 ** 20
    const name = `${gateway.frontEnd}: ${count} ${what}`
    rows.push(rowOf(`${name}, sockets left`, Math.max(0, left - descriptors), '', 2, `${seconds.toFixed(1)} s`))
    rows.push(rowOf(`${name}, memory left`, Math.max(0, leftMiB), ' MiB', leftoverBudgetMiB, 'after a collection'))
    await expectServing(gateway)
  }
  return rows
}

/** Checks that the client sees an incomplete response or none. */
async function upstreamCut({ port }: SoakedGateway, number: number): Promise<void> {
  const path = cutPaths[number % cutPaths.length] as string
  const { status, whole } = await exchange(port, `/soak${path}`)
  const isTold = path.startsWith('/cut-head') ? status === 500 : !whole
  if (!isTold) throw new Error(`${path} was answered ${status} as if it were whole`)
}

async function clientGone({ port }: SoakedGateway, number: number): Promise<void> {
  const afterMs = number % 7
  if (number % 2 === 0) await goneClient(port, '/soak/never', { afterMs })
  else await goneClient(port, `/soak/give?bytes=${64 * 2 ** 20}`, { afterMs })
}

async function uploadCut({ port }: SoakedGateway, number: number): Promise<void> {
  const path = number % 3 === 0 ? '/soak/take-slowly' : number % 3 === 1 ? '/soak/take' : '/soak/never'
  await goneClient(port, path, { afterBytes: 1 + ((number * 7919) % 300_000), afterMs: number % 5 })
}

/** Waits until all connections between gateway and upstream are closed, and returns the open descriptors. */
async function settled(gateway: SoakedGateway, upstream: SoakUpstream, expected: number): Promise<number> {
  for (let waited = 0; waited < settleMs; waited += 100) {
    if (upstream.connections() === 0 && (expected === 0 || gateway.descriptors() <= expected)) break
    await sleep(100)
  }
  return gateway.descriptors()
}

export async function expectServing({ port }: SoakedGateway): Promise<void> {
  const { status, whole } = await exchange(port, '/soak/')
  if (status !== 200 || !whole) throw new Error(`the gateway answers ${status} after it all`)
}
