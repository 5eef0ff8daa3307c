/** `--compare` against pairs of small servers. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { type Decide, fixedWindow, runJudge } from './support/small-gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnpike-compare-'))
const servers: Server[] = []
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void

async function serve(respond: Respond, decide?: Decide): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const decision = await decide?.(String(request.headers['x-key']), Date.now(), request)
    if (decision?.admitted === false) response.writeHead(429).end()
    else respond(request, response, Buffer.concat(chunks).toString('latin1'))
  })
  server.maxHeadersCount = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Responds with everything that it received. */
const echo: Respond = ({ method, url, rawHeaders }, response, body) => {
  const headers = rawHeaders.filter((_, i) => !/^(host|connection)$/i.test(rawHeaders[i - (i % 2)] ?? ''))
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify({ method, url, headers, body }))
}

function writeFile(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

describe.concurrent('turnpike judge --compare', () => {
  it('sends the same textbook requests to both, and finds nothing in equal servers', async () => {
    const seen: [string[], string[]] = [[], []]
    const recording =
      (list: string[]): Respond =>
      (request, response, body) => {
        list.push([request.method, request.url, ...request.rawHeaders.slice(2), body].join(' '))
        echo(request, response, body)
      }
    const [one, other] = [await serve(recording(seen[0])), await serve(recording(seen[1]))]
    const { code, out } = await runJudge('--compare', one, `${other}/`)
    expect(out).toMatch(/respond alike \(1\d\d traces with 1\d\d requests\)/)
    expect(code).toBe(0)
    expect(seen[0]).toEqual(seen[1])
    for (const start of ['GET /a/../b', 'GET //a', 'GET /%zz', 'GET /a%2Fb', 'GET /?a=1&a=2', 'HEAD /', 'PROPFIND /']) {
      expect(seen[0].some((line) => line.startsWith(start))).toBe(true)
    }
    expect(seen[0].join('\n')).toContain('x-MiXeD-cAsE 1')
    expect(seen[0].join('\n')).toMatch(/^POST \/ .*\{"a":$/m)
  })

  it('reports every difference in status, headers and body, with the body of the request and a line for curl', async () => {
    const one = await serve(echo)
    const other = await serve((request, response, body) => {
      if (request.url === '/a/../b') response.statusCode = 404
      if (request.headers['x-empty'] !== undefined) response.setHeader('X-More', '1')
      echo(request, response, body === '{"a":' ? '{}' : body)
    })
    const { code, out } = await runJudge('--compare', one, other)
    expect(code).toBe(1)
    expect(out).toContain('differ: 3 kinds of differences')
    expect(out).toMatch(/status 200 and 404 \(once\)\n {5}GET \/a\/\.\.\/b {2}<- here/)
    expect(out).toMatch(/x-more absent and 1 \(once\)/)
    expect(out).toMatch(
      /body at \/body: "\{\\"a\\":" and "\{\}" \(3 times\)\n.*POST Content-Type: application\/json {2}<- here\n {7}"\{\\"a\\":"/,
    )
    expect(out).toContain('also with: PUT: invalid JSON; PATCH: invalid JSON')
    const [line = ''] = /curl: (.*\/a\/\.\.\/b.*)/.exec(out)?.slice(1) ?? []
    const { stdout } = await promisify(execFile)('bash', ['-c', line])
    expect(stdout.match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
  })

  it('prints lines for curl that send the same request', async () => {
    const received: string[] = []
    const one = await serve((request, response, body) => {
      received.push(
        JSON.stringify([
          request.method,
          request.url,
          request.rawHeaders
            .slice(2)
            .filter((text) => text !== 'keep-alive' && text !== 'Connection')
            .toSorted(),
          body,
        ]),
      )
      response.end('one')
    })
    const other = await serve((_, response) => response.end('other'))
    const file = writeFile(
      'curl.yaml',
      JSON.stringify([
        {
          method: 'POST',
          path: "/it's?a=[1]",
          headers: { 'X-A': 'caf\u00e9', 'X-Empty': '' },
          body: '{"a":"\u00e9"}\n',
        },
      ]),
    )
    const { out } = await runJudge('--compare', one, other, '--requests', file, '--no-textbook', '--json')
    const [found] = JSON.parse(out).differences
    const sent = received[1]
    // The shortest request that shows the difference is another one; the line of the original one is that of a sighting.
    expect(found).toMatchObject({ part: 'body', left: 'one', right: 'other', firstSeenWith: 'requests[0]' })
    received.length = 0
    await promisify(execFile)('bash', ['-c', found.originalCurl])
    expect(received).toEqual([sent])
  })

  it('ignores masked parts and compares renamed headers', async () => {
    let n = 0
    const withIds =
      (name: string): Respond =>
      (_, response) => {
        n += 1
        response.setHeader(name, `remaining ${n % 2 === 0 ? 1 : 1}`)
        response.setHeader('X-Request-Id', `id-${n}`)
        response.end(JSON.stringify({ at: n, text: `took ${n} ms` }))
      }
    const [one, other] = [await serve(withIds('X-Left')), await serve(withIds('X-Right'))]
    const masks = ['--mask', 'header:X-Request-Id', '--mask', 'json:/at', '--mask', 'body:/\\d+ ms/']
    const masked = await runJudge('--compare', one, other, ...masks, '--rename', 'X-Left=X-Right')
    expect([masked.code, masked.out]).toEqual([0, expect.stringContaining('respond alike')])
    const plain = await runJudge('--compare', one, other)
    expect(plain.code).toBe(1)
    for (const part of ['x-left', 'x-right', 'x-request-id', 'body at /at']) expect(plain.out).toContain(`. ${part}`)
    expect(plain.out).toContain('ignore them with --mask header:x-request-id')
  })

  it('compares the headers of the connection and the program only with --all-headers', async () => {
    const named = (name: string) => serve((_, response) => response.setHeader('Server', name).end())
    const urls = [await named('one'), await named('other')]
    const usual = await runJudge('--compare', ...urls)
    expect(usual.out).toContain('not compared: the headers date,')
    expect(usual.code).toBe(0)
    const all = await runJudge('--compare', ...urls, '--all-headers', '--mask', 'header:date')
    expect([all.code, all.out]).toEqual([1, expect.stringContaining('server one and other')])
  })

  it('finds different limits with fresh clients, and none in equal ones', async () => {
    const limited = (count: number) => serve((_, response) => response.end(), fixedWindow(count, 400))
    const options = ['--limit', '3/400ms', '--key-header', 'X-Key', '--no-textbook']
    const equal = await runJudge('--compare', await limited(3), await limited(3), ...options)
    expect([equal.code, equal.out]).toEqual([0, expect.stringContaining('respond alike (4 traces')])
    expect(equal.out).toMatch(/× 429/)
    const found = await runJudge('--compare', await limited(3), await limited(4), ...options)
    expect(found.out).toMatch(/status 429 and 200.*\n {5}3 × GET\n {5}GET {2}<- here/)
    expect(found.code).toBe(1)
  })

  it('names the traces of a limit that do not fit into the time', async () => {
    const url = await serve((_, response) => response.end())
    const { code, out } = await runJudge(
      '--compare',
      url,
      url,
      '--limit',
      '2/10s',
      '--no-textbook',
      '--seconds',
      '20',
      '--key-header',
      'X-Key',
    )
    expect(out).toContain(
      'not compared: more requests than the limit, again after the period: it waits for 10.05 s; raise --seconds to 41',
    )
    expect([code, out]).toEqual([0, expect.stringContaining('respond alike (1 traces')])
  })

  it('sends the requests of YAML, JSON and HAR files', async () => {
    const differing: Respond = (request, response, body) =>
      response.end(`${request.method} ${request.url} ${request.headers['x-a']} ${body}`)
    const [one, other] = [await serve((_, response) => response.end('same')), await serve(differing)]
    const run = async (file: string) => {
      const { out } = await runJudge(
        '--compare',
        `${one}/base`,
        `${other}/base`,
        '--requests',
        file,
        '--no-textbook',
        '--json',
      )
      const [found] = JSON.parse(out).differences
      return [found, ...found.others].map(({ right }: { right: string }) => right)
    }
    const yaml = writeFile(
      'a.yaml',
      'requests:\n  - DELETE /a/../b?c\n  - { method: POST, path: /d, headers: { X-A: 1 }, body: { e: 2 } }\n',
    )
    expect(await run(yaml)).toEqual(['DELETE /base/a/../b?c undefined ', 'POST /base/d 1 {"e":2}'])
    const entry = {
      request: {
        method: 'PUT',
        url: 'https://recorded.example/x//y',
        headers: [
          { name: 'X-A', value: '2' },
          { name: ':authority', value: 'recorded.example' },
          { name: 'Host', value: 'recorded.example' },
        ],
        postData: { text: 'body' },
      },
      response: { status: 200, headers: [] },
    }
    expect(await run(writeFile('a.har', JSON.stringify({ log: { entries: [entry] } })))).toEqual([
      'PUT /base/x//y 2 body',
    ])
  })

  it('sends the requests of a Postman collection, with its variables, and names what it cannot send', async () => {
    const sent: unknown[][] = []
    const recorded: Respond = ({ method, url, headers }, response, body) => {
      sent.push([method, url, headers['authorization'], headers['content-type'], headers['x-a'], body])
      response.end('same')
    }
    const [one, other] = [await serve((_, response) => response.end('same')), await serve(recorded)]
    const disabled = { key: 'no', value: '1', disabled: true }
    const form = (fields: unknown[]) => ({
      method: 'POST',
      url: '{{host}}/form',
      body: { mode: 'formdata', formdata: fields },
    })
    const collection = {
      info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      variable: [
        { key: 'host', value: 'https://api.example/v1' },
        { key: 'id', value: '7' },
      ],
      auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}' }] },
      event: [{ listen: 'prerequest', script: { exec: ['pm.variables.set("later", 1)'] } }],
      item: [
        {
          name: 'Orders',
          item: [
            {
              name: 'one',
              request: {
                method: 'GET',
                header: [{ key: 'X-A', value: '{{id}}' }, { key: 'Host', value: 'api.example' }, disabled],
                url: {
                  raw: '{{host}}/orders/:id?a=b c&no=1',
                  host: ['{{host}}'],
                  path: ['orders', ':id'],
                  query: [{ key: 'a', value: 'b c' }, disabled],
                  variable: [{ key: 'id', value: '{{id}}' }],
                },
              },
            },
            { name: 'text', request: 'http://localhost:1234/plain' },
          ],
        },
        {
          name: 'new',
          request: {
            method: 'POST',
            auth: {
              type: 'apikey',
              apikey: [
                { key: 'key', value: 'k' },
                { key: 'value', value: '1&2' },
                { key: 'in', value: 'query' },
              ],
            },
            url: '{{host}}/orders?x=1',
            body: { mode: 'raw', raw: '{"id":{{id}}}', options: { raw: { language: 'json' } } },
          },
        },
        { name: 'form', request: { ...form([{ key: 'a', value: 'é' }, disabled]), auth: { type: 'noauth' } } },
        { name: 'upload', request: form([{ key: 'f', type: 'file', src: '/tmp/x' }]) },
        { name: 'needs a script', request: '{{host}}/{{later}}' },
        { name: 'signed', request: { url: '{{host}}/s', auth: { type: 'awsv4' } } },
      ],
    }
    const env = writeFile(
      'env.json',
      JSON.stringify({
        values: [
          { key: 'token', value: 't' },
          { key: 'id', value: '8', enabled: true },
        ],
      }),
    )
    const file = writeFile('collection.json', JSON.stringify(collection))
    const run = (...args: string[]) => runJudge('--compare', one, other, '--no-textbook', '--requests', file, ...args)
    const { code, out } = await run('--env', env, '--json')
    const { notCompared } = JSON.parse(out)
    expect(code).toBe(0)
    const none = undefined
    // The first request is the one that asks whether the gateway responds.
    expect(sent.slice(1)).toEqual([
      ['GET', '/v1/orders/8?a=b%20c', 'Bearer t', none, '8', ''],
      ['GET', '/plain', 'Bearer t', none, none, ''],
      ['POST', '/v1/orders?x=1&k=1%262', none, 'application/json', none, '{"id":8}'],
      ['POST', '/v1/form', none, expect.stringMatching(/^multipart\/form-data; boundary=/), none, expect.any(String)],
    ])
    expect(String(sent.at(-1)?.at(-1)).match(/name="a"\r\n\r\nÃ©/)).not.toBeNull()
    expect(notCompared).toEqual([
      { what: 'upload', why: 'its form field "f" is a file, which is not part of the collection' },
      { what: 'needs a script', why: 'the variable {{later}} has no value; give it with --env FILE' },
      { what: 'signed', why: 'its authentication "awsv4" is not computed; give the header with -H' },
      { what: expect.stringMatching(/^scripts of .*collection\.json$/), why: '1 are not run' },
    ])
    const withoutToken = await run()
    expect(withoutToken.out).toContain('not compared: Orders / one: the variable {{token}} has no value')
  })

  it('ends in time, with progress, and says that it compared nothing', async () => {
    const slow = await serve((_, response) => void setTimeout(() => response.end(), 100))
    const quick = await serve((_, response) => response.end())
    const many = await runJudge('--compare', quick, quick, '--max-requests', '20')
    expect([many.code, many.out]).toEqual([
      0,
      expect.stringContaining('(9 traces with 9 requests, ended by --max-requests 20)'),
    ])
    const missing = await serve((_, response) => response.writeHead(404).end())
    const vacuous = await runJudge('--compare', missing, missing)
    expect([vacuous.code, vacuous.out]).toEqual([
      1,
      expect.stringContaining('nothing was compared: every response has a status from 400 on'),
    ])
    const late = await runJudge('--compare', slow, slow, '--seconds', '3')
    expect([late.code, late.out]).toEqual([
      0,
      expect.stringMatching(/respond alike \(\d+ traces .*, ended by the time limit\)/),
    ])
    expect(late.err).toMatch(/^compares: \d+ requests, 0 kinds of differences/)
  })

  it('reports what it cannot repeat, without an effect on the exit code', async () => {
    let isFirst = true
    const one = await serve((_, response) => response.end())
    const other = await serve(({ url }, response) => {
      if (url === '/a/../b' && isFirst) response.statusCode = 500
      if (url === '/a/../b') isFirst = false
      response.end()
    })
    const { code, out } = await runJudge('--compare', one, other)
    expect(out).toMatch(/status 200 and 500 \(once\)[\s\S]* did not occur again/)
    expect(out).toContain('differences that did not occur again, and do not change the exit code: 1')
    expect(code).toBe(0)
  })

  it('sends no more requests than --max-rate per second', async () => {
    const at: number[] = []
    const url = await serve((_, response) => {
      at.push(performance.now())
      response.end()
    })
    const file = writeFile('rate.yaml', '[{ path: /a, times: 10 }]')
    const { code } = await runJudge('--compare', url, url, '--requests', file, '--no-textbook', '--max-rate', '50')
    expect(code).toBe(0)
    expect(at).toHaveLength(22)
    // A request may arrive late, which shortens the time to the next one; over all of them the rate is kept.
    expect((at.at(-1) as number) - (at[0] as number)).toBeGreaterThan((21 * 1000) / 50 - 20)
  })

  it.each([
    [['http://127.0.0.1:1'], /name two URLs/],
    [['http://127.0.0.1:1', 'http://127.0.0.1:1'], /127\.0\.0\.1:1 cannot be compared: connect ECONNREFUSED/],
    [['http://127.0.0.1:1/?a', 'http://127.0.0.1:1'], /has a query; remove it/],
    [['http://127.0.0.1:1', 'http://192.0.2.1'], /192\.0\.2\.1, not this machine.*--i-own-this-host/],
    [['http://127.0.0.1:1', 'http://127.0.0.1:1', '--mask', 'date'], /"date" is not a mask; write status, header:NAME/],
    [['http://127.0.0.1:1', 'http://127.0.0.1:1', '--rename', 'a'], /"a" is not a rename/],
    [['http://127.0.0.1:1', 'http://127.0.0.1:1', '--limit', '1'], /"1" is not a limit/],
    [['http://127.0.0.1:1', 'http://127.0.0.1:1', '--kind', 'auto'], /--kind has no effect with --compare; remove it/],
    [['http://127.0.0.1:1', 'http://127.0.0.1:1', '--no-textbook'], /there are no requests to send/],
    [['http://127.0.0.1:1', 'http://127.0.0.1:1', '-H', 'Upgrade: h2c'], /Upgrade belongs to the connection/],
    [['http://127.0.0.1:1', 'http://127.0.0.1:1', '--requests', 'missing.yaml'], /missing\.yaml cannot be read/],
  ])('rejects %j', async (args, message) => {
    const { code, out, err } = await runJudge('--compare', ...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
  })

  it.each([
    [['--mask', 'status'], /--mask needs --compare URL1 URL2/],
    [['http://127.0.0.1:1'], /to compare http:\/\/127\.0\.0\.1:1 and http:\/\/127\.0\.0\.1:1, add --compare/],
  ])('without --compare rejects %j', async (args, message) => {
    const { code, err } = await runJudge('http://127.0.0.1:1', ...args)
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  it.each([
    ['requests: []', /has no requests; write a list/],
    ['[{ path: /a, metod: GET }]', /requests\[0\]\.metod is unknown; the fields are method, path/],
    ['[GET a]', /requests\[0\] is "GET a"; write a method and a path/],
    ['[{ path: "/a b" }]', /requests\[0\]\.path is "\/a b"; it must begin with/],
    ['[{ path: /a, times: 0 }]', /requests\[0\]\.times is 0; it must be a whole number from 1 on/],
    [
      '[{ path: /a, headers: { Host: b } }]',
      /requests\[0\]\.headers: Host belongs to the connection.*use -H 'Host: NAME'/,
    ],
    ['[{ steps: [GET /a], wait: 1 }]', /requests\[0\]\.steps must be a list of requests/],
    ['{ "log": {} }', /is not a HAR file: log\.entries is not a list/],
    ['{ "id": "a", "requests": [] }', /is a Postman collection of format 1; export it in format 2\.1/],
    ['{ "collection": { "info": {}, "item": [] } }', /is a Postman collection without requests/],
    ['[', /is neither YAML nor JSON/],
  ])('rejects the file %s', async (text, message) => {
    const file = writeFile(`wrong-${Math.random()}.yaml`, text)
    const { code, err } = await runJudge('--compare', 'http://127.0.0.1:1', 'http://127.0.0.1:1', '--requests', file)
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })
})
