/** Settings as an empty configuration gives them; tests lay over what they are about. */
import type { GatewaySettings } from '@turnpike/core'

export const testSettings: GatewaySettings = {
  vendor: 'svc',
  versionText: 'v5.13.0',
  hostname: '',
  customDomains: false,
  hideGeneratorHeader: false,
  closeConnections: false,
  maxBodyBytes: 0,
  honourActive: false,
  routing: {
    strictRoutes: false,
    skipUrlCleaning: false,
    pathPrefixMatching: false,
    pathSuffixMatching: false,
    ignoreEndpointCase: false,
    xffDepth: 0,
  },
  keys: {
    hashKeys: false,
    hashFunction: '',
    hashFunctionFallback: [],
    actionsByUsername: true,
    minTokenLength: 3,
    allowMasterKeys: false,
    cachedSessions: 1000,
  },
  lifetimes: { forceGlobal: false, globalSeconds: 0, respectKeyExpiration: false },
  limits: { algorithm: 'local', rollingOneLess: false, smoothing: false, enforceOrgQuotas: true, orgOffThread: false },
  headers: { recorded: 'quotas', ietf: false, version: '' },
  upstream: { timeoutMs: 30_000, insecure: false, closeConnections: false },
  undeclaredResponseProcessors: 'skip',
  storageOutage: 'refuse',
}
