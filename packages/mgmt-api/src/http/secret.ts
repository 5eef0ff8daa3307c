/** The management key on calls. Source: docs/reference/key-management.md#management-conventions, docs/reference/sessions.md#sessions-and-keys; docs/differences.md. */
import { vendorForms } from '@turnpike/core'

/** Header that carries the management key, in lower case. */
export function keyHeaderOf(vendor: string): string {
  return `x-${vendorForms(vendor).lower}-authorization`
}
