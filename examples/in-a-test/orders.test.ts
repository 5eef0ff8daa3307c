// A unit test of access rules, without a TCP port, a server or delays.
import { makeFakeUpstream, makeVirtualClock } from '@turnpike/testkit'
import { createGateway, defineApi } from 'turnpike'
import { expect, test } from 'vitest'

test('the shop may read orders and not delete them', async () => {
  const clock = makeVirtualClock()
  const upstream = makeFakeUpstream(clock, () => ({ body: 'an order' }))
  const orders = defineApi({ id: 'orders', target: 'http://orders.internal/', orgId: 'acme' })
  const gateway = await createGateway({ clock, upstream, definitions: [orders] })
  const allowed_urls = [{ url: '/', methods: ['GET'] }]
  const { key } = await gateway.keys.create({
    org_id: 'acme',
    access_rights: { orders: { api_id: 'orders', versions: ['Default'], allowed_urls } },
  })
  const headers = { Authorization: key }

  expect((await gateway.inject({ url: '/orders/1', headers })).text()).toBe('an order')
  expect((await gateway.inject({ method: 'DELETE', url: '/orders/1', headers })).status).toBe(403)
  expect(upstream.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /1'])
  await gateway.close()
})
