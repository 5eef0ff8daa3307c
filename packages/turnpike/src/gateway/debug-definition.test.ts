import { makeFakeUpstream, makeVirtualClock } from '@turnpike/testkit'
import { afterEach, expect, it } from 'vitest'
import { createGateway } from './create-gateway.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const management = { 'X-Svc-Authorization': 'management-key' }

async function debug(spec: object) {
  const clock = makeVirtualClock()
  const upstream = makeFakeUpstream(clock, ({ path, headers }) => ({
    status: 302,
    headers: ['location', `http://up.test${path}`],
    body: headers.join('\n'),
  }))
  const gateway = await createGateway({
    ...{ clock, upstream },
    config: {
      secret: 'management-key',
      secrets: { token: 'hidden "token"', place: '/hidden-place/', side: 'hidden-side' },
    },
  })
  cleanups.push(() => gateway.close(0))
  const body = JSON.stringify({ spec, request: { method: 'GET', path: '/x', headers: {} } })
  const answer = await gateway.inject({ url: '/svc/debug', method: 'POST', headers: management, body })
  return { status: answer.status, text: answer.text(), requests: upstream.requests }
}

const spec = {
  name: 'a',
  api_id: 'a',
  active: true,
  use_keyless: true,
  proxy: { listen_path: 'secrets://place', target_url: 'http://up.test/secrets://side', strip_listen_path: true },
}

it('shows no value of a reference in the request, the response and the log', async () => {
  const version = {
    name: 'Default',
    global_headers: { 'X-Token': 'secrets://token', 'X-Later': '$secret_conf.token' },
  }
  const version_data = { not_versioned: true, versions: { Default: version } }
  const { status, text, requests } = await debug({ ...spec, version_data })
  expect(status).toBe(200)
  expect(requests[0]).toMatchObject({ path: '/hidden-side/x' })
  expect(requests[0]?.headers).toContain('hidden "token"')
  const { response, logs } = JSON.parse(text) as { response: string; logs: string }
  expect(response).toContain('GET /[secret]/x HTTP/1.1')
  expect(response).toContain('X-Token: [secret]')
  expect(response).toContain('X-Later: [secret]')
  expect(response).toContain('Location: http://up.test/[secret]/x')
  expect(
    logs
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { path?: string }).path),
  ).toContain('[secret]x')
  expect(text).not.toContain('hidden')
})

it('shows no value of a reference if the definition is not served', async () => {
  const template_data = { template_mode: 'file', template_source: 'secrets://side' }
  const extended_paths = { transform: [{ path: '/x', method: 'GET', template_data }] }
  const version = { name: 'Default', use_extended_paths: true, extended_paths }
  const { text } = await debug({ ...spec, version_data: { not_versioned: true, versions: { Default: version } } })
  expect(text).toContain('[secret]')
  expect(text).not.toContain('hidden')
})
