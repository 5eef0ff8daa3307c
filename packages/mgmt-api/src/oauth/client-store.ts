/** Clients of one API, and the list of them. A client is a record of its own under each API that knows it. */
import { type Maybe, when } from '@turnpike/core/lib'
import type { Clock, Store } from '@turnpike/core/ports'
import { clientMember, clientOfMember, oauthNames } from './oauth-names.ts'
import { clientShape, type OAuthClient, readRecord, writeRecord } from './oauth-records.ts'

export interface ClientStore {
  find(clientId: string): Maybe<OAuthClient | undefined>
  /** Stores or replaces. */
  put(client: OAuthClient): Promise<void>
  /** Returns whether the client existed. Its tokens become invalid with it. */
  remove(clientId: string): Promise<boolean>
  /** In the order in which they were last written. */
  list(): Promise<OAuthClient[]>
}

export interface ClientStoreServices {
  readonly store: Pick<Store, 'records'>
  readonly clock: Pick<Clock, 'now'>
  /** Called when a client was stored or removed. */
  changed(clientId: string): void
}

export function makeClientStore(
  api: { readonly id: string; readonly orgId: string },
  { store, clock, changed }: ClientStoreServices,
): ClientStore {
  const names = oauthNames(api.id)
  const index = names.clientIndex(api.orgId)
  const find = (clientId: string): Maybe<OAuthClient | undefined> => {
    if (clientId === '') return undefined
    return when(store.records.get(names.client(clientId)), (text) => readRecord(clientShape, text))
  }
  /** Clients that an older version stored without a list. */
  const fillIndex = async (): Promise<string[]> => {
    const prefix = names.client('')
    const ids = (await store.records.names(prefix)).map((name) => name.slice(prefix.length)).sort()
    for (const id of ids) await store.records.addMember(index, clientMember(id), clock.now())
    return ids
  }
  return {
    find,
    async put(client) {
      await store.records.put(names.client(client.id), writeRecord(clientShape, client))
      await store.records.addMember(index, clientMember(client.id), clock.now())
      changed(client.id)
    },
    async remove(clientId) {
      const removed = await store.records.remove(names.client(clientId))
      await store.records.removeMember(index, clientMember(clientId))
      changed(clientId)
      return removed
    },
    async list() {
      const members = await store.records.members(index)
      const ids = members.map(({ member }) => clientOfMember(member))
      const clients = await Promise.all((ids.length === 0 ? await fillIndex() : ids).map(async (id) => find(id)))
      return clients.filter((client) => client !== undefined)
    },
  }
}
