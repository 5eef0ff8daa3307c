/**
 * Small HTTP gateways with limits, correct or with one seeded bug each, as subjects of tests:
 *
 *     const gateway = await startLimitedGateway({ rate: { count: 10, periodMs: 2000 }, fault: 'crowd' })
 *     await fetch(gateway.url, { headers: { Authorization: 'blue' } })
 *
 * All paths belong to one API, except those below `/internal/`, which belong to an API that no key may use. `POST /batch`
 * sends several requests.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { makeAdmission } from './admission.ts'
import { type ApiResponse, jsonResponse } from './api-response.ts'
import { type HowSent, respondToBatch } from './batch.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { checkGateway, type LimitedGatewayOptions } from './gateway-options.ts'
import { rateHeaders } from './rate-headers.ts'
import { type Fault, faults } from './seeded-bugs.ts'

export interface LimitedGateway {
  readonly port: number
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string
  close(): Promise<void>
}

/** Starts a gateway on 127.0.0.1. Throws a `TypeError` for invalid options; rejects if the TCP port is taken. */
export async function startLimitedGateway(options: LimitedGatewayOptions): Promise<LimitedGateway> {
  checkGateway(options)
  const respond = makeResponder(options)
  const server = createServer((request, response) => {
    respond(request).then(
      (answer) => write(response, answer, request.method),
      () => response.destroy(),
    )
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A key, and how the client wrote it. */
interface Key {
  readonly name: string
  readonly spelling: string
}

function makeResponder(options: LimitedGatewayOptions): (request: IncomingMessage) => Promise<ApiResponse> {
  const { methods = ['GET', 'HEAD', 'POST'], keys, keyHeader = 'Authorization' } = options
  const fault: Fault = options.fault === undefined ? { effect: 'none' } : faults[options.fault]
  const send = makeSender(options)
  return async (request) => {
    const { method = 'GET', url = '/' } = request
    const { origin } = request.headers
    const requested = request.headers['access-control-request-method']
    if (method === 'OPTIONS' && requested !== undefined) {
      return { status: 204, headers: preflightHeaders({ origin, method: requested }, methods, fault.cors), body: '' }
    }
    const cors = corsHeaders({ origin, method }, methods, fault.cors)
    if (!methods.includes(method)) {
      return jsonResponse(405, { error: 'method not allowed' }, { ...cors, Allow: methods.join(', ') })
    }
    const spelling = String(request.headers[keyHeader.toLowerCase()] ?? '')
    const name = keyNameOf(spelling)
    if (name === undefined) return jsonResponse(401, { error: `the header ${keyHeader} with a key is missing` }, cors)
    if (keys?.includes(name) === false) return jsonResponse(401, { error: 'the key is unknown' }, cors)
    const body = await bodyOf(request)
    const path = url.split('?', 1)[0] as string
    const key: Key = { name, spelling }
    const isBatch = method === 'POST' && path === '/batch'
    const answer = isBatch
      ? await respondToBatch(body, fault.batch, (item, how) => send(item, key, how))
      : await send(path, key, { isCounted: true, isChecked: true })
    return { ...answer, headers: { ...answer.headers, ...cors } }
  }
}

/** The organisation that a full key name begins with: `acme.blue` is the full name of `blue`. */
const organisation = 'acme.'

/**
 * The one name of all spellings of a key: without the scheme `Bearer`, blanks and the organisation, in lower case.
 * Returns `undefined` if the header is missing or empty.
 */
function keyNameOf(header: string | undefined): string | undefined {
  const key = (header ?? '')
    .trim()
    .replace(/^bearer\s+/i, '')
    .toLowerCase()
  return (key.startsWith(organisation) ? key.slice(organisation.length) : key) || undefined
}

/** Returns a function that sends one request through the limits to the API. */
function makeSender(options: LimitedGatewayOptions): (path: string, key: Key, how: HowSent) => Promise<ApiResponse> {
  const { headers: styles = [], quotaStatus = 429, now = Date.now, sleep = sleepFor } = options
  const admit = makeAdmission(options)
  return async (path, { name, spelling }, { isCounted, isChecked }) => {
    const isInternal = isOtherApi(path)
    if (isInternal && isChecked) return jsonResponse(403, { error: 'the path belongs to another API' })
    const decisions = isCounted ? await admit(name, spelling) : []
    const headers = rateHeaders(styles, decisions, now())
    const rejecting = decisions.find(({ decision }) => !decision.allowed)
    if (rejecting !== undefined) {
      const status = rejecting.name === 'quota' ? quotaStatus : 429
      return jsonResponse(status, { error: `${rejecting.name} limit exceeded` }, headers)
    }
    const delayMs = Math.max(0, ...decisions.map(({ decision }) => decision.delayMs))
    if (delayMs > 0) await sleep(delayMs)
    return jsonResponse(200, { api: isInternal ? 'internal' : 'public', path, key: name }, headers)
  }
}

/** Returns true if the path, with its dot segments resolved, belongs to the internal API. */
function isOtherApi(path: string): boolean {
  const { pathname } = new URL(path, 'http://gateway')
  return /^\/+internal(\/|$)/.test(pathname)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > 1 << 20) throw new Error('the body is larger than 1 MiB')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString()
}

function write(response: ServerResponse, { status, headers, body }: ApiResponse, method: string | undefined): void {
  response.writeHead(status, headers).end(method === 'HEAD' ? undefined : body)
}
