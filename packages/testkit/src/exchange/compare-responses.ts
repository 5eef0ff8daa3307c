/** Compares two responses to the same request. */
import type { ClientResponse } from './exchange.ts'

export interface CompareOptions {
  /** Names of the headers to compare, or `all` for every header except `date` and those of the connection. Default: `content-type` and `location`. */
  readonly headers?: readonly string[] | 'all'
  /** Whether to compare bodies. Default true. */
  readonly bodies?: boolean
  /** Normalises a body before the comparison, for example by removing time stamps. Default: no change. */
  readonly readBody?: (text: string, response: ClientResponse) => string
}

const neverCompared = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'server'])

/** Describes the first difference, or returns `undefined` if there is none. */
export function differenceOf(
  left: ClientResponse,
  right: ClientResponse,
  options: CompareOptions = {},
): string | undefined {
  if (left.status !== right.status) return `status ${left.status} and ${right.status}`
  const { headers = ['content-type', 'location'] } = options
  const names = headers === 'all' ? allNames(left, right) : headers
  for (const name of names) {
    const [one, other] = [valuesOf(left, name), valuesOf(right, name)]
    if (one !== other) return `${name} ${one ?? 'absent'} and ${other ?? 'absent'}`
  }
  if (options.bodies === false) return undefined
  const read = (response: ClientResponse) => {
    const text = new TextDecoder('latin1').decode(response.body)
    return options.readBody?.(text, response) ?? text
  }
  const [one, other] = [read(left), read(right)]
  return one === other ? undefined : `body ${shortened(one)} and ${shortened(other)}`
}

function allNames(left: ClientResponse, right: ClientResponse): string[] {
  const names = [...left.headers, ...right.headers].map(([name]) => name.toLowerCase())
  return [...new Set(names)].filter((name) => !neverCompared.has(name)).toSorted()
}

function valuesOf({ headers }: ClientResponse, name: string): string | undefined {
  const values = headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value)
  return values.length === 0 ? undefined : values.join(', ')
}

const shortened = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
