/**
 * Certificates that were uploaded, by id: the organisation and the SHA-256 of the first certificate. They lie in the
 * store as existing nodes keep them (docs/reference/redis-records.md#stored-certificates); their use is found in ports/certificates.ts.
 *
 * What was read is kept for a while, since requests and handshakes ask for it; a removal holds at once on this node
 * and, by signal, on the others. Source: docs/reference/certificates.md#certificate-endpoints.
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
  /** The message is fit for clients. */
  | { readonly kind: 'refused'; readonly message: string }

export interface CertificateStore {
  /** Takes a PEM text for an organisation (empty: for none). Durable once settled. */
  add(pem: string, orgId: string): Promise<AddedCertificate>
  /** Ids of an organisation, oldest first; of all when the organisation is empty. */
  ids(orgId: string): Promise<string[]>
  /** `undefined`: there is none, or it cannot be opened. */
  get(id: string): Maybe<StoredCertificate | undefined>
  /** Unknown ids are fine. `orgId`: whose list it is on, where that is not in the id. */
  remove(id: string, orgId?: string): Promise<void>
  /** Stops hearing other nodes. */
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
  const stopHearing = signals.subscribe((signal) => {
    if (signal.kind === 'certificate-changed') cache.forget(signal.id)
    else if (signal.kind === 'gap') cache.forgetAll()
  })
  // Others learn of it late without the signal, never wrongly: what they keep has an end.
  const tell = async (id: string) => {
    cache.forget(id)
    await signals.publish({ kind: 'certificate-changed', id }).catch((cause: unknown) => {
      log.warn('other nodes could not be told of a certificate', { certificate: id, cause: String(cause) })
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
      if ('problem' in contents) return { kind: 'refused', message: contents.problem }
      const expiresAt = contents.details?.notAfter ?? Number.POSITIVE_INFINITY
      if (expiresAt < clock.now()) return { kind: 'refused', message: 'certificate is expired' }
      const id = orgId + contents.sha256
      if (!(await records.add(certificateRecord(id), codec.seal(contents)))) {
        return { kind: 'refused', message: `Certificate with ${id} id already exists` }
      }
      await index.add(id, orgId)
      // Removed meanwhile: the list must not name what is not there.
      if ((await records.get(certificateRecord(id))) === undefined) await index.remove(id, [orgId])
      await tell(id)
      return { kind: 'added', id }
    },
    ids: index.ids,
    get(id) {
      const known = cache.get(id)
      if (known !== undefined) return known.certificate
      const mark = cache.mark()
      return when(records.get(certificateRecord(id)), (sealed) => {
        const certificate = open(id, sealed)
        cache.put(id, certificate, mark)
        return certificate
      })
    },
    async remove(id, orgId = '') {
      // The list first: whoever adds it anew meanwhile is refused, and does not lose its place on the list.
      await index.remove(id, [orgId, orgOfCertificate(id)])
      await records.remove(certificateRecord(id))
      await tell(id)
    },
    close: stopHearing,
  } satisfies CertificateStore
}
