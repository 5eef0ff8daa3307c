/** Clients that request large responses and read nothing: the gateway buffers little, serves others, and disconnects them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Row, rowOf } from '../report/table.ts'
import { expectServing } from './breaks.ts'
import type { SoakSize } from './soak-size.ts'
import type { SoakUpstream } from './soak-upstream.ts'
import { type SoakedGateway, stallSeconds } from './soaked-gateway.ts'
import { growthDuring } from './watch-memory.ts'
import { stoppedReader } from './wire-client.ts'

const cutWithinMs = stallSeconds * 1000 + 25_000

/** Starts all clients at once and waits until the gateway has disconnected every one. */
export async function soakStoppedReaders(
  gateway: SoakedGateway,
  upstream: SoakUpstream,
  { stoppedReaders, bodyBytes, stallBudgetMs, readersBudgetMiB }: SoakSize,
  log: (text: string) => void,
): Promise<Row[]> {
  log(`${gateway.frontEnd}: ${stoppedReaders} readers that stop …`)
  const descriptors = gateway.descriptors()
  let uncut = 0
  await gateway.probe()
  const { result: seconds, growthMiB } = await growthDuring(gateway.residentBytes, async () => {
    const began = performance.now()
    const path = `/soak/give?bytes=${bodyBytes}`
    const readers = await Promise.all(Array.from({ length: stoppedReaders }, () => stoppedReader(gateway.port, path)))
    for (;;) {
      // Other clients are served at the same time.
      await expectServing(gateway)
      const waited = performance.now() - began
      if (waited > stallSeconds * 1000 && gateway.descriptors() <= descriptors + 2) break
      if (waited > cutWithinMs) break
      await sleep(100)
    }
    const gave = performance.now() - began
    uncut = Math.max(0, gateway.descriptors() - descriptors)
    for (const reader of readers) reader.leave()
    return gave / 1000
  })
  gateway.check()
  const { wallMs } = await gateway.probe()
  const name = `${gateway.frontEnd}: ${stoppedReaders} readers that stop`
  return [
    rowOf(
      `${name}, growth of RSS`,
      growthMiB,
      ' MiB',
      readersBudgetMiB,
      `${upstream.connections()} upstream connections`,
    ),
    rowOf(`${name}, sockets not cut`, uncut, '', 2, `cut after ${seconds.toFixed(1)} s`),
    rowOf(`${name}, longest stall of the event loop`, wallMs, ' ms', stallBudgetMs, ''),
  ]
}
