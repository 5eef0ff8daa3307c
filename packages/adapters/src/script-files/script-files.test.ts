import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { zipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeScriptFiles } from './script-files.ts'
import { unzip } from './unzip.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-script-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, content: string | Uint8Array): void {
  const whole = join(folder, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, content)
}

/** Writes a bundle to the folder that serves bundles. */
function bundle(name: string, files: Readonly<Record<string, string>>, change: object = {}): void {
  const hash = createHash('md5')
  for (const text of Object.values(files)) hash.update(text)
  const manifest = {
    file_list: Object.keys(files),
    custom_middleware: { driver: 'otto', pre: [{ name: 'x', path: 'x.js' }] },
    checksum: hash.digest('hex'),
    ...change,
  }
  const entries = Object.entries({ ...files, 'manifest.json': JSON.stringify(manifest) })
  write(`served/${name}`, zipSync(Object.fromEntries(entries.map(([file, text]) => [file, Buffer.from(text)]))))
}

const files = (publicKey?: KeyObject) =>
  makeScriptFiles({
    folders: [join(folder, 'first'), join(folder, 'second')],
    bundles: {
      baseUrl: pathToFileURL(join(folder, 'served')).href,
      folder: join(folder, 'middleware'),
      insecure: false,
      publicKey,
      fetch: { get: () => Promise.reject(new Error('not used')) },
    },
  })

describe('script files', () => {
  it('are read from the first folder that has them', async () => {
    write('second/a.js', 'second')
    expect(await files().read('a.js')).toBe('second')
    write('first/a.js', 'first')
    expect(await files().read('a.js')).toBe('first')
    expect(await files().read('missing.js')).toBeUndefined()
  })

  it('are listed by name', async () => {
    write('first/pre/b.js', '')
    write('first/pre/a.js', '')
    expect([await files().list('pre'), await files().list('post')]).toEqual([['a.js', 'b.js'], []])
  })
})

describe('a bundle', () => {
  it('is unpacked once', async () => {
    bundle('b.zip', { 'x.js': 'one', 'lib/y.js': 'two' })
    const loaded = await files().bundle('b.zip')
    expect(loaded).toMatchObject({ kind: 'bundle', scripts: { driver: 'otto', pre: [{ name: 'x', path: 'x.js' }] } })
    if (loaded.kind !== 'bundle') return
    expect(await files().read(join(loaded.folder, 'lib/y.js'))).toBe('two')
    rmSync(join(folder, 'served'), { recursive: true })
    expect((await files().bundle('b.zip')).kind).toBe('bundle')
  })

  it('is fetched again if its folder was changed', async () => {
    bundle('b.zip', { 'x.js': 'one' })
    const loaded = await files().bundle('b.zip')
    if (loaded.kind !== 'bundle') throw new Error(loaded.kind)
    writeFileSync(join(loaded.folder, 'x.js'), 'changed')
    await files().bundle('b.zip')
    expect(await files().read(join(loaded.folder, 'x.js'))).toBe('one')
  })

  it.each([
    ['a wrong checksum', { checksum: '0'.repeat(32) }, /checksum is wrong/],
    ['a missing file', { file_list: ['y.js'] }, /y\.js is missing/],
    ['a file outside of it', { file_list: ['../../x.js'] }, /outside of the bundle/],
    ['no checksum', { checksum: undefined }, /no checksum/],
  ])('with %s is rejected', async (_, change, problem) => {
    bundle('b.zip', { 'x.js': 'one' }, change)
    expect(await files().bundle('b.zip')).toEqual({ kind: 'failed', problem: expect.stringMatching(problem) })
  })

  it('that is missing or no archive is rejected', async () => {
    expect((await files().bundle('none.zip')).kind).toBe('failed')
    write('served/text.zip', 'no archive')
    expect((await files().bundle('text.zip')).kind).toBe('failed')
  })

  describe('with a public key in the configuration', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const signatureOf = (text: string) => sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64')

    it('is loaded if the key signed its files', async () => {
      bundle('b.zip', { 'x.js': 'one', 'y.js': 'two' }, { signature: signatureOf('onetwo') })
      expect((await files(publicKey).bundle('b.zip')).kind).toBe('bundle')
    })

    it.each([
      ['without a signature', '', /no signature.*public_key_path/],
      ['with the signature of other files', signatureOf('other'), /signature is wrong/],
      ['with a signature that is no base64', '%', /signature is wrong/],
    ])('is rejected %s', async (_, signature, problem) => {
      bundle('b.zip', { 'x.js': 'one' }, { signature })
      expect(await files(publicKey).bundle('b.zip')).toEqual({
        kind: 'failed',
        problem: expect.stringMatching(problem),
      })
    })

    it('is rejected although it was unpacked before the key was configured', async () => {
      bundle('b.zip', { 'x.js': 'one' })
      expect((await files().bundle('b.zip')).kind).toBe('bundle')
      expect((await files(publicKey).bundle('b.zip')).kind).toBe('failed')
    })
  })

  it('is not loaded without configuration', async () => {
    expect(await makeScriptFiles({ folders: [], bundles: undefined }).bundle('b.zip')).toEqual({ kind: 'disabled' })
  })
})

it('an archive with too many files is rejected', () => {
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`${i}`, new Uint8Array(0)]))
  expect(() => unzip(zipSync(many))).toThrow('more than')
})
