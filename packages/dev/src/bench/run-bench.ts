/** Runs all measurements of `turnpike bench` on a gateway: requests and their stages, batches, reloads. */
import type { ApiDefinition } from '@turnpike/core/definition'
import { isStream } from '@turnpike/core/http'
import { version } from 'turnpike/embedding'
import { makeCalibration } from '../measurement/calibration.ts'
import type { MachineFacts } from '../measurement/machine-facts.ts'
import type { BenchGateway } from './bench-gateway.ts'
import type { BenchReport } from './bench-report.ts'
import { apiNames, findApis } from './find-apis.ts'
import { measureBatches, takesBatches } from './measure-batches.ts'
import { measureReloads } from './measure-reloads.ts'
import { type Effort, measureRequests } from './measure-requests.ts'
import type { OwnRequest } from './read-own-requests.ts'
import { type BenchTarget, sampleRequests } from './sample-requests.ts'
import type { Stopwatch } from './stopwatch.ts'

export interface BenchOptions extends Effort {
  /** Measures only these APIs, named by ID or name; if empty, all. */
  readonly apis: readonly string[]
  /** Requests that replace the generated ones for the APIs they name. */
  readonly requests: readonly OwnRequest[]
  /** Delays of the upstream in milliseconds for the duration of batches. */
  readonly upstreamMs: readonly number[]
  /** Numbers of items of batches. */
  readonly batchSizes: readonly number[]
  /** Number of items of a batch that the gateway runs at once. */
  readonly batchConcurrency: number
  /** Number of requests that are due around each reload. */
  readonly probes: number
  readonly vendor: string
  /** The machine before the measurement. */
  readonly machine: MachineFacts
}

/** The options name something that the definitions do not have. */
export class UnknownApi extends Error {}

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
  const targets = await findTargets(parts, options, leftOut)
  const calibration = makeCalibration(stopwatch)
  const services = { ...parts, calibration }
  const costs = await measureRequests(targets, services, options, log)
  for (const { name, status, stages } of costs) {
    if (status >= 400) leftOut.push(`${name}: ${rejectionOf(status, stages.at(-1)?.stage)}`)
  }
  const answered = targets.filter((_, i) => (costs[i]?.status ?? 500) < 400)
  const batches = await measureBatches(
    answered,
    { ...services, vendor: options.vendor },
    {
      upstreamMs: options.upstreamMs,
      sizes: options.batchSizes,
      concurrency: options.batchConcurrency,
      rounds: Math.min(5, options.rounds),
    },
    log,
  )
  if (!answered.some(takesBatches)) leftOut.push('batches: no API that was measured takes them')
  const effort = { rounds: Math.min(5, options.rounds), requests: options.probes, everyMicros }
  const reloads = await measureReloads(probeOf(answered), services, effort, log)
  return {
    kind: 'turnpike-bench',
    version,
    at: new Date().toISOString(),
    machine: options.machine,
    calibration: calibration.read(),
    ways: costs,
    batches,
    reloads,
    leftOut,
  }
}

/** Returns the requests to measure. Throws `UnknownApi` if the options name an API that is not loaded. */
async function findTargets(parts: BenchGateway, options: BenchOptions, leftOut: string[]): Promise<BenchTarget[]> {
  const apis = parts.gateway.apis()
  const chosen = expectApis(apis, options.apis)
  const ofRequests = expectApis(
    apis,
    options.requests.map(({ api }) => api),
  )
  const nameOf = apiNames(apis)
  const targets: BenchTarget[] = []
  for (const api of apis) {
    if (chosen.length > 0 && !chosen.includes(api.id)) continue
    const own = options.requests.filter((_, i) => ofRequests[i] === api.id)
    const name = nameOf(api)
    targets.push(...(own.length > 0 ? ownTargets(api, name, own) : await guess(api, name, parts, leftOut)))
  }
  return targets
}

/** Returns the IDs of the named APIs, or throws `UnknownApi`. */
export function expectApis(apis: readonly ApiDefinition[], wanted: readonly string[]): readonly string[] {
  const found = findApis(apis, wanted)
  if ('problem' in found) throw new UnknownApi(found.problem)
  return found.ids
}

function ownTargets(api: ApiDefinition, name: string, own: readonly OwnRequest[]): BenchTarget[] {
  return own.map(({ request }) => ({ name: `${name} ${request.method} ${request.url}`, api, version: '', request }))
}

async function guess(api: ApiDefinition, name: string, parts: BenchGateway, leftOut: string[]): Promise<BenchTarget[]> {
  if (api.internal) {
    leftOut.push(`${name}: is internal, no request from outside reaches it`)
    return []
  }
  if (isStream(api)) {
    leftOut.push(`${name}: passes bytes on as they are`)
    return []
  }
  try {
    return await sampleRequests(api, name, parts.gateway, parts.oauth, parts.clock.now())
  } catch (cause) {
    leftOut.push(`${name}: no key could be made for it: ${cause instanceof Error ? cause.message : String(cause)}`)
    return []
  }
}

/**
 * Basic authentication is not used to measure reloads: passwords are checked again after a reload, which takes about
 * 100 ms.
 */
function probeOf(answered: readonly BenchTarget[]): BenchTarget | undefined {
  return answered.find(({ api }) => !api.authModes.includes('basic')) ?? answered[0]
}

function rejectionOf(status: number, stage: string | undefined): string {
  const where = stage === undefined ? 'before its chain' : `by ${stage}`
  return `responded with ${status} ${where}, so only the cost up to there is measured; give a request with --requests`
}
