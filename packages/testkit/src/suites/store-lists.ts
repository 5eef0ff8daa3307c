/** The part of the store suite about ranked lists: members are unique, and read by rank and then by name. */
import type { ListedMember } from '@turnpike/core'
import { expect } from 'vitest'
import { freshName, type StoreCase } from './store-case.ts'

const atOnce = Array.from({ length: 10 }, (_, i) => i)
const pairs = (members: readonly ListedMember[]) => members.map(({ member, rank }) => [member, rank])

export const listCases: readonly StoreCase[] = [
  {
    name: 'knows nothing of a list that nothing was added to',
    async run({ store: { lists } }) {
      const list = freshName('absent')
      expect(await lists.members(list)).toEqual([])
      expect(await lists.remove(list, 'a')).toBe(false)
      expect(await lists.prune(list, 1e15)).toBe(0)
    },
  },
  {
    name: 'tells members by rank and then by name',
    async run({ store: { lists } }) {
      const list = freshName('order')
      const ranks = { d: 10, b: 2, c: 2, a: 2, e: 0, f: -1.5, g: -20, h: 1.25, i: 1_700_000_000_123 }
      for (const [member, rank] of Object.entries(ranks)) await lists.add(list, member, rank)
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
      expect(pairs(await lists.members(list))).toEqual([...inOrder, ['i', 1_700_000_000_123]])
    },
  },
  {
    name: 'gives a member that is there its new rank, and has it once',
    async run({ store: { lists } }) {
      const list = freshName('again')
      await lists.add(list, 'a', 5)
      await lists.add(list, 'b', 6)
      await lists.add(list, 'a', 7)
      await lists.add(list, 'a', 7)
      expect(pairs(await lists.members(list))).toEqual([
        ['b', 6],
        ['a', 7],
      ])
      expect(await lists.prune(list, 5)).toBe(0)
      expect(await lists.remove(list, 'a')).toBe(true)
      expect(pairs(await lists.members(list))).toEqual([['b', 6]])
    },
  },
  {
    name: 'tells members from a rank on, that rank included',
    async run({ store: { lists } }) {
      const list = freshName('from')
      for (const rank of [-2, -1, 0, 1, 2]) await lists.add(list, `m${rank}`, rank)
      const from = async (rank: number) => (await lists.members(list, rank)).map((entry) => entry.rank)
      expect(await from(-1)).toEqual([-1, 0, 1, 2])
      expect(await from(0)).toEqual([0, 1, 2])
      expect(await from(0.5)).toEqual([1, 2])
      expect(await from(2)).toEqual([2])
      expect(await from(3)).toEqual([])
    },
  },
  {
    name: 'takes off the members up to a rank, that rank included, and tells how many',
    async run({ store: { lists } }) {
      const list = freshName('prune')
      for (const rank of [-2, -1, 0, 1, 1, 2]) await lists.add(list, freshName(`m${rank}`), rank)
      expect(await lists.prune(list, -3)).toBe(0)
      expect(await lists.prune(list, -1)).toBe(2)
      expect((await lists.members(list)).map(({ rank }) => rank)).toEqual([0, 1, 1, 2])
      expect(await lists.prune(list, 1.5)).toBe(3)
      expect((await lists.members(list)).map(({ rank }) => rank)).toEqual([2])
      expect(await lists.prune(list, 2)).toBe(1)
      expect(await lists.members(list)).toEqual([])
    },
  },
  {
    name: 'tells one of several who remove a member that it did',
    async run({ store: { lists } }) {
      const list = freshName('one-removes')
      await lists.add(list, 'a', 1)
      await lists.add(list, 'b', 1)
      const removed = await Promise.all(atOnce.map(() => lists.remove(list, 'a')))
      expect(removed.filter(Boolean)).toHaveLength(1)
      expect(pairs(await lists.members(list))).toEqual([['b', 1]])
    },
  },
  {
    name: 'counts every member once among several who prune',
    async run({ store: { lists } }) {
      const list = freshName('one-prunes')
      await Promise.all(atOnce.map((i) => lists.add(list, `m${i}`, i)))
      const pruned = await Promise.all(atOnce.map(() => lists.prune(list, 6)))
      expect(pruned.reduce((sum, count) => sum + count, 0)).toBe(7)
      expect((await lists.members(list)).map(({ rank }) => rank)).toEqual([7, 8, 9])
    },
  },
  {
    name: 'keeps lists apart, and members of any letters',
    async run({ store: { lists } }) {
      const stem = freshName('apart')
      const members = ['', 'a', 'a ', 'a*', 'Zoë ✓ 😀', 'x'.repeat(3000), `${'x'.repeat(3000)}y`]
      for (const list of [stem, `${stem}.a`, `${stem}${'x'.repeat(3000)}`]) {
        for (const member of members) await lists.add(list, `${member}${list.length}`, 1)
        const found = (await lists.members(list)).map(({ member }) => member)
        expect(found.sort()).toEqual(members.map((member) => `${member}${list.length}`).sort())
      }
      expect(await lists.prune(stem, 1)).toBe(members.length)
      expect(await lists.members(`${stem}.a`)).toHaveLength(members.length)
    },
  },
  {
    name: 'has a long list whole, and prunes it whole',
    async run({ store: { lists } }) {
      const list = freshName('long')
      await Promise.all(Array.from({ length: 1500 }, (_, i) => lists.add(list, `m${i}`, i)))
      const ranks = (await lists.members(list)).map(({ rank }) => rank)
      expect(ranks).toEqual(Array.from({ length: 1500 }, (_, i) => i))
      expect(await lists.prune(list, 1200)).toBe(1201)
      expect(await lists.members(list)).toHaveLength(299)
    },
  },
  {
    name: 'has on disk what it said is stored, and only that, after a crash',
    async run({ store: { lists }, reopen }) {
      if (reopen === undefined) return
      const list = freshName('crash')
      for (const rank of [1, 2, 3, 4]) await lists.add(list, `m${rank}`, rank)
      await lists.add(list, 'm4', 5)
      await lists.remove(list, 'm3')
      await lists.prune(list, 1)
      const second = await reopen()
      try {
        expect(pairs(await second.lists.members(list))).toEqual([
          ['m2', 2],
          ['m4', 5],
        ])
      } finally {
        await second.close()
      }
    },
  },
]
