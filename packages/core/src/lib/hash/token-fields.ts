/** Metadata encoded in a base64 key name. Clients choose names freely, so do not trust these values. */
import { parseJsonObject, textOf } from '../json.ts'
import { decodeBase64 } from '../text/base64.ts'
import { strictUtf8Text } from '../text/utf8.ts'

export interface TokenFields {
  readonly org: string
  readonly id: string
  /** As written; may be the name of an unknown function. */
  readonly hashFunction: string
}

/** Longer texts cannot be key names, so they are not decoded. */
const maxNameLength = 4096

/** Decodes a base64 key name; `undefined` if it does not begin with `ey`, is not base64, or is not a JSON object. */
export function readTokenParts(name: string): TokenFields | undefined {
  if (!name.startsWith('ey') || name.length > maxNameLength) return undefined
  const bytes = decodeBase64(name)
  const json = bytes === undefined ? undefined : strictUtf8Text(bytes)
  const parts = json === undefined ? undefined : parseJsonObject(json)
  if (parts === undefined) return undefined
  return { org: textOf(parts.org), id: textOf(parts.id), hashFunction: textOf(parts.h) }
}
