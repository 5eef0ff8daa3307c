/** Checks the certificates that a session names. Source: docs/reference/key-management.md#create-or-replace-a-key. */

import type { Session } from '../../ports/session.ts'
import type { KeyRefusal, KeyRegistryDependencies } from './key-registry-types.ts'

type HasCertificate = NonNullable<KeyRegistryDependencies['hasCertificate']>
type CertificateRefusal = Extract<KeyRefusal, { kind: 'certificate' }>

/** A key that is bound to a certificate can change to another stored certificate, but not lose it. */
export async function checkCertificateChange(
  session: Session,
  stored: Session,
  hasCertificate: HasCertificate,
): Promise<CertificateRefusal | undefined> {
  if (session.certificate === stored.certificate) return undefined
  if (session.certificate === '') return refusal('Key cannot be used without a certificate')
  if (await hasCertificate(session.certificate)) return undefined
  return refusal('Key must be used with an existent certificate')
}

/** New bindings must belong to the key's organisation and name stored certificates. */
export async function checkBindings(
  session: Session,
  stored: Session | undefined,
  hasCertificate: HasCertificate,
): Promise<CertificateRefusal | undefined> {
  const known = stored?.mtlsStaticCertificateBindings ?? []
  const added = (session.mtlsStaticCertificateBindings ?? []).filter((id) => !known.includes(id))
  for (const id of added) {
    if (!id.startsWith(session.orgId)) return refusal(`invalid certificate ID: ${id}`)
    if (!(await hasCertificate(id))) return refusal(`certificate not found: ${id}`)
  }
  return undefined
}

function refusal(message: string): CertificateRefusal {
  return { kind: 'certificate', message }
}
