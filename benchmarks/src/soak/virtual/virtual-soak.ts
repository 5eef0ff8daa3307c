/**
 * Hours of a whole gateway at virtual speed: keys that expire, quotas that renew, OAuth tokens, batches, cached
 * responses, reloads, crashes of the node and outages of the store. Checks every response, and that memory, timers and
 * stored entries do not grow.
 */
import type { Store } from '@turnpike/core/ports'
import { makeMemoryStore } from '@turnpike/core/store-memory'
import { makeVirtualClock, type VirtualClock } from '@turnpike/testkit'
import { type Row, rowOf } from '../../report/table.ts'
import { type GrowthBudget, growthRows, type Sample, type SoakEvent, type SoakRecord } from '../report/series.ts'
import { makeFallibleStore } from './fallible-store.ts'
import { makeProblems } from './problems.ts'
import { makeRequestCounter } from './request-counter.ts'
import { makeSampler } from './sample-virtual.ts'
import { makeSoakedNode } from './soaked-node.ts'
import { makeClients, type SoakConditions, type TrafficServices } from './traffic.ts'
import { makeVirtualUpstream } from './virtual-upstream.ts'

export interface VirtualSoakOptions {
  readonly hours: number
  /** Called each virtual second; tests leak with it. Default: nothing. */
  readonly onSecond?: (clock: VirtualClock) => void
  /** Wraps the store; tests seed bugs with it. Default: no wrapper. */
  readonly around?: (store: Store) => Store
  log(text: string): void
}

/** Virtual seconds. */
const schedule = { reload: 300, outage: 1380, outageFor: 20, crash: 2220, crashFor: 3, calm: 8 }
const deadlineMs = 500

export const problemKinds = ['stalled', 'plain', 'reload', 'rate', 'quota', 'expiry', 'keys', 'oauth', 'batch', 'cache']

export const virtualBudgets: readonly GrowthBudget[] = [
  { name: 'heap', unit: ' MiB', most: 3 },
  { name: 'timers', unit: '', most: 40 },
  // Expired tokens are purged once an hour, 120 of them.
  { name: 'stored keys', unit: '', most: 140 },
  { name: 'stored records', unit: '', most: 24 },
  { name: 'maps and sets', unit: '', most: 200 },
  { name: 'upstream calls under way', unit: '', most: 2 },
  { name: 'upstream links', unit: '', most: 2 },
]

export async function soakVirtually({
  hours,
  onSecond,
  around = (store) => store,
  log,
}: VirtualSoakOptions): Promise<SoakRecord> {
  const clock = makeVirtualClock(undefined, settle)
  const store = makeFallibleStore(around(makeMemoryStore({ clock })), clock, deadlineMs)
  const upstream = makeVirtualUpstream(clock)
  const node = makeSoakedNode({ clock, store, upstream })
  const began = clock.now()
  const second = () => Math.round((clock.now() - began) / 1000)
  const problems = makeProblems(() => `${second()} s`)
  const requests = makeRequestCounter(clock, node, problems)
  const sampler = makeSampler({ clock, store, upstream })
  const events: SoakEvent[] = []
  const samples: Sample[] = []
  const note = (text: string) => void events.push({ at: second(), text })
  const { conditions, disturb } = makeDisturbances({ clock, store, upstream, node, problems, requests, second, note })
  await node.start()
  const clients = makeClients({ clock, node, upstream, conditions, problems, requests })

  const startedAt = performance.now()
  const total = Math.round(hours * 3600)
  const every = Math.max(60, Math.round(total / 60))
  const logProgress = makeProgressLog(hours, startedAt, log)
  for (let now = second(); now < total; now = second()) {
    onSecond?.(clock)
    await disturb(now)
    for (const client of clients) client.tick(second())
    await clock.run(1000)
    if (second() % every === 0 && !conditions.isDisturbed())
      samples.push({ at: second(), values: sampler.take(requests.pending) })
    logProgress(now, requests.total)
  }
  const seconds = (performance.now() - startedAt) / 1000
  node.crash()
  await store.close()
  return {
    title: 'Virtual time',
    duration: `${hours} h in ${seconds.toFixed(0)} s, ${requests.total} requests`,
    samples,
    events,
    rows: [...problemRows(problems), ...growthRows(samples, total / 5, virtualBudgets)],
  }
}

interface DisturbanceServices extends Omit<TrafficServices, 'conditions'> {
  readonly store: ReturnType<typeof makeFallibleStore>
  /** Virtual seconds since the start. */
  second(): number
  note(text: string): void
}

/** Reloads the gateway, crashes the node and takes the store away, each at the times of `schedule`. */
function makeDisturbances(services: DisturbanceServices) {
  const { clock, store, upstream, node, problems, requests, second, note } = services
  let disturbedUntil = 0
  let version = 1
  const begin = (what: string, seconds: number) => {
    note(what)
    disturbedUntil = second() + seconds + schedule.calm
  }
  const reload = async (next: number) => {
    node.setVersion(next)
    const { failed } = await node.gateway().reload()
    if (failed.length > 0) problems.add('reload', `${failed.length} definitions failed`)
    else version = next
  }
  const crash = async () => {
    begin('crash of the node', schedule.crashFor)
    node.crash()
    upstream.forgetLinks()
    requests.crashed()
    await clock.run(schedule.crashFor * 1000)
    await node.start()
  }
  const conditions: SoakConditions = {
    second,
    isDisturbed: () => second() <= disturbedUntil,
    version: () => version,
  }
  /** Causes the disturbances that are due at this second. */
  const disturb = async (now: number) => {
    if (now % schedule.crash === schedule.crash - 1) await crash()
    if (now % schedule.reload === schedule.reload - 1) void reload(version + 1)
    if (now % schedule.outage === schedule.outage - 1) {
      begin('outage of the store', schedule.outageFor)
      store.setAvailable(false)
      clock.after(schedule.outageFor * 1000, () => store.setAvailable(true))
    }
  }
  return { conditions, disturb }
}

/** Logs the progress every 5 seconds of real time. */
function makeProgressLog(hours: number, startedAt: number, log: (text: string) => void) {
  let loggedAt = startedAt
  return (now: number, requests: number) => {
    if (performance.now() - loggedAt <= 5_000) return
    loggedAt = performance.now()
    const left = ((loggedAt - startedAt) / 1000 / now) * (Math.round(hours * 3600) - now)
    log(`virtual time: ${(now / 3600).toFixed(1)} of ${hours} h, ${requests} requests, ${left.toFixed(0)} s left`)
  }
}

function problemRows({ kinds }: ReturnType<typeof makeProblems>): Row[] {
  return problemKinds.map((kind) => {
    const found = kinds.get(kind)
    return rowOf(`virtual time: wrong responses, ${kind}`, found?.count ?? 0, '', 0, found?.first ?? '')
  })
}

/** Lets promises settle that need the event loop: web streams and digests. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
