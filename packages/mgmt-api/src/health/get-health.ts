/** GET /svc/health: counters of one API. Source: docs/reference/health.md#api-numbers. */
import type { JsonSchema } from '@turnpike/core/lib'
import { failure, json } from '../http/reply.ts'
import { findApi, type Operation, queryOf } from '../operation.ts'

const rate: JsonSchema = { type: 'number' }

const apiHealthSchema: JsonSchema = {
  type: 'object',
  properties: {
    throttle_reqests_per_second: { ...rate, description: 'The spelling is part of the contract' },
    quota_violations_per_second: rate,
    key_failures_per_second: rate,
    average_upstream_latency: rate,
    average_requests_per_second: rate,
  },
}

export const getHealth: Operation = {
  id: 'getApiHealth',
  method: 'GET',
  path: '/svc/health',
  summary: 'Rejections, requests and upstream latency of an API in the last window',
  query: [{ name: 'api_id', description: 'A loaded API' }],
  responses: {
    200: { description: 'Events a second; latency in ms', schema: apiHealthSchema },
    400: 'Health checks are off, or `api_id` is missing',
    404: 'API ID not found',
  },
  async handle(call) {
    const { options, health } = call.management
    if (!options.healthChecks) return failure(400, 'Health checks are not enabled for this node')
    const apiId = queryOf(call, 'api_id')
    if (apiId === '') return failure(400, 'missing api_id parameter')
    if (findApi(call, apiId) === undefined) return failure(404, 'API ID not found')
    const numbers = await health.of(apiId)
    const body = {
      throttle_reqests_per_second: numbers.throttledPerSecond,
      quota_violations_per_second: numbers.quotaViolationsPerSecond,
      key_failures_per_second: numbers.keyFailuresPerSecond,
      average_upstream_latency: numbers.averageUpstreamLatency,
      average_requests_per_second: numbers.requestsPerSecond,
    }
    return json(body)
  },
}
