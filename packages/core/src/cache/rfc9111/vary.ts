/** Several answers under one name: which of them a request may have (RFC 9111, 4.1). */
import { type HeaderPairs, headersOf } from '../../http/headers.ts'
import type { StoredResponse } from '../../ports/stored-response.ts'
import { worthKeeping } from './reuse.ts'

/** Answers that are kept for one name at most; the oldest goes. */
const mostVariants = 16

/** Names that `Vary` of an answer lists, each followed by the value that the request had. */
export function selectedBy(answer: HeaderPairs, request: HeaderPairs): string[] {
  const names = headersOf(answer, 'vary').flatMap((line) => line.split(','))
  const distinct = new Set(names.map((name) => name.trim().toLowerCase()))
  distinct.delete('')
  return [...distinct].flatMap((name) => [name, selectingValue(request, name)])
}

/** The newest answer whose `Vary` fits the request. */
export function variantFor(first: StoredResponse | undefined, request: HeaderPairs): StoredResponse | undefined {
  for (let each = first; each !== undefined; each = each.next) {
    if (each.origin !== undefined && fits(each.origin.selectedBy, request)) return each
  }
  return undefined
}

function fits(selecting: readonly string[], request: HeaderPairs): boolean {
  for (let i = 0; i < selecting.length; i += 2) {
    if (selectingValue(request, selecting[i] as string) !== selecting[i + 1]) return false
  }
  return true
}

function selectingValue(headers: HeaderPairs, name: string): string {
  return headersOf(headers, name)
    .map((value) => value.trim())
    .join(', ')
}

/** The list with a new answer at its head, in place of what fitted the same request, without what is of no use. */
export function withVariant(
  first: StoredResponse | undefined,
  made: StoredResponse,
  request: HeaderPairs,
  now: number,
): StoredResponse {
  const kept: StoredResponse[] = []
  for (let each = first; each !== undefined && kept.length < mostVariants - 1; each = each.next) {
    if (each.origin === undefined || fits(each.origin.selectedBy, request)) continue
    if (worthKeeping(each.origin, hasValidator(each), now) > 0) kept.push(each)
  }
  let next: StoredResponse | undefined
  for (const each of kept.reverse()) next = { ...each, next }
  return { ...made, next }
}

/** How long the longest lived of the list is worth keeping. */
export function listWorthKeeping(first: StoredResponse, now: number): number {
  let most = 0
  for (let each: StoredResponse | undefined = first; each !== undefined; each = each.next) {
    if (each.origin !== undefined) most = Math.max(most, worthKeeping(each.origin, hasValidator(each), now))
  }
  return most
}

/** Whether the upstream can be asked if the answer still holds. */
export function hasValidator({ etag, origin }: StoredResponse): boolean {
  return etag !== undefined || origin?.lastModified !== undefined
}
