import { systemClock } from '@turnpike/adapters/clock-system'
import { sessionCookies } from '@turnpike/dashboard-sso'
import { makeFakeUpstream, type Scripted } from '@turnpike/testkit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../config/load-config.ts'
import { dashboardCookies } from '../config/to-settings.ts'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'
import { openGateway } from './open-gateway.ts'

const dashboard = { enabled: true, admin_secret: 'the-admin-secret', organisations: [{ id: 'acme' }] }
const api = defineApi({ id: 'a', target: 'http://127.0.0.1:1/', open: true })

async function serve(more: object, config: object = {}) {
  const gateway = await createGateway({
    config: { ...config, dashboard: { ...dashboard, ...more } },
    definitions: [api],
    log: 'silent',
  })
  await gateway.reload()
  const address = await gateway.listen(0, '127.0.0.1')
  return { gateway, address, dashboardOrigin: new URL(address.dashboardUrl ?? '').origin }
}

const signOn = (origin: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${origin}/admin/sso`, { method: 'POST', body, headers: { 'Admin-Auth': 'the-admin-secret', ...headers } })

describe('the origin of the dashboard', () => {
  const session = 'authorisation=s; theme=dark; portal_session=p'
  const page: Scripted = {
    headers: [
      ...['content-type', 'text/html', 'set-cookie', 'authorisation=x; Path=/', 'set-cookie', 'theme=light'],
      ...['set-cookie', ' portal_session =x'],
    ],
    body: '<p>',
  }

  async function open(more: object, script: Scripted = page) {
    const upstream = makeFakeUpstream(systemClock, () => script)
    const variables = { enable_context_vars: true }
    const rewrites = [{ path: '/', method: 'GET', match_pattern: '/', rewrite_to: '/$tyk_context.headers_Cookie' }]
    const paths = { Default: { name: 'Default', use_extended_paths: true, extended_paths: { url_rewrites: rewrites } } }
    const gateway = await createGateway({
      config: { vendor: 'tyk', dashboard: { ...dashboard, ...more } },
      definitions: [
        defineApi({ id: 'a', target: 'http://upstream.test/', open: true }),
        defineApi({
          id: 'variables',
          target: 'http://upstream.test/',
          open: true,
          more: { ...variables, version_data: { not_versioned: true, versions: paths } },
        }),
      ],
      upstream,
      log: 'silent',
    })
    onTestFinished(() => gateway.close(0))
    return { gateway, upstream }
  }

  it('is closed to pages of upstreams on the same port', async () => {
    const { gateway, upstream } = await open({ listen_port: 0 })
    const response = await gateway.inject({ url: '/a/x', headers: { cookie: session } })
    expect(response.headers['content-security-policy']).toBe('sandbox')
    expect(response.headers['set-cookie']).toBe('theme=light')
    expect(upstream.requests[0]?.headers.join()).not.toMatch(/authorisation|portal_session/)
    await gateway.inject({ url: '/variables/', headers: { cookie: session } })
    expect(upstream.requests[1]?.path).not.toMatch(/authorisation|portal_session/)
    expect(upstream.requests[1]?.path).toContain('theme')
  })

  it('has no effect on data, on a port of its own, and where it is allowed', async () => {
    const data = { headers: ['content-type', 'application/json'], body: '{}' }
    for (const [more, script] of [
      [{ listen_port: 0 }, data],
      [{ listen_port: 3999 }, page],
      [{ listen_port: 0, upstream_pages: 'allow' }, page],
    ] as const) {
      const { gateway } = await open(more, script)
      const { headers } = await gateway.inject('/a/x')
      expect(headers['content-security-policy']).toBeUndefined()
    }
  })

  it('has known host names only, if a request has a session cookie', async () => {
    const { gateway } = await open({ listen_port: 0, hosts: ['Desk.example'] })
    const status = async (host: string, cookie: string) =>
      (await gateway.inject({ url: '/api/session', headers: { host, cookie } })).status
    for (const host of ['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', ''])
      expect([host, await status(host, session)]).toEqual([host, 403])
    for (const host of ['127.0.0.1:8080', '[::1]:8080', 'localhost', 'desk.example:1'])
      expect([host, await status(host, session)]).not.toEqual([host, 403])
    expect(await status('evil.example', 'theme=dark')).not.toBe(403)
  })
})

describe('the dashboard of a gateway', () => {
  it('is disabled by default', async () => {
    const gateway = await createGateway({ definitions: [api], log: 'silent' })
    expect((await gateway.inject('/admin/sso')).status).toBe(404)
    expect((await gateway.listen(0, '127.0.0.1')).dashboardUrl).toBeUndefined()
    await gateway.close(0)
  })

  it('has the session cookies that upstreams do not get', () => {
    expect(dashboardCookies).toEqual(sessionCookies)
  })

  it('shares the port of the gateway: its paths come first, the others stay', async () => {
    const { gateway, address } = await serve({ listen_port: 0, home_path: '/start' })
    expect(address.dashboardUrl).toBe(`${address.url}/start`)
    expect((await fetch(`${address.url}/start`)).status).toBe(401)
    expect((await fetch(`${address.url}/hello`)).status).toBe(200)
    expect((await fetch(`${address.url}/a/x`)).status).toBe(500)
    expect((await gateway.inject('/tap')).json()).toEqual({ Status: 'Error', Message: 'Not authorised', Meta: null })
    await gateway.close(0)
  })

  it('listens apart, and is not at the gateway’s port then', async () => {
    const port = await freePort()
    const { gateway, address, dashboardOrigin } = await serve({ listen_address: '127.0.0.1', listen_port: port })
    expect(dashboardOrigin).toBe(`http://127.0.0.1:${port}`)
    expect((await fetch(`${address.url}/tap`)).status).toBe(404)
    expect((await fetch(`${dashboardOrigin}/a/x`)).status).toBe(404)
    expect((await signOn(dashboardOrigin, '{"OrgID":"acme","ForSection":"dashboard"}')).status).toBe(200)
    await gateway.close(0)
  })

  it('has no sign-in link where other machines can reach it', async () => {
    const loaded = loadConfig({ document: { dashboard: { ...dashboard, listen_port: 0 } }, environment: {}, cwd: '/' })
    for (const [host, expected] of [
      ['127.0.0.1', true],
      ['0.0.0.0', false],
    ] as const) {
      const { gateway, signInUrl } = await openGateway({ log: 'silent', definitions: [api] }, loaded)
      expect(await signInUrl()).toBeUndefined()
      await gateway.listen(0, host)
      expect((await signInUrl())?.includes('/tap?nonce=') ?? false).toBe(expected)
      await gateway.close(0)
    }
  })

  it('asks who calls before it looks at a body of any length', async () => {
    const { gateway, dashboardOrigin } = await serve({ listen_port: 0 })
    const long = 'x'.repeat(1_000_000)
    expect((await signOn(dashboardOrigin, long, { 'Admin-Auth': 'wrong' })).status).toBe(401)
    expect((await signOn(dashboardOrigin, long)).status).toBe(400)
    await gateway.close(0)
  })
})

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
