/**
 * Ranked lists on disk. Each member has an entry by name and an entry by rank, written in one transaction, so that a
 * change costs two records in a list of any length.
 */
import type { Clock, ListedMember, RankedLists } from '@turnpike/core/ports'
import { memberKey, rangeFromRank, rangeToRank, rankKey, rankOfKey } from './list-key.ts'
import type { Slice, Table } from './open-database.ts'
import { packText, textIn } from './text-record.ts'

/** Members per slice: about a millisecond of work. */
const sliceSize = 500

/** Makes a list store over one table. */
export function makeLmdbLists(table: Table, clock: Pick<Clock, 'breathe'>): RankedLists {
  /** Call only inside `write`. */
  const rankOf = (key: Buffer): number | undefined => table.get(key)?.readDoubleBE()

  const readOn = async (members: ListedMember[], from: Buffer, end: Buffer): Promise<ListedMember[]> => {
    for (let next: Buffer | undefined = from; next !== undefined; ) {
      await clock.breathe()
      const slice: Slice = table.slice(next, end, sliceSize)
      collect(slice, members)
      next = slice.next
    }
    return inOrder(members)
  }

  return {
    async addMember(list, member, rank) {
      const key = memberKey(list, member)
      const value = Buffer.alloc(8)
      value.writeDoubleBE(rank)
      await table.write(() => {
        const before = rankOf(key)
        if (before !== undefined) table.remove(rankKey(list, before, member))
        table.put(key, value)
        table.put(rankKey(list, rank, member), packText(member, undefined, undefined))
      })
    },
    removeMember(list, member) {
      const key = memberKey(list, member)
      return table.write(() => {
        const rank = rankOf(key)
        if (rank === undefined) return false
        table.remove(key)
        table.remove(rankKey(list, rank, member))
        return true
      })
    },
    members(list, fromRank) {
      const { start, end } = rangeFromRank(list, fromRank)
      const members: ListedMember[] = []
      const slice = table.slice(start, end, sliceSize)
      collect(slice, members)
      return slice.next === undefined ? inOrder(members) : readOn(members, slice.next, end)
    },
    async pruneMembers(list, toRank) {
      const { start, end } = rangeToRank(list, toRank)
      const pruneSlice = () => {
        const { records, next } = table.slice(start, end, sliceSize)
        for (const { key, value } of records) {
          table.remove(key)
          table.remove(memberKey(list, textIn(value)))
        }
        return { count: records.length, isDone: next === undefined }
      }
      let pruned = 0
      for (let isDone = false; !isDone; ) {
        const slice = await table.write(pruneSlice)
        pruned += slice.count
        isDone = slice.isDone
      }
      return pruned
    },
  } satisfies RankedLists
}

function collect({ records }: Slice, members: ListedMember[]): void {
  for (const { key, value } of records) members.push({ member: textIn(value), rank: rankOfKey(key) })
}

/** Sorts by rank, then by name in UTF-16 order, which differs from the byte order of the keys for astral characters. */
function inOrder(members: ListedMember[]): ListedMember[] {
  return members.sort((a, b) => a.rank - b.rank || (a.member < b.member ? -1 : 1))
}
