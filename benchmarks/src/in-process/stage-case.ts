/** A definition that activates a stage, and the request that measures it. */
import type { BenchEngine, BenchEngineOptions } from './bench-engine.ts'

export interface StageCase {
  readonly name: string
  /** Fields that are added to a plain keyless definition. */
  readonly fields: object
  /** Options that are added to the usual engine. */
  readonly engine?: BenchEngineOptions
  /** OpenAPI documents by API id. */
  readonly beside?: Readonly<Record<string, object>>
  /** Stores what the request needs. `id` is the API id. */
  readonly prepare?: (engine: BenchEngine, id: string) => Promise<void>
  readonly request?: CaseRequest
}

export interface CaseRequest {
  readonly method?: string
  /** Path after the listen path; default `/x`. */
  readonly path?: string
  /** Each request has a unique path. */
  readonly freshPaths?: boolean
  readonly headers?: readonly string[]
  readonly body?: string
  /** Client certificate in DER. */
  readonly clientCertificate?: Uint8Array
}

export const json = ['content-type', 'application/json']
export const rule = { path: '/x', method: 'GET' }
