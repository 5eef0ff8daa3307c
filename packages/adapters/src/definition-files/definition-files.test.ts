import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SourceDocument } from '@turnpike/core/definition'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asUnprivileged } from '../testing/as-unprivileged.ts'
import { makeDefinitionFiles } from './definition-files.ts'

let folder: string
let apps: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-files-'))
  apps = join(folder, 'apps')
  mkdirSync(apps)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (name: string, text: string) => writeFileSync(join(apps, name), text)
const files = (policies = {}) => makeDefinitionFiles({ appPath: apps, policies })
const byName = (documents: readonly SourceDocument[]) => Object.fromEntries(documents.map((it) => [it.name, it]))

describe('reading definitions', () => {
  test('returns every JSON file of the folder, sorted by name', async () => {
    put('b.json', '{"b":1}')
    put('a.json', '{"a":1}')
    put('readme.md', 'no')
    put('.hidden.json', '{}')
    const { definitions, definitionsProblem, policies } = await files().read()
    expect(definitions.map(({ name, text }) => [name, text])).toEqual([
      ['a.json', '{"a":1}'],
      ['b.json', '{"b":1}'],
    ])
    expect(definitionsProblem).toBeUndefined()
    expect(policies).toEqual({ kind: 'none' })
  })

  test('adds the OpenAPI document of the same name to the definition and includes it in the hash', async () => {
    put('a.json', '{}')
    const alone = (await files().read()).definitions[0]
    put('a-oas.json', 'the document')
    const [paired, ...others] = (await files().read()).definitions
    expect(others).toEqual([])
    expect(paired).toMatchObject({ name: 'a.json', text: '{}', sidecar: { text: 'the document' } })
    expect(paired?.hash).not.toBe(alone?.hash)
  })

  test('an MCP proxy gets its MCP document, even if an OpenAPI document exists', async () => {
    put('m.json', '{"application_protocol": "mcp"}')
    put('m-oas.json', 'an old one')
    put('m-mcp.json', 'the proxy')
    put('o.json', '{}')
    put('o-mcp.json', 'an old one')
    const [proxy, other] = (await files().read()).definitions
    expect(proxy).toMatchObject({ name: 'm.json', sidecar: { text: 'the proxy' } })
    expect(other?.sidecar).toBeUndefined()
  })

  test('ignores OpenAPI and MCP documents without a definition, and subfolders', async () => {
    put('a-oas.json', '{}')
    put('a-mcp.json', '{}')
    mkdirSync(join(apps, 'below'))
    writeFileSync(join(apps, 'below', 'x.json'), '{}')
    expect((await files().read()).definitions).toEqual([])
  })

  test('equal texts have equal hashes, different texts have different hashes', async () => {
    put('a.json', 'same')
    put('b.json', 'same')
    put('c.json', 'else')
    const { definitions } = await files().read()
    const [a, b, c] = definitions.map(({ hash }) => hash)
    expect(a).toBe(b)
    expect(a).not.toBe(c)
  })

  test('a byte order mark is not part of the text', async () => {
    put('a.json', '\ufeff{"a":1}')
    expect((await files().read()).definitions[0]?.text).toBe('{"a":1}')
  })

  test('reports each file that cannot be read, and returns the others', async () => {
    put('good.json', '{}')
    mkdirSync(join(apps, 'folder.json'))
    symlinkSync(join(folder, 'nowhere'), join(apps, 'broken.json'))
    symlinkSync(join(apps, 'loop.json'), join(apps, 'loop.json'))
    writeFileSync(join(apps, 'binary.json'), Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))
    put('huge.json', ' '.repeat(2000))
    execFileSync('mkfifo', [join(apps, 'pipe.json')])
    const source = makeDefinitionFiles({ appPath: apps, policies: {}, maxFileBytes: 1000 })
    const documents = byName((await source.read()).definitions)
    expect(documents['good.json']).toMatchObject({ text: '{}', problem: undefined })
    expect(documents['folder.json']?.problem).toMatch(/is a folder/)
    expect(documents['broken.json']?.problem).toMatch(/leads nowhere/)
    expect(documents['loop.json']?.problem).toMatch(/leads to itself/)
    expect(documents['binary.json']?.problem).toMatch(/UTF-8/)
    expect(documents['huge.json']?.problem).toMatch(/2000 bytes long; at most 1000/)
    expect(documents['pipe.json']?.problem).toMatch(/not a regular file/)
    expect(documents['huge.json']?.text).toBeUndefined()
  })

  test('reports a file without read permission', async () => {
    put('a.json', '{}')
    chmodSync(join(apps, 'a.json'), 0)
    chmodSync(folder, 0o755)
    const { definitions } = await asUnprivileged(() => files().read())
    expect(definitions[0]?.problem).toMatch(/may not be read/)
  })

  test('reports a folder without read permission', async () => {
    chmodSync(apps, 0)
    chmodSync(folder, 0o755)
    const { definitionsProblem } = await asUnprivileged(() => files().read())
    expect(definitionsProblem).toMatch(/may not be read by this user/)
  })

  test('follows a link and notices a change of its target', async () => {
    writeFileSync(join(folder, 'real.json'), 'one')
    symlinkSync(join(folder, 'real.json'), join(apps, 'a.json'))
    const source = files()
    expect((await source.read()).definitions[0]?.text).toBe('one')
    writeFileSync(join(folder, 'real.json'), 'two')
    expect((await source.read()).definitions[0]?.text).toBe('two')
  })

  test('reports the path of a folder that is missing or is a file', async () => {
    rmSync(apps, { recursive: true })
    const source = files()
    const missing = await source.read()
    expect(missing.definitions).toEqual([])
    expect(missing.definitionsProblem).toContain(apps)
    writeFileSync(apps, 'a file')
    expect((await source.read()).definitionsProblem).toMatch(/is not a folder/)
    rmSync(apps)
    mkdirSync(apps)
    put('a.json', '{}')
    expect(await source.read()).toMatchObject({ definitionsProblem: undefined, definitions: [{ name: 'a.json' }] })
  })
})

describe('reading again', () => {
  test('returns the same object for an unchanged file', async () => {
    put('a.json', '{"a":1}')
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(join(apps, 'a.json'), longAgo, longAgo)
    await new Promise((resolve) => setTimeout(resolve, 80))
    const source = files()
    const [first] = (await source.read()).definitions
    expect((await source.read()).definitions[0]).toBe(first)
  })

  test('notices changed, new and removed files', async () => {
    put('changed.json', 'one')
    put('gone.json', 'x')
    const source = files()
    await source.read()
    put('changed.json', 'two')
    put('new.json', 'y')
    rmSync(join(apps, 'gone.json'))
    const { definitions } = await source.read()
    expect(definitions.map(({ name, text }) => [name, text])).toEqual([
      ['changed.json', 'two'],
      ['new.json', 'y'],
    ])
  })

  test('notices a change of the same length within the same clock tick', async () => {
    const source = files()
    for (let i = 0; i < 200; i++) {
      put('a.json', `{"n":${1000 + i}}`)
      expect((await source.read()).definitions[0]?.text).toBe(`{"n":${1000 + i}}`)
    }
  })

  test('notices a change that restored the old file times', async () => {
    const longAgo = new Date(Date.now() - 60_000)
    put('a.json', 'one')
    utimesSync(join(apps, 'a.json'), longAgo, longAgo)
    const source = files()
    await new Promise((resolve) => setTimeout(resolve, 80))
    await source.read()
    put('a.json', 'two')
    utimesSync(join(apps, 'a.json'), longAgo, longAgo)
    expect((await source.read()).definitions[0]?.text).toBe('two')
  })

  test('reads only the changed one of 1,000 files', async () => {
    const text = JSON.stringify({ name: 'x', pad: 'p'.repeat(3000) })
    for (let i = 0; i < 1000; i++) put(`api-${i}.json`, text)
    await new Promise((resolve) => setTimeout(resolve, 80))
    const source = files()
    const before = (await source.read()).definitions
    put('api-500.json', '{}')
    const after = (await source.read()).definitions
    const changed = after.filter((document, i) => document !== before[i])
    expect(changed.map(({ name }) => name)).toEqual(['api-500.json'])
  })
})

describe('policies', () => {
  test('a folder contains one document per file', async () => {
    const path = join(folder, 'policies')
    mkdirSync(path)
    writeFileSync(join(path, 'gold.json'), '{"id":"gold"}')
    const { policies } = await files({ path, recordName: join(folder, 'other.json') }).read()
    expect(policies).toMatchObject({ kind: 'folder', problem: undefined, documents: [{ name: 'gold.json' }] })
  })

  test('reports a missing folder', async () => {
    const { policies } = await files({ path: join(folder, 'none') }).read()
    expect(policies).toMatchObject({ kind: 'folder', documents: [] })
    expect(policies.kind === 'folder' && policies.problem).toMatch(/folder of policies .*none does not exist/)
  })

  test('a file is one document, with a problem if it is missing', async () => {
    const recordName = join(folder, 'policies.json')
    const source = files({ recordName })
    expect((await source.read()).policies).toMatchObject({ kind: 'map', document: { problem: 'does not exist' } })
    writeFileSync(recordName, '{"gold":{}}')
    expect((await source.read()).policies).toMatchObject({
      kind: 'map',
      document: { name: 'policies.json', text: '{"gold":{}}', problem: undefined },
    })
  })
})

describe('writing', () => {
  test('writes a complete definition and leaves no other file', async () => {
    const source = files()
    await source.writeDefinition('api1', '{"v":1}')
    await source.writeDefinition('api1', '{"v":2}')
    expect(readdirSync(apps)).toEqual(['api1.json'])
    expect(readFileSync(join(apps, 'api1.json'), 'utf8')).toBe('{"v":2}')
    expect(await source.readDefinition('api1')).toBe('{"v":2}')
    expect((await source.read()).definitions[0]?.text).toBe('{"v":2}')
  })

  test('readers never see a partial text', async () => {
    const source = files()
    const texts = [JSON.stringify('a'.repeat(200_000)), JSON.stringify('b'.repeat(100_000))]
    await source.writeDefinition('api1', texts[0] as string)
    const writing = (async () => {
      for (let i = 0; i < 20; i++) await source.writeDefinition('api1', texts[i % 2] as string)
    })()
    for (let i = 0; i < 100; i++) {
      expect(texts).toContain(readFileSync(join(apps, 'api1.json'), 'utf8'))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await writing
  })

  test('creates a missing folder', async () => {
    rmSync(apps, { recursive: true })
    await files().writeDefinition('api1', '{}')
    expect(readdirSync(apps)).toEqual(['api1.json'])
  })

  test('removing returns whether the file existed', async () => {
    const source = files()
    put('other-name.json', '{"api_id":"api1"}')
    await source.writeDefinition('api2', '{}')
    expect(await source.removeDefinition('api2')).toBe(true)
    expect(await source.removeDefinition('api2')).toBe(false)
    expect(await source.removeDefinition('api1')).toBe(false)
    expect(await source.readDefinition('api2')).toBeUndefined()
  })

  test('writes policies to their folder', async () => {
    const path = join(folder, 'policies')
    const source = files({ path })
    await expect(source.writePolicy('gold', '{"id":"gold"}')).rejects.toMatchObject({ code: 'ENOENT' })
    mkdirSync(path)
    await source.writePolicy('gold', '{"id":"gold"}')
    expect(readdirSync(path)).toEqual(['gold.json'])
    expect(await source.removePolicy('gold')).toBe(true)
    expect(await source.removePolicy('gold')).toBe(false)
  })

  test.each(['', '.', '..', '../x', 'a/b', 'a\\b', '%2e%2e%2fx', 'a\0b'])(
    'rejects ids that leave the folder: %j',
    async (id) => {
      const source = files({ path: join(folder, 'policies') })
      await expect(source.writeDefinition(id, '{}')).rejects.toThrow(/not valid as a file name/)
      await expect(source.removeDefinition(id)).rejects.toThrow(/not valid as a file name/)
      await expect(source.readDefinition(id)).rejects.toThrow(/not valid as a file name/)
      await expect(source.writePolicy(id, '{}')).rejects.toThrow(/not valid as a file name/)
      expect(readdirSync(folder)).toEqual(['apps'])
    },
  )

  test('rejects if a file cannot be written, and keeps the old text', async () => {
    const source = files()
    await source.writeDefinition('api1', 'old')
    await expect(source.writeDefinition('x'.repeat(300), '{}')).rejects.toThrow(/ENAMETOOLONG/)
    mkdirSync(join(apps, 'dir.json'))
    await expect(source.writeDefinition('dir', '{}')).rejects.toThrow()
    expect(readdirSync(apps).sort()).toEqual(['api1.json', 'dir.json'])
  })
})

describe('watching', () => {
  let calls = 0
  let stop = () => {}
  const start = async (policies = {}) => {
    calls = 0
    stop = files(policies).watch(() => {
      calls++
    })
    await settled()
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve, 60))
  const called = async (atLeast: number, withinMs = 1500) => {
    for (let i = 0; i < withinMs / 20 && calls < atLeast; i++) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(calls).toBeGreaterThanOrEqual(atLeast)
  }
  afterEach(() => stop())

  test('calls back for a changed, a new and a removed file', async () => {
    put('a.json', 'one')
    await start()
    put('a.json', 'two')
    await called(1)
    put('b.json', 'x')
    await called(2)
    rmSync(join(apps, 'b.json'))
    await called(3)
  })

  test('calls back once for a burst of changes', async () => {
    put('a.json', '')
    await start()
    for (let i = 0; i < 10; i++) {
      appendFileSync(join(apps, 'a.json'), 'more')
      put(`new-${i}.json`, 'x')
    }
    await called(1)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(calls).toBe(1)
  })

  test('calls back once for an editor that writes a temporary file and renames it', async () => {
    put('a.json', 'one')
    await start()
    writeFileSync(join(apps, '.a.json.swp'), 'two')
    renameSync(join(apps, '.a.json.swp'), join(apps, 'a.json'))
    await called(1)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(calls).toBe(1)
  })

  test('ignores files that are not definitions', async () => {
    await start()
    put('notes.txt', 'x')
    put('.a.json.swp', 'x')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(calls).toBe(0)
  })

  test('watches a folder that is created later', async () => {
    rmSync(apps, { recursive: true })
    await start()
    mkdirSync(apps)
    put('a.json', 'one')
    await called(1, 4000)
    await settled()
    put('a.json', 'two')
    await called(2)
  })

  test('continues to watch a replaced folder', async () => {
    put('a.json', 'one')
    await start()
    renameSync(apps, join(folder, 'old'))
    mkdirSync(apps)
    put('a.json', 'two')
    await called(1, 4000)
    const before = calls
    await new Promise((resolve) => setTimeout(resolve, 300))
    put('a.json', 'three')
    await called(before + 1, 4000)
  })

  test('watches policies, and only the configured file', async () => {
    const recordName = join(folder, 'policies.json')
    await start({ recordName })
    writeFileSync(join(folder, 'unrelated.json'), '{}')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(calls).toBe(0)
    writeFileSync(recordName, '{}')
    await called(1)
  })

  test('does not call back after it was stopped', async () => {
    await start()
    stop()
    put('a.json', 'x')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(calls).toBe(0)
  })
})
