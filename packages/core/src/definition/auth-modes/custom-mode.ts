import type { AuthModeRecord } from './auth-mode-record.ts'

/** Authentication by a script. */
export const customMode: AuthModeRecord = {
  name: 'custom',
  stage: 'script-auth',
  field: 'custom_plugin_auth_enabled',
  isOn: (document) => document.customPluginAuthEnabled || document.useGoPluginAuth || document.enableCoprocessAuth,
  configName: 'coprocess',
  needsPlace: (document) => document.enableCoprocessAuth,
  fallback: 'auth',
  identityProvider: 'custom_auth',
  openApi: {
    kind: 'setting',
    member: 'custom',
    hasPlaces: false,
    fields: () => ({ custom_plugin_auth_enabled: true }),
  },
}
