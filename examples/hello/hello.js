// The smallest gateway: one API, a real TCP port and a real upstream.

import { createGateway, defineApi } from 'turnpike'
import { startEchoUpstream } from 'turnpike/echo-upstream'

const upstream = await startEchoUpstream()
const gateway = await createGateway({
  config: { listen_address: '127.0.0.1', listen_port: 0 },
  definitions: [defineApi({ id: 'greetings', target: upstream.url, open: true })],
})
const { url } = await gateway.listen()

const response = await fetch(`${url}/greetings/world?x=1`)
const { method, url: path } = await response.json()
console.log(`${response.status}: the upstream got ${method} ${path}`)

await gateway.close()
await upstream.close()
