/**
 * Where definitions and policies come from: a folder on disk, or objects in memory.
 * The source knows files and text; what the text means is the engine's matter.
 */
export interface DefinitionSource {
  /** Reads what is there now. Never rejects: what cannot be read is told in `problem`. */
  read(): Promise<SourceSnapshot>
}

export interface SourceSnapshot {
  readonly definitions: readonly SourceDocument[]
  /** The folder itself could not be read; then `definitions` is empty and says nothing. */
  readonly definitionsProblem: string | undefined
  readonly policies: PolicySource
}

export interface SourceDocument {
  /** What an operator would look for: a file name. */
  readonly name: string
  /** Changes whenever the text changes. Equal hashes let the engine keep what it compiled. */
  readonly hash: string
  /** JSON text; `undefined` when it could not be read. */
  readonly text: string | undefined
  readonly problem: string | undefined
  /** The OpenAPI document that lies beside a definition; absent: there is none. `hash` covers it. */
  readonly sidecar?: SourceDocument
}

/** One file `{ID: policy}` or many of one policy each (spec/sessions-and-limits.md 4.2). */
export type PolicySource =
  | { readonly kind: 'none' }
  | { readonly kind: 'map'; readonly document: SourceDocument }
  | { readonly kind: 'folder'; readonly documents: readonly SourceDocument[]; readonly problem: string | undefined }
