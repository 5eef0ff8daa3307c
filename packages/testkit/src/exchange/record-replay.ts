/** Writes down the traffic of a gateway, and plays such traffic to any gateway again to see whether it answers alike. */
import type { Clock } from '@turnpike/core'
import { type CompareOptions, differenceOf } from './compare-responses.ts'
import type { Answered, Send } from './exchange.ts'
import type { Recorded } from './har.ts'

export interface Recorder {
  readonly send: Send
  /** In the order in which the requests began; those without an answer are left out. */
  recorded(): readonly Recorded[]
}

export interface RecorderOptions {
  /** Headers whose values are not written down. Default: `authorization`, `cookie`, `set-cookie` and `x-api-key`. */
  readonly secretHeaders?: readonly string[]
}

const secrets = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']

/** Puts a recorder before a gateway. What authenticates is written as `***`, so that files can be shared. */
export function recordTraffic(send: Send, clock: Pick<Clock, 'now'>, options: RecorderOptions = {}): Recorder {
  const hidden = new Set((options.secretHeaders ?? secrets).map((name) => name.toLowerCase()))
  const hide = (headers: Answered['headers']) =>
    headers.map(([name, value]) => [name, hidden.has(name.toLowerCase()) ? '***' : value] as const)
  const entries: (Recorded | undefined)[] = []
  return {
    async send(ask) {
      const place = entries.push(undefined) - 1
      const at = clock.now()
      const answered = await send(ask)
      entries[place] = {
        at,
        tookMs: clock.now() - at,
        ask: { ...ask, headers: hide(ask.headers) },
        answered: { ...answered, headers: hide(answered.headers) },
      }
      return answered
    },
    recorded: () => entries.filter((entry) => entry !== undefined),
  }
}

/** A recorded request that is answered otherwise now. */
export interface ReplayDifference {
  readonly index: number
  readonly recorded: Recorded
  /** `undefined`: no answer came. */
  readonly answered: Answered | undefined
  /** Recorded first, then what came now. */
  readonly difference: string
}

export interface ReplayOptions extends CompareOptions {
  /** Headers laid over those of every request: credentials, that recorders leave out. `undefined` takes one off. */
  readonly requestHeaders?: Readonly<Record<string, string | undefined>>
  /** Is told of the time between two requests; to advance a virtual clock, or to wait. Default: nobody waits. */
  readonly pass?: (ms: number) => void | Promise<void>
}

/** Plays recorded requests one after the other and tells each that is answered otherwise. */
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
    const ask = { ...entry.ask, headers: laidOver(entry.ask.headers, options.requestHeaders ?? {}) }
    let answered: Answered | undefined
    let difference: string | undefined
    try {
      answered = await send(ask)
      difference = differenceOf(entry.answered, answered, options)
    } catch (cause) {
      difference = `status ${entry.answered.status} and no answer: ${String(cause)}`
    }
    if (difference !== undefined) differences.push({ index, recorded: entry, answered, difference })
  }
  return differences
}

function laidOver(lines: Answered['headers'], over: Readonly<Record<string, string | undefined>>): Answered['headers'] {
  const names = new Set(Object.keys(over).map((name) => name.toLowerCase()))
  const added = Object.entries(over).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), value] as const],
  )
  return [...lines.filter(([name]) => !names.has(name.toLowerCase())), ...added]
}
