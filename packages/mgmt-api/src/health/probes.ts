/**
 * Liveness and readiness: plain GET without a key, under configurable names, not below the vendor word.
 * Source: spec/oauth-certs-reload.md 5.
 */
import type { Maybe } from '@turnpike/core'
import { failure, json, type Reply } from '../http/reply.ts'
import type { Management } from '../management.ts'

/** Answers a probe called with this method. */
export type Probe = (method: string) => Maybe<Reply>

/** Probes by path. */
export function makeProbes(management: Management): ReadonlyMap<string, Probe> {
  const { livenessName, readinessName } = management.options
  return new Map<string, Probe>([
    [`/${readinessName}`, getOnly(() => readiness(management))],
    [`/${livenessName}`, getOnly(() => json(report(management, livenessStatus(management))))],
  ])
}

function getOnly(answer: () => Maybe<Reply>): Probe {
  return (method) => (method === 'GET' ? answer() : failure(405, 'Method Not Allowed', { allow: 'GET' }))
}

async function readiness(management: Management): Promise<Reply> {
  const { health } = management
  const last = health.storeCheck()
  const answers = last === undefined ? await health.storeAnswers() : last.problem === undefined
  if (!answers) return failure(503, 'Redis connection not available')
  if (!health.isLoaded()) return failure(503, 'A successful API reload did not happen')
  return json(report(management, 'pass'))
}

type Status = 'pass' | 'warn' | 'fail'

/** What the checks say together: definitions that are broken are a warning, a store that is away is a failure. */
function livenessStatus({ health, reloader }: Management): Status {
  const storeFails = health.storeCheck()?.problem !== undefined
  if (storeFails) return 'fail'
  return (reloader.report()?.failed.length ?? 0) > 0 ? 'warn' : 'pass'
}

function report(management: Management, status: Status): object {
  const details = detailsOf(management)
  return {
    status,
    version: management.settings.versionText,
    description: 'Turnpike gateway',
    ...(details === undefined ? {} : { details }),
  }
}

/** The store's part is called redis whatever store it is: that is the name probes look for. */
function detailsOf({ health, reloader }: Management): object | undefined {
  const check = health.storeCheck()
  if (check === undefined) return undefined
  const { problem } = check
  const redis = {
    status: problem === undefined ? 'pass' : 'fail',
    ...(problem === undefined ? {} : { output: problem }),
    componentType: 'datastore',
    time: seconds(check.at),
  }
  const report = reloader.report()
  if (report === undefined || report.failed.length === 0) return { redis }
  // Names only: the probe is open to everybody, and reasons may quote what stands in a definition.
  const output = `not loaded: ${report.failed.map(({ source }) => source).join(', ')}`
  const definitions = { status: 'warn', output, componentType: 'component', time: seconds(report.startedAt) }
  return { redis, definitions }
}

function seconds(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
}
