// An upstream client that adds functions of this program to another client. with-functions.test.ts runs the suite of
// upstream clients.

/** Targets with the host `functions` are `functions` by path, without a network; `upstream` calls all others. */
export function withFunctions(functions, upstream) {
  return {
    // Called when an API is loaded. Requests of all APIs with this origin share what it returns.
    connect: (origin, options) =>
      origin === 'http://functions' ? linkToFunctions(functions) : upstream.connect(origin, options),
    close: () => upstream.close(),
  }
}

function linkToFunctions(functions) {
  return {
    // Never rejects: a failure is a value.
    async send({ path, body }) {
      const run = functions[path]
      if (run === undefined) return { kind: 'error', reason: 'unknown-host', cause: new Error(`no function ${path}`) }
      const text = new TextEncoder().encode(run(await textOf(body)))
      const headers = ['content-type', 'text/plain']
      return { kind: 'response', status: 200, headers, body: text, bodyLength: text.length }
    },
    release() {},
  }
}

/** Reads a body, which is absent, bytes or a stream. */
async function textOf(body) {
  if (body === undefined || body instanceof Uint8Array) return new TextDecoder().decode(body)
  const chunks = []
  await new Promise((end, fail) => body.pipe({ data: (chunk) => chunks.push(chunk) > 0, end, fail }))
  return Buffer.concat(chunks).toString()
}
