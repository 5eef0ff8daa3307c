/**
 * Details of the last requests, while a feed is open. Bounded in number, in requests per second and in bytes of headers.
 * A minute after the last feed ended, the ring is empty again, because it holds credentials for `explain`.
 */
import type { RequestDetails, RequestRecord } from '@turnpike/core/pipeline'
import type { Clock } from '@turnpike/core/ports'
import type { Viewer } from '../sso/viewer.ts'

export interface KeptRequest {
  readonly id: string
  readonly entry: RequestRecord
  readonly details: RequestDetails
}

export interface RequestRing {
  /** True while details of further requests are wanted. */
  wants(): boolean
  watched(entry: RequestRecord, details: RequestDetails): void
  /** Called when the first feed opens. */
  start(): void
  /** Called when the last feed ends. */
  stop(): void
  /** The id of a request whose details are kept; empty: they are not. */
  idOf(entry: RequestRecord): string
  /** `undefined`: no such request, or the viewer may not see it. */
  find(viewer: Viewer, id: string): KeptRequest | undefined
}

const maxRequests = 300
/** A feed sends at most this many rows per second. */
const maxPerSecond = 160
/** Requests with longer headers are shown without details. */
const maxHeaderChars = 32 * 1024
const keptAfterLastFeedMs = 60_000

/** `idPrefix` differs from process to process, so that an id of a page never means another request after a restart. */
export function makeRequestRing(clock: Pick<Clock, 'now' | 'after'>, idPrefix: string): RequestRing {
  const kept = new Map<string, KeptRequest>()
  const idsOfEntries = new WeakMap<RequestRecord, string>()
  let isOn = false
  let cancelClear: (() => void) | undefined
  let last = 0
  let second = 0
  let inSecond = 0

  return {
    wants() {
      if (!isOn) return false
      const now = Math.floor(clock.now() / 1000)
      if (now !== second) {
        second = now
        inSecond = 0
      }
      inSecond += 1
      return inSecond <= maxPerSecond
    },
    watched(entry, details) {
      if (!isOn || charsOf(details.original.headers) + charsOf(details.responseHeaders) > maxHeaderChars) return
      last += 1
      const id = `${idPrefix}-${last}`
      kept.set(id, { id, entry, details })
      idsOfEntries.set(entry, id)
      if (kept.size <= maxRequests) return
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    },
    start() {
      cancelClear?.()
      cancelClear = undefined
      isOn = true
    },
    stop() {
      isOn = false
      cancelClear?.()
      cancelClear = clock.after(keptAfterLastFeedMs, () => kept.clear())
    },
    idOf: (entry) => idsOfEntries.get(entry) ?? '',
    find(viewer, id) {
      const found = kept.get(id)
      return found !== undefined && viewer.sees(found.entry.orgId) ? found : undefined
    },
  }
}

function charsOf(headers: readonly string[]): number {
  return headers.reduce((sum, text) => sum + text.length, 0)
}
