/** Header pairs with the methods of `Headers`. */
import { isToken } from '../../http/field-names.ts'
import { type HeaderPairs, headersOf, removeHeader, setHeader } from '../../http/headers.ts'
import { isHeaderValue, isSetByGateway } from '../../http/reserved-headers.ts'
import { fieldValueOf, textOfFieldValue } from '../../lib/text/field-values.ts'
import type { MessageHeaders } from './custom-stage.ts'

export class PairHeaders implements MessageHeaders {
  private readonly read: () => HeaderPairs
  private readonly change: (apply: (pairs: HeaderPairs) => void) => void

  /** `change` applies a change to every list of pairs that contains these headers. */
  constructor(read: () => HeaderPairs, change: (apply: (pairs: HeaderPairs) => void) => void) {
    this.read = read
    this.change = change
  }

  get(name: string): string | null {
    const values = this.getAll(name)
    return values.length === 0 ? null : values.join(', ')
  }

  getAll(name: string): readonly string[] {
    return headersOf(this.read(), name.toLowerCase()).map(textOfFieldValue)
  }

  has(name: string): boolean {
    return this.getAll(name).length > 0
  }

  set(name: string, value: string): void {
    const lower = checkedName(name)
    const text = checkedValue(lower, value)
    this.change((pairs) => setHeader(pairs, lower, text))
  }

  append(name: string, value: string): void {
    const lower = checkedName(name)
    const text = checkedValue(lower, value)
    this.change((pairs) => void pairs.push(lower, text))
  }

  delete(name: string): void {
    const lower = checkedName(name)
    this.change((pairs) => removeHeader(pairs, lower))
  }

  *[Symbol.iterator](): Iterator<readonly [string, string]> {
    const pairs = this.read()
    for (let i = 0; i < pairs.length; i += 2) yield [pairs[i] as string, textOfFieldValue(pairs[i + 1] as string)]
  }
}

/** The name in lower case. Throws a `TypeError`. */
function checkedName(name: string): string {
  const lower = String(name).toLowerCase()
  if (!isToken(lower)) throw new TypeError(`${JSON.stringify(name)} is not a valid header name`)
  if (isSetByGateway(lower)) throw new TypeError(`the gateway sets the header ${lower} itself`)
  return lower
}

function checkedValue(name: string, value: string): string {
  const text = fieldValueOf(String(value))
  if (!isHeaderValue(text)) throw new TypeError(`the value of the header ${name} has characters that are not allowed`)
  return text
}

/** Pairs of the headers of a reply. Headers of the connection and the framing are left out. Throws a `TypeError`. */
export function pairsOf(headers: Iterable<readonly [string, string]> | Readonly<Record<string, unknown>>): HeaderPairs {
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return entries.flatMap(([name, value]) => {
    if (isSetByGateway(name.toLowerCase())) return []
    const lower = checkedName(name)
    return [value].flat().flatMap((one) => [lower, checkedValue(lower, one as string)])
  })
}
