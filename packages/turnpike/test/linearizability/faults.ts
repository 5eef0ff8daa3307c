/** The faults of a run, one after the other, in an order that `draw` chooses. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Draw } from './clients.ts'
import type { Gateways } from './gateways.ts'

/** Time during which a fault lasts, and during which everything works again. Calls to Redis have a deadline of 1 s. */
const faultMs = 1300
const pauseMs = 700

const kinds = {
  'kill a gateway': async ({ gateways }: Gateways, draw: Draw) => {
    const gateway = gateways[draw(gateways.length)]
    await gateway?.kill()
    await gateway?.restart()
  },
  'suspend a gateway': async ({ gateways }: Gateways, draw: Draw) => {
    const gateway = gateways[draw(gateways.length)]
    gateway?.suspend()
    await sleep(faultMs)
    gateway?.resume()
  },
  'suspend Redis': async ({ redis }: Gateways) => {
    redis.suspend()
    await sleep(faultMs)
    redis.resume()
  },
  'kill Redis': async ({ redis }: Gateways) => {
    await redis.kill()
    await sleep(faultMs / 2)
    await redis.start()
  },
  'partition a gateway from Redis': async ({ isolated }: Gateways) => {
    isolated.partition()
    await sleep(faultMs)
    isolated.heal()
  },
}

export type FaultKind = keyof typeof kinds

export const everyFault = Object.keys(kinds) as FaultKind[]

/** Injects each of the faults once, in random order, and again until `seconds` are over. Returns what it did. */
export async function injectFaults(
  gateways: Gateways,
  faults: readonly FaultKind[],
  seconds: number,
  draw: Draw,
): Promise<string[]> {
  const done: string[] = []
  const endsAt = performance.now() + seconds * 1000
  await sleep(pauseMs)
  do {
    const order = [...faults]
    while (order.length > 0) {
      const kind = order.splice(draw(order.length), 1)[0] as FaultKind
      await kinds[kind](gateways, draw)
      done.push(kind)
      await sleep(pauseMs)
    }
    if (faults.length === 0) await sleep(pauseMs)
  } while (performance.now() < endsAt)
  return done
}
