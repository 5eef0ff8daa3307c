/**
 * Keys that are bound to client certificates: whether the connection has such a certificate. `check-required-proof.ts`
 * uses it for every API, `auth-token.ts` on APIs with mutual TLS
 * (docs/reference/authentication.md#certificates-as-keys).
 */
import type { GatewayRequest } from '../../http/messages.ts'
import type { Session } from '../../ports/session.ts'
import type { StageServices } from '../contract/stage-services.ts'

/** Returns true if the client presents a certificate with one of these ids: its fingerprint, or organisation and fingerprint. */
export function presentsCertificate(
  { clientCertificate }: GatewayRequest,
  ids: readonly string[],
  orgId: string,
  { certificates }: Pick<StageServices, 'certificates'>,
): boolean {
  const presented = clientCertificate === undefined ? undefined : certificates?.read(clientCertificate)
  return presented !== undefined && (ids.includes(presented.sha256) || ids.includes(orgId + presented.sha256))
}

/**
 * Returns true if the key has `mtls_static_certificate_bindings` and the connection presents none of them. APIs with
 * mutual TLS check this with every `session_proof` (docs/reference/authentication.md#certificates-as-keys).
 */
export function isBoundToOtherCertificate(
  session: Session,
  request: GatewayRequest,
  services: Pick<StageServices, 'certificates'>,
): boolean {
  const bindings = session.mtlsStaticCertificateBindings ?? []
  return bindings.length > 0 && !presentsCertificate(request, bindings, session.orgId, services)
}
