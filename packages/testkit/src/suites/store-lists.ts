/** The part of the store suite about ranked lists: members are unique, and read by rank and then by name. */
import type { ListedMember } from '@turnpike/core/ports'
import { expect } from 'vitest'
import { freshName, type StoreCases } from './store-case.ts'

const atOnce = Array.from({ length: 10 }, (_, i) => i)
const pairs = (members: readonly ListedMember[]) => members.map(({ member, rank }) => [member, rank])

export const listCases: StoreCases = {
  'knows nothing of a list that nothing was added to': async ({ store: { records } }) => {
    const list = freshName('absent')
    expect(await records.members(list)).toEqual([])
    expect(await records.removeMember(list, 'a')).toBe(false)
    expect(await records.pruneMembers(list, 1e15)).toBe(0)
  },
  'returns members by rank and then by name': async ({ store: { records } }) => {
    const list = freshName('order')
    const ranks = { d: 10, b: 2, c: 2, a: 2, e: 0, f: -1.5, g: -20, h: 1.25, i: 1_700_000_000_123 }
    for (const [member, rank] of Object.entries(ranks)) await records.addMember(list, member, rank)
    const inOrder = [
      ['g', -20],
      ['f', -1.5],
      ['e', 0],
      ['h', 1.25],
      ['a', 2],
      ['b', 2],
      ['c', 2],
      ['d', 10],
    ]
    expect(pairs(await records.members(list))).toEqual([...inOrder, ['i', 1_700_000_000_123]])
  },
  'gives a member that is there its new rank, and has it once': async ({ store: { records } }) => {
    const list = freshName('again')
    await records.addMember(list, 'a', 5)
    await records.addMember(list, 'b', 6)
    await records.addMember(list, 'a', 7)
    await records.addMember(list, 'a', 7)
    expect(pairs(await records.members(list))).toEqual([
      ['b', 6],
      ['a', 7],
    ])
    expect(await records.pruneMembers(list, 5)).toBe(0)
    expect(await records.removeMember(list, 'a')).toBe(true)
    expect(pairs(await records.members(list))).toEqual([['b', 6]])
  },
  'returns members from a rank, inclusive': async ({ store: { records } }) => {
    const list = freshName('from')
    for (const rank of [-2, -1, 0, 1, 2]) await records.addMember(list, `m${rank}`, rank)
    const from = async (rank: number) => (await records.members(list, rank)).map((entry) => entry.rank)
    expect(await from(-1)).toEqual([-1, 0, 1, 2])
    expect(await from(0)).toEqual([0, 1, 2])
    expect(await from(0.5)).toEqual([1, 2])
    expect(await from(2)).toEqual([2])
    expect(await from(3)).toEqual([])
  },
  'removes members up to a rank, inclusive, and returns how many': async ({ store: { records } }) => {
    const list = freshName('prune')
    for (const rank of [-2, -1, 0, 1, 1, 2]) await records.addMember(list, freshName(`m${rank}`), rank)
    expect(await records.pruneMembers(list, -3)).toBe(0)
    expect(await records.pruneMembers(list, -1)).toBe(2)
    expect((await records.members(list)).map(({ rank }) => rank)).toEqual([0, 1, 1, 2])
    expect(await records.pruneMembers(list, 1.5)).toBe(3)
    expect((await records.members(list)).map(({ rank }) => rank)).toEqual([2])
    expect(await records.pruneMembers(list, 2)).toBe(1)
    expect(await records.members(list)).toEqual([])
  },
  'reports success to exactly one of several who remove a member': async ({ store: { records } }) => {
    const list = freshName('one-removes')
    await records.addMember(list, 'a', 1)
    await records.addMember(list, 'b', 1)
    const removed = await Promise.all(atOnce.map(() => records.removeMember(list, 'a')))
    expect(removed.filter(Boolean)).toHaveLength(1)
    expect(pairs(await records.members(list))).toEqual([['b', 1]])
  },
  'counts every member once among several who prune': async ({ store: { records } }) => {
    const list = freshName('one-prunes')
    await Promise.all(atOnce.map((i) => records.addMember(list, `m${i}`, i)))
    const pruned = await Promise.all(atOnce.map(() => records.pruneMembers(list, 6)))
    expect(pruned.reduce((sum, count) => sum + count, 0)).toBe(7)
    expect((await records.members(list)).map(({ rank }) => rank)).toEqual([7, 8, 9])
  },
  'keeps lists apart, and members of any letters': async ({ store: { records } }) => {
    const stem = freshName('apart')
    const members = ['', 'a', 'a ', 'a*', 'Zoë ✓ 😀', 'x'.repeat(3000), `${'x'.repeat(3000)}y`]
    for (const list of [stem, `${stem}.a`, `${stem}${'x'.repeat(3000)}`]) {
      for (const member of members) await records.addMember(list, `${member}${list.length}`, 1)
      const found = (await records.members(list)).map(({ member }) => member)
      expect(found.sort()).toEqual(members.map((member) => `${member}${list.length}`).sort())
    }
    expect(await records.pruneMembers(stem, 1)).toBe(members.length)
    expect(await records.members(`${stem}.a`)).toHaveLength(members.length)
  },
  'has a long list whole, and prunes it whole': async ({ store: { records } }) => {
    const list = freshName('long')
    await Promise.all(Array.from({ length: 1500 }, (_, i) => records.addMember(list, `m${i}`, i)))
    const ranks = (await records.members(list)).map(({ rank }) => rank)
    expect(ranks).toEqual(Array.from({ length: 1500 }, (_, i) => i))
    expect(await records.pruneMembers(list, 1200)).toBe(1201)
    expect(await records.members(list)).toHaveLength(299)
  },
  'has on disk what it acknowledged, and only that, after a crash': async ({ store: { records }, reopen }) => {
    if (reopen === undefined) return
    const list = freshName('crash')
    for (const rank of [1, 2, 3, 4]) await records.addMember(list, `m${rank}`, rank)
    await records.addMember(list, 'm4', 5)
    await records.removeMember(list, 'm3')
    await records.pruneMembers(list, 1)
    const second = await reopen()
    try {
      expect(pairs(await second.records.members(list))).toEqual([
        ['m2', 2],
        ['m4', 5],
      ])
    } finally {
      await second.close()
    }
  },
}
