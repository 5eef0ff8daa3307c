/**
 * The bodies of web hooks without a template: a small JSON object per kind of event. Source:
 * docs/reference/events.md#event-list. The white space must equal that of the original gateway, because the nodes of a
 * group detect duplicates by the bytes of the body (docs/reference/redis-records.md#sent-web-hooks).
 */
import { formatRfc3339 } from '../../lib/text/time.ts'
import type { GatewayEvent } from './event.ts'

type Members = Readonly<Record<string, string | number>>

/** The body as text. */
export function defaultBody(event: GatewayEvent): string {
  const members = { event: event.name, message: event.facts.message, ...membersOf(event) }
  const lines = Object.entries(members).map(([name, value]) => `    "${name}": ${JSON.stringify(value)}`)
  return `\n{\n${lines.join(',\n')}\n}\n\n\n`
}

function membersOf({ name, at, facts }: GatewayEvent): Members {
  switch (facts.about) {
    case 'request':
      return { path: facts.path, origin: facts.origin, key: facts.key }
    case 'trigger':
      return { org: facts.orgId, key: facts.key, trigger_limit: String(Math.trunc(facts.triggerLimit)) }
    case 'breaker': {
      const where = { api_id: facts.apiId, path: facts.path }
      return name === 'BreakerTriggered' ? { ...where, Status: facts.change === 'tripped' ? '0' : '1' } : where
    }
    case 'host':
      return {
        url: facts.url,
        response_code: String(facts.responseCode),
        tcp_error: String(facts.tcpError),
        host: facts.host,
        api_id: facts.apiId,
      }
    case 'key':
      return { org: facts.orgId, key: facts.key }
    case 'certificate': {
      const expired = name === 'CertificateExpired'
      return {
        cert_id: facts.certificateId,
        cert_name: facts.certificateName,
        [expired ? 'expired_at' : 'expires_at']: formatRfc3339(facts.expiresAt),
        [expired ? 'days_since_expiry' : 'days_remaining']: facts.days,
        cert_role: facts.role,
        ...(facts.apiId === '' ? {} : { api_id: facts.apiId }),
        timestamp: formatRfc3339(at),
      }
    }
  }
}
