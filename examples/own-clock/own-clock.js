// A gateway on a virtual clock: a month of quota periods takes no real time.
import { makeFakeUpstream, makeVirtualClock } from '@turnpike/testkit'
import { createGateway, defineApi } from 'turnpike'

const day = 24 * 3600
const clock = makeVirtualClock()
const gateway = await createGateway({
  clock,
  upstream: makeFakeUpstream(clock),
  definitions: [defineApi({ id: 'orders', target: 'http://orders.internal/', orgId: 'acme' })],
})
const { key } = await gateway.keys.create({
  org_id: 'acme',
  quota_max: 2,
  quota_renewal_rate: day,
  access_rights: { orders: { api_id: 'orders', versions: ['Default'] } },
})
let passed = 0
for (let hour = 0; hour < 30 * 24; hour++) {
  const response = await gateway.inject({ url: '/orders/', headers: { Authorization: key } })
  if (response.status === 200) passed++
  clock.advance(3_600_000)
}
console.log(`a request an hour for 30 days: ${passed} passed, two a day`)
await gateway.close()
