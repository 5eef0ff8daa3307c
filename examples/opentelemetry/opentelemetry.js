// Sends the trace of a request to a collector, here a small server that prints the spans it receives.
import { createServer } from 'node:http'
import { makeFakeUpstream, makeVirtualClock } from '@turnpike/testkit'
import { createGateway, defineApi } from 'turnpike'

const spans = []
const collector = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  for (const { scopeSpans } of JSON.parse(body).resourceSpans) spans.push(...scopeSpans.flatMap((scope) => scope.spans))
  response.end('{}')
})
await new Promise((resolve) => collector.listen(0, '127.0.0.1', resolve))

const clock = makeVirtualClock()
const upstream = makeFakeUpstream(clock)
const gateway = await createGateway({
  clock,
  upstream,
  definitions: [defineApi({ id: 'orders', target: 'http://orders.internal/', open: true })],
  config: { opentelemetry: { enabled: true, endpoint: `http://127.0.0.1:${collector.address().port}` } },
})
// The client began the trace.
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
await gateway.inject({ url: '/orders/1', headers: { traceparent } })
// Sends what is queued; a gateway that runs sends every 5 s.
await gateway.close()
collector.close()

const server = spans.find(({ kind }) => kind === 2)
const client = spans.find(({ kind }) => kind === 3)
console.log('trace', server.traceId, 'of the client', server.parentSpanId)
console.log(server.name, server.events.map(({ name }) => name).join(', '))
console.log('the call is a child of the request:', client.parentSpanId === server.spanId)
const { headers } = upstream.requests[0]
const sent = headers[headers.indexOf('traceparent') + 1]
console.log('the upstream got', sent === `00-${server.traceId}-${client.spanId}-01` ? 'the id of the call' : sent)
