/** Fields of a document that have no effect: unknown members of the extension, and what its classic form does not support. */
import {
  type ClassicDefinition,
  extensionName,
  extensionOf,
  type Json,
  type Unsupported,
  unknownInExtension,
  unsupportedInDefinition,
} from '@turnpike/core'
import type { Call } from '../operation.ts'

export function ineffectiveMembers(call: Call, document: Json, derived: ClassicDefinition): readonly Unsupported[] {
  const { vendor } = call.management.settings
  const unknown = unknownInExtension(extensionOf(document, vendor))
  return [
    ...unknown.map((field) => ({ ...field, path: [extensionName(vendor), ...field.path] })),
    ...unsupportedInDefinition(derived),
  ]
}
