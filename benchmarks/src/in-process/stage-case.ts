/** A definition that makes a stage work, and the request that it is measured with. */
import type { BenchEngine, BenchEngineOptions } from './bench-engine.ts'

export interface StageCase {
  readonly name: string
  /** Laid over a plain keyless definition. */
  readonly fields: object
  /** More than the usual engine has. */
  readonly engine?: BenchEngineOptions
  /** Definitions beside it, by id. */
  readonly beside?: Readonly<Record<string, object>>
  /** Stores what the request needs. `id`: of the API. */
  readonly prepare?: (engine: BenchEngine, id: string) => Promise<void>
  readonly request?: CaseRequest
}

export interface CaseRequest {
  readonly method?: string
  /** Behind the listen path; default `/x`. */
  readonly path?: string
  /** A path of its own for each request. */
  readonly freshPaths?: boolean
  readonly headers?: readonly string[]
  readonly body?: string
  /** In DER, over TLS. */
  readonly clientCertificate?: Uint8Array
}

/** Rules of paths, of a definition without versions. */
export const paths = (extended: object, more: object = {}) => ({
  version_data: {
    not_versioned: true,
    versions: { Default: { name: 'Default', use_extended_paths: true, extended_paths: extended, ...more } },
  },
})

/** A body template, as definitions hold it. */
export function template(source: string): object {
  return { input_type: 'json', template_mode: 'blob', template_source: Buffer.from(source).toString('base64') }
}

export const json = ['content-type', 'application/json']
export const rule = { path: '/x', method: 'GET' }
