/**
 * What all authentication modes share: which modes have a stage, which of several provides the session
 * (docs/reference/authentication.md#several-methods), and what happens to the key that a credential leads to.
 */

import type { ApiDefinition, AuthMode, CredentialPlaces } from '../../definition/api-definition.ts'
import { authModeOf, credentialPlacesOf } from '../../definition/auth-modes/auth-modes.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { ProofMethod } from '../../session/required-proof.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'
import { proves } from './check-required-proof.ts'

export interface KeyAcceptance {
  /** Where the mode reads its credential. */
  readonly places: CredentialPlaces
  /** This mode provides the session, so its credential is that of the request. */
  readonly provides: boolean
  /** Returns true if the policies of the key can be applied and the request proves its session. Notes why it does not. */
  isUsable(key: CachedKey, context: RequestContext): boolean
  /** Makes the key that of the request, if this mode provides the session. */
  accept(key: CachedKey, context: RequestContext): undefined
}

/** `method`: how a request of this mode proves a session. */
export function makeKeyAcceptance(
  { api, services }: Pick<CompileContext, 'api' | 'services'>,
  mode: AuthMode,
  method: ProofMethod,
): KeyAcceptance {
  const checksProof = services.settings.keys.sessionProof !== 'recorded'
  const provides = providesSession(api, mode)
  return {
    places: credentialPlacesOf(api.document, mode),
    provides,
    isUsable(key, context) {
      context.trace?.caller?.(key)
      if (key.policyProblem !== undefined) {
        context.trace?.note(`policies: ${key.policyProblem}`)
        return false
      }
      const required = checksProof ? key.requiredProof : undefined
      return required === undefined || proves(required, key, context, method, services)
    },
    accept(key, context) {
      context.trace?.note(`session of key ${key.logName}`)
      if (provides) context.key = key
      return undefined
    },
  }
}

/** Returns true if this mode provides the session: the configured mode, otherwise the last of the order. */
export function providesSession(api: ApiDefinition, mode: AuthMode): boolean {
  const { baseIdentityProvidedBy } = api.document
  const named = api.authModes.find((name) => authModeOf(name).identityProvider === baseIdentityProvidedBy)
  const chosen = named ?? api.authModes.at(-1)
  return chosen === mode
}

/** Returns true if the mode has a stage of its own. `auth-groups` runs the stages of modes that are alternatives. */
export function hasOwnStage({ authModes, authGroups }: ApiDefinition, mode: AuthMode): boolean {
  return authGroups === undefined && authModes.includes(mode)
}
