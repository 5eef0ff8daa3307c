/** Web hooks of a definition for upstream events: the whole gateway on a virtual clock. */
import { makeFakeUpstream, makeMemoryLog, makeVirtualClock } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'

const hooks = (...names: string[]) => ({
  events: Object.fromEntries(
    names.map((name) => [
      name,
      [
        {
          handler_name: 'eh_web_hook_handler',
          handler_meta: { method: 'POST', target_path: 'http://hooks.test/event', event_timeout: 1 },
        },
      ],
    ]),
  ),
})

async function setUp(more: object) {
  const clock = makeVirtualClock()
  const status = { value: 200 }
  const upstream = makeFakeUpstream(clock, ({ origin }) =>
    origin === 'http://hooks.test' ? {} : { status: status.value },
  )
  const api = defineApi({ id: 'a', target: 'http://upstream.test/', orgId: 'acme', open: true, more })
  const gateway = await createGateway({
    config: { metrics: { enabled: true } },
    clock,
    log: makeMemoryLog(),
    upstream,
    definitions: [api],
  })
  const told = () =>
    upstream.requests
      .filter(({ origin }) => origin === 'http://hooks.test')
      .map(({ body }) => JSON.parse(new TextDecoder().decode(body)) as Record<string, string>)
  return { gateway, clock, status, told }
}

describe('web hooks of a definition', () => {
  it('report that a circuit breaker opened and closed, and metrics show it', async () => {
    const breaker = { path: '/x', method: 'GET', threshold_percent: 0.5, samples: 2, return_to_service_after: 60 }
    const { gateway, clock, status, told } = await setUp({
      version_data: {
        not_versioned: true,
        versions: {
          Default: {
            name: 'Default',
            use_extended_paths: true,
            extended_paths: { circuit_breakers: [{ ...breaker, disable_half_open_state: true }] },
          },
        },
      },
      event_handlers: hooks('BreakerTriggered', 'BreakerTripped', 'BreakerReset'),
    })
    const open = async () => /^turnpike_breakers_open (\d)/m.exec((await gateway.inject('/metrics')).text())?.[1]
    status.value = 500
    for (let i = 0; i < 2; i++) await gateway.inject('/a/x')
    expect((await gateway.inject('/a/x')).status).toBe(503)
    await clock.run(10)
    const where = { api_id: 'a', path: '/x' }
    expect(told()).toEqual([
      { event: 'BreakerTriggered', message: 'Breaker Tripped', ...where, Status: '0' },
      { event: 'BreakerTripped', message: 'Breaker Tripped', ...where },
    ])
    expect(await open()).toBe('1')

    status.value = 200
    await clock.run(60_000)
    expect(told().slice(2)).toEqual([
      { event: 'BreakerTriggered', message: 'Breaker Reset', ...where, Status: '1' },
      { event: 'BreakerReset', message: 'Breaker Reset', ...where },
    ])
    expect(await open()).toBe('0')
    expect((await gateway.inject('/a/x')).status).toBe(200)
    await gateway.close(0)
  })

  it('report that a host is down and up again', async () => {
    const { gateway, clock, status, told } = await setUp({
      uptime_tests: { check_list: [{ url: 'http://upstream.test/health' }] },
      event_handlers: hooks('HostDown', 'HostUp'),
    })
    status.value = 503
    // Somewhat more than three rounds: the clock moves on while the last is under way.
    for (let i = 0; i < 6; i++) await clock.run(10_000)
    const host = { url: 'http://upstream.test/health', host: 'upstream.test', api_id: 'a', tcp_error: 'false' }
    const down = { event: 'HostDown', message: 'Uptime test failed', ...host, response_code: '503' }
    expect(told()).toEqual([down])
    status.value = 200
    for (let i = 0; i < 6; i++) await clock.run(10_000)
    expect(told()).toEqual([down, { event: 'HostUp', message: 'Uptime test succeeded', ...host, response_code: '200' }])
    await gateway.close(0)
  })
})
