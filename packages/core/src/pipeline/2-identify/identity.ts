/** Decides which of several authentication modes provides the session (docs/reference/authentication.md#several-methods). */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { AuthMode } from '../../definition/auth-modes/auth-mode.ts'
import { authModeOf } from '../../definition/auth-modes/auth-modes.ts'

/** Returns true if this mode provides the session: the configured mode, otherwise the last of the order. */
export function identifies(api: ApiDefinition, mode: AuthMode): boolean {
  const { baseIdentityProvidedBy } = api.document
  const named = api.authModes.find((name) => authModeOf(name).identityProvider === baseIdentityProvidedBy)
  const chosen = named ?? api.authModes.at(-1)
  return chosen === mode
}
