// An upstream client of your own: targets with the host `functions` are functions of this program, without a network.
import { createGateway, defineApi } from 'turnpike'

const functions = {
  '/double': (body) => String(2 * Number(body)),
  '/shout': (body) => body.toUpperCase(),
}

/** Reads a body, which is absent, bytes or a stream. */
async function textOf(body) {
  if (body === undefined || body instanceof Uint8Array) return new TextDecoder().decode(body)
  const chunks = []
  await new Promise((end, fail) => body.pipe({ data: (chunk) => chunks.push(chunk) > 0, end, fail }))
  return Buffer.concat(chunks).toString()
}

const upstream = {
  // Called when an API is loaded. Requests of all APIs with this origin share what it returns.
  connect: (origin) => ({
    async send({ path, body }) {
      const run = origin === 'http://functions' ? functions[path] : undefined
      if (run === undefined)
        return { kind: 'error', reason: 'unknown-host', cause: new Error(`no function ${origin}${path}`) }
      const text = new TextEncoder().encode(run(await textOf(body)))
      return {
        kind: 'response',
        status: 200,
        headers: ['content-type', 'text/plain'],
        body: text,
        bodyLength: text.length,
      }
    },
    release() {},
  }),
  close: async () => {},
}

const gateway = await createGateway({
  upstream,
  definitions: [defineApi({ id: 'functions', target: 'http://functions/', open: true })],
  log: 'silent',
})
const call = async (name, body) => {
  const response = await gateway.inject({ method: 'POST', url: `/functions/${name}`, body })
  console.log(`${name}(${body}): ${response.status} ${response.text().split('\n')[0]}`)
}
await call('double', '21')
await call('shout', 'hello')
await call('none', 'x')
await gateway.close()
