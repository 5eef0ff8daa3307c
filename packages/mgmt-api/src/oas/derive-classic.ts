/** The classic form of a document, as it may be stored. Source: docs/reference/openapi-documents.md#document-checks. */
import {
  type ClassicDefinition,
  extensionOf,
  ineffectiveInDocument,
  type SidecarKind,
  toClassic,
  toMcpClassic,
  type Unsupported,
  unsupportedInDefinition,
  validateDefinition,
} from '@turnpike/core/definition'
import type { Json } from '@turnpike/core/lib'
import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

type DerivedClassic =
  | { readonly value: ClassicDefinition; readonly rejection?: undefined }
  | { readonly rejection: Reply }

/** `checkFirst` runs before validation, because the order of checks is part of the API. */
export function deriveClassic(
  call: Call,
  document: Json,
  kind: SidecarKind,
  checkFirst: (classic: ClassicDefinition) => Reply | undefined = () => undefined,
): DerivedClassic {
  const extension = extensionOf(document, call.management.settings.vendor) ?? {}
  const derived = kind === 'mcp' ? toMcpClassic(document, extension) : toClassic(document, extension)
  const rejection = derived.problem === undefined ? checkFirst(derived.value) : undefined
  if (rejection !== undefined) return { rejection }
  const reason = derived.problem ?? validateDefinition(derived.value)
  if (reason === undefined && derived.problem === undefined) return { value: derived.value }
  return { rejection: failure(400, `Validation of API Definition failed. Reason: ${reason}.`) }
}

/**
 * Fields of a document that have no effect, and those of its classic form. Not reported are fields of the classic form
 * that are only stored, because the conversion writes them.
 */
export function ineffectiveMembers(call: Call, document: Json, derived: ClassicDefinition): readonly Unsupported[] {
  const own = ineffectiveInDocument(document, call.management.settings.vendor)
  const reasons = new Set(own.map(({ reason }) => reason))
  const ofClassic = unsupportedInDefinition(derived)
  return [...own, ...ofClassic.filter(({ status, reason }) => status !== 'stored' && !reasons.has(reason))]
}
