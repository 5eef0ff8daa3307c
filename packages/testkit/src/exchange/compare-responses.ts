/** Whether two answers to one request are the same for a client, apart from what may differ. */
import type { Answered } from './exchange.ts'

export interface CompareOptions {
  /** Headers that are compared; `all`: every one but those of time and connection. Default: `content-type` and `location`. */
  readonly headers?: readonly string[] | 'all'
  /** Whether bodies are compared. Default true. */
  readonly bodies?: boolean
  /** Makes a body comparable: takes out what is new each time. Default: as it is. */
  readonly readBody?: (text: string, answer: Answered) => string
}

const neverCompared = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'server'])

/** The first difference in words; `undefined`: none that matters. */
export function differenceOf(left: Answered, right: Answered, options: CompareOptions = {}): string | undefined {
  if (left.status !== right.status) return `status ${left.status} and ${right.status}`
  const { headers = ['content-type', 'location'] } = options
  const names = headers === 'all' ? allNames(left, right) : headers
  for (const name of names) {
    const [one, other] = [valuesOf(left, name), valuesOf(right, name)]
    if (one !== other) return `${name} ${one ?? 'absent'} and ${other ?? 'absent'}`
  }
  if (options.bodies === false) return undefined
  const read = (answer: Answered) => {
    const text = new TextDecoder('latin1').decode(answer.body)
    return options.readBody?.(text, answer) ?? text
  }
  const [one, other] = [read(left), read(right)]
  return one === other ? undefined : `body ${shortened(one)} and ${shortened(other)}`
}

function allNames(left: Answered, right: Answered): string[] {
  const names = [...left.headers, ...right.headers].map(([name]) => name.toLowerCase())
  return [...new Set(names)].filter((name) => !neverCompared.has(name)).toSorted()
}

function valuesOf({ headers }: Answered, name: string): string | undefined {
  const values = headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value)
  return values.length === 0 ? undefined : values.join(', ')
}

const shortened = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
