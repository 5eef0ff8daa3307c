/** Batches: each item counts once, and no item leaves the API of the batch. */

import type { RateLimit } from '../models/model.ts'
import type { History, Statement, Trace, Variant } from '../trace/trace-and-history.ts'
import { overflowOf } from './attack.ts'

export interface BatchOptions {
  /** Target of the batch request, such as `/orders/batch/`. */
  readonly path: string
  /** `relative_url` of the items. */
  readonly item: string
  /** Paths of another API, which no item may reach. */
  readonly outside: readonly string[]
}

/**
 * A batch in the form `{"requests": [{"method", "headers", "body", "relative_url"}]}`, whose response is a list of
 * `{"code"}`. The items and the batch have the headers of the client.
 */
function batchOf({ path }: BatchOptions, urls: readonly string[], label: string): Variant {
  return {
    label,
    shape(request) {
      const { Host: _, ...headers } = request.headers
      const requests = urls.map((relative_url) => ({ method: request.method, headers, body: '', relative_url }))
      return {
        ...request,
        method: 'POST',
        target: { ...request.target, path },
        headers: { ...request.headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ requests }),
      }
    },
    statuses(response) {
      if (response.status >= 400) return [response.status]
      let items: unknown
      try {
        items = JSON.parse(response.body)
      } catch {
        items = undefined
      }
      if (!Array.isArray(items)) throw new Error(`the response of ${path} is not a list of items`)
      return items.map((item: { code?: unknown; status?: unknown }) => Number(item.code ?? item.status))
    },
  }
}

export function batchTraces(limit: RateLimit, batch: BatchOptions): readonly Trace[] {
  const items = (count: number) =>
    batchOf(batch, new Array<string>(count).fill(batch.item), `a batch of ${count} items`)
  const one = (atMs: number, variant?: Variant) => ({ atMs, count: 1, together: true, ...(variant && { variant }) })
  return [
    { steps: [one(0, items(overflowOf(limit)))] },
    { steps: [one(0, items(limit.count)), { atMs: 1, count: 2, together: false }] },
    { steps: [{ atMs: 0, count: overflowOf(limit), together: false }, one(1, items(3))] },
  ]
}

export function outsideTraces(batch: BatchOptions): readonly Trace[] {
  return batch.outside
    .flatMap((path) => [path, `/${path}`, `../${path}`, `../../${path}`, `%2e%2e/${path}`])
    .map((url) => ({
      steps: [{ atMs: 0, count: 1, together: true, variant: batchOf(batch, [url], `a batch with the item ${url}`) }],
    }))
}

/** An item for a path of another API must be rejected. */
export function outsideStatement(history: History): Statement | undefined {
  const index = history.groups.findIndex(({ exchanges }) => exchanges.some(({ status }) => status < 400))
  if (index === -1) return undefined
  const label = history.trace.steps[history.groups[index]?.step ?? 0]?.variant?.label ?? 'an item'
  return { text: `${label} reaches another API`, group: index, mistake: 'item leaves its API' }
}
