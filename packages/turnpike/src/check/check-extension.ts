/** Reports members of an OpenAPI extension that the gateway does not support, or that nothing reads. */
import {
  extensionName,
  extensionOf,
  findUnsupported,
  ineffectiveFindings,
  isJson,
  parseJson,
  unknownInExtension,
  unsupportedInExtensions,
} from '@turnpike/core'
import type { Finding } from '../config/finding.ts'
import { toFindings } from './check-sidecar.ts'
import type { CheckedFile } from './read-folder.ts'

export interface CheckExtensionOptions {
  /** The vendor word, which names the extension. */
  readonly vendor: string
  /** `strict` of the configuration. */
  readonly strict?: boolean | undefined
}

export function checkExtension({ file, text }: CheckedFile, { vendor, strict }: CheckExtensionOptions): Finding[] {
  // An unreadable document is already reported with its definition.
  const parsed = text === undefined ? undefined : parseJson(text)
  if (text === undefined || parsed === undefined || parsed.problem !== undefined || !isJson(parsed.value)) return []
  const extension = extensionOf(parsed.value, vendor)
  if (extension === undefined) return []
  const fields = [...findUnsupported(unsupportedInExtensions, extension), ...unknownInExtension(extension)]
  return toFindings(file, ineffectiveFindings(text, fields, { above: [extensionName(vendor)], strict }))
}
