/** Records the traffic of a gateway, and replays recorded traffic to find requests whose responses have changed. */
import type { Clock } from '@turnpike/core/ports'
import { type ClientResponse, type CompareOptions, differenceOf, type Recorded, type Send } from '@turnpike/exchange'

export interface Recorder {
  readonly send: Send
  /** Requests in the order in which they were sent. Requests without a response are left out. */
  recorded(): readonly Recorded[]
}

export interface RecorderOptions {
  /** Headers whose values are not recorded. Default: `authorization`, `proxy-authorization`, `cookie`, `set-cookie` and `x-api-key`. */
  readonly secretHeaders?: readonly string[]
}

const secrets = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']

/** Wraps `send` with a recorder. Values of secret headers are recorded as `***`, so that files can be shared. */
export function recordTraffic(send: Send, clock: Pick<Clock, 'now'>, options: RecorderOptions = {}): Recorder {
  const hidden = new Set((options.secretHeaders ?? secrets).map((name) => name.toLowerCase()))
  const hide = (headers: ClientResponse['headers']) =>
    headers.map(([name, value]) => [name, hidden.has(name.toLowerCase()) ? '***' : value] as const)
  const entries: (Recorded | undefined)[] = []
  return {
    async send(request) {
      const slot = entries.push(undefined) - 1
      const at = clock.now()
      const response = await send(request)
      entries[slot] = {
        at,
        tookMs: clock.now() - at,
        request: { ...request, headers: hide(request.headers) },
        response: { ...response, headers: hide(response.headers) },
      }
      return response
    },
    recorded: () => entries.filter((entry) => entry !== undefined),
  }
}

/** A recorded request whose response has changed. */
export interface ReplayDifference {
  readonly index: number
  readonly recorded: Recorded
  /** `undefined` if there was no response. */
  readonly response: ClientResponse | undefined
  /** The recorded value first, then the current one. */
  readonly difference: string
}

export interface ReplayOptions extends CompareOptions {
  /** Headers that replace those of every request, such as credentials. `undefined` removes a header. */
  readonly requestHeaders?: Readonly<Record<string, string | undefined>>
  /** Called with the milliseconds between two requests, to advance a virtual clock or to wait. Default: no waiting. */
  readonly pass?: (ms: number) => void | Promise<void>
}

/** Sends the recorded requests one after the other and returns those whose response has changed. */
export async function replayTraffic(
  recorded: readonly Recorded[],
  send: Send,
  options: ReplayOptions = {},
): Promise<ReplayDifference[]> {
  const differences: ReplayDifference[] = []
  let before = recorded[0]?.at ?? 0
  for (const [index, entry] of recorded.entries()) {
    if (entry.at > before) await options.pass?.(entry.at - before)
    before = Math.max(before, entry.at)
    const request = { ...entry.request, headers: replaceHeaders(entry.request.headers, options.requestHeaders ?? {}) }
    let response: ClientResponse | undefined
    let difference: string | undefined
    try {
      response = await send(request)
      difference = differenceOf(entry.response, response, options)
    } catch (cause) {
      difference = `status ${entry.response.status} and no response: ${String(cause)}`
    }
    if (difference !== undefined) differences.push({ index, recorded: entry, response, difference })
  }
  return differences
}

function replaceHeaders(
  lines: ClientResponse['headers'],
  over: Readonly<Record<string, string | undefined>>,
): ClientResponse['headers'] {
  const names = new Set(Object.keys(over).map((name) => name.toLowerCase()))
  const added = Object.entries(over).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), value] as const],
  )
  return [...lines.filter(([name]) => !names.has(name.toLowerCase())), ...added]
}
