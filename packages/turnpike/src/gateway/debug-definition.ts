/** POST /svc/debug: replays a request and writes request, response and logs as text. */
import { STATUS_CODES } from 'node:http'
import {
  collectResponse,
  type DebugListener,
  type DebugResult,
  type Engine,
  makeInjectedRequest,
} from '@turnpike/core/engine'
import { canonicalName, type HeaderPairs } from '@turnpike/core/http'
import { recordedStageName } from '@turnpike/core/pipeline'
import type { DebugInput, DebugReport } from '@turnpike/mgmt-api'
import { nowMicros } from './now-micros.ts'

/** Maximum number of bytes of a response body in the report. */
const maxBodyBytes = 1024 * 1024

export async function debugDefinition(engine: Engine, input: DebugInput): Promise<DebugReport> {
  const spec = definitionOf(input.spec)
  const logs = new LogLines(spec)
  let path = ''
  const replayed = { text: input.spec, ...(input.oas === undefined ? {} : { sidecar: input.oas }) }
  const makeRequest = (listenPath: string) => {
    path = `${listenPath.replace(/\/$/, '')}/${escapePath(input.path.replace(/^\//, ''))}`
    logs.path = path
    return makeInjectedRequest({
      method: input.method,
      url: path,
      headers: input.headers,
      remoteAddress: '',
      ...(input.body === '' ? {} : { body: input.body }),
    })
  }
  const replay = await engine.debugRequest(replayed, makeRequest, logs, nowMicros)
  if (replay.problem !== undefined) return { logs: logs.reject(reasonOf(replay)) }
  const { shown } = replay
  const request = shown(requestText(input, path, replay))
  const response = shown(await responseText(replay.response))
  return {
    response: `====== Request ======\n${request}\n====== Response ======\n${response}`,
    logs: logs.text(shown),
  }
}

interface SpecNames {
  readonly api_id: unknown
  readonly name: unknown
  readonly org_id: unknown
}

function definitionOf(text: string): Partial<SpecNames> {
  return JSON.parse(text) as Partial<SpecNames>
}

/** Why the definition is not served. Existing clients compare the texts about bundles and listen paths, so they are as recorded. */
function reasonOf({ problem, path }: Extract<DebugResult, { problem: string }>): string {
  if (path[0] === 'custom_middleware_bundle') return `Couldn't load bundle: ${problem}`
  if (path.join('.') !== 'proxy.listen_path') return `${path.join('.')} ${problem}`.trim()
  if (problem.startsWith('must not be empty')) return 'Listen path is empty'
  if (problem.includes('white space')) return 'Listen path contains spaces, is invalid'
  return `Listen path is invalid: ${problem}`
}

/** Percent-encodes the path of the call, which is decoded: `?` and `#` are part of it. */
function escapePath(path: string): string {
  return path.replace(/[^\w!$&'()*+,;=:@/~.%-]/gu, (char) => encodeURIComponent(char))
}

function requestText(input: DebugInput, path: string, { sent, left }: Extract<DebugResult, { sent: unknown }>): string {
  const { method, headers, body: bytes } = sent ?? { method: input.method, ...left }
  const given = new Set(input.headers.filter((_, i) => i % 2 === 0))
  const shown: HeaderPairs = []
  let host = ''
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    const value = headers[i + 1] as string
    if (name === 'host') host = value
    else if (given.has(name) || !ownNames.has(name)) shown.push(name, value)
  }
  const line = `${method} ${sent?.path ?? path} HTTP/1.1\r\n`
  const hostLine = sent === undefined ? '' : `Host: ${host}\r\n`
  const body = bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : input.body
  return `${line}${hostLine}${headerLines(shown)}\r\n${body}`
}

/** Headers that the gateway adds to every request for the upstream. */
const ownNames: ReadonlySet<string> = new Set([
  'user-agent',
  'accept-encoding',
  'content-length',
  'connection',
  'x-forwarded-for',
])

async function responseText(response: Parameters<typeof collectResponse>[0]): Promise<string> {
  const { status, pairs, bytes } = await collectResponse(response, maxBodyBytes)
  const reason = STATUS_CODES[status] ?? ''
  return `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\n${headerLines(pairs)}\r\n${new TextDecoder().decode(bytes)}`
}

/** Headers sorted by name, in canonical form: `X-Request-Id`. */
function headerLines(pairs: HeaderPairs): string {
  const lines: [name: string, line: string][] = []
  for (let i = 0; i < pairs.length; i += 2) {
    const name = canonicalName(pairs[i] as string)
    lines.push([name, `${name}: ${pairs[i + 1]}\r\n`])
  }
  return lines
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, line]) => line)
    .join('')
}

/** Collects the events of the replay as lines of JSON. */
class LogLines implements DebugListener {
  /** Path of the request. */
  path = ''
  private readonly lines: object[] = []
  private readonly api: Readonly<Record<string, unknown>>

  constructor({ api_id, name, org_id }: Partial<SpecNames>) {
    this.api = { api_id, api_name: name, org_id }
  }

  log(level: string, message: string, fields: object | undefined): void {
    this.add(level, message, { ...fields })
  }

  started(stage: string, phase: string): void {
    this.add('debug', 'Started', { mw: recordedStageName(stage, undefined), ...this.placeOf(phase) })
  }

  finished(
    stage: string,
    phase: string,
    micros: number,
    end: { readonly status: number; readonly message?: string } | undefined,
  ): void {
    const error = end?.message === undefined ? {} : { error: end.message }
    const result = { code: end?.status ?? 200, ...error, ns: Math.round(micros * 1000) }
    this.add('debug', 'Finished', { mw: recordedStageName(stage, undefined), ...result, ...this.placeOf(phase) })
  }

  /** Returns the log of a definition that is not served. */
  reject(reason: string): string {
    this.add('error', reason, {})
    this.add('error', 'Spec not valid, skipped!', {})
    return this.text((text) => text)
  }

  /** `shown` replaces secrets, which are known only after the replay. */
  text(shown: (text: string) => string): string {
    const hide = (_: string, value: unknown) => (typeof value === 'string' ? shown(value) : value)
    return this.lines.map((line) => `${JSON.stringify(line, hide)}\n`).join('')
  }

  private placeOf(phase: string) {
    return { type: phase === '6-shape-response' ? 'response' : 'request', path: this.path, origin: '' }
  }

  private add(level: string, msg: string, fields: object): void {
    this.lines.push({ ...this.api, ...fields, level, msg, time: new Date().toISOString() })
  }
}
