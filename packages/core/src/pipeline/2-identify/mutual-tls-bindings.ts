/**
 * Keys bound to certificates on APIs with mutual TLS: `mtls_static_certificate_bindings` of a session. The check applies
 * with every `session_proof`; `check-required-proof.ts` applies to all APIs
 * (docs/reference/authentication.md#certificates-as-keys).
 */
import type { GatewayRequest } from '../../http/messages.ts'
import type { Session } from '../../ports/session.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { presentsCertificate } from './check-required-proof.ts'

/** Returns true if the key is bound to certificates and the connection presents none of them. */
export function isBoundToOtherCertificate(
  session: Session,
  request: GatewayRequest,
  services: Pick<StageServices, 'certificates'>,
): boolean {
  const bindings = session.mtlsStaticCertificateBindings ?? []
  return bindings.length > 0 && !presentsCertificate(request, bindings, session.orgId, services)
}
