/** After an upgrade, a connection to the upstream belongs to the client that requested it: no other credential uses it. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createGateway } from '../src/gateway/create-gateway.ts'
import { defineApi } from '../src/gateway/define-api.ts'

const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
const plain = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** An upstream on plain TCP that responds to upgrades as the test says, and keeps what each connection received. */
async function startUpstream(toUpgrade: string) {
  const connections: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const index = connections.push('') - 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      connections[index] += text
      if (/^(GET|POST)/.test(text)) socket.write(/upgrade: websocket/i.test(text) ? toUpgrade : plain)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { connections, port: (server.address() as AddressInfo).port }
}

const upgradeOf = (name: string) =>
  `GET /open/x HTTP/1.1\r\nHost: a\r\nAuthorization: ${name}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`

it.each([
  ['accepts', switching],
  ['rejects', plain],
  ['accepts and closes', `${switching}\x88\x00`],
])('the upstream %s the upgrade', async (_, toUpgrade) => {
  const upstream = await startUpstream(toUpgrade)
  const definitions = [defineApi({ id: 'open', target: `http://127.0.0.1:${upstream.port}/`, open: true })]
  const config = { http_server_options: { enable_websockets: true } }
  const gateway = await createGateway({ config, definitions, store: 'memory', log: 'silent', frontEnd: 'http1' })
  onTestFinished(() => gateway.close(0))
  const { port } = await gateway.listen(0, '127.0.0.1')
  const get = (name: string) => fetch(`http://127.0.0.1:${port}/open/x`, { headers: { authorization: name } })
  await Promise.all([get('first-a'), get('first-b')])

  const client = connect(port, '127.0.0.1').on('error', () => {})
  client.write(upgradeOf('mallory'))
  await new Promise((resolve) => client.once('data', resolve))
  // What looks like a request inside the tunnel.
  client.write('GET /hidden HTTP/1.1\r\nHost: a\r\nAuthorization: mallory\r\n\r\n')
  await Promise.all(['alice', 'bob', 'carol'].map(get))
  client.destroy()
  for (const name of ['dave', 'eve']) expect((await get(name)).status).toBe(200)

  const shared = upstream.connections.filter((text) => /upgrade: websocket/i.test(text))
  expect(shared).toHaveLength(1)
  for (const text of shared) {
    const after = text.slice(text.search(/upgrade: websocket/i))
    expect(after).not.toMatch(/alice|bob|carol|dave|eve|first/)
  }
})
