/** A gateway on a socket with APIs whose path rules an attacker would like to bypass, and the paths that each may reach. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGateway, type Gateway } from 'turnpike'
import { definition, keyed, paths, template } from '../subjects/definition.ts'
import { FuzzFinding } from './fuzz-target.ts'

/**
 * Listen paths, with the paths that their upstream may see. Paths are compared after decoding and removing dot segments.
 * Rules match anywhere in a path, as recorded.
 */
const reachable: Readonly<Record<string, RegExp>> = {
  open: /^\/base-open(\/|$)/,
  keyed: /^\/base-keyed\/(.*\/)?free(\/|$)/s,
  ruled: /^\/base-ruled(?!.*\/secret)(\/|$)/s,
  allowed: /^\/base-allowed\/(.*\/)?public/s,
  rewritten: /^\/base-rewritten(\/|$)/,
  checked: /^\/base-checked(\/|$)/,
  batched: /^\/base-batched(\/|$)/,
}
export const listenPaths: readonly string[] = Object.keys(reachable).map((name) => `/${name}/`)

export interface WireGateway {
  readonly port: number
  /** Throws a `FuzzFinding` if the upstream received a request that the rules should have stopped. */
  checkUpstream(input: string): void
  close(): Promise<void>
}

export async function startWireGateway(frontEnd: 'http1' | 'node'): Promise<WireGateway> {
  const seen: string[] = []
  const upstream = createServer((request, response) => respond(request, response, seen))
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const gateway = await createGateway({
    frontEnd,
    store: 'memory',
    log: 'silent',
    config: { secret: 'management-key-of-the-fuzzer', body_stall_timeout: 2 },
    definitions: () => definitions(base) as never,
  })
  const { port } = await gateway.listen(0, '127.0.0.1')
  return {
    port,
    checkUpstream(input) {
      const urls = seen.splice(0)
      for (const url of urls) if (!isReachable(url)) throw new FuzzFinding(`the upstream got ${url}`, input)
    },
    close: () => closeBoth(gateway, upstream),
  }
}

async function closeBoth(gateway: Gateway, upstream: Server): Promise<void> {
  await gateway.close(0)
  upstream.closeAllConnections()
  upstream.close()
}

function respond(request: IncomingMessage, response: ServerResponse, seen: string[]): void {
  const url = request.url ?? ''
  const canary = /\/canary-\d+$/.exec(url)?.[0]
  if (canary === undefined) seen.push(url)
  request.resume().on('end', () => response.end(canary ?? 'ok'))
}

/** As a lenient server reads the path: decoded once, backslashes as slashes, dot segments removed. */
function isReachable(url: string): boolean {
  const [raw = ''] = url.split('?', 1)
  const decoded = raw.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const kept: string[] = []
  for (const segment of decoded.replaceAll('\\', '/').split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  const path = `/${kept.join('/')}`
  return Object.values(reachable).some((allowed) => allowed.test(path))
}

function definitions(base: string): object[] {
  const api = (id: string, rules: object = {}, more: object = {}) =>
    definition(id, `${base}/base-${id}`, { ...paths(rules), ...more })
  const actions = (path: string, code = 200) => ({
    path,
    method_actions: Object.fromEntries(
      ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE'].map((method) => [
        method,
        { action: 'no_action', code, data: '', headers: {} },
      ]),
    ),
  })
  return [
    api('open'),
    api('keyed', { ignored: [actions('/free/')] }, { ...keyed, use_standard_auth: true }),
    api('ruled', { black_list: [actions('/secret')] }),
    api('allowed', { white_list: [actions('/public')] }),
    api('rewritten', {
      url_rewrites: [{ path: '/item/(.*)', method: 'GET', match_pattern: '/item/(.*)', rewrite_to: '/items/$1?a=$1' }],
    }),
    api('checked', {
      validate_json: [{ path: '/x', method: 'POST', schema: { type: 'object' }, error_response_code: 422 }],
      transform: [{ path: '/', method: 'POST', template_data: template('{"a":"{{.a}}"}') }],
    }),
    api('batched', {}, { enable_batch_request_support: true }),
  ]
}
