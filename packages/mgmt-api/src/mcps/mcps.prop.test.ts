/** Documents that mean nothing are rejected with a reason, and never break the gateway that stores them. */
import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { makeTestGateway } from '../../test/test-gateway.ts'

const member = fc.constantFrom('mcpTools', 'mcpResources', 'mcpPrompts', 'global', 'operations')
const part = fc.constantFrom(
  'allow',
  'block',
  'rateLimit',
  'transformRequestBody',
  'circuitBreaker',
  'enabled',
  'x',
  '',
)
const middleware = fc.dictionary(
  member,
  fc.oneof(fc.dictionary(fc.string(), fc.dictionary(part, fc.jsonValue())), fc.jsonValue()),
)
const server = fc.oneof(
  fc.constant({ listenPath: { value: '/m/', strip: true } }),
  fc.record({
    listenPath: fc.constant({ value: '/m/' }),
    authentication: fc.jsonValue(),
    eventHandlers: fc.jsonValue(),
  }),
  fc.jsonValue(),
)

describe('any document', () => {
  test.prop([middleware, server], { numRuns: 60 })('is stored and served, or rejected', async (given, at) => {
    const gateway = await makeTestGateway()
    const said = await gateway.call('POST', '/svc/mcps', {
      openapi: '3.0.3',
      info: { title: 'm', version: '1' },
      paths: {},
      'x-svc-api-gateway': {
        info: { id: 'm', name: 'm', state: { active: true } },
        server: at,
        upstream: { url: 'http://upstream.test' },
        middleware: given,
      },
    })
    expect([200, 400]).toContain(said.status)
    if (said.status !== 200) return
    await gateway.call('GET', '/svc/reload?block=true')
    expect((await gateway.call('GET', '/svc/mcps/m')).status).toBe(200)
  })
})
