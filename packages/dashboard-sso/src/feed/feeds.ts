/**
 * Live traffic over server-sent events. The number of feeds, the rows that wait for the next message and the bytes that a
 * reader leaves unread are bounded. The gateway closes the feed of a reader that falls behind, and its browser
 * reconnects. Without a feed there is no subscription.
 */
import { type ApiDefinition, placeWithReferences, type ReloadReport, type RequestRecord } from '@turnpike/core'
import type { DashboardServices } from '../dashboard-services.ts'
import { failure } from '../http/reply.ts'
import type { Viewer } from '../read/viewer.ts'
import type { RequestRing } from '../requests/request-ring.ts'
import { makePendingRows, type PendingRows } from './pending-rows.ts'
import { rowOf } from './row.ts'

export interface Feeds {
  /** A feed for this viewer. It ends when the client disconnects or falls behind, or when the session ends. */
  open(viewer: Viewer, signal: AbortSignal): Response
  /** Ends the feeds of a session. */
  endSession(digest: string): void
  close(): void
}

export interface FeedServices extends Pick<DashboardServices, 'clock' | 'gateway'> {
  /** Keeps details of requests while a feed is open. */
  readonly ring: RequestRing
  isOpen(digest: string): Promise<boolean>
  /** Numbers of the last minute for a viewer. */
  numbers(viewer: Viewer): object
  showReload(report: ReloadReport, viewer: Viewer): object
}

interface Feed {
  readonly viewer: Viewer
  readonly pending: PendingRows
  readonly controller: ReadableStreamDefaultController<Uint8Array>
}

const tickMs = 250
/** Ticks between two messages of numbers, which also keep the connection alive. */
const numbersEvery = 4
/** Ticks between two checks of the session. */
const sessionEvery = 40
const rowsPerTick = 40
const unreadBytes = 64 * 1024
const maxFeeds = 64
const maxFeedsPerSession = 8

const encoder = new TextEncoder()

export function makeFeeds(parts: FeedServices): Feeds {
  const { clock, gateway, ring, isOpen, numbers, showReload } = parts
  const feeds = new Set<Feed>()
  let stops: (() => void)[] = []
  let ticks = 0
  let isClosed = false

  const send = (feed: Feed, event: string, data: object) => {
    const bytes = encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    if ((feed.controller.desiredSize ?? 0) < bytes.length) drop(feed)
    else feed.controller.enqueue(bytes)
  }

  const end = (feed: Feed) => {
    if (!feeds.delete(feed)) return
    feed.controller.close()
    if (feeds.size === 0) rest()
  }

  /** Discards what the reader left unread. */
  const drop = (feed: Feed) => {
    if (!feeds.delete(feed)) return
    feed.controller.error(new Error('the reader of a dashboard feed fell behind'))
    if (feeds.size === 0) rest()
  }

  const tick = () => {
    ticks += 1
    for (const feed of [...feeds]) {
      const taken = feed.pending.take()
      if (taken !== undefined) send(feed, 'traffic', taken)
      if (ticks % numbersEvery === 0 && feeds.has(feed)) send(feed, 'numbers', numbers(feed.viewer))
      if (ticks % sessionEvery === 0) void endIfOver(feed)
    }
    if (feeds.size > 0) stops[0] = clock.after(tickMs, tick)
  }

  const endIfOver = async (feed: Feed) => {
    if (await isOpen(feed.viewer.digest).catch(() => false)) return
    if (!feeds.has(feed)) return
    send(feed, 'over', {})
    end(feed)
  }

  const onRequest = (entry: RequestRecord) => {
    for (const { viewer, pending } of feeds) {
      if (viewer.may('analytics', 'read') && viewer.sees(entry.orgId)) {
        pending.add(rowOf(entry, viewer, { listenPath: listenPathOf(entry.apiId), id: ring.idOf(entry) }))
      }
    }
  }

  const onReload = (report: ReloadReport) => {
    for (const feed of [...feeds]) {
      if (feed.viewer.may('apis', 'read')) send(feed, 'reload', showReload(report, feed.viewer))
    }
  }

  let listed: readonly ApiDefinition[] = []
  let listenPaths = new Map<string, string>()
  /** The index is rebuilt when the list changes. */
  const listenPathOf = (apiId: string): string => {
    if (gateway.definitions() !== listed) {
      listed = gateway.definitions()
      listenPaths = new Map(listed.map((api) => [api.id, api.internal ? '' : placeWithReferences(api).listenPath]))
    }
    return listenPaths.get(apiId) ?? ''
  }

  const wake = () => {
    ring.start()
    const subscriptions = [gateway.watch(ring), gateway.onRequest(onRequest), gateway.onReload(onReload)]
    stops = [clock.after(tickMs, tick), ...subscriptions]
  }

  const rest = () => {
    ring.stop()
    for (const stop of stops) stop()
    stops = []
  }

  return {
    open(viewer, signal) {
      const own = [...feeds].filter((feed) => feed.viewer.digest === viewer.digest).length
      if (isClosed || feeds.size >= maxFeeds || own >= maxFeedsPerSession) {
        return failure(503, 'Too many feeds are open', { 'retry-after': '5' })
      }
      let feed!: Feed
      const stream = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            feed = { viewer, pending: makePendingRows(rowsPerTick), controller }
            feeds.add(feed)
            if (feeds.size === 1) wake()
            controller.enqueue(encoder.encode('retry: 2000\n\n'))
            send(feed, 'numbers', numbers(viewer))
          },
          cancel() {
            if (feeds.delete(feed) && feeds.size === 0) rest()
          },
        },
        new ByteLengthQueuingStrategy({ highWaterMark: unreadBytes }),
      )
      if (signal.aborted) end(feed)
      else signal.addEventListener('abort', () => end(feed), { once: true })
      return new Response(stream, {
        headers: {
          'content-type': 'text/event-stream',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          // Reverse proxies must not buffer the stream.
          'x-accel-buffering': 'no',
        },
      })
    },
    endSession(digest) {
      for (const feed of [...feeds]) if (feed.viewer.digest === digest) end(feed)
    },
    close() {
      isClosed = true
      for (const feed of [...feeds]) end(feed)
    },
  }
}
