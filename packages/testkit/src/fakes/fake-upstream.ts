/**
 * An upstream without sockets: answers by a script, keeps what it was asked, and plays the faults of real ones.
 * Bodies in chunks, delays on the given clock, answers that break off, and cancelling are `fake-body.ts`.
 */
import {
  type ByteStream,
  type Clock,
  collect,
  type HeaderPairs,
  type Upstream,
  type UpstreamAnswer,
  type UpstreamFault,
  type UpstreamLink,
  type UpstreamOptions,
  type UpstreamRequest,
} from '@turnpike/core'
import { fakeBody } from './fake-body.ts'

/** What the script says to one request. */
export interface Scripted {
  /** Default 200. */
  readonly status?: number
  readonly headers?: HeaderPairs
  /** Text, bytes, or chunks that come one after the other as a stream. Default none. */
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[]
  /** Time until the head of the answer. Default 0: at once. */
  readonly delayMs?: number
  /** Time between two chunks. Default 0. */
  readonly chunkDelayMs?: number
  /** The answer's body fails after its last chunk instead of ending. */
  readonly breakOff?: boolean
  /** Instead of an answer. */
  readonly fault?: UpstreamFault['reason']
}

/** What the upstream was asked, its body read to the end. */
export interface AskedRequest {
  readonly origin: string
  readonly method: string
  readonly path: string
  readonly headers: HeaderPairs
  /** `undefined`: none came. */
  readonly body: Uint8Array | undefined
  /** How many requests came before this one, on all origins. */
  readonly index: number
}

export type Script = (request: AskedRequest) => Scripted | Promise<Scripted>

export interface FakeUpstream extends Upstream {
  readonly asked: readonly AskedRequest[]
  /** Shares of links that were not released, by origin. */
  openLinks(origin: string): number
  /** Calls that have begun and neither ended nor were given up. */
  readonly underWay: number
  /** Another script from the next request on. */
  play(script: Script): void
}

/** Makes an upstream. Without a script it answers 200 without a body. */
export function makeFakeUpstream(clock: Clock, firstScript: Script = () => ({})): FakeUpstream {
  const asked: AskedRequest[] = []
  const shares = new Map<string, number>()
  let script = firstScript
  let underWay = 0

  const send = (origin: string, request: UpstreamRequest): Promise<UpstreamAnswer | UpstreamFault> =>
    new Promise((resolve) => {
      let settled = false
      underWay += 1
      const settle = (result: UpstreamAnswer | UpstreamFault) => {
        if (settled) return
        settled = true
        underWay -= 1
        stopWaiting()
        resolve(result)
      }
      const stopWaiting =
        request.timeoutMs > 0 ? clock.after(request.timeoutMs, () => settle(fault('timeout'))) : () => {}
      request.onStart?.(() => settle(fault('cancelled')))
      void askScript(origin, request)
        .then((scripted) => {
          const reply = () => settle(answerOf(scripted, clock))
          if (scripted.delayMs === undefined || scripted.delayMs <= 0) reply()
          else clock.after(scripted.delayMs, reply)
        })
        .catch((error: unknown) => settle(fault('broken', error)))
    })

  const askScript = async (origin: string, request: UpstreamRequest): Promise<Scripted> => {
    const { method, path, headers } = request
    const index = asked.length
    // The place is taken at once: requests whose bodies come slowly keep their order.
    asked.push({ origin, method, path, headers, body: undefined, index })
    const whole = { origin, method, path, headers, body: await wholeBody(request.body), index }
    asked[index] = whole
    return script(whole)
  }

  return {
    asked,
    openLinks: (origin) => shares.get(origin) ?? 0,
    get underWay() {
      return underWay
    },
    play(next) {
      script = next
    },
    connect(origin: string, _options: UpstreamOptions): UpstreamLink {
      shares.set(origin, (shares.get(origin) ?? 0) + 1)
      let released = false
      return {
        send: (request) => send(origin, request),
        release() {
          if (released) return
          released = true
          shares.set(origin, (shares.get(origin) ?? 1) - 1)
        },
      }
    },
    close: () => Promise.resolve(),
  } satisfies FakeUpstream
}

function answerOf(scripted: Scripted, clock: Clock): UpstreamAnswer | UpstreamFault {
  if (scripted.fault !== undefined) return fault(scripted.fault)
  const { body, bodyLength } = fakeBody(scripted, clock)
  return { kind: 'answer', status: scripted.status ?? 200, headers: scripted.headers ?? [], body, bodyLength }
}

function fault(reason: UpstreamFault['reason'], cause?: unknown): UpstreamFault {
  return { kind: 'fault', reason, cause: cause ?? new Error(`the script says: ${reason}`) }
}

async function wholeBody(body: ByteStream | Uint8Array | undefined): Promise<Uint8Array | undefined> {
  return body === undefined || body instanceof Uint8Array ? body : collect(body)
}
