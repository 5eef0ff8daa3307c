/** The management key on calls. Source: spec/sessions-and-limits.md, head; decisions.md "empty management secret". */
import { vendorForms } from '@turnpike/core'

/** Header that carries the management key, in lower case. */
export function keyHeaderOf(vendor: string): string {
  return `x-${vendorForms(vendor).lower}-authorization`
}
