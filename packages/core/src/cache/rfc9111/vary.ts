/** Several responses with one cache key: which of them a request selects (RFC 9111, 4.1). */
import { type HeaderPairs, headersOf } from '../../http/headers.ts'
import type { StoredResponse } from '../../ports/stored-response.ts'
import { usefulMs } from './reuse.ts'

/** Responses that are stored for one cache key; the oldest is dropped first. */
const maxVariants = 16

/** The names in `Vary` of a response, each followed by its value in the request. */
export function selectedBy(response: HeaderPairs, request: HeaderPairs): string[] {
  const names = headersOf(response, 'vary').flatMap((line) => line.split(','))
  const distinct = new Set(names.map((name) => name.trim().toLowerCase()))
  distinct.delete('')
  return [...distinct].flatMap((name) => [name, selectingValue(request, name)])
}

/** The newest response whose `Vary` matches the request. */
export function variantFor(first: StoredResponse | undefined, request: HeaderPairs): StoredResponse | undefined {
  for (let each = first; each !== undefined; each = each.next) {
    if (each.origin !== undefined && matches(each.origin.selectedBy, request)) return each
  }
  return undefined
}

function matches(selecting: readonly string[], request: HeaderPairs): boolean {
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

/**
 * The list with the new response first, without the one that it replaces and without those that are no longer useful.
 * `update` converts the others. Default: they stay as they are.
 */
export function withVariant(
  first: StoredResponse | undefined,
  response: StoredResponse,
  request: HeaderPairs,
  now: number,
  update: (other: StoredResponse) => StoredResponse = (other) => other,
): StoredResponse {
  const kept: StoredResponse[] = []
  for (let each = first; each !== undefined && kept.length < maxVariants - 1; each = each.next) {
    if (each.origin === undefined || matches(each.origin.selectedBy, request)) continue
    if (usefulMs(each.origin, hasValidator(each), now) > 0) kept.push(update(each))
  }
  let next: StoredResponse | undefined
  for (const each of kept.reverse()) next = { ...each, next }
  return { ...response, next }
}

/** How long the longest-lived response of the list can still be useful, from now. */
export function listUsefulMs(first: StoredResponse, now: number): number {
  let longest = 0
  for (let each: StoredResponse | undefined = first; each !== undefined; each = each.next) {
    if (each.origin !== undefined) longest = Math.max(longest, usefulMs(each.origin, hasValidator(each), now))
  }
  return longest
}

/** Whether the upstream can revalidate the response. */
export function hasValidator({ etag, origin }: StoredResponse): boolean {
  return etag !== undefined || origin?.lastModified !== undefined
}
