// A key with two policies: one grants access to the API, the other sets limits. A policy change affects all its keys.

import { createGateway, defineApi } from 'turnpike'
import { startEchoUpstream } from 'turnpike/echo-upstream'

const upstream = await startEchoUpstream()
const rights = { orders: { api_id: 'orders', versions: ['Default'] } }
const bronze = {
  org_id: 'acme',
  partitions: { rate_limit: true, quota: true },
  rate: 1,
  per: 60,
  access_rights: rights,
}
const gateway = await createGateway({
  definitions: [defineApi({ id: 'orders', target: upstream.url, orgId: 'acme' })],
  policies: { access: { org_id: 'acme', partitions: { acl: true }, access_rights: rights }, bronze },
})
const { key } = await gateway.keys.create({ org_id: 'acme', apply_policies: ['access', 'bronze'] })
const send = async () => (await gateway.inject({ url: '/orders/', headers: { Authorization: key } })).status

console.log('one request a minute:', await send(), await send())
await gateway.policies.put('bronze', { ...bronze, rate: 100 })
console.log('a hundred a minute:', await send(), await send())

await gateway.close()
await upstream.close()
