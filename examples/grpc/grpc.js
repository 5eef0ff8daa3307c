// gRPC through a gateway: HTTP/2 in front, `h2c` to the server, a rate limit in between.

import { Client, credentials, Server, ServerCredentials } from '@grpc/grpc-js'
import { createGateway, defineApi } from 'turnpike'

// Without a .proto file: messages are plain texts.
const toBytes = (text) => Buffer.from(text)
const toText = (bytes) => bytes.toString()
const methodOf = (name, responseStream) => ({
  path: `/fleet.Harbour/${name}`,
  requestStream: false,
  responseStream,
  requestSerialize: toBytes,
  requestDeserialize: toText,
  responseSerialize: toBytes,
  responseDeserialize: toText,
})
const harbour = { find: methodOf('Find', false), list: methodOf('List', true) }

const server = new Server()
server.addService(harbour, {
  find: (call, done) => done(null, `${call.request} is at berth 7`),
  list(call) {
    for (const ship of ['Vasa', 'Kronan']) call.write(ship)
    call.end()
  },
})
const serverPort = await new Promise((resolve, reject) => {
  const address = '127.0.0.1:0'
  server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) =>
    error ? reject(error) : resolve(port),
  )
})

const fleet = defineApi({ id: 'fleet', target: `h2c://127.0.0.1:${serverPort}`, open: true })
// The path of a gRPC call is /package.Service/Method, so the listen path is the service, and it is not stripped.
fleet.proxy = { ...fleet.proxy, listen_path: '/fleet.Harbour/', strip_listen_path: false }
fleet.global_rate_limit = { rate: 2, per: 60 }
const gateway = await createGateway({
  definitions: [fleet],
  config: { http_server_options: { enable_http2: true } },
  log: 'silent',
})
const { port } = await gateway.listen(0)
const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure())

const find = (ship) =>
  new Promise((resolve) => {
    const { path, requestSerialize, responseDeserialize } = harbour.find
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, ship, (error, reply) =>
      resolve(error === null ? reply : `gRPC status ${error.code}`),
    )
  })

console.log(await find('Vasa'))
const { path, requestSerialize, responseDeserialize } = harbour.list
const ships = []
for await (const ship of client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, 'all')) {
  ships.push(ship)
}
console.log(ships.join(', '))
// The rate limit responds 429 without a gRPC status, which clients report as UNAVAILABLE (14).
console.log(await find('Kronan'))

client.close()
await gateway.close()
server.forceShutdown()
