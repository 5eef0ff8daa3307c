/**
 * One analytics record: what is kept of a request for statistics, as other programs read it. Names on the wire are in
 * `wire-record.ts`, the msgpack form in `encode-record.ts`. Source: docs/reference/analytics.md#analytics.
 */
import type { Millis } from './clock.ts'

export interface AnalyticsRecord {
  readonly method: string
  /** Host and port of the upstream. */
  readonly host: string
  /** Without the stripped listen path; the pattern of a tracked endpoint; normalised where that is on. */
  readonly path: string
  /** As `path`, untouched. */
  readonly rawPath: string
  /** Bytes of the request's body; -1: not told. */
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
  /** Milliseconds in all, and of the upstream alone. */
  readonly totalMs: number
  readonly upstreamMs: number
  /** Wire form of a detailed record; empty otherwise. */
  readonly rawRequest: Uint8Array
  readonly rawResponse: Uint8Array
  readonly ipAddress: string
  readonly tags: readonly string[]
  readonly alias: string
  readonly trackPath: boolean
  /** When databases may forget it. */
  readonly expireAt: Millis
  readonly mcp: McpFacts | undefined
}

/** Of calls to MCP proxies. */
export interface McpFacts {
  readonly method: string
  readonly primitiveType: string
  readonly primitiveName: string
}
