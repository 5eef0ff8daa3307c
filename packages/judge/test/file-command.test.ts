/** The command `judge --file`: several limits in one run, and errors that name the line. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startLimitedGateway } from '../../testkit/src/http-gateways/http-gateways.ts'
import { runJudge } from './support/small-gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnpike-judge-'))
const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await Promise.all(closing.map((close) => close()))
})

function write(text: string, name = `${randomUUID()}.yaml`): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

async function start(options: Partial<Parameters<typeof startLimitedGateway>[0]>): Promise<string> {
  const { url, close } = await startLimitedGateway({ rate: { count: 5, periodMs: 1000 }, ...options })
  closing.push(close)
  return url
}

describe.concurrent('judge --file', () => {
  it('judges each limit with its own request, keys and statuses', async () => {
    const quota = { rate: undefined, quota: { count: 3, periodMs: 1000 }, quotaStatus: 403, fault: 'crowd' } as const
    const [right, wrong] = [await start({}), await start(quota)]
    const keys = Array.from({ length: 200 }, (_, i) => `key-${i}`)
    write(keys.join('\n'), 'keys.txt')
    const file = write(`
key: { header: Authorization }
keys: { file: keys.txt }
limits:
  - name: orders
    url: ${right}
    path: /a
    method: POST
    body: { item: 1 }
    limit: 5/1s
  - url: ${wrong}
    path: /b
    quota: 3/1s
    rejected: [403]
`)
    const { code, out } = await runJudge('--file', file, '--seconds', '50', '--seed', '1', '--json')
    const { limits } = JSON.parse(out)
    expect(limits[0]).toMatchObject({ name: 'orders', holds: true, findings: [], notRepeated: [] })
    expect(limits[1]).toMatchObject({ name: 'GET /b, quota 3/1s', holds: false })
    expect(limits[1].findings).toContainEqual(expect.objectContaining({ attack: 'crowd', seen: 3 }))
    expect(code).toBe(1)
  })

  it.each([
    ['limits: []', ':1: there are no limits; write a list'],
    ['limits:\n  - { path: /a, limit: 5/1s }', ':2: url is missing; write url: http://HOST:PORT'],
    [
      'url: http://127.0.0.1:1\nlimits:\n  - path: /a\n    limits: 5/1s',
      ':4: limits is unknown; the fields are method',
    ],
    ['url: http://127.0.0.1:1\nlimits:\n  - path: /a\n    limit: 5 per 1s', ':4: "5 per 1s" is not a limit'],
    ['url: http://127.0.0.1:1\nlimits:\n  - path: a\n    limit: 5/1s', ':3: path is "a"; it must begin with /'],
    ['url: http://127.0.0.1:1\nlimits:\n  - path: /a b\n    limit: 5/1s', ':3: http://127.0.0.1:1/a b has a character'],
    ['url: http://127.0.0.1:1\nlimits:\n  - limit: 5/1s\n    quota: 9/1d', ':3: limit and quota: write one of them'],
    ['url: http://127.0.0.1:1\nkind: leaky\nlimits:\n  - limit: 5/1s', ':2: kind is "leaky"; it must be one of auto'],
    [
      'url: http://127.0.0.1:1\nkey: {header: K}\nkeys: [a]\nlimits: [{limit: 5/1s}, {limit: 6/1s}]',
      ':3: keys has 1 keys for 2',
    ],
    ['limits: [\n', ':2: this is not YAML'],
  ])('names the line of a mistake: %j', async (text, message) => {
    const file = write(text)
    const { code, err } = await runJudge('--file', file)
    expect(err).toContain(`error: ${file}${message}`)
    expect(code).toBe(2)
  })

  it('rejects options that are fields of the file', async () => {
    const { code, err } = await runJudge('--file', 'x.yaml', '--limit', '5/1s')
    expect([code, err]).toEqual([2, 'error: --limit has no effect with --file; write it into the file, or remove it'])
  })
})
