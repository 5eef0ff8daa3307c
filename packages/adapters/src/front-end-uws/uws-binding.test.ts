import { describe, expect, it } from 'vitest'
import { uwsAvailable } from './front-end-uws.ts'

describe('uWebSockets.js', () => {
  it('is available, or the reason is one line', async () => {
    const available = await uwsAvailable()
    if (available !== true)
      expect(available.reason).toMatch(/^uWebSockets\.js (cannot be loaded on Node|is not installed) [^\n]+$/)
  })
})
