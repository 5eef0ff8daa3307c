/**
 * The list of certificates of each organisation. Existing stores may contain certificates without a list; a missing list
 * is built once from the names of the records. Source: docs/reference/redis-records.md#stored-certificates.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import {
  certificateIndex,
  certificateIndexMark,
  certificateRecord,
  fingerprintOfCertificate,
  idOfMember,
  idOfRecord,
  indexMember,
  isCertificateId,
} from './certificate-names.ts'

export interface CertificateIndex {
  add(id: string, orgId: string): Promise<void>
  /** Removes the id from the lists of these organisations. */
  remove(id: string, orgIds: readonly string[]): Promise<void>
  /** Ids, oldest first; the ids of all certificates if the organisation is empty. */
  ids(orgId: string): Promise<string[]>
}

export function makeCertificateIndex({ records }: Pick<Store, 'records'>, clock: Pick<Clock, 'now'>): CertificateIndex {
  /** Lists ids by record name. The filter is needed because one organisation's name may be a prefix of another's. */
  const scan = async (orgId: string): Promise<string[]> => {
    const ids = (await records.names(certificateRecord(orgId))).map(idOfRecord).filter(isCertificateId)
    return ids.filter((id) => orgId === '' || id === orgId + fingerprintOfCertificate(id)).toSorted()
  }

  return {
    async add(id, orgId) {
      if (orgId !== '') await records.addMember(certificateIndex(orgId), indexMember(id), clock.now())
    },
    async remove(id, orgIds) {
      for (const orgId of new Set(orgIds)) {
        if (orgId !== '') await records.removeMember(certificateIndex(orgId), indexMember(id))
      }
    },
    async ids(orgId) {
      if (orgId === '') return scan('')
      const listed = await records.members(certificateIndex(orgId))
      if (listed.length > 0) return listed.map(({ member }) => idOfMember(member))
      if ((await records.get(certificateIndexMark(orgId))) !== undefined) return []
      const ids = await scan(orgId)
      for (const id of ids) await records.addMember(certificateIndex(orgId), indexMember(id), clock.now())
      await records.put(certificateIndexMark(orgId), '1')
      return ids
    },
  }
}
