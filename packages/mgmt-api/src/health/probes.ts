/**
 * Liveness and readiness: plain GET without a key, under configurable names, not below the vendor word.
 * Source: docs/reference/health.md#probe-paths.
 */
import type { Maybe } from '@turnpike/core/lib'
import { failure, json, type Reply } from '../http/reply.ts'
import type { Management, WorkersState } from '../management.ts'

/** Responds to a probe with this method. */
export type Probe = (method: string) => Maybe<Reply>

/** Probes by path. */
export function makeProbes(management: Management): ReadonlyMap<string, Probe> {
  const { livenessName, readinessName } = management.options
  return new Map<string, Probe>([
    [`/${readinessName}`, getOnly(() => readiness(management))],
    [`/${livenessName}`, getOnly(() => liveness(management))],
  ])
}

function getOnly(response: () => Maybe<Reply>): Probe {
  return (method) => (method === 'GET' ? response() : failure(405, 'Method Not Allowed', { allow: 'GET' }))
}

async function readiness(management: Management): Promise<Reply> {
  const { health } = management
  const isReachable =
    health.usesRedis && health.storeCheck() !== undefined
      ? health.storeCheck()?.problem === undefined
      : await health.isStoreReachable()
  if (!isReachable) return failure(503, unreachable(management))
  if (!health.isLoaded()) return failure(503, 'A successful API reload did not happen')
  return report(management, 'pass')
}

/** Probes look for the text of Redis; for other stores the message names the cause. */
function unreachable({ health }: Management): string {
  return health.usesRedis ? 'Redis connection not available' : `Storage not available: ${health.storeCheck()?.problem}`
}

/** A check of a store on this machine costs nothing, so it is not as old as the last periodic one. */
async function liveness(management: Management): Promise<Reply> {
  if (!management.health.usesRedis) await management.health.isStoreReachable()
  const workers = await management.workers?.state()
  return report(management, livenessStatus(management, workers), workers)
}

type Status = 'pass' | 'warn' | 'fail'

/** Combined result: a broken definition is a warning, an unavailable store is a failure. */
function livenessStatus({ health, reloader }: Management, workers: WorkersState | undefined): Status {
  const storeFails = health.storeCheck()?.problem !== undefined
  if (storeFails) return 'fail'
  const isDegraded = (reloader.report()?.failed.length ?? 0) > 0 || areMissing(workers)
  return isDegraded ? 'warn' : 'pass'
}

const areMissing = (workers: WorkersState | undefined) => workers !== undefined && workers.ready < workers.wanted

function report(management: Management, status: Status, workers?: WorkersState): Reply {
  const details = detailsOf(management, workers)
  const body = {
    status,
    version: management.settings.versionText,
    description: 'Turnpike gateway',
    ...(details === undefined ? {} : { details }),
  }
  return json(body)
}

/** `undefined` if there is nothing to report. The store is only reported after its first check. */
function detailsOf(management: Management, workers: WorkersState | undefined): object | undefined {
  const details = {
    ...storeDetails(management),
    ...definitionDetails(management),
    ...featureDetails(management),
    ...workerDetails(workers, management.clock.now()),
  }
  return Object.keys(details).length === 0 ? undefined : details
}

/** Named `redis` for every store, because probes look for that name. */
function storeDetails({ health }: Management): object {
  const check = health.storeCheck()
  if (check === undefined) return {}
  const { problem, at } = check
  const outcome = problem === undefined ? { status: 'pass' } : { status: 'fail', output: problem }
  return { redis: { ...outcome, componentType: 'datastore', time: seconds(at) } }
}

/** Only while some workers do not serve. */
function workerDetails(workers: WorkersState | undefined, now: number): object {
  if (workers === undefined || !areMissing(workers)) return {}
  const output = `${workers.ready} of ${workers.wanted} workers serve`
  return { workers: { status: 'warn', output, componentType: 'component', time: seconds(now) } }
}

/** Names only: the probe is public, and reasons can quote a definition. */
function definitionDetails({ reloader }: Management): object {
  const reload = reloader.report()
  if (reload === undefined || reload.failed.length === 0) return {}
  const output = `not loaded: ${reload.failed.map(({ source }) => source).join(', ')}`
  return { definitions: { status: 'warn', output, componentType: 'component', time: seconds(reload.startedAt) } }
}

/** APIs that reject requests, or ignore fields, because the gateway lacks something. Names only, as above. */
function featureDetails({ reloader }: Management): object {
  const reload = reloader.report()
  const missing = reload?.unsupported.filter(({ isHarmless }) => isHarmless !== true) ?? []
  if (reload === undefined || missing.length === 0) return {}
  const namesOf = (closes: boolean) =>
    missing
      .filter((one) => one.closes === closes)
      .map(({ apiId, field }) => `${apiId} ${field}`)
      .join(', ')
  const parts = [
    ['requests are rejected', namesOf(true)],
    ['not supported', namesOf(false)],
  ]
  const output = parts
    .filter(([, names]) => names !== '')
    .map((part) => part.join(': '))
    .join('; ')
  return { features: { status: 'warn', output, componentType: 'component', time: seconds(reload.startedAt) } }
}

function seconds(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
}
