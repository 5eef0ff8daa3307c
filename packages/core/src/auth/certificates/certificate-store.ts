/**
 * Uploaded certificates by id, which is the organisation and the SHA-256 of the first certificate. The records are
 * compatible with existing nodes. Requests and handshakes read certificates through a cache. A removal takes effect at
 * once on this node and, by signal, on the others. Source: docs/reference/certificates.md#certificate-endpoints.
 */
import { type Maybe, when } from '../../lib/maybe.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { PemCodec } from '../../ports/pem-codec.ts'
import type { Signals } from '../../ports/signals.ts'
import type { Store } from '../../ports/store.ts'
import { makeCertificateCache } from './certificate-cache.ts'
import { makeCertificateIndex } from './certificate-index.ts'
import { certificateRecord, orgOfCertificate } from './certificate-names.ts'
import type { StoredCertificate } from './stored-certificate.ts'

export type AddedCertificate =
  | { readonly kind: 'added'; readonly id: string }
  /** `message` may be sent to clients. */
  | { readonly kind: 'rejected'; readonly message: string }

export interface CertificateStore {
  /** Stores a PEM text for an organisation (empty: for none). Durable once resolved. */
  add(pem: string, orgId: string): Promise<AddedCertificate>
  /** Ids, oldest first; the ids of all certificates if the organisation is empty. */
  ids(orgId: string): Promise<string[]>
  /** `undefined` if the certificate does not exist or cannot be decrypted. */
  get(id: string): Maybe<StoredCertificate | undefined>
  /** Removes a certificate; unknown ids are ignored. `orgId`: removes the id from the list of this organisation too. */
  remove(id: string, orgId?: string): Promise<void>
  /** Unsubscribes from signals. */
  close(): void
}

export interface CertificateStoreOptions {
  readonly store: Pick<Store, 'records'>
  readonly codec: PemCodec
  readonly signals: Signals
  readonly clock: Clock
  readonly log: Log
}

export function makeCertificateStore({ store, codec, signals, clock, log }: CertificateStoreOptions): CertificateStore {
  const { records } = store
  const index = makeCertificateIndex(store, clock)
  const cache = makeCertificateCache(clock)
  const unsubscribe = signals.subscribe((signal) => {
    if (signal.kind === 'certificate-changed') cache.forget(signal.id)
    else if (signal.kind === 'gap') cache.forgetAll()
  })
  // If the signal is lost, the cache entries of other nodes expire.
  const publishChange = async (id: string) => {
    cache.forget(id)
    await signals.publish({ kind: 'certificate-changed', id }).catch((cause: unknown) => {
      log.warn('the change of a certificate could not be published to other nodes', {
        certificate: id,
        cause: String(cause),
      })
    })
  }
  const open = (id: string, sealed: string | undefined): StoredCertificate | undefined => {
    if (sealed === undefined) return undefined
    const contents = codec.open(sealed)
    if (contents === undefined) log.error('a stored certificate cannot be opened', { certificate: id })
    return contents === undefined ? undefined : { ...contents, id }
  }

  return {
    async add(pem, orgId) {
      const contents = codec.read(pem)
      if ('problem' in contents) return { kind: 'rejected', message: contents.problem }
      const expiresAt = contents.details?.notAfter ?? Number.POSITIVE_INFINITY
      if (expiresAt < clock.now()) return { kind: 'rejected', message: 'certificate is expired' }
      const id = orgId + contents.sha256
      if (!(await records.add(certificateRecord(id), codec.seal(contents)))) {
        return { kind: 'rejected', message: `Certificate with ${id} id already exists` }
      }
      await index.add(id, orgId)
      // If the record was removed concurrently, the list must not contain its id.
      if ((await records.get(certificateRecord(id))) === undefined) await index.remove(id, [orgId])
      await publishChange(id)
      return { kind: 'added', id }
    },
    ids: index.ids,
    get(id) {
      const known = cache.get(id)
      if (known !== undefined) return known.certificate
      const version = cache.version()
      return when(records.get(certificateRecord(id)), (sealed) => {
        const certificate = open(id, sealed)
        cache.put(id, certificate, version)
        return certificate
      })
    },
    async remove(id, orgId = '') {
      // The list comes first: until the record is removed, a concurrent `add` fails and so cannot lose its list entry.
      await index.remove(id, [orgId, orgOfCertificate(id)])
      await records.remove(certificateRecord(id))
      await publishChange(id)
    },
    close: unsubscribe,
  } satisfies CertificateStore
}
