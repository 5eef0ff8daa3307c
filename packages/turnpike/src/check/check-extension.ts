/** Reports members of an OpenAPI extension that the gateway does not support, or that nothing reads. */
import {
  extensionName,
  extensionOf,
  findUnsupported,
  isJson,
  type JsonPath,
  locateJson,
  parseJson,
  printJsonPath,
  unknownInExtension,
  unsupportedInExtensions,
} from '@turnpike/core'
import type { Finding, Severity } from '../config/finding.ts'
import type { CheckedFile } from './read-folder.ts'

export function checkExtension({ file, text }: CheckedFile, vendor: string): Finding[] {
  // An unreadable document is already reported with its definition.
  const parsed = text === undefined ? undefined : parseJson(text)
  if (text === undefined || parsed === undefined || parsed.problem !== undefined || !isJson(parsed.value)) return []
  const extension = extensionOf(parsed.value, vendor)
  if (extension === undefined) return []
  const finding = (severity: Severity, path: JsonPath, reason: string): Finding => {
    const whole = [extensionName(vendor), ...path]
    return { severity, source: file, ...locateJson(text, whole), field: printJsonPath(whole), reason }
  }
  return [
    ...findUnsupported(unsupportedInExtensions, extension).map(({ path, status, reason, changesRequests }) => {
      const effect = status === 'refused' ? 'is not supported' : 'has no effect'
      return finding(changesRequests ? 'error' : 'warning', path, `${effect}: ${reason}`)
    }),
    ...unknownInExtension(extension).map((path) => finding('warning', path, 'is not known and has no effect')),
  ]
}
