/** Checks `external_oauth`, whose mistakes make the API reject every token. */

import type { ClassicDefinition } from '../classic.ts'
import type { Report } from '../findings/finding.ts'

export function lintExternalOAuth({ externalOauth }: Readonly<ClassicDefinition>, report: Report): void {
  const path = ['external_oauth', 'providers']
  const [provider, ...others] = externalOauth.providers ?? []
  if (provider === undefined) {
    report('external-oauth-without-provider', path)
    return
  }
  if (others.length > 0) report('external-oauth-second-provider', [...path, 1])
  const { jwt, introspection } = provider
  if (jwt.enabled) {
    if (jwt.source === '') report('external-oauth-source-missing', [...path, 0, 'jwt', 'source'])
    if (introspection.enabled) report('introspection-ignored', [...path, 0, 'introspection'])
    return
  }
  if (!introspection.enabled) {
    report('external-oauth-without-method', [...path, 0])
    return
  }
  if (!/^https?:\/\//i.test(introspection.url)) {
    report('introspection-url', [...path, 0, 'introspection', 'url'])
  }
  if (introspection.cache.enabled && introspection.cache.timeout <= 0) {
    report('introspection-cache', [...path, 0, 'introspection', 'cache', 'timeout'])
  }
}
