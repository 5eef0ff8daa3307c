import { describe, expect, it } from 'vitest'
import { uwsAvailable } from './front-end-uws.ts'

describe('uWebSockets.js', () => {
  it('is there, or says in one line why not', async () => {
    const available = await uwsAvailable()
    if (available !== true) expect(available).toMatch(/^uWebSockets\.js cannot be loaded on Node [^\n]+$/)
  })
})
