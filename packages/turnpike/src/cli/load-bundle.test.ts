import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bundle, cachePath, loadBundle } from './load-bundle.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-load-bundle-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A bundle whose `main` gives a number, as scripts/bundle.mjs would write it; `id` stands for the hash. */
function writeBundle(answer: number, id = 'a'.repeat(64)) {
  const script = `(function (module, require, bundleFolder, importFromBundle) {
  function answer() { return ${answer} }
  module.exports = {
    main: async () => answer() + (await importFromBundle('./beside.mjs')).more,
    processIo: () => require('node:path').basename(bundleFolder),
  }
})
// ${id}`
  writeFileSync(join(folder, 'start.js'), script)
  writeFileSync(join(folder, 'beside.mjs'), 'export const more = 1')
}

const answerOf = ({ main }: Bundle) => (main as unknown as () => Promise<number>)()

async function writeCache() {
  const bundle = loadBundle(folder)
  await answerOf(bundle)
  writeFileSync(cachePath(folder), bundle.makeCache())
  return readFileSync(cachePath(folder))
}

describe('a bundle', () => {
  it('is evaluated with what it asks for beside it, with and without compiled code', async () => {
    writeBundle(41)
    const plain = loadBundle(folder)
    expect([plain.usesCache, await answerOf(plain)]).toEqual([false, 42])
    expect((plain.processIo as unknown as () => string)()).toBe(folder.split('/').at(-1))
    await writeCache()
    const cached = loadBundle(folder)
    expect([cached.usesCache, await answerOf(cached)]).toEqual([true, 42])
  })

  it('of another build is not answered by old compiled code, not even when it is of the same length', async () => {
    writeBundle(41)
    await writeCache()
    writeBundle(58, 'b'.repeat(64))
    const bundle = loadBundle(folder)
    expect([bundle.usesCache, await answerOf(bundle)]).toEqual([false, 59])
  })

  it('is compiled anew when the compiled code is damaged anywhere', async () => {
    writeBundle(41)
    const whole = await writeCache()
    const places = [0, 5, 9, 40, Math.floor(whole.length / 2), whole.length - 1]
    const flipped = places.map((at) => Buffer.from(whole.map((byte, i) => (i === at ? byte ^ 0x55 : byte))))
    const cut = [0, 1, 8, 100, whole.length - 1].map((length) => whole.subarray(0, length))
    for (const damaged of [...flipped, ...cut, Buffer.concat([whole, whole]), Buffer.alloc(5000, 7)]) {
      writeFileSync(cachePath(folder), damaged)
      const bundle = loadBundle(folder)
      expect([bundle.usesCache, await answerOf(bundle)]).toEqual([false, 42])
    }
  })
})
