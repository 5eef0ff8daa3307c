// Extends a gateway: a stage that counts requests per tenant, an endpoint that reports the counts, a logger.

import { startEchoUpstream } from '@turnpike/echo-upstream'
import { createGateway, defineApi } from 'turnpike'

const counts = new Map()

/** Runs after authentication, for each API that requires a key. */
const countByTenant = {
  after: 'allowed-urls',
  make: ({ api }) =>
    api.authModes.length === 0
      ? null
      : {
          name: 'count-by-tenant',
          phase: '3-admit',
          run({ key }) {
            const tenant = key?.session.alias ?? 'nobody'
            if (tenant === 'blocked') return { status: 402, headers: [], body: 'pay first' }
            counts.set(tenant, (counts.get(tenant) ?? 0) + 1)
            return undefined
          },
        },
}

/** Responds to GET <listen path>counts of each API. */
const countsEndpoint = {
  paths: () => ['/counts'],
  make: () => ({
    name: 'counts',
    phase: '5-respond',
    run: () => ({ status: 200, headers: [], body: JSON.stringify(Object.fromEntries(counts)) }),
  }),
}

const log = { debug() {}, info: (message) => console.log(`log: ${message}`), warn() {}, error() {} }

const upstream = await startEchoUpstream()
const gateway = await createGateway({
  definitions: [defineApi({ id: 'orders', target: upstream.url, orgId: 'acme' })],
  stages: [countByTenant],
  endpoints: [countsEndpoint],
  log,
})

const keyOf = async (alias) => {
  const session = { org_id: 'acme', alias, access_rights: { orders: { versions: ['Default'] } } }
  return (await gateway.keys.create(session)).key
}
for (const tenant of ['shop', 'shop', 'blocked']) {
  const response = await gateway.inject({ url: '/orders/1', headers: { Authorization: await keyOf(tenant) } })
  console.log(`${tenant}: ${response.status}`)
}
console.log((await gateway.inject('/orders/counts')).text())

await gateway.close()
await upstream.close()
