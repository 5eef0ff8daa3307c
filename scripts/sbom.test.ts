/** The bill of materials has the structure of CycloneDX 1.6 and names what `npm install turnpike` brings. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface Component {
  readonly type: string
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly licenses: readonly object[]
}
interface Bom {
  readonly bomFormat: string
  readonly specVersion: string
  readonly serialNumber: string
  readonly version: number
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'turnpike-sbom-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let bom: Bom
beforeAll(() => {
  execFileSync(process.execPath, ['scripts/sbom.mjs', '--out', join(folder, 'sbom.json')], { cwd: root })
  bom = JSON.parse(readFileSync(join(folder, 'sbom.json'), 'utf8'))
})

test('has the required members of CycloneDX 1.6', () => {
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
  expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  expect(bom.metadata.component).toMatchObject({ type: 'application', name: 'turnpike' })
  for (const { type, name, version, purl } of bom.components) {
    expect(type).toBe('library')
    expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`)
  }
})

test('every reference resolves, and no component occurs twice', () => {
  const refs = [bom.metadata.component, ...bom.components].map((component) => component['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
  expect(bom.dependencies.map(({ ref }) => ref).toSorted()).toEqual(refs.toSorted())
  for (const { dependsOn } of bom.dependencies) expect(refs).toEqual(expect.arrayContaining([...dependsOn]))
})

test('every package of the registry has its SHA-512', () => {
  for (const { name, hashes } of bom.components) {
    if (name.startsWith('@turnpike/')) continue
    expect(hashes, name).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }])
  }
})

test('names the dependencies of turnpike, and no optional package or tool of the development', () => {
  const names = bom.components.map(({ name }) => name)
  const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/turnpike/package.json'), 'utf8'))
  expect(names).toEqual(expect.arrayContaining([...Object.keys(dependencies), 'ajv']))
  for (const tool of ['uws-pack', 'mongodb', 'vitest', 'typescript', '@biomejs/biome', '@turnpike/testkit'])
    expect(names).not.toContain(tool)
})
