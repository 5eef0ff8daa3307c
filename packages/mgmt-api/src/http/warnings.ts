/** Warnings of calls that write a document: fields that the gateway stores and does not support. */
import { printJsonPath, type Unsupported } from '@turnpike/core'

/** The member `warnings` of a reply; empty if every field is supported. */
export function warningsOf(unsupported: readonly Unsupported[]): { readonly warnings?: readonly string[] } {
  if (unsupported.length === 0) return {}
  const warnings = unsupported.map(({ path, status, reason }) => {
    const effect = status === 'refused' ? 'is not supported, so requests are rejected' : 'has no effect'
    return `${printJsonPath(path)} ${effect}: ${reason}`
  })
  return { warnings }
}
