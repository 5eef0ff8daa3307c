/**
 * Warns where a definition depends on something that a client can forge, or on a switch that docs/security.md describes.
 * `turnpike check` reports these findings; the gateway logs them when it loads the definition.
 */
import type { ClassicDefinition } from '../classic.ts'
import type { Lint, Report } from './finding.ts'

export const securityLint: Lint = (document, report, { clientAddresses }) => {
  if (clientAddresses === 'any') lintAddressLists(document, report)
  lintCors(document, report)
  if (document.enableSignatureChecking && !document.useKeyless) lintSignatures(document, report)
}

/** Browsers reject a response with credentials and `Access-Control-Allow-Origin: *` (Fetch standard, CORS check). */
function lintCors({ cors }: ClassicDefinition, report: Report): void {
  const origins = cors.allowedOrigins ?? []
  if (!cors.enable || !cors.allowCredentials || !(origins.length === 0 || origins.includes('*'))) return
  const message = 'allows every origin, which browsers reject because allow_credentials is on; list the origins'
  report('warning', ['CORS', 'allowed_origins'], message)
}

function lintSignatures({ hmacAllowedClockSkew, hmacRequireSignedContent }: ClassicDefinition, report: Report): void {
  const option = hmacRequireSignedContent ? '' : ', and hmac_require_signed_content against changed requests'
  if (hmacAllowedClockSkew <= 0) {
    const message = `is not set, so that a signed request can be replayed at any time; set a limit in milliseconds${option}`
    report('warning', ['hmac_allowed_clock_skew'], message)
  }
}

function lintAddressLists(document: ClassicDefinition, report: Report): void {
  const on = !document.ipAccessControlDisabled
  const lists = [
    ['allowed_ips', document.allowedIps, on || document.enableIpWhitelisting],
    ['blacklisted_ips', document.blacklistedIps, on || document.enableIpBlacklisting],
  ] as const
  for (const [name, entries, isOn] of lists) {
    if (!isOn || (entries ?? []).length === 0) continue
    report(
      'warning',
      [name],
      'can be bypassed: clients choose their address by X-Real-IP; set trusted_proxies or xff_depth',
    )
  }
}
