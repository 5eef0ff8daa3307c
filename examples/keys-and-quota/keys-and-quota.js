// A key with a quota of three requests per minute. The fourth request is rejected with a reason.

import { createGateway, defineApi } from 'turnpike'
import { startEchoUpstream } from 'turnpike/echo-upstream'

const upstream = await startEchoUpstream()
const gateway = await createGateway({ definitions: [defineApi({ id: 'orders', target: upstream.url, orgId: 'acme' })] })

const { key } = await gateway.keys.create({
  org_id: 'acme',
  alias: 'shop website',
  quota_max: 3,
  quota_renewal_rate: 60,
  access_rights: { orders: { versions: ['Default'] } },
})

for (let i = 1; i <= 4; i++) {
  const response = await gateway.inject({ url: `/orders/${i}`, headers: { Authorization: key } })
  console.log(`${response.status}, ${response.headers['x-ratelimit-remaining'] ?? response.json().error}`)
}

await gateway.close()
await upstream.close()
