import { expect, test } from 'vitest'
import { makeClientPool } from './client-pool.ts'

test('a client rests and is used again when a function returns no more', async () => {
  let now = 0
  const pool = makeClientPool({
    make: async (index) => (index < 2 ? { name: `client ${index}` } : undefined),
    size: 5,
    restMs: 100,
    now: () => now,
  })
  const first = await pool.take(1000)
  const second = await pool.take(1000)
  expect([first?.name, second?.name]).toEqual(['client 0', 'client 1'])
  if (first === undefined) throw new Error('no client')
  pool.release(first)
  now = 100
  expect(await pool.take(1000)).toBe(first)
})

test('calls at the same time get different clients', async () => {
  const pool = makeClientPool({
    make: async (index) => ({ name: `client ${index}` }),
    size: 3,
    restMs: 100,
    now: () => 0,
  })
  const clients = await Promise.all([pool.take(1), pool.take(1), pool.take(1)])
  expect(clients.map((client) => client?.name).sort()).toEqual(['client 0', 'client 1', 'client 2'])
})
