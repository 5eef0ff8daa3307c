// A gateway inside a Fastify app: a plugin of its own that leaves bodies unread.

import Fastify from 'fastify'
import { createGateway, defineApi } from 'turnpike'
import { startEchoUpstream } from 'turnpike/echo-upstream'

const upstream = await startEchoUpstream()
const gateway = await createGateway({
  definitions: [defineApi({ id: 'orders', target: upstream.url, listenPath: '/api/orders/', open: true })],
})

const app = Fastify()
app.post('/own', async (request) => ({ own: request.body }))
await app.register(async (api) => {
  // Parsers of this plugin only. The gateway streams the body to the upstream.
  api.removeAllContentTypeParsers()
  api.addContentTypeParser('*', (_request, _payload, done) => done(null))
  api.all('/api/*', (request, reply) => {
    reply.hijack()
    gateway.nodeHandler(request.raw, reply.raw)
  })
})
app.addHook('onClose', () => gateway.close())
const url = await app.listen({ port: 0, host: '127.0.0.1' })

const post = async (path) => {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(url + path, { method: 'POST', headers, body: '{"n":1}' })).json()
}
const { method, url: target, body } = await post('/api/orders/1')
console.log(`through the gateway: ${method} ${target} ${body}`)
console.log(`of the app: ${JSON.stringify(await post('/own'))}`)

await app.close()
await upstream.close()
