// A gateway inside a Hono app: `gateway.fetch` takes a Request and resolves with a Response.

import { Hono } from 'hono'
import { createGateway, defineApi } from 'turnpike'
import { startEchoUpstream } from 'turnpike/echo-upstream'

const upstream = await startEchoUpstream()
const gateway = await createGateway({
  definitions: [defineApi({ id: 'orders', target: upstream.url, orgId: 'acme' })],
})
const { key } = await gateway.keys.create({
  org_id: 'acme',
  quota_max: 1,
  quota_renewal_rate: 60,
  access_rights: { orders: { versions: ['Default'] } },
})

const app = new Hono()
app.get('/', (c) => c.text('the app'))
// `mount` removes /api from the path, so the API with the listen path /orders/ is at /api/orders/.
// With @hono/node-server, `getConnInfo(c).remote.address` is the address of the client.
app.mount('/api', (request) => gateway.fetch(request, { remoteAddress: '192.0.2.7' }))

const show = async (path, init) => {
  const response = await app.request(path, init)
  console.log(`${path}: ${response.status} ${(await response.text()).slice(0, 40)}`)
}
await show('/')
await show('/api/orders/1', { headers: { Authorization: key } })
await show('/api/orders/1', { headers: { Authorization: key } })

await gateway.close()
await upstream.close()
