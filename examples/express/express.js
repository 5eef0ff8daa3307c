// A gateway inside an Express app. Mount it before body parsers: the gateway streams the body to the upstream.

import express from 'express'
import { createGateway, defineApi } from 'turnpike'
import { startEchoUpstream } from 'turnpike/echo-upstream'

const upstream = await startEchoUpstream()
const gateway = await createGateway({
  definitions: [defineApi({ id: 'orders', target: upstream.url, open: true })],
})

const app = express()
// Express removes /api from the path, so the API with the listen path /orders/ is at /api/orders/.
app.use('/api', gateway.nodeHandler)
app.use(express.json())
app.post('/own', (req, res) => res.json({ own: req.body }))

const server = app.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
// WebSocket upgrades do not pass through Express. `req.url` is the whole path here.
server.on('upgrade', (req, socket, head) => {
  req.url = req.url.replace(/^\/api/, '')
  gateway.nodeUpgradeHandler(req, socket, head)
})

const post = async (path) => {
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"n":1}',
  })
  return response.json()
}
const { method, url: target, body } = await post('/api/orders/1')
console.log(`through the gateway: ${method} ${target} ${body}`)
console.log(`of the app: ${JSON.stringify(await post('/own'))}`)

await new Promise((resolve) => server.close(resolve))
await gateway.close()
await upstream.close()
