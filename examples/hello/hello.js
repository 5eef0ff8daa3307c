// A gateway on a real port, before a real upstream: the least there is.
import { startEchoUpstream } from '@turnpike/echo-upstream'
import { createGateway, defineApi } from 'turnpike'

const upstream = await startEchoUpstream()
const gateway = await createGateway({
  config: { listen_address: '127.0.0.1', listen_port: 0 },
  definitions: [defineApi({ id: 'greetings', target: upstream.url, open: true })],
})
const { url } = await gateway.listen()

const answer = await fetch(`${url}/greetings/world?x=1`)
const { method, url: path } = await answer.json()
console.log(`${answer.status}: the upstream got ${method} ${path}`)

await gateway.close()
await upstream.close()
