import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway } from '../../test/test-gateway.ts'

const apis = [keyedApi('a')]
const message = (said: { json: unknown }) => (said.json as { message?: string }).message

describe('GET /svc/health', () => {
  it('is off unless health checks are on', async () => {
    const gateway = await makeTestGateway({ apis })
    const said = await gateway.call('GET', '/svc/health?api_id=a')
    expect([said.status, message(said)]).toEqual([400, 'Health checks are not enabled for this node'])
  })

  it('wants a loaded API', async () => {
    const gateway = await makeTestGateway({ apis, options: { healthChecks: true } })
    expect(message(await gateway.call('GET', '/svc/health'))).toBe('missing api_id parameter')
    expect(message(await gateway.call('GET', '/svc/health?api_id=ghost'))).toBe('API ID not found')
  })

  it('counts what the pipeline rejects', async () => {
    const gateway = await makeTestGateway({ apis, options: { healthChecks: true } })
    for (let i = 0; i < 7; i++) await gateway.ask('/a/x', 'no-such-key')
    expect((await gateway.call('GET', '/svc/health?api_id=a')).json).toEqual({
      throttle_reqests_per_second: 0,
      quota_violations_per_second: 0,
      key_failures_per_second: 0.1,
      average_upstream_latency: 0,
      average_requests_per_second: 0,
    })
  })
})
