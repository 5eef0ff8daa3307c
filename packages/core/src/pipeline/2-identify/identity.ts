/**
 * Decides which authentication modes have a stage, and which of several provides the session
 * (docs/reference/authentication.md#several-methods).
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { AuthMode } from '../../definition/auth-modes/auth-mode-record.ts'
import { authModeOf } from '../../definition/auth-modes/auth-modes.ts'

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
