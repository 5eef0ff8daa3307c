/**
 * Keys ready for use, by organisation and credential, bounded: the least recently used goes first.
 * A hit is a Map lookup and a few pointer writes; nothing is allocated. Several credentials (the short and the full
 * name) may lead to one stored session, hence the second index.
 */
import { type Clock, hasCome, type Millis } from '../../ports/clock.ts'
import type { KeyEntry } from './keyring.ts'

class Slot {
  readonly orgId: string
  readonly credential: string
  readonly entry: KeyEntry
  /** When the store forgets the session; Infinity: never. */
  readonly goneAt: Millis
  /** What it takes of the cache's room. */
  readonly bytes: number
  /** Neighbours in the order of use. */
  newer: Slot | undefined = undefined
  older: Slot | undefined = undefined
  /** Neighbours among those made from the same stored session. */
  nextSame: Slot | undefined = undefined
  previousSame: Slot | undefined = undefined
  constructor(orgId: string, credential: string, entry: KeyEntry, goneAt: Millis, bytes: number) {
    this.orgId = orgId
    this.credential = credential
    this.entry = entry
    this.goneAt = goneAt
    this.bytes = bytes
  }
}

/** What an entry takes beside the letters of its names and what holding the session takes: objects and map slots. */
const fixedBytes = 750

export class KeyCache {
  private readonly capacity: number
  private readonly maxBytes: number
  private byOrg = new Map<string, Map<string, Slot>>()
  private byStoredName = new Map<string, Slot>()
  private newest: Slot | undefined = undefined
  private oldest: Slot | undefined = undefined
  private count = 0
  private bytes = 0
  // Requests come in runs of one organisation; its map is found without a lookup.
  private lastOrgId = ''
  private lastOrg: Map<string, Slot> | undefined = undefined

  /**
   * `capacity`: entries held at most; 0: none, every key is read each time. `maxBytes`: what they may take, by what
   * they are told to take and what is known of their kind.
   */
  constructor(capacity: number, maxBytes = Number.POSITIVE_INFINITY) {
    this.capacity = capacity
    this.maxBytes = maxBytes
  }

  get size(): number {
    return this.count
  }

  /** The entry of a credential, unless its session's lifetime is over. */
  get(orgId: string, credential: string, clock: Pick<Clock, 'now'>): KeyEntry | undefined {
    if (this.lastOrg === undefined || this.lastOrgId !== orgId) {
      const org = this.byOrg.get(orgId)
      if (org === undefined) return undefined
      this.lastOrg = org
      this.lastOrgId = orgId
    }
    const slot = this.lastOrg.get(credential)
    if (slot === undefined) return undefined
    if (hasCome(slot.goneAt, clock)) {
      this.remove(slot)
      return undefined
    }
    if (slot !== this.newest) {
      this.unlink(slot)
      this.linkNewest(slot)
    }
    return slot.entry
  }

  /** `ownBytes`: what holding the session takes. One that would take all the room is not held. */
  set(orgId: string, credential: string, entry: KeyEntry, goneAt: Millis, ownBytes = 0): void {
    const known = this.byOrg.get(orgId)?.get(credential)
    if (known !== undefined) this.remove(known)
    const bytes = fixedBytes + ownBytes + credential.length + entry.storedName.length
    if (this.capacity <= 0 || bytes > this.maxBytes) return
    while (this.oldest !== undefined && (this.count >= this.capacity || this.bytes + bytes > this.maxBytes)) {
      this.remove(this.oldest)
    }
    const slot = new Slot(orgId, credential, entry, goneAt, bytes)
    const org = this.byOrg.get(orgId) ?? new Map<string, Slot>()
    this.byOrg.set(orgId, org)
    org.set(credential, slot)
    this.linkSame(slot)
    this.linkNewest(slot)
    this.count++
    this.bytes += bytes
  }

  /** Takes out every entry made from what is stored under this name. */
  forget(storedName: string): void {
    for (let slot = this.byStoredName.get(storedName); slot !== undefined; ) {
      const next: Slot | undefined = slot.nextSame
      this.remove(slot)
      slot = next
    }
  }

  clear(): void {
    this.byOrg = new Map()
    this.byStoredName = new Map()
    this.newest = undefined
    this.oldest = undefined
    this.lastOrg = undefined
    this.count = 0
    this.bytes = 0
  }

  private remove(slot: Slot): void {
    const org = this.byOrg.get(slot.orgId)
    org?.delete(slot.credential)
    if (org?.size === 0) {
      this.byOrg.delete(slot.orgId)
      if (this.lastOrg === org) this.lastOrg = undefined
    }
    this.unlinkSame(slot)
    this.unlink(slot)
    this.count--
    this.bytes -= slot.bytes
  }

  private linkSame(slot: Slot): void {
    const first = this.byStoredName.get(slot.entry.storedName)
    slot.nextSame = first
    if (first !== undefined) first.previousSame = slot
    this.byStoredName.set(slot.entry.storedName, slot)
  }

  private unlinkSame(slot: Slot): void {
    const { nextSame, previousSame } = slot
    if (nextSame !== undefined) nextSame.previousSame = previousSame
    if (previousSame !== undefined) previousSame.nextSame = nextSame
    else if (nextSame !== undefined) this.byStoredName.set(slot.entry.storedName, nextSame)
    else this.byStoredName.delete(slot.entry.storedName)
    slot.nextSame = undefined
    slot.previousSame = undefined
  }

  private linkNewest(slot: Slot): void {
    slot.older = this.newest
    slot.newer = undefined
    if (this.newest !== undefined) this.newest.newer = slot
    this.newest = slot
    if (this.oldest === undefined) this.oldest = slot
  }

  private unlink(slot: Slot): void {
    if (slot.newer === undefined) this.newest = slot.older
    else slot.newer.older = slot.older
    if (slot.older === undefined) this.oldest = slot.newer
    else slot.older.newer = slot.newer
    slot.newer = undefined
    slot.older = undefined
  }
}
