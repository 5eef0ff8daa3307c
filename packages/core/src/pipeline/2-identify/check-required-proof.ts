/**
 * Accepts a session only with the proof that it was created for, so that a public identifier is no API key
 * (docs/reference/authentication.md#session-proof). `session/required-proof.ts` decides which proof a session requires.
 * Keys can also be bound to client certificates: on APIs with mutual TLS, `auth-token.ts` checks that with
 * `isBoundToOtherCertificate` (docs/reference/authentication.md#certificates-as-keys).
 */

import type { GatewayRequest } from '../../http/messages.ts'
import type { Session } from '../../ports/session.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { ProofMethod, RequiredProof } from '../../session/required-proof.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { StageServices } from '../contract/stage-services.ts'

/** Returns true if a request that authenticates with this method proves the session as required. Notes if it does not. */
export function proves(
  required: RequiredProof,
  key: CachedKey,
  context: RequestContext,
  method: ProofMethod,
  services: StageServices,
): boolean {
  const { methods, certificates } = required
  const proven =
    (methods.length === 0 || methods.includes(method)) &&
    (certificates.length === 0 ||
      method === 'certificate' ||
      presentsCertificate(context.request, certificates, key.profile.session.orgId, services))
  if (!proven) context.trace?.note(`key ${key.logName}: the session requires another authentication method`)
  return proven
}

/** Returns true if the client presents a certificate with one of these ids: its fingerprint, or organisation and fingerprint. */
function presentsCertificate(
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
