/**
 * Accepts a session only with the proof that it was created for, so that a public identifier is no API key
 * (docs/reference/authentication.md#session-proof).
 */
import type { GatewayRequest } from '../../http/messages.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { ProofMethod } from '../../session/session-binding.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { StageServices } from '../contract/stage-services.ts'

/** Returns true if the session may be used with this method on this connection. */
export type IsProven = (key: CachedKey, context: RequestContext) => boolean

export function makeIsProven(services: StageServices, method: ProofMethod): IsProven {
  if (services.settings.keys.sessionProof === 'recorded') return () => true
  return (key, context) => {
    const { binding } = key
    if (binding === undefined) return true
    const { methods, certificates } = binding
    const proven =
      (methods.length === 0 || methods.includes(method)) &&
      (certificates.length === 0 || method === 'certificate' || shows(context.request, certificates, key, services))
    if (!proven) context.trace?.note(`key ${key.logName}: the session must be proven in another way`)
    return proven
  }
}

function shows(
  { clientCertificate }: GatewayRequest,
  ids: readonly string[],
  key: CachedKey,
  { certificates }: StageServices,
): boolean {
  const shown = clientCertificate === undefined ? undefined : certificates?.read(clientCertificate)
  return shown !== undefined && (ids.includes(shown.sha256) || ids.includes(key.profile.session.orgId + shown.sha256))
}
