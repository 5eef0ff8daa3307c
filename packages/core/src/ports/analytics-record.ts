/**
 * One analytics record: the data of a request that is stored for statistics. `record-to-json.ts` defines the names on the
 * wire, `record-to-msgpack.ts` the msgpack form. Source: docs/reference/analytics.md#analytics.
 */
import type { Millis } from './clock.ts'

export interface AnalyticsRecord {
  readonly method: string
  /** Host and port of the upstream. */
  readonly host: string
  /** Path without the stripped listen path, or the pattern of a tracked endpoint; normalised if configured. */
  readonly path: string
  /** As `path`, never normalised. */
  readonly rawPath: string
  /** Bytes of the request body; -1 if unknown. */
  readonly contentLength: number
  readonly userAgent: string
  readonly responseCode: number
  /** The key, or its hash where keys are hashed; empty when there is none. */
  readonly apiKey: string
  readonly at: Millis
  readonly apiVersion: string
  readonly apiName: string
  readonly apiId: string
  readonly orgId: string
  readonly oauthId: string
  /** Total time of the request in ms; `upstreamMs` is the upstream's share. */
  readonly totalMs: number
  readonly upstreamMs: number
  /** Wire form of a detailed record; empty otherwise. */
  readonly rawRequest: Uint8Array
  readonly rawResponse: Uint8Array
  readonly ipAddress: string
  readonly tags: readonly string[]
  readonly alias: string
  readonly trackPath: boolean
  /** When databases may delete the record. */
  readonly expireAt: Millis
  readonly mcp: McpFacts | undefined
}

/** Details of a call to an MCP proxy. */
export interface McpFacts {
  readonly method: string
  readonly primitiveType: string
  readonly primitiveName: string
}
