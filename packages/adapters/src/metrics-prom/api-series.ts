/**
 * Request metrics per API. Label lookups are cached per API, so that recording a request only adds numbers. Requests whose
 * trace is exported are exemplars of the histograms.
 */
import type { RequestRecord } from '@turnpike/core/pipeline'
import { Counter, Histogram, type Registry } from 'prom-client'
import { Exemplars } from './exemplars.ts'

export interface ApiSeries {
  record(entry: RequestRecord): void
  /** Returns the label of an API: its id, `(other)` above the maximum number of APIs, or `(none)` for an empty id. */
  labelOf(apiId: string): string
  readonly exemplars: Exemplars
}

/** Rejection codes that are rate limits or quotas, with their label. */
const limitByCode: Readonly<Record<string, string>> = {
  'rate-exceeded': 'key-rate',
  'quota-exceeded': 'key-quota',
  'api-rate-exceeded': 'api-rate',
  'org-rate': 'org-rate',
  'org-quota': 'org-quota',
}

const durationName = 'turnpike_request_duration_seconds'
const upstreamName = 'turnpike_upstream_duration_seconds'

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

interface ApiMetrics {
  readonly requests: Map<string, { inc(): void }>
  readonly duration: { observe(value: number): void }
  readonly upstream: { observe(value: number): void }
}

function registerMetrics(registry: Registry) {
  const registers = [registry]
  const durationOf = (name: string, help: string) =>
    new Histogram({ name, help, labelNames: ['api'] as const, buckets: seconds, registers })
  return {
    requests: new Counter({
      name: 'turnpike_requests_total',
      help: 'Requests by API, status class, and the stage that rejected them (empty: not rejected)',
      labelNames: ['api', 'status', 'refused_by'] as const,
      registers,
    }),
    duration: durationOf(durationName, 'Time from a request to its response headers'),
    upstream: durationOf(upstreamName, 'Time from the upstream call to its response headers'),
    cache: new Counter({
      name: 'turnpike_cache_total',
      help: 'Lookups in the response cache: hit, miss',
      labelNames: ['api', 'result'] as const,
      registers,
    }),
    limits: new Counter({
      name: 'turnpike_limit_refusals_total',
      help: 'Requests rejected by a limit: key-rate, key-quota, api-rate, org-rate, org-quota',
      labelNames: ['api', 'limit'] as const,
      registers,
    }),
  }
}

export function makeApiSeries(registry: Registry, maxApis: number): ApiSeries {
  const { requests, duration, upstream, cache, limits } = registerMetrics(registry)
  const known = new Map<string, ApiMetrics>()
  const seriesOf = (label: string): ApiMetrics => {
    let one = known.get(label)
    if (one === undefined) {
      one = { requests: new Map(), duration: duration.labels(label), upstream: upstream.labels(label) }
      known.set(label, one)
    }
    return one
  }
  const labels = new Set<string>()
  const labelOf = (apiId: string) => {
    if (apiId === '') return '(none)'
    if (labels.has(apiId)) return apiId
    if (labels.size >= maxApis) return '(other)'
    labels.add(apiId)
    return apiId
  }

  const exemplars = new Exemplars(seconds)
  return {
    labelOf,
    exemplars,
    record({ apiId, status, rejection, totalMs, upstreamMs, upstreamAddress, cache: cached, traceId, startedAt }) {
      const api = labelOf(apiId)
      const one = seriesOf(api)
      const rejectedBy = rejection?.stage ?? ''
      const name = `${Math.floor(status / 100)}xx`
      const counted = rejectedBy === '' ? name : `${name} ${rejectedBy}`
      let counter = one.requests.get(counted)
      if (counter === undefined) {
        counter = requests.labels(api, name, rejectedBy)
        one.requests.set(counted, counter)
      }
      counter.inc()
      one.duration.observe(totalMs / 1000)
      if (upstreamAddress !== '') one.upstream.observe(upstreamMs / 1000)
      if (traceId !== undefined) {
        const at = (startedAt + totalMs) / 1000
        exemplars.note(durationName, api, { traceId, value: totalMs / 1000, at })
        if (upstreamAddress !== '') exemplars.note(upstreamName, api, { traceId, value: upstreamMs / 1000, at })
      }
      if (cached !== undefined) cache.inc({ api, result: cached })
      const limit = rejection === undefined ? undefined : limitByCode[rejection.code]
      if (limit !== undefined) limits.inc({ api, limit })
    },
  }
}
