/**
 * Minutes to hours of the built gateway under load, with faults in cycles: the upstream and Redis are killed, reloads come
 * in storms, clients disconnect and read slowly. Samples memory, handles and stalls each second; compares quiet moments
 * between the cycles.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { hasRedisServer, startRedisServer } from '@turnpike/testkit/redis-server'
import { type Row, rowOf } from '../../report/table.ts'
import { type GrowthBudget, growthRows, type Sample, type SoakEvent, type SoakRecord } from '../report/series.ts'
import { type SoakedGateway, startSoakedGateway } from '../soaked-gateway.ts'
import { recoverySeconds, runFaultCycle } from './fault-cycle.ts'
import { type FaultyProcess, startFaultyUpstream } from './faulty-upstream.ts'
import { makeSoakKey, soakDefinitions, steadyRequests } from './soak-definitions.ts'
import { type SteadyClients, startSteadyClients } from './steady-clients.ts'

export interface RealTimeOptions {
  readonly minutes: number
  readonly frontEnd: string
  /** Longest allowed stall of the event loop, in ms of CPU time. */
  readonly stallBudgetMs: number
  log(text: string): void
}

/** Differences between the first and the last quiet moments. */
const budgets: readonly GrowthBudget[] = [
  { name: 'heap after a collection', unit: ' MiB', most: 5 },
  // Pools keep idle connections to the upstream for a while, so their number varies.
  { name: 'file descriptors', unit: '', most: 64 },
  { name: 'active resources', unit: '', most: 64 },
]
const clients = 16
const pauseMs = 10
/** The first cycle warms up, and two are compared. */
const fewestCycles = 3

export async function soakInRealTime(options: RealTimeOptions): Promise<SoakRecord> {
  const { frontEnd, log } = options
  const upstream = await startFaultyUpstream()
  // Without persistence, so that a restart loses all keys and counters.
  const redis = hasRedisServer() ? await startRedisServer() : undefined
  if (redis === undefined) log('redis-server is not installed: keys are in memory, and Redis is not restarted')
  const gateway = await startSoakedGateway(frontEnd, `http://127.0.0.1:${upstream.port}/`, {
    definitions: soakDefinitions(`http://127.0.0.1:${upstream.port}/`),
    config: redis === undefined ? {} : { storage: { type: 'redis', host: '127.0.0.1', port: redis.port } },
  }).catch(async (cause) => {
    await Promise.all([upstream.kill(), redis?.close()])
    throw cause
  })
  try {
    return await run(options, gateway, upstream, redis)
  } finally {
    await gateway.stop().catch(() => 0)
    await Promise.all([upstream.kill(), redis?.close()])
  }
}

async function run(
  { minutes, stallBudgetMs, log, frontEnd }: RealTimeOptions,
  gateway: SoakedGateway,
  upstream: FaultyProcess,
  redis: FaultyProcess | undefined,
): Promise<SoakRecord> {
  const began = performance.now()
  const now = () => (performance.now() - began) / 1000
  const events: SoakEvent[] = []
  const conditions = makeConditions(now)
  const restore = () => makeSoakKey(gateway)
  await restore()
  const steady = startSteadyClients({
    ...{ port: gateway.port, requests: steadyRequests, clients, pauseMs, now },
    isDisturbed: conditions.isDisturbed,
  })
  const sampling = sampleEachSecond(gateway, now)
  const finish = async () => {
    await steady.stop()
    return sampling.stop()
  }
  const total = minutes * 60
  const cycleSeconds = Math.min(60, total / 6)
  const quiet: Sample[] = []
  const cycles = async () => {
    for (let cycle = 0; now() < total || cycle < fewestCycles; cycle += 1) {
      const end = (cycle + 1) * cycleSeconds
      await runFaultCycle(
        { gateway, upstream, redis, events, now, disturb: conditions.disturb, restore },
        cycleSeconds / 60,
      )
      gateway.check()
      await sleep(Math.max(1_000, (end - now()) * 1000))
      quiet.push({ at: now(), values: await quietValues(gateway) })
      log(
        `${frontEnd}: ${now().toFixed(0)} of ${total.toFixed(0)} s, ${steady.total} requests, ${Math.max(0, total - now()).toFixed(0)} s left`,
      )
    }
  }
  try {
    await cycles()
  } catch (cause) {
    await finish()
    throw cause
  }
  const samples = await finish()
  return {
    title: `Real time, ${frontEnd}, ${redis === undefined ? 'memory' : 'Redis'}`,
    duration: `${minutes} min, ${steady.total} requests`,
    samples: merge(samples, quiet),
    events,
    rows: [
      ...clientRows(frontEnd, steady),
      stallRow(frontEnd, samples, stallBudgetMs),
      ...growthRows(quiet, quiet[1]?.at ?? 0, budgets).map((row) => ({ ...row, name: `${frontEnd}: ${row.name}` })),
    ],
  }
}

/** Faults excuse failures until some seconds after their end. */
function makeConditions(now: () => number) {
  let active = 0
  let excusedUntil = 0
  return {
    isDisturbed: () => active > 0 || now() < excusedUntil,
    disturb() {
      active += 1
      return {
        end() {
          active -= 1
          excusedUntil = now() + recoverySeconds
        },
      }
    },
  }
}

/** Idle connections of clients and upstreams belong to the picture, so they are not waited for. */
async function quietValues(gateway: SoakedGateway): Promise<Record<string, number>> {
  const { usedBytes, resources } = await gateway.probe()
  return {
    'heap after a collection': usedBytes / 2 ** 20,
    'file descriptors': gateway.descriptors(),
    'active resources': resources,
  }
}

function sampleEachSecond(gateway: SoakedGateway, now: () => number) {
  const samples: Sample[] = []
  let isStopped = false
  const loop = (async () => {
    while (!isStopped) {
      const sample = await gateway.sample().catch(() => undefined)
      // The process has ended; `gateway.check` reports it.
      if (sample === undefined) return
      const { ownMs, resources } = sample
      samples.push({
        at: now(),
        values: {
          'resident memory, MiB': gateway.residentBytes() / 2 ** 20,
          'open descriptors': gateway.descriptors(),
          'handles and timers': resources,
          'longest stall of the event loop, ms of CPU': ownMs,
        },
      })
      await sleep(1_000)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await loop
      return samples
    },
  }
}

const merge = (samples: readonly Sample[], quiet: readonly Sample[]) =>
  [...samples, ...quiet].sort((a, b) => a.at - b.at)

function clientRows(frontEnd: string, { stalled, wrong, total }: SteadyClients): Row[] {
  return [
    rowOf(`${frontEnd}: requests without a response`, stalled.length, '', 0, stalled[0] ?? `of ${total}`),
    rowOf(`${frontEnd}: failures outside of faults`, wrong.length, '', 0, wrong[0] ?? `of ${total}`),
  ]
}

function stallRow(frontEnd: string, samples: readonly Sample[], budgetMs: number): Row {
  const most = Math.max(0, ...samples.map(({ values }) => values['longest stall of the event loop, ms of CPU'] ?? 0))
  return rowOf(`${frontEnd}: longest stall of the event loop`, most, ' ms', budgetMs, 'CPU time of the process')
}
