import type { AuthMode } from './api-definition.ts'

/**
 * Ways of authentication that definitions may ask for and this gateway does not have, with the field that asks: an API
 * with one of them refuses every request, so that nothing is open by omission.
 */
export const authModeFields: Readonly<Partial<Record<AuthMode, string>>> = {
  openid: 'use_openid',
  custom: 'custom_plugin_auth_enabled',
}
