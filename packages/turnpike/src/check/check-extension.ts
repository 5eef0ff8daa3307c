/** Reports members of an OpenAPI document that the gateway does not support, or that nothing reads. */
import { extensionOf, ineffectiveFindings, ineffectiveInDocument } from '@turnpike/core/definition'
import type { Finding } from '../config/finding.ts'
import { documentIn } from './check-sidecar.ts'
import type { CheckedFile } from './read-folder.ts'

/** `vendor`: the vendor word, which names the extension. `strict`: of the configuration. */
export function checkExtension(
  { file, text }: CheckedFile,
  { vendor, strict }: { readonly vendor: string; readonly strict?: boolean | undefined },
): Finding[] {
  const document = documentIn(text)
  if (text === undefined || document === undefined || extensionOf(document, vendor) === undefined) return []
  return [...ineffectiveFindings(text, ineffectiveInDocument(document, vendor), { source: file, strict })]
}
