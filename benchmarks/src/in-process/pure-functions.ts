/**
 * Pure functions of the engine, each compared with a trivial baseline: the router with a map look-up, limiters and the
 * quota with a plain counter, several policies with one, encodings with JSON.
 */
import { encodeRecord } from '@turnpike/core/observability'
import type { AnalyticsRecord, RateAlgorithm, Session } from '@turnpike/core/ports'
import { decideQuota, freshQuota } from '@turnpike/core/quota'
import { decideRate, freshRate } from '@turnpike/core/rate-limit'
import { makeListenPathTable } from '@turnpike/core/route'
import {
  applyPolicies,
  makePolicyBook,
  type Policy,
  parseSession,
  readPolicy,
  toWireSession,
} from '@turnpike/core/session'
import { type Row, rowOf } from '../report/table.ts'
import { roomySession } from '../subjects/roomy-session.ts'
import { requestsPerSample, timeTasks } from './time-tasks.ts'

interface Part {
  readonly name: string
  /** Name of the baseline. */
  readonly beside: string
  readonly run: (i: number) => unknown
}

export async function measureParts(milliseconds: number): Promise<Row[]> {
  const parts = [...routerParts(), ...limiterParts(), ...policyParts(), ...encodingParts()]
  const microsOf = await timeTasks(milliseconds, (bench) => {
    for (const { name, run } of parts) {
      if (run(1) === undefined) throw new Error(`${name} gave nothing`)
      bench.add(name, () => {
        for (let i = 0; i < requestsPerSample; i++) run(i)
      })
    }
  })
  return parts.map(({ name, beside }) => {
    const each = microsOf(name)
    const ratio = each.median / microsOf(beside).median
    return rowOf(`  part: ${name}`, each, ' µs', undefined, `${ratio.toFixed(2)} × ${beside}`)
  })
}

function routerParts(): Part[] {
  const beside = 'one look-up in a map'
  const map = new Map(Array.from({ length: 1000 }, (_, i) => [`/a${i}/x`, i]))
  const lookUp: Part = { name: beside, beside, run: (i) => map.get(`/a${i % 1000}/x`) }
  return [
    lookUp,
    ...[10, 1000, 10_000].map((count): Part => {
      const routes = Array.from({ length: count }, (_, i) => {
        return { slot: i, apiId: `a${i}`, listenPath: `/a${i}/`, isRoutedById: true, domain: '' }
      })
      const table = makeListenPathTable(routes, { strictRoutes: false, customDomains: false, hostname: '' })
      const run = (i: number) => table.resolve('localhost', `/a${(i * 7919) % count}/x`)
      return { name: `router with ${count.toLocaleString('en')} APIs`, beside, run }
    }),
  ]
}

function limiterParts(): Part[] {
  const beside = 'a plain counter'
  const counts = new Map<string, number>([['a', 0]])
  const count = () => {
    const next = (counts.get('a') ?? 0) + 1
    counts.set('a', next)
    return next
  }
  const algorithms: readonly RateAlgorithm[] = ['local', 'rolling', 'sentinel', 'fixed']
  let now = 1_700_000_000_000
  const limiters = algorithms.map((algorithm): Part => {
    const counter = freshRate(algorithm)
    const limit = { algorithm, rate: 100, per: 1, smoothing: undefined, oneLess: false }
    // Ten requests per millisecond, so that the limit both admits and rejects.
    const run = (i: number) => decideRate(counter, i % 10 === 0 ? ++now : now, limit, 1)
    return { name: `rate, ${algorithm}`, beside, run }
  })
  const quota = freshQuota()
  const limit = { max: 1e9, renewalSeconds: 3600 }
  const counting: Part = { name: 'quota', beside, run: () => decideQuota(quota, now, limit, 1) }
  return [{ name: beside, beside, run: count }, ...limiters, counting]
}

function policyParts(): Part[] {
  const beside = 'one policy applied'
  const ids = Array.from({ length: 10 }, (_, i) => `p${i}`)
  const book = makePolicyBook(ids.map(policyOf))
  const apply = (names: readonly string[]) => {
    const session: Session = { ...sessionOf(), applyPolicies: [...names] }
    return () => applyPolicies(session, book)
  }
  return [
    { name: beside, beside, run: apply(ids.slice(0, 1)) },
    { name: 'three policies applied', beside, run: apply(ids.slice(0, 3)) },
    { name: 'ten policies applied', beside, run: apply(ids) },
  ]
}

function policyOf(id: string, i: number): Policy {
  const rights = { [`a${i}`]: { api_id: `a${i}`, api_name: `a${i}`, versions: ['Default'] } }
  const limits = { rate: 10 * (i + 1), per: 1, quota_max: 1000 * (i + 1), quota_renewal_rate: 3600 }
  const read = readPolicy({ id, org_id: 'bench', active: true, ...limits, access_rights: rights })
  if ('problem' in read) throw new Error(read.problem)
  return read.policy
}

function sessionOf(): Session {
  const { session } = parseSession(roomySession('a0'))
  if (session === undefined) throw new Error('the session of the benchmarks is invalid')
  return session
}

function encodingParts(): Part[] {
  const beside = 'JSON.stringify of a session'
  const session = sessionOf()
  const wire = toWireSession(session)
  const text = JSON.stringify(wire)
  return [
    { name: beside, beside, run: () => JSON.stringify(wire) },
    { name: 'a session to its wire form and JSON', beside, run: () => JSON.stringify(toWireSession(session)) },
    { name: 'a session from JSON', beside, run: () => parseSession(JSON.parse(text)) },
    { name: 'an analytics record to msgpack', beside, run: () => encodeRecord(record) },
  ]
}

const record: AnalyticsRecord = {
  method: 'GET',
  host: '127.0.0.1:8090',
  path: '/orders/1',
  rawPath: '/orders/1',
  contentLength: 0,
  userAgent: 'bench',
  responseCode: 200,
  apiKey: 'a'.repeat(64),
  at: 1_700_000_000_000,
  apiVersion: 'Default',
  apiName: 'Orders',
  apiId: 'orders',
  orgId: 'bench',
  oauthId: '',
  totalMs: 3,
  upstreamMs: 2,
  rawRequest: new Uint8Array(0),
  rawResponse: new Uint8Array(0),
  ipAddress: '127.0.0.1',
  tags: ['key-a', 'org-bench'],
  alias: 'bench',
  trackPath: false,
  expireAt: 1_700_003_600_000,
  mcp: undefined,
}
