/** Fastify with @fastify/http-proxy, and in mode `limited` with a key check and @fastify/rate-limit: PORT UPSTREAM MODE RATE. */
import httpProxy from '@fastify/http-proxy'
import rateLimit from '@fastify/rate-limit'
import fastify from 'fastify'

const [port, upstream = '', mode, perSecond] = process.argv.slice(2)
const keys = new Set(['benchone'])
const app = fastify({ logger: false })

if (mode === 'limited') {
  app.addHook('onRequest', async (request, reply) => {
    if (!keys.has(request.headers.authorization ?? '')) return reply.code(401).send({ error: 'unknown key' })
  })
  await app.register(rateLimit, {
    max: Number(perSecond),
    timeWindow: 1000,
    keyGenerator: ({ headers }) => headers.authorization ?? '',
  })
}
await app.register(httpProxy, { upstream: `http://${upstream}`, undici: { connections: 64, pipelining: 1 } })
await app.listen({ port: Number(port), host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
