/** Which of several authentication modes gives the session. Source: spec/oauth-certs-reload.md 3. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { AuthMode } from '../../definition/auth-modes/auth-mode.ts'
import { authModeOf } from '../../definition/auth-modes/auth-modes.ts'

/** Whether the session that this mode finds is the one that counts: the named mode, else the last of the order. */
export function identifies(api: ApiDefinition, mode: AuthMode): boolean {
  const { baseIdentityProvidedBy } = api.document
  const named = api.authModes.find((name) => authModeOf(name).identityProvider === baseIdentityProvidedBy)
  const chosen = named ?? api.authModes.at(-1)
  return chosen === mode
}
