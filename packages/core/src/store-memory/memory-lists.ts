/** Ranked lists in memory. They are short and rarely read, so they are sorted when they are read. */
import type { ListedMember, RankedLists } from '../ports/store.ts'

/** Lists that return values instead of promises. */
export interface MemoryLists extends RankedLists {
  addMember(list: string, member: string, rank: number): void
  removeMember(list: string, member: string): boolean
  members(list: string, fromRank?: number): ListedMember[]
  pruneMembers(list: string, toRank: number): number
}

export function makeMemoryLists(): MemoryLists {
  const lists = new Map<string, Map<string, number>>()

  const remove = (list: string, member: string): boolean => {
    const ranks = lists.get(list)
    const found = ranks?.delete(member) === true
    if (ranks?.size === 0) lists.delete(list)
    return found
  }

  return {
    addMember(list, member, rank) {
      const ranks = lists.get(list)
      if (ranks === undefined) lists.set(list, new Map([[member, rank]]))
      else ranks.set(member, rank)
    },
    removeMember: remove,
    members(list, fromRank = Number.NEGATIVE_INFINITY) {
      const members: ListedMember[] = []
      for (const [member, rank] of lists.get(list) ?? []) if (rank >= fromRank) members.push({ member, rank })
      return members.sort((a, b) => a.rank - b.rank || (a.member < b.member ? -1 : 1))
    },
    pruneMembers(list, toRank) {
      let pruned = 0
      for (const [member, rank] of [...(lists.get(list) ?? [])]) {
        if (rank <= toRank && remove(list, member)) pruned += 1
      }
      return pruned
    },
  } satisfies MemoryLists
}
