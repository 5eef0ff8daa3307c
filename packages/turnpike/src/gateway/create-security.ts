/** Creates the certificate store, signature checks, and the fetching of token issuers' key documents. */
import type { Platform } from './create-platform.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Storage } from './open-storage.ts'
import { type WiredCertificates, wireCertificates } from './wire-certificates.ts'
import { type WiredIdentity, wireIdentity } from './wire-identity.ts'

export interface Security extends WiredCertificates {
  readonly identityAdapters: WiredIdentity['adapters']
}

export function createSecurity(
  { config, clock, log, upstream }: Platform,
  { store, signals }: Storage,
  lifecycle: Lifecycle,
): Security {
  const wired = wireCertificates({ config, store, signals, clock, log, upstream })
  const identity = wireIdentity(wired.certificates, config.privateUrls === 'forbid')
  lifecycle.onClose(identity.close)
  lifecycle.onClose(() => wired.certificates.close())
  return { ...wired, identityAdapters: identity.adapters }
}
