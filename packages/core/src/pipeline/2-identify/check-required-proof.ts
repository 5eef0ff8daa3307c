/**
 * Accepts a session only with the proof that it was created for, so that a public identifier is no API key
 * (docs/reference/authentication.md#session-proof). `session/required-proof.ts` decides which proof a session requires.
 * `certificate-binding.ts` compares certificates.
 */
import type { CachedKey } from '../../session/cached-key.ts'
import type { ProofMethod } from '../../session/required-proof.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { presentsCertificate } from './certificate-binding.ts'

/** Returns true if the session may be used with this method on this connection. */
export type IsProven = (key: CachedKey, context: RequestContext) => boolean

export function makeIsProven(services: StageServices, method: ProofMethod): IsProven {
  if (services.settings.keys.sessionProof === 'recorded') return () => true
  return (key, context) => {
    const { requiredProof } = key
    if (requiredProof === undefined) return true
    const { methods, certificates } = requiredProof
    const { orgId } = key.profile.session
    const proven =
      (methods.length === 0 || methods.includes(method)) &&
      (certificates.length === 0 ||
        method === 'certificate' ||
        presentsCertificate(context.request, certificates, orgId, services))
    if (!proven) context.trace?.note(`key ${key.logName}: the session requires another authentication method`)
    return proven
  }
}
