/**
 * Live traffic over server-sent events. The number of feeds, the rows that wait for the next message and the bytes that a
 * reader leaves unread are bounded. The gateway closes the feed of a reader that falls behind, and its browser
 * reconnects. Without a feed there is no subscription.
 */
import { type ApiDefinition, placeWithReferences } from '@turnpike/core/definition'
import type { ReloadReport } from '@turnpike/core/engine'
import type { RequestRecord } from '@turnpike/core/pipeline'
import type { DashboardServices } from '../dashboard-services.ts'
import { failure } from '../http/reply.ts'
import type { Viewer } from '../sso/viewer.ts'
import { makePendingRows, type PendingRows } from './pending-rows.ts'
import type { RequestRing } from './request-ring.ts'
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
  /** Sends a message. Closes the feed of a reader that falls behind. After the end it does nothing. */
  send(event: string, data: object): void
  end(): void
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
  const feeds = new Set<Feed>()
  const sources = makeSources(parts, feeds)
  let isClosed = false

  /** Returns false if the feed has left before. */
  const leave = (feed: Feed): boolean => {
    if (!feeds.delete(feed)) return false
    if (feeds.size === 0) sources.stop()
    return true
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
            feed = makeFeed(viewer, controller, leave)
            feeds.add(feed)
            if (feeds.size === 1) sources.start()
            controller.enqueue(encoder.encode('retry: 2000\n\n'))
            feed.send('numbers', parts.numbers(viewer))
          },
          cancel: () => void leave(feed),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: unreadBytes }),
      )
      if (signal.aborted) feed.end()
      else signal.addEventListener('abort', () => feed.end(), { once: true })
      return new Response(stream, { headers: feedHeaders })
    },
    endSession(digest) {
      for (const feed of [...feeds]) if (feed.viewer.digest === digest) feed.end()
    },
    close() {
      isClosed = true
      for (const feed of [...feeds]) feed.end()
    },
  }
}

const feedHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Reverse proxies must not buffer the stream.
  'x-accel-buffering': 'no',
}

function makeFeed(
  viewer: Viewer,
  controller: ReadableStreamDefaultController<Uint8Array>,
  leave: (feed: Feed) => boolean,
): Feed {
  const feed: Feed = {
    viewer,
    pending: makePendingRows(rowsPerTick),
    send(event, data) {
      const bytes = encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      if ((controller.desiredSize ?? 0) >= bytes.length) controller.enqueue(bytes)
      // Discards what the reader left unread.
      else if (leave(feed)) controller.error(new Error('the reader of a dashboard feed fell behind'))
    },
    end() {
      if (leave(feed)) controller.close()
    },
  }
  return feed
}

/** What the feeds send: numbers and pending rows by the clock, and reloads. Runs while there is a feed. */
function makeSources(
  { clock, gateway, ring, isOpen, numbers, showReload }: FeedServices,
  feeds: ReadonlySet<Feed>,
): { start(): void; stop(): void } {
  const listenPathOf = indexListenPaths(gateway)
  let stops: (() => void)[] = []
  let ticks = 0

  const endIfOver = async (feed: Feed) => {
    if (await isOpen(feed.viewer.digest).catch(() => false)) return
    feed.send('over', {})
    feed.end()
  }

  const tick = () => {
    ticks += 1
    for (const feed of [...feeds]) {
      const taken = feed.pending.take()
      if (taken !== undefined) feed.send('traffic', taken)
      if (ticks % numbersEvery === 0) feed.send('numbers', numbers(feed.viewer))
      if (ticks % sessionEvery === 0) void endIfOver(feed)
    }
    if (feeds.size > 0) stops[0] = clock.after(tickMs, tick)
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
      if (feed.viewer.may('apis', 'read')) feed.send('reload', showReload(report, feed.viewer))
    }
  }

  return {
    start() {
      ring.start()
      const subscriptions = [gateway.watch(ring), gateway.onRequest(onRequest), gateway.onReload(onReload)]
      stops = [clock.after(tickMs, tick), ...subscriptions]
    },
    stop() {
      ring.stop()
      for (const stop of stops) stop()
      stops = []
    },
  }
}

/** Returns a lookup by API id. The index is rebuilt when the list changes. */
function indexListenPaths(gateway: FeedServices['gateway']): (apiId: string) => string {
  let listed: readonly ApiDefinition[] = []
  let listenPaths = new Map<string, string>()
  return (apiId) => {
    if (gateway.definitions() !== listed) {
      listed = gateway.definitions()
      listenPaths = new Map(listed.map((api) => [api.id, api.internal ? '' : placeWithReferences(api).listenPath]))
    }
    return listenPaths.get(apiId) ?? ''
  }
}
