/** A rule for a method holds in every case of its letters: upstreams exist that ignore case. */
import { isToken } from '@turnpike/core/http'
import { rawExchange } from '@turnpike/testkit/suites/http-wire/raw-exchange'
import { hasResponse } from '@turnpike/testkit/suites/http-wire/wire-responses'
import { createGateway } from 'turnpike'
import { definition, paths } from '../subjects/definition.ts'
import { recordingUpstream } from './empty-upstream.ts'
import { FuzzFinding, type FuzzTarget } from './fuzz-target.ts'
import { makeRandom, mostly, mutateText, pick, type Random } from './generate.ts'

/** HEAD has no rule of its own, so it has that of GET. */
const ruled: ReadonlySet<string> = new Set(['GET', 'POST', 'HEAD', 'PURGE'])
const methods: readonly string[] = [...ruled, 'PUT', 'OPTIONS', 'TRACE', 'CONNECT', 'FOO', 'GETT', 'G']
const noAction = { action: 'no_action', code: 200, data: '', headers: {} }
const rule = {
  path: '/secret',
  method_actions: Object.fromEntries([...ruled].filter((name) => name !== 'HEAD').map((name) => [name, noAction])),
}
const pieces: readonly string[] = ['\u017f', '\u0131', ' ', '\t', '\0', '-', '_', '!', 'get', 'GET']
const waitMs = 1_000

interface Seen {
  readonly method: string
  readonly path: string
}

export const methodTarget: FuzzTarget = {
  name: 'methods',
  weight: 2,
  keepsState: false,
  async open() {
    const seen: Seen[] = []
    const upstream = recordingUpstream(({ method, path }) => void seen.push({ method, path }))
    const open = async (frontEnd: 'http1' | 'node') => {
      const gateway = await createGateway({
        ...{ frontEnd, upstream, store: 'memory', log: 'silent' },
        config: { secret: 'management-key-of-the-fuzzer' },
        definitions: () =>
          [
            definition('ruled', 'http://127.0.0.1:1', {
              ...paths({ black_list: [rule] }),
              enable_batch_request_support: true,
            }),
          ] as never,
      })
      return { gateway, port: (await gateway.listen(0, '127.0.0.1')).port }
    }
    const opened = [await open('http1'), await open('node')] as const
    const [{ gateway }] = opened
    const check = (input: string) => {
      for (const { method, path } of seen.splice(0)) {
        if (method !== method.toUpperCase()) throw new FuzzFinding(`the upstream got the method ${method}`, input)
        if (path.includes('/secret') && ruled.has(method.trim()))
          throw new FuzzFinding(`a closed path got ${method}`, input)
      }
    }
    return {
      async run(seed) {
        const random = makeRandom(seed)
        const method = methodOf(random)
        // Front ends and batches reject what is not a token, so the engine gets tokens only.
        if (isToken(method)) await gateway.inject({ method, url: '/ruled/secret' })
        check(method)
        const body = JSON.stringify({ requests: [{ method, relative_url: 'ruled/secret', headers: {}, body: '' }] })
        await gateway.inject({ method: 'POST', url: '/ruled/svc/batch/', body })
        check(method)
        const bytes = `${method} /ruled/secret HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`
        for (const { port } of opened) {
          await rawExchange(port, Buffer.from(bytes, 'latin1'), { until: hasResponse, waitMs })
          check(method)
        }
      },
      async close() {
        for (const one of opened) await one.gateway.close(0)
      },
    }
  },
}

/** A method in any case, sometimes with other letters. */
function methodOf(random: Random): string {
  const name = Array.from(pick(random, methods), (letter) => (random(2) === 0 ? letter : letter.toLowerCase())).join('')
  return mostly(random, [name, mutateText(random, name, pieces, 1)])
}
