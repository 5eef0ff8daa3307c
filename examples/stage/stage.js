// A stage of your own: limits requests per tenant, with a configuration in the definition of each API.

import { createGateway, defineApi } from 'turnpike'
import { startEchoUpstream } from 'turnpike/echo-upstream'

/** @type {import('turnpike').Stage<{ header: string, perMinute: number, blocked?: string[] }>} */
const tenantLimit = {
  name: 'tenant-limit',
  phase: '3-admit',
  after: 'key-access',
  schema: {
    type: 'object',
    required: ['header', 'perMinute'],
    properties: {
      header: { type: 'string' },
      perMinute: { type: 'integer', minimum: 1 },
      blocked: { type: 'array', items: { type: 'string' } },
    },
    additionalProperties: false,
  },
  // Called when a definition is loaded, for the APIs that configure the stage.
  make: ({ config: { header, perMinute, blocked = [] } }) => ({
    async request(request) {
      const tenant = request.headers.get(header) ?? request.session?.alias ?? 'nobody'
      if (blocked.includes(tenant)) return request.reject(402, 'pay first')
      const { allowed, remaining } = await request.consume(tenant, { limit: perMinute, seconds: 60 })
      if (!allowed) return { status: 429, headers: { 'retry-after': '60' }, body: `too many requests of ${tenant}` }
      request.variables.set('tenant', tenant)
      request.headers.set('x-tenant-left', String(remaining))
    },
    response: (response, request) => response.headers.set('x-tenant', request.variables.get('tenant')),
  }),
}

const upstream = await startEchoUpstream()
const gateway = await createGateway({
  stages: [tenantLimit],
  definitions: [
    defineApi({
      id: 'orders',
      target: upstream.url,
      open: true,
      stages: { 'tenant-limit': { header: 'X-Shop', perMinute: 2, blocked: ['evil'] } },
    }),
    defineApi({ id: 'status', target: upstream.url, open: true }),
  ],
})

for (const [path, shop] of [
  ['/orders/1', 'books'],
  ['/orders/2', 'books'],
  ['/orders/3', 'books'],
  ['/orders/4', 'evil'],
  ['/status/now', 'evil'],
]) {
  const { status, headers } = await gateway.inject({ url: path, headers: { 'X-Shop': shop } })
  console.log(`${path} of ${shop}: ${status} ${headers['x-tenant'] ?? ''}`.trim())
}
const { stages } = await gateway.explain({ url: '/orders/5', headers: { 'X-Shop': 'evil' } })
const { stage, verdict } = stages.at(-1)
console.log(`${stage} ${verdict}`)

// A wrong configuration is an error when the definition is loaded.
const wrong = defineApi({ id: 'a', target: upstream.url, stages: { 'tenant-limit': { header: 'X-Shop' } } })
await createGateway({ stages: [tenantLimit], definitions: [wrong], log: 'silent' }).catch((cause) =>
  console.log(cause.message),
)

await gateway.close()
await upstream.close()
