/** The faults of one cycle, one after the other, with time to recover after each. */
import { setTimeout as sleep } from 'node:timers/promises'
import { inLanes } from '../lanes.ts'
import type { SoakEvent } from '../report/series.ts'
import type { SoakedGateway } from '../soaked-gateway.ts'
import { exchange, goneClient, stoppedReader } from '../wire-client.ts'
import type { FaultyProcess } from './faulty-upstream.ts'

export interface FaultServices {
  readonly gateway: SoakedGateway
  readonly upstream: FaultyProcess
  /** `undefined`: the gateway stores in memory. */
  readonly redis: FaultyProcess | undefined
  readonly events: SoakEvent[]
  /** Seconds since the start. */
  now(): number
  /** Failures from now until `recoverySeconds` after `end()` are excused. */
  disturb(): { end(): void }
  /** Writes keys and definitions that a restart of Redis lost. */
  restore(): Promise<void>
}

export const recoverySeconds = 2
const downMs = 500
const reloadsOfStorm = 20

/** `scale`: 1 for a cycle of a minute. Numbers of clients grow with it. */
export async function runFaultCycle(services: FaultServices, scale: number): Promise<void> {
  const { gateway, upstream, redis, events, now, disturb, restore } = services
  const pause = () => sleep(Math.max(recoverySeconds + 1, 9 * scale) * 1000)
  const note = (text: string) => events.push({ at: now(), text })

  note('upstream killed')
  const noUpstream = disturb()
  await upstream.kill()
  await sleep(downMs)
  await upstream.start()
  noUpstream.end()
  await pause()

  if (redis !== undefined) {
    note('Redis killed and restarted empty')
    const noRedis = disturb()
    await redis.kill()
    await sleep(downMs)
    await redis.start()
    await restore()
    noRedis.end()
    await pause()
  }

  note(`storm of ${reloadsOfStorm} reloads`)
  await Promise.all(Array.from({ length: reloadsOfStorm }, (_, i) => sleep(i * 20).then(() => gateway.reload(i))))

  note('clients disconnect')
  const aborted = Math.ceil(200 * scale)
  await inLanes(aborted, 32, async (i) => {
    if (i % 2 === 0) await goneClient(gateway.port, '/soak/slow', { afterMs: i % 40 })
    else await goneClient(gateway.port, '/soak/give?bytes=8388608', { afterMs: i % 9 })
  })

  note('slow and stopped readers')
  const readers = Math.ceil(20 * scale)
  const stopped = await Promise.all(
    Array.from({ length: readers }, () => stoppedReader(gateway.port, '/soak/give?bytes=8388608')),
  )
  await inLanes(4, 4, async () => {
    await exchange(gateway.port, '/soak/give?bytes=16777216', { slowly: true })
  })
  for (const reader of stopped) reader.leave()
}
