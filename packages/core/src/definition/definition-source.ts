/** Where the engine reads definitions and policies: a folder on disk, or objects in memory. */
import type { Json } from '../lib/json.ts'

export interface DefinitionSource {
  /** Reads all documents. Never rejects; read errors are returned in `problem`. */
  read(): Promise<SourceSnapshot>
}

export interface SourceSnapshot {
  readonly definitions: readonly SourceDocument[]
  /** Why the folder could not be read; then `definitions` is empty and must be ignored. */
  readonly definitionsProblem: string | undefined
  readonly policies: PolicySource
}

export interface SourceDocument {
  /** File name. */
  readonly name: string
  /** Path of the file, for commands in messages. Absent: the document is not a file. */
  readonly path?: string
  /** Changes whenever the text changes. If the hash is unchanged, the engine keeps the compiled API. */
  readonly hash: string
  /** JSON text; `undefined` if it could not be read, or if `value` replaces it. */
  readonly text: string | undefined
  /** A sidecar document that is parsed already, so that its text is not kept. The gateway freezes it. */
  readonly value?: Json
  readonly problem: string | undefined
  /** The sidecar document of a definition; absent: there is none. `hash` covers it. */
  readonly sidecar?: SourceDocument
}

/** One file `{ID: policy}`, or a folder with one policy per file. Source: docs/reference/policies.md#policy-sources. */
export type PolicySource =
  | { readonly kind: 'none' }
  | { readonly kind: 'map'; readonly document: SourceDocument }
  | { readonly kind: 'folder'; readonly documents: readonly SourceDocument[]; readonly problem: string | undefined }
