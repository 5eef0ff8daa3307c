/** Checks `external_oauth`, whose mistakes make the API reject every token. */
import type { ClassicDefinition } from '../classic.ts'
import type { Report } from './finding.ts'

export function lintExternalOAuth({ externalOauth }: Readonly<ClassicDefinition>, report: Report): void {
  const path = ['external_oauth', 'providers']
  const [provider, ...others] = externalOauth.providers ?? []
  if (provider === undefined) {
    report('error', path, 'has no provider; every token is rejected')
    return
  }
  if (others.length > 0) report('warning', [...path, 1], 'is ignored: only the first provider counts')
  const { jwt, introspection } = provider
  if (jwt.enabled) {
    if (jwt.source === '') report('error', [...path, 0, 'jwt', 'source'], 'is empty; every token is rejected')
    if (introspection.enabled) report('warning', [...path, 0, 'introspection'], 'is ignored, because jwt is enabled')
    return
  }
  if (!introspection.enabled) {
    report('error', [...path, 0], 'has neither jwt nor introspection enabled; every token is rejected')
    return
  }
  if (!/^https?:\/\//i.test(introspection.url)) {
    report('error', [...path, 0, 'introspection', 'url'], 'is not an http or https URL; every token is rejected')
  }
  if (introspection.cache.enabled && introspection.cache.timeout <= 0) {
    report('warning', [...path, 0, 'introspection', 'cache', 'timeout'], 'is not positive, so nothing is cached')
  }
}
