/**
 * Fuzz target for the response parser. Each seed makes bytes by a grammar of HTTP/1.1 responses in which every rule may
 * go wrong, feeds them whole and in pieces, and checks what must hold for any bytes. Prints nothing; throws a
 * `FuzzFailure` with the bytes.
 */
import { ResponseParser } from '../parser/response-parser.ts'
import { hostileResponse } from './hostile-response.ts'
import { makeRandom, type Random } from './random.ts'

/** The parser broke a rule. The message has the seed, by which the same bytes can be made again. */
export class FuzzFailure extends Error {
  constructor(seed: number, problem: string, bytes: Buffer) {
    super(`seed ${seed}: ${problem}: ${JSON.stringify(bytes.toString('latin1'))}`)
  }
}

/** What the parser reported for some bytes. */
interface Parsed {
  readonly state: string
  readonly consumed: number
  /** Heads, body bytes and trailers in order, adjacent body bytes joined. */
  readonly events: readonly string[]
}

const maxHeadBytes = 1024

/** Runs one case. `seed` is any whole number; the same seed makes the same case. */
export function fuzzResponse(seed: number): void {
  const random = makeRandom(seed)
  const bytes = Buffer.from(hostileResponse(random), 'latin1')
  const isHeadRequest = random(8) === 0
  const problem = findProblem(bytes, isHeadRequest, random)
  if (problem !== undefined) throw new FuzzFailure(seed, problem, bytes)
}

function findProblem(bytes: Buffer, isHeadRequest: boolean, random: Random): string | undefined {
  let whole: Parsed
  let pieces: Parsed
  try {
    whole = parse(bytes, isHeadRequest, () => bytes.length)
    pieces = parse(bytes, isHeadRequest, () => 1 + random(random(2) === 0 ? 3 : 40))
  } catch (error) {
    return `the parser threw ${String(error)}`
  }
  // The parser may notice malformed bytes early or wait for more, but both have to agree on what is a response.
  if (isResponse(whole) !== isResponse(pieces)) return `read whole: ${whole.state}, in pieces: ${pieces.state}`
  if (!isResponse(whole)) return undefined
  if (whole.consumed !== pieces.consumed) return `read whole: ${whole.consumed} bytes, in pieces: ${pieces.consumed}`
  if (JSON.stringify(whole.events) !== JSON.stringify(pieces.events)) return 'the pieces change what was read'
  return problemOfEvents(whole, isHeadRequest)
}

/** Whether the bytes are a response, if the connection ends with them. */
function isResponse({ state }: Parsed): boolean {
  return state === 'done' || state === 'until-close'
}

function problemOfEvents({ state, events }: Parsed, isHeadRequest: boolean): string | undefined {
  const heads = events.filter((event) => event.startsWith('head '))
  if (heads.length > 1) return 'one response has two heads'
  if (state === 'done' && heads.length === 0) return 'a response is complete without a head'
  if (heads.some((head) => /[\r\n\0]/.test(head))) return 'a header has a line end or a zero byte'
  const body = events.find((event) => event.startsWith('body '))
  if (body !== undefined && isHeadRequest) return 'the response to HEAD has a body'
  const announced = /^head \d+ length (\d+)/.exec(heads[0] ?? '')?.[1]
  if (announced !== undefined && state === 'done' && !isHeadRequest && !/^head (204|304)/.test(heads[0] ?? '')) {
    const received = (body?.length ?? 'body '.length) - 'body '.length
    if (received !== Number(announced)) return `${received} bytes of body where ${announced} are announced`
  }
  return undefined
}

function parse(bytes: Buffer, isHeadRequest: boolean, pieceLength: () => number): Parsed {
  const parser = new ResponseParser(maxHeadBytes)
  const events: string[] = []
  parser.begin(
    {
      onInterim: () => undefined,
      onHead: ({ status, length, headers }) => void events.push(`head ${status} length ${length} ${headers.join('|')}`),
      onBody(from, start, end) {
        const text = from.toString('latin1', start, end)
        if (events.at(-1)?.startsWith('body ')) events.push(`${events.pop()}${text}`)
        else events.push(`body ${text}`)
        return true
      },
      onTrailers: (trailers) => void events.push(`trailers ${trailers.join('|')}`),
    },
    isHeadRequest,
  )
  let consumed = 0
  // A connection reuses its buffer, so the parser must not keep a reference into it.
  const shared = Buffer.alloc(bytes.length)
  while (consumed < bytes.length) {
    const length = Math.min(pieceLength(), bytes.length - consumed)
    bytes.copy(shared, 0, consumed, consumed + length)
    const at = parser.feed(shared, 0, length)
    if (at < 0 || at > length) throw new Error(`feed returned ${at} for ${length} bytes`)
    consumed += at
    shared.fill(0x58)
    if (at < length) break
  }
  return { state: parser.state, consumed, events }
}
