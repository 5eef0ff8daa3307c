import { expect, test, vi } from 'vitest'
import { uwsAvailable } from './front-end-uws.ts'

const { loaded } = vi.hoisted(() => ({ loaded: { count: 0 } }))
vi.mock('./verify-uws.ts', async (original) => ({
  ...(await original<object>()),
  findUwsProblem: async () => 'dist/uws.mjs is not the file of uws-pack',
}))
vi.mock('uWebSockets.js', () => {
  loaded.count++
  return {}
})

test('a package that is not the pinned one is never loaded, and the reason is reported', async () => {
  expect(await uwsAvailable()).toEqual({
    isMissing: false,
    reason: expect.stringMatching(/^uWebSockets\.js cannot be loaded on Node .*: dist\/uws\.mjs is not the file/),
  })
  expect(loaded.count).toBe(0)
})
