// What programs attach to a gateway: stages, endpoints, a store and a logger of their own.
import { type Endpoint, makeMemoryStore, type Store, type Upstream } from '@turnpike/core'
import { afterEach, describe, expect, it } from 'vitest'
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
  it('run at their place and can reject', async () => {
    const gateway = await makeGateway({
      stages: [
        {
          after: 'ip-filter',
          make: ({ api }) => ({
            name: 'opening-hours',
            phase: '1-accept',
            run: ({ path }) =>
              path === '/night'
                ? { status: 503, headers: ['retry-after', '3600'], body: `${api.id} is closed` }
                : undefined,
          }),
        },
      ],
    })
    expect(await gateway.inject('/a/day')).toMatchObject({ status: 200 })
    const night = await gateway.inject('/a/night')
    expect([night.status, night.text()]).toEqual([503, 'a is closed'])
  })

  it('of another phase than their place keep the gateway from being made', async () => {
    const stages: GatewayOptions['stages'] = [
      { after: 'cors', make: () => ({ name: 'late', phase: '5-respond', run: () => undefined }) },
    ]
    await expect(makeGateway({ stages })).rejects.toThrow('the stage late is of phase 5-respond')
  })

  it('on the way back change responses', async () => {
    const gateway = await makeGateway({
      responseStages: [
        {
          after: 'response-headers',
          make: () => ({
            name: 'stamp',
            phase: '6-shape-response',
            run: (_context, answer) => ({ ...answer, headers: [...answer.headers, 'x-stamp', '1'] }),
          }),
        },
      ],
    })
    expect((await gateway.inject('/a/x')).headers['x-stamp']).toBe('1')
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
