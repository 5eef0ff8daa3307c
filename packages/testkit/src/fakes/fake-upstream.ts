/**
 * An upstream without sockets. It responds as a script says, records its requests, and simulates delays, timeouts,
 * network errors and responses that break off, all on the given clock.
 */
import { type ByteStream, collect, type HeaderPairs } from '@turnpike/core/http'
import type {
  Clock,
  Upstream,
  UpstreamError,
  UpstreamLink,
  UpstreamOptions,
  UpstreamRequest,
  UpstreamResponse,
} from '@turnpike/core/ports'
import { fakeBody, type ScriptedBody } from './fake-body.ts'

/** The response of the script to one request. */
export interface Scripted extends ScriptedBody {
  /** Default 200. */
  readonly status?: number
  readonly headers?: HeaderPairs
  /** Milliseconds until the head of the response. Default 0. */
  readonly delayMs?: number
  /** Fails the request with this reason instead of responding. */
  readonly failure?: UpstreamError['reason']
}

/** A request that the upstream received, with its complete body. */
export interface ReceivedRequest {
  readonly origin: string
  readonly method: string
  readonly path: string
  readonly headers: HeaderPairs
  /** `undefined` if the request had no body. */
  readonly body: Uint8Array | undefined
  /** Number of earlier requests, to all origins. */
  readonly index: number
}

export type Script = (request: ReceivedRequest) => Scripted | Promise<Scripted>

export interface FakeUpstream extends Upstream {
  readonly requests: readonly ReceivedRequest[]
  /** Number of links to this origin that were not released. */
  openLinks(origin: string): number
  /** Number of requests without a result so far. */
  readonly underWay: number
  /** Replaces the script, starting with the next request. */
  play(script: Script): void
}

/** Makes an upstream. The default script responds with status 200 and no body. */
export function makeFakeUpstream(clock: Clock, firstScript: Script = () => ({})): FakeUpstream {
  const requests: ReceivedRequest[] = []
  const openLinkCounts = new Map<string, number>()
  let script = firstScript
  let underWay = 0

  const send = (origin: string, request: UpstreamRequest): Promise<UpstreamResponse | UpstreamError> =>
    new Promise((resolve) => {
      let settled = false
      underWay += 1
      const settle = (result: UpstreamResponse | UpstreamError) => {
        if (settled) return
        settled = true
        underWay -= 1
        stopWaiting()
        resolve(result)
      }
      const stopWaiting =
        request.timeoutMs > 0 ? clock.after(request.timeoutMs, () => settle(failed('timeout'))) : () => {}
      request.onStart?.(() => settle(failed('cancelled')))
      void runScript(origin, request)
        .then((scripted) => {
          const reply = () => settle(responseOf(scripted, clock))
          if (scripted.delayMs === undefined || scripted.delayMs <= 0) reply()
          else clock.after(scripted.delayMs, reply)
        })
        .catch((error: unknown) => settle(failed('broken', error)))
    })

  const runScript = async (origin: string, request: UpstreamRequest): Promise<Scripted> => {
    const { method, path, headers } = request
    const index = requests.length
    // The entry is reserved before the body is read, so that requests with slow bodies keep their order.
    requests.push({ origin, method, path, headers, body: undefined, index })
    const whole = { origin, method, path, headers, body: await wholeBody(request.body), index }
    requests[index] = whole
    return script(whole)
  }

  return {
    requests,
    openLinks: (origin) => openLinkCounts.get(origin) ?? 0,
    get underWay() {
      return underWay
    },
    play(next) {
      script = next
    },
    connect(origin: string, _options: UpstreamOptions): UpstreamLink {
      openLinkCounts.set(origin, (openLinkCounts.get(origin) ?? 0) + 1)
      let released = false
      return {
        send: (request) => send(origin, request),
        release() {
          if (released) return
          released = true
          openLinkCounts.set(origin, (openLinkCounts.get(origin) ?? 1) - 1)
        },
      }
    },
    close: () => Promise.resolve(),
  } satisfies FakeUpstream
}

function responseOf(scripted: Scripted, clock: Clock): UpstreamResponse | UpstreamError {
  if (scripted.failure !== undefined) return failed(scripted.failure)
  const { body, bodyLength } = fakeBody(scripted, clock)
  return { kind: 'response', status: scripted.status ?? 200, headers: scripted.headers ?? [], body, bodyLength }
}

function failed(reason: UpstreamError['reason'], cause?: unknown): UpstreamError {
  return { kind: 'error', reason, cause: cause ?? new Error(`the script says: ${reason}`) }
}

async function wholeBody(body: ByteStream | Uint8Array | undefined): Promise<Uint8Array | undefined> {
  return body === undefined || body instanceof Uint8Array ? body : collect(body)
}
