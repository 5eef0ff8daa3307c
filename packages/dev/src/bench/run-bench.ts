/** Runs all measurements of `turnpike bench` on a gateway: requests and their stages, batches, reloads. */
import { cpus } from 'node:os'
import { type ApiDefinition, isStream } from '@turnpike/core'
import { version } from 'turnpike/embedding'
import type { BenchGateway } from './bench-gateway.ts'
import type { BenchReport } from './bench-report.ts'
import { measureBatches, takesBatches } from './measure-batches.ts'
import { measureReloads } from './measure-reloads.ts'
import { type Effort, measureWays } from './measure-ways.ts'
import type { OwnRequest } from './read-requests.ts'
import { sampleWays, type Way } from './sample-way.ts'
import type { Stopwatch } from './stopwatch.ts'
import { measureYardstick } from './yardstick.ts'

export interface BenchOptions extends Effort {
  /** Measures only these APIs; if empty, all. */
  readonly apis: readonly string[]
  /** Requests that replace the generated ones for the APIs they name. */
  readonly requests: readonly OwnRequest[]
  /** Delay of the upstream in milliseconds for the duration of batches. */
  readonly upstreamMs: number
  /** Number of requests that are due around each reload. */
  readonly probes: number
  readonly vendor: string
}

/** One request per millisecond: enough to detect a stall, too few to cause one. */
const everyMicros = 1000

export async function runBench(
  parts: BenchGateway & { readonly stopwatch: Stopwatch },
  options: BenchOptions,
  log: (text: string) => void,
): Promise<BenchReport> {
  const { gateway, stopwatch } = parts
  const { failed } = await gateway.reload()
  const leftOut = failed.map(({ source, reason }) => `${source}: cannot be loaded: ${reason}`)
  const ways: Way[] = []
  for (const api of gateway.apis()) {
    if (options.apis.length > 0 && !options.apis.includes(api.id)) continue
    const own = options.requests.filter((one) => one.api === api.id)
    const found = own.length > 0 ? ownWays(api, own) : await guess(api, parts, leftOut)
    ways.push(...found)
  }
  const served = new Set(gateway.apis().map(({ id }) => id))
  const unknown = [...options.apis, ...options.requests.map(({ api }) => api)].filter((id) => !served.has(id))
  leftOut.push(...[...new Set(unknown)].map((id) => `${id}: there is no such API`))
  const yardstick = measureYardstick(stopwatch, options.rounds)
  const costs = await measureWays(ways, parts, options, log)
  for (const { name, status, stages } of costs) {
    if (status >= 400) leftOut.push(`${name}: ${refusalOf(status, stages.at(-1)?.stage)}`)
  }
  const answered = ways.filter((_, i) => (costs[i]?.status ?? 500) < 400)
  const batches = await measureBatches(
    answered,
    { ...parts, vendor: options.vendor },
    { upstreamMs: options.upstreamMs, rounds: Math.min(5, options.rounds) },
    log,
  )
  if (!answered.some(takesBatches)) leftOut.push('batches: no API that was measured takes them')
  const effort = { rounds: Math.min(5, options.rounds), requests: options.probes, everyMicros }
  const reloads = await measureReloads(probeOf(answered), parts, effort, log)
  return {
    kind: 'turnpike-bench',
    version,
    at: new Date().toISOString(),
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
    },
    yardstick,
    ways: costs,
    batches,
    reloads,
    leftOut,
  }
}

function ownWays(api: ApiDefinition, own: readonly OwnRequest[]): Way[] {
  return own.map(({ request }) => ({ name: `${api.id} ${request.method} ${request.url}`, api, request }))
}

async function guess(api: ApiDefinition, parts: BenchGateway, leftOut: string[]): Promise<Way[]> {
  if (api.internal) {
    leftOut.push(`${api.id}: is internal, no request from outside reaches it`)
    return []
  }
  if (isStream(api)) {
    leftOut.push(`${api.id}: passes bytes on as they are`)
    return []
  }
  try {
    return await sampleWays(api, parts.gateway, parts.oauth, parts.clock.now())
  } catch (cause) {
    leftOut.push(`${api.id}: no key could be made for it: ${cause instanceof Error ? cause.message : String(cause)}`)
    return []
  }
}

/**
 * Basic authentication is not used to measure reloads: passwords are checked again after a reload, which takes about
 * 100 ms.
 */
function probeOf(answered: readonly Way[]): Way | undefined {
  return answered.find(({ api }) => !api.authModes.includes('basic')) ?? answered[0]
}

function refusalOf(status: number, stage: string | undefined): string {
  const where = stage === undefined ? 'before its chain' : `by ${stage}`
  return `answered ${status} ${where}, so only the way to there is measured; give a request with --requests`
}
