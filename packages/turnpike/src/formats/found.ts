/** What the readers of this folder find in the files of an owner, in ordinary form. */
import type { Json } from '@turnpike/core/lib'

export interface FoundApi {
  /** The file. */
  readonly source: string
  readonly id: string
  /** `definition`: a classic definition. `document`: an OpenAPI document, with or without the extension. */
  readonly kind: 'definition' | 'document'
  readonly value: Json
  /** What a sync repository sets on an OpenAPI document. */
  readonly overrides?: DocumentOverrides
}

export interface DocumentOverrides {
  readonly target?: string
  readonly listenPath?: string
}

export interface FoundPolicy {
  readonly source: string
  readonly id: string
  readonly value: Json
}

export interface FoundKey {
  readonly source: string
  /** The key; for a hashed key its hash. */
  readonly name: string
  readonly isHash: boolean
  readonly session: Json
}

export interface LeftOut {
  readonly source: string
  readonly reason: string
}

export interface Found {
  readonly apis: FoundApi[]
  readonly policies: FoundPolicy[]
  readonly keys: FoundKey[]
  /** Parts that are not taken over, and files that cannot be read. */
  readonly leftOut: LeftOut[]
}

export function nothingFound(): Found {
  return { apis: [], policies: [], keys: [], leftOut: [] }
}

export function isEmpty({ apis, policies, keys }: Found): boolean {
  return apis.length + policies.length + keys.length === 0
}
