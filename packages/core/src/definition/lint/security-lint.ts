/**
 * Warns where a definition depends on something that a client can forge, or on a switch that docs/security.md describes.
 * `turnpike check` reports these findings; the gateway logs them when it loads the definition.
 */

import type { ClassicDefinition } from '../classic.ts'
import type { Report } from '../findings/finding.ts'
import type { Lint } from './lint.ts'

export const securityLint: Lint = (document, report, { clientAddresses }) => {
  if (clientAddresses === 'any') lintAddressLists(document, report)
  lintCors(document, report)
  if (document.enableSignatureChecking && !document.useKeyless) lintSignatures(document, report)
}

/** Browsers reject a response with credentials and `Access-Control-Allow-Origin: *` (Fetch standard, CORS check). */
function lintCors({ cors }: ClassicDefinition, report: Report): void {
  const origins = cors.allowedOrigins ?? []
  if (!cors.enable || !cors.allowCredentials || !(origins.length === 0 || origins.includes('*'))) return
  report('every-origin-with-credentials', ['CORS', 'allowed_origins'])
}

function lintSignatures({ hmacAllowedClockSkew, hmacRequireSignedContent }: ClassicDefinition, report: Report): void {
  const more = hmacRequireSignedContent ? '' : ', and hmac_require_signed_content against changed requests'
  if (hmacAllowedClockSkew <= 0) report('replayable-signatures', ['hmac_allowed_clock_skew'], { more })
}

function lintAddressLists(document: ClassicDefinition, report: Report): void {
  const on = !document.ipAccessControlDisabled
  const lists = [
    ['allowed_ips', document.allowedIps, on || document.enableIpWhitelisting],
    ['blacklisted_ips', document.blacklistedIps, on || document.enableIpBlacklisting],
  ] as const
  for (const [name, entries, isOn] of lists) {
    if (!isOn || (entries ?? []).length === 0) continue
    report('bypassable-address-list', [name])
  }
}
