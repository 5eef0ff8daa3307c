/** Compares two responses to the same request. */
import type { ClientResponse } from './client-messages.ts'
import { jsonDifferences } from './json-differences.ts'
import { ignores, type Mask, maskBody, maskHeader, parseMask } from './masks.ts'
import { utf8Text } from './utf8-text.ts'

export interface CompareOptions {
  /** Names of the headers to compare, `all` for every header except `neverCompared`, or `every`. Default: `content-type` and `location`. */
  readonly headers?: readonly string[] | 'all' | 'every'
  /** Whether to compare bodies. Default true. */
  readonly bodies?: boolean
  /** Normalises a body before the comparison, for example by removing time stamps. Default: no change. */
  readonly readBody?: (text: string, response: ClientResponse) => string
  /** Parts that are not compared; `parseMask` describes the forms. Default: none. */
  readonly masks?: readonly string[]
  /** Names of headers of the left response, each with the name of the header of the right response that it equals. */
  readonly renames?: Readonly<Record<string, string>>
}

/** One part in which two responses differ, with its two values; `undefined` is a missing header, member or response. */
export interface Difference {
  readonly part: 'response' | 'status' | 'header' | 'body'
  /** Name of the header on the right, in lower case, or pointer (RFC 6901) of a member of a JSON body. Otherwise empty. */
  readonly name: string
  readonly left: string | undefined
  readonly right: string | undefined
  /** Of different statuses: headers and bodies that differ as well, usually as a consequence. */
  readonly also?: readonly Difference[]
}

/** Returns every part in which two responses differ. */
export type Compare = (left: ClientResponse, right: ClientResponse) => readonly Difference[]

/** Headers of the connection or of the program, which `all` leaves out. */
export const neverCompared: readonly string[] = [
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'server',
]

/** Makes a function that compares responses. Throws a `TypeError` for an invalid mask. */
export function makeCompare(options: CompareOptions = {}): Compare {
  const masks = (options.masks ?? []).map(parseMask)
  const renames = Object.entries(options.renames ?? {}).map(([from, to]) => [from.toLowerCase(), to.toLowerCase()])
  const newNames = new Map(renames as [string, string][])
  const { headers = ['content-type', 'location'], bodies = true } = options
  return (original, right) => {
    const left = renamed(original, newNames)
    const found: Difference[] = []
    const names =
      typeof headers === 'string' ? allNames(left, right, headers) : [...new Set([...headers, ...newNames.values()])]
    for (const name of names.map((one) => one.toLowerCase())) {
      const [one, other] = [maskedValue(left, name, masks), maskedValue(right, name, masks)]
      if (one !== other) found.push({ part: 'header', name, left: one, right: other })
    }
    if (bodies && !ignores('body', masks)) {
      const [one, other] = [textOf(left, options, masks), textOf(right, options, masks)]
      if (one !== other) found.push(...bodyDifferences(one, other))
    }
    if (left.status === right.status || ignores('status', masks)) return found
    const status = { part: 'status', name: '', left: `${left.status}`, right: `${right.status}` } as const
    return [found.length === 0 ? status : { ...status, also: found }]
  }
}

/** More members than these are one difference of the whole body. */
const maxMembers = 20

function bodyDifferences(left: string, right: string): readonly Difference[] {
  const members = jsonDifferences(left, right) ?? []
  if (members.length === 0 || members.length > maxMembers) return [{ part: 'body', name: '', left, right }]
  return members.map(({ pointer, ...values }) => ({ part: 'body', name: pointer, ...values }))
}

/** Describes all differences in one line, or returns `undefined` if there are none. */
export function differenceOf(
  left: ClientResponse,
  right: ClientResponse,
  options: CompareOptions = {},
): string | undefined {
  const found = makeCompare(options)(left, right)
  return found.length === 0 ? undefined : found.map(describeDifference).join('; ')
}

/** Describes a difference, for example `status 200 and 429`. */
export function describeDifference({ part, name, left, right }: Difference): string {
  if (part === 'body' && name === '') {
    const isSame = jsonDifferences(left ?? '', right ?? '')?.length === 0
    const same = isSame ? 'with equal JSON values in another order or notation: ' : ''
    return `body ${same}${around(left ?? '', right ?? '')} and ${around(right ?? '', left ?? '')}`
  }
  const label = part === 'header' ? name : part === 'body' ? `body at ${name}:` : part
  const [one, other] = part === 'body' ? [left, right].map(shortened) : [left, right]
  return `${label} ${one ?? 'absent'} and ${other ?? 'absent'}`
}

const shortened = (text: string | undefined) =>
  text !== undefined && text.length > 80 ? `${text.slice(0, 80)}…` : text

function renamed(response: ClientResponse, newNames: ReadonlyMap<string, string>): ClientResponse {
  if (newNames.size === 0) return response
  const headers = response.headers.map(([name, value]) => [newNames.get(name.toLowerCase()) ?? name, value] as const)
  return { ...response, headers }
}

function allNames(left: ClientResponse, right: ClientResponse, which: 'all' | 'every'): string[] {
  const names = [...left.headers, ...right.headers].map(([name]) => name.toLowerCase())
  return [...new Set(names)].filter((name) => which === 'every' || !neverCompared.includes(name)).toSorted()
}

function maskedValue({ headers }: ClientResponse, name: string, masks: readonly Mask[]): string | undefined {
  const values = headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value)
  return maskHeader(name, values.length === 0 ? undefined : values.join(', '), masks)
}

function textOf(response: ClientResponse, { readBody }: CompareOptions, masks: readonly Mask[]): string {
  // Bytes that are not UTF-8 are one character each.
  const text = utf8Text(response.body) ?? new TextDecoder('latin1').decode(response.body)
  return maskBody(readBody?.(text, response) ?? text, masks)
}

/** The part of a text where it begins to differ from another. */
function around(text: string, other: string): string {
  let same = 0
  while (same < text.length && text[same] === other[same]) same += 1
  const from = same > 60 ? same - 20 : 0
  const shown = text.slice(from, from + 80)
  return JSON.stringify(`${from > 0 ? '…' : ''}${shown}${from + 80 < text.length ? '…' : ''}`)
}
