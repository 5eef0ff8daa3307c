// What programs attach to a gateway: stages, endpoints, a store and a logger of their own.
import type { Endpoint } from '@turnpike/core/pipeline'
import type { Store, Upstream } from '@turnpike/core/ports'
import { makeMemoryStore } from '@turnpike/core/store-memory'
import { afterEach, describe, expect, it } from 'vitest'
import type { Stage } from '../index.ts'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'
import { fromPino } from './from-pino.ts'
import type { Gateway } from './gateway.ts'
import type { GatewayOptions } from './gateway-options.ts'

const upstream: Upstream = {
  connect: () => ({
    send: async ({ path }) => ({
      kind: 'response',
      status: 200,
      headers: [],
      body: new TextEncoder().encode(`got ${path}`),
      bodyLength: undefined,
    }),
    release() {},
  }),
  close: () => Promise.resolve(),
}
const open: Gateway[] = []
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close(0)
})

async function makeGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const definitions = [defineApi({ id: 'a', target: 'http://upstream.test/', open: true })]
  const gateway = await createGateway({ definitions, upstream, log: 'silent', ...options })
  open.push(gateway)
  return gateway
}

describe('stages of a program', () => {
  const openingHours: Stage<{ readonly closed: string }> = {
    name: 'opening-hours',
    phase: '1-accept',
    after: 'ip-filter',
    schema: { type: 'object', required: ['closed'], properties: { closed: { type: 'string' } } },
    make: ({ id, config: { closed } }) => ({
      request: ({ path }) =>
        path === closed ? { status: 503, headers: { 'retry-after': '3600' }, body: `${id} is closed` } : undefined,
      response: ({ headers }) => headers.set('x-open', 'yes'),
    }),
  }
  const configured = (stages: object) =>
    defineApi({ id: 'a', target: 'http://upstream.test/', open: true, stages: stages as never })

  it('run for APIs that configure them', async () => {
    const definitions = [configured({ 'opening-hours': { closed: '/night' } })]
    const gateway = await makeGateway({ stages: [openingHours], definitions })
    const day = await gateway.inject('/a/day')
    expect([day.status, day.headers['x-open']]).toEqual([200, 'yes'])
    const night = await gateway.inject('/a/night')
    expect([night.status, night.text(), night.headers['retry-after']]).toEqual([503, 'a is closed', '3600'])
    expect(gateway.stages().filter(({ isCustom }) => isCustom)).toEqual([
      { name: 'opening-hours', phase: '1-accept', isCustom: true },
    ])
    const { stages } = await gateway.explain('/a/night')
    expect(stages.at(-1)).toMatchObject({ stage: 'opening-hours', verdict: 'responds: 503' })
  })

  it('are rejected with a wrong configuration, by the option that contains it', async () => {
    const definitions = [configured({ 'opening-hours': {} })]
    await expect(makeGateway({ stages: [openingHours], definitions })).rejects.toMatchObject({
      option: 'definitions[0]',
      message: 'createGateway: definitions[0] ("a"): stages.opening-hours: closed is required',
    })
    await expect(makeGateway({ stages: [{ ...openingHours, after: 'forward' }] })).rejects.toMatchObject({
      option: 'stages[0].after',
      message: expect.stringContaining('which is in phase 5-respond, not in 1-accept'),
    })
  })

  it.each([
    [{ 'opening-hours': { closed: 5 } }, 'stages.opening-hours.closed: '],
    [{ 'opening-huors': {} }, 'stages.opening-huors: is not a stage of this gateway; did you mean "opening-hours"?'],
  ])('are rejected by the management API with the error of the reload: %j', async (stages, message) => {
    const gateway = await makeGateway({ stages: [openingHours], config: { secret: 'the-secret' } })
    const manage = async (method: string, path: string, document: object) => {
      const headers = { 'x-svc-authorization': 'the-secret' }
      const { status, text } = await gateway.inject({ method, url: path, headers, body: JSON.stringify(document) })
      return { status, message: (JSON.parse(text()) as { message?: string }).message ?? '' }
    }
    const document = {
      ...{ openapi: '3.0.3', info: { title: 'b', version: '1' }, paths: {} },
      'x-svc-api-gateway': {
        info: { id: 'b', name: 'b', state: { active: true } },
        upstream: { url: 'http://upstream.test' },
        server: { listenPath: { value: '/b/' } },
        middleware: { stages },
      },
    }
    const rejected = [
      await manage('POST', '/svc/apis', { ...configured(stages), api_id: 'b' }),
      await manage('PUT', '/svc/apis/a', configured(stages)),
      await manage('POST', '/svc/apis/oas', document),
    ]
    expect(rejected.map(({ status }) => status)).toEqual([400, 400, 400])
    for (const { message: text } of rejected) expect(text).toContain(message)
    expect((await gateway.reload()).failed).toEqual([])
    const stored = await manage('POST', '/svc/apis', configured({ 'opening-hours': { closed: '/night' } }))
    expect(stored.status).toBe(200)
  })

  it('are validated by the debug call, which runs definitions that are not served', async () => {
    const gateway = await makeGateway({ stages: [openingHours], config: { secret: 's' } })
    const debug = async (stages: object) => {
      const body = JSON.stringify({ spec: configured(stages), request: { method: 'GET', path: '/night' } })
      const headers = { 'X-Svc-Authorization': 's' }
      return gateway.inject({ method: 'POST', url: '/svc/debug', headers, body })
    }
    expect((await debug({ 'opening-hours': { closed: '/night' } })).text()).toContain('a is closed')
    const wrong = await debug({ 'opening-hours': {} })
    expect([wrong.status, wrong.text()]).toEqual([400, expect.stringContaining('closed is required')])
  })
})

describe('endpoints of a program', () => {
  const twice: Endpoint = {
    paths: (api, vendor) => (api.id === 'a' ? [`/${vendor}/twice`] : []),
    make: (_scope, dispatch) => ({
      name: 'twice',
      phase: '5-respond',
      async run({ request }) {
        const target = { ...request, path: '/a/x', onAbort: () => undefined }
        const bodies = [await dispatch(target, '/a/'.length), await dispatch(target, '/a/'.length)]
        return {
          status: 200,
          headers: [],
          body: bodies.map(({ body }) => new TextDecoder().decode(body as Uint8Array)).join(', '),
        }
      },
    }),
  }

  it('answer below the listen paths of the APIs that have them, and send requests through the API', async () => {
    const other = defineApi({ id: 'b', target: 'http://upstream.test/', open: true })
    const definitions = [defineApi({ id: 'a', target: 'http://upstream.test/', open: true }), other]
    const gateway = await makeGateway({ definitions, endpoints: [twice] })
    expect((await gateway.inject('/a/svc/twice')).text()).toBe('got /x, got /x')
    expect((await gateway.inject('/b/svc/twice')).text()).toBe('got /svc/twice')
  })
})

describe('a store of a program', () => {
  it('is used, and stays open for its owner when the gateway closes', async () => {
    let closed = false
    const memory = makeMemoryStore({ clock: { now: Date.now, after: () => () => {}, breathe: async () => {} } })
    const store: Store = {
      ...memory,
      async close() {
        closed = true
        await memory.close()
      },
    }
    const gateway = await makeGateway({ store })
    const { storedName } = await gateway.keys.create({
      org_id: 'acme',
      access_rights: { a: { versions: ['Default'] } },
    })
    expect(await store.sessions.get(storedName)).toBeDefined()
    await gateway.close(0)
    expect(closed).toBe(false)
  })
})

describe('a logger of a program', () => {
  const broken = { definitions: () => [{ api_id: 'broken' }] } as unknown as GatewayOptions

  it('is any object with the four methods', async () => {
    const lines: string[] = []
    const write = (message: string) => void lines.push(message)
    await makeGateway({ ...broken, log: { debug: write, info: write, warn: write, error: write } })
    expect(lines).toContain('a definition cannot be loaded')
  })

  it('can be pino, which takes fields before the message', async () => {
    const lines: [object, string][] = []
    const write = (fields: object, message: string) => void lines.push([fields, message])
    await makeGateway({ ...broken, log: fromPino({ debug: write, info: write, warn: write, error: write }) })
    expect(lines).toContainEqual([
      expect.objectContaining({ reason: expect.any(String) }),
      'a definition cannot be loaded',
    ])
  })
})
