/** Reports members of an OpenAPI extension that the gateway does not support, or that nothing reads. */
import {
  extensionName,
  extensionOf,
  findUnsupported,
  ineffectiveFindings,
  unknownInExtension,
  unsupportedInExtensions,
} from '@turnpike/core/definition'
import type { Finding } from '../config/finding.ts'
import { documentIn, toFindings } from './check-sidecar.ts'
import type { CheckedFile } from './read-folder.ts'

/** `vendor`: the vendor word, which names the extension. `strict`: of the configuration. */
export function checkExtension(
  { file, text }: CheckedFile,
  { vendor, strict }: { readonly vendor: string; readonly strict?: boolean | undefined },
): Finding[] {
  const document = documentIn(text)
  const extension = document && extensionOf(document, vendor)
  if (text === undefined || extension === undefined) return []
  const fields = [...findUnsupported(unsupportedInExtensions, extension), ...unknownInExtension(extension)]
  return toFindings(file, ineffectiveFindings(text, fields, { above: [extensionName(vendor)], strict }))
}
