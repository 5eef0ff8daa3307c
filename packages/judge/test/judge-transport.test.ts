/** How requests are sent: within the rate cap, and over TLS. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { cert, key } from '../../upstream/test/local-certificate.ts'
import { closeSmallGateways, fixedWindow, runJudge, startSmallGateway } from './support/small-gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnpike-judge-tls-'))
const authority = join(folder, 'authority.pem')
writeFileSync(authority, cert)
const servers: Server[] = []
afterAll(() => {
  closeSmallGateways()
  rmSync(folder, { recursive: true, force: true })
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

const options = ['--limit', '3/800ms', '--key-header', 'X-Key', '--seconds', '20']

async function startSecureGateway(limit: number): Promise<number> {
  const decide = fixedWindow(limit, 800)
  const server = createServer({ key, cert }, async (request, response) => {
    const { admitted } = await decide(String(request.headers['x-key']), Date.now(), request)
    response.writeHead(admitted ? 200 : 429).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return (server.address() as AddressInfo).port
}

describe.concurrent('turnpike judge', () => {
  it('sends no more requests than --max-rate per second, and names the crowds that it does not send', async () => {
    const at: number[] = []
    const limit = fixedWindow(3, 800)
    const url = await startSmallGateway((client, now, request) => {
      at.push(performance.now())
      return limit(client, now, request)
    })
    const { code, out } = await runJudge(url, ...options, '--seconds', '12', '--max-rate', '35')
    expect(out).toMatch(/^not judged: crowd \(3 traces\): it sends \d+ requests at once, and --max-rate is 35$/m)
    expect(code).toBe(0)
    expect(at.length).toBeGreaterThan(20)
    // A request may arrive late, which shortens the time to the next one; over all of them the rate is kept.
    expect((at.at(-1) as number) - (at[0] as number)).toBeGreaterThan(((at.length - 1) * 1000) / 35 - 30)
  })

  it('rejects a certificate of an unknown issuer and suggests a fix', async () => {
    const url = `https://127.0.0.1:${await startSecureGateway(3)}/`
    for (const args of [
      [url, ...options],
      ['--compare', url, url],
    ]) {
      const { code, err } = await runJudge(...args)
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/self-signed certificate; name its authority with --cacert FILE, or add --insecure/),
      ])
    }
  })

  it.each([['--cacert', authority], ['--insecure']])('judges over TLS with %s', async (...trust) => {
    const url = `https://127.0.0.1:${await startSecureGateway(3)}/`
    const higher = `https://127.0.0.1:${await startSecureGateway(4)}/`
    const found = await runJudge(higher, ...options, ...trust)
    expect(found.code, found.out).toBe(1)
    expect(found.out).toContain(
      trust[0] === '--insecure' ? 'send() { curl -k -s' : `send() { curl --cacert '${authority}' -s`,
    )
    const compared = await runJudge('--compare', url, higher, ...options, '--no-textbook', ...trust)
    expect(compared.out).toMatch(/status 429 and 200/)
    expect(compared.out).toMatch(
      trust[0] === '--insecure' ? /do curl -k -sSig/ : /do curl --cacert \S+authority\.pem -sSig/,
    )
  })

  it.each([
    [['--cacert', 'missing.pem'], /missing\.pem cannot be read/],
    [['--cacert', import.meta.filename], /has no certificate in PEM format/],
    [['--cacert', authority, '--insecure'], /--insecure accepts any certificate, so --cacert has no effect/],
  ])('rejects %j', async (args, message) => {
    for (const target of [
      ['https://127.0.0.1:1/', ...options],
      ['--compare', 'https://127.0.0.1:1/', 'https://127.0.0.1:1/'],
    ]) {
      const { code, err } = await runJudge(...target, ...args)
      expect([code, err]).toEqual([2, expect.stringMatching(message)])
    }
  })
})
