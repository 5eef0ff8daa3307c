/** Limiters of real programs over HTTP, which were accused although they keep their limit, or got away with a mistake. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { makeVirtualClock } from '../../testkit/src/virtual-clock.ts'
import { blocking, both, type MakeLimiter, tokenBucket, windowFromFirst } from './support/limiters.ts'
import { closeSmallGateways, type Decide, fixedWindow, runJudge, startSmallGateway } from './support/small-gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnpike-judge-'))
const servers: Server[] = []
afterAll(() => {
  closeSmallGateways()
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The limiter on the clock of this machine. */
function inRealTime(make: MakeLimiter, count: number, periodMs: number): Decide {
  const decide = make({ count, periodMs }, { ...makeVirtualClock(), now: Date.now })
  return (key) => ({ admitted: decide(key) === true })
}

const options = ['--limit', '5/1s', '--key-header', 'X-Key', '--seconds', '30', '--seed', '1']

describe.concurrent('turnpike judge', () => {
  it.each<[string, MakeLimiter, readonly string[]]>([
    ['blocks clients for a period', blocking(), []],
    ['has a bucket and a window at once', both(tokenBucket(), windowFromFirst()), []],
    ['has both, documented as a bucket', both(tokenBucket(), windowFromFirst()), ['--kind', 'token-bucket']],
  ])('does not accuse a limiter that %s', async (_, make, more) => {
    const url = await startSmallGateway(inRealTime(make, 5, 1000))
    const { code, out } = await runJudge(url, ...options, ...more)
    expect(out).not.toContain('contradicts its documentation')
    expect(out).not.toMatch(/token bucket with room for 4 \(sure/)
    expect(code, out).toBe(0)
  })

  it('confirms at 100 in 10 s, with the default budget, that a counter is written too late', async () => {
    const url = await startSmallGateway(fixedWindow(100, 10_000, 2))
    const { code, out } = await runJudge(url, '--limit', '100/10s', '--key-header', 'X-Key', '--seed', '1')
    expect(out).toMatch(/\(crowd\): at 0 ms of (\d+) concurrent requests \1 are admitted/)
    expect(code).toBe(1)
  })

  it('says at once that clients are not distinguished, with a script that shows it', async () => {
    const url = await startSmallGateway(fixedWindow(5, 2000))
    const file = join(folder, 'repeat.sh')
    const args = ['--limit', '5/2s', '--key-header', 'X-Api-Key', '--curl', file]
    const { code, out } = await runJudge(url, ...args)
    expect(out).toMatch(/the gateway does not tell these clients apart\. Is --key-header right\?/)
    expect(Number(/ requests in (\d+\.\d) s/.exec(out)?.[1])).toBeLessThan(2)
    expect(code).toBe(1)
    await wait(2100)
    const { stdout } = await promisify(execFile)('bash', [file])
    expect(stdout).toMatch(/^0 ms: (200 ){5}(429 )+\n.*client judge-\w+\): 429 $/m)
  })

  it('does not take a failing upstream for the limiter', async () => {
    const limit = fixedWindow(5, 1000)
    let requests = 0
    const server = createServer(async (request, response) => {
      const { admitted } = await limit(String(request.headers['x-key']), Date.now(), request)
      requests += 1
      response.writeHead(admitted ? (requests % 7 === 0 ? 503 : 200) : 429).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { code, out } = await runJudge(url, ...options)
    expect([code, out]).toEqual([0, expect.stringContaining('0 findings')])
  })

  it('is undecided if the budget is too small, and says which one is enough', async () => {
    const url = await startSmallGateway(fixedWindow(5, 1000))
    const small = ['--limit', '5/1s', '--key-header', 'X-Key', '--seconds', '3']
    const { code, out } = await runJudge(url, ...small)
    expect(out).toMatch(/^undecided \(the budget was too small for .*\), \d+ requests/m)
    expect(out).toMatch(/^a complete verdict needs --seconds \d+ --max-requests \d+$/m)
    expect(out).not.toContain('0 findings')
    expect(code).toBe(3)
    expect((await runJudge(url, ...small, '--strict')).code).toBe(1)
  })
})
