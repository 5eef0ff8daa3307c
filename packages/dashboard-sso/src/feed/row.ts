/** A request as the feed shows it, without credentials. */
import type { RequestRecord } from '@turnpike/core/pipeline'
import type { Viewer } from '../sso/viewer.ts'

/** Longer paths are cut. */
const maxPathLength = 200

export interface Row {
  /** For the details of the request; empty: they are not kept. */
  readonly id: string
  readonly at: number
  readonly method: string
  readonly path: string
  readonly apiId: string
  readonly api: string
  readonly status: number
  readonly ms: number
  readonly upstreamMs: number
  readonly cache: string
  /** Hash of the key; empty: there is none, or the viewer may not see it. */
  readonly key: string
  readonly rejection?: {
    readonly phase: string
    readonly stage: string
    readonly code: string
    readonly reason: string
  }
}

/** `listenPath` is that of the API, because records hold the path below it. `id`: see `Row`. */
export function rowOf(
  entry: RequestRecord,
  viewer: Viewer,
  { listenPath, id }: { readonly listenPath: string; readonly id: string },
): Row {
  const rejection = entry.rejection
  return {
    id,
    at: entry.startedAt,
    method: entry.method.slice(0, 20),
    path: `${listenPath.replace(/(?<!\/)\/+$/, '')}${entry.path}`.slice(0, maxPathLength),
    apiId: entry.apiId,
    api: entry.apiName === '' ? entry.apiId : entry.apiName,
    status: entry.status,
    ms: entry.totalMs,
    upstreamMs: entry.upstreamMs,
    cache: entry.cache ?? '',
    key: viewer.may('keys', 'read') ? entry.keyLogName : '',
    ...(rejection === undefined
      ? {}
      : {
          rejection: {
            phase: rejection.phase ?? '',
            stage: rejection.stage,
            code: rejection.code,
            reason: rejection.message.slice(0, maxPathLength),
          },
        }),
  }
}
