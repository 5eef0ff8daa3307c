/** Checks the certificates that a session names. Source: docs/reference/key-management.md#create-or-replace-a-key. */

import type { Session } from '../../ports/session.ts'
import type { KeyRegistryDependencies, KeyRejection } from './key-registry-types.ts'

type HasCertificate = NonNullable<KeyRegistryDependencies['hasCertificate']>
type CertificateRejection = Extract<KeyRejection, { kind: 'certificate' }>

/** A key that is bound to a certificate can change to another stored certificate, but not lose it. */
export async function checkCertificateChange(
  session: Session,
  stored: Session,
  hasCertificate: HasCertificate,
): Promise<CertificateRejection | undefined> {
  if (session.certificate === stored.certificate) return undefined
  if (session.certificate === '') return rejection('Key cannot be used without a certificate')
  if (await hasCertificate(session.certificate)) return undefined
  return rejection('Key must be used with an existent certificate')
}

/** New bindings must belong to the key's organisation and name stored certificates. */
export async function checkBindings(
  session: Session,
  stored: Session | undefined,
  hasCertificate: HasCertificate,
): Promise<CertificateRejection | undefined> {
  const known = stored?.mtlsStaticCertificateBindings ?? []
  const added = (session.mtlsStaticCertificateBindings ?? []).filter((id) => !known.includes(id))
  for (const id of added) {
    if (!id.startsWith(session.orgId)) return rejection(`invalid certificate ID: ${id}`)
    if (!(await hasCertificate(id))) return rejection(`certificate not found: ${id}`)
  }
  return undefined
}

function rejection(message: string): CertificateRejection {
  return { kind: 'certificate', message }
}
