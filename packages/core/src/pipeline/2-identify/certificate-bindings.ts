/**
 * Keys bound to certificates: `mtls_static_certificate_bindings` of a session
 * (docs/reference/authentication.md#certificates-as-keys).
 */
import type { GatewayRequest } from '../../http/messages.ts'
import type { Session } from '../../ports/session.ts'
import type { StageServices } from '../contract/stage-services.ts'

/** Returns true if the key is bound to certificates and the connection presents none of them. */
export function isBoundToOtherCertificate(
  session: Session,
  { clientCertificate }: GatewayRequest,
  { certificates }: Pick<StageServices, 'certificates'>,
): boolean {
  const bindings = session.mtlsStaticCertificateBindings ?? []
  if (bindings.length === 0) return false
  const shown = clientCertificate === undefined ? undefined : certificates?.read(clientCertificate)
  return shown === undefined || !bindings.includes(session.orgId + shown.sha256)
}
