/**
 * Every entry point of every published package, packed and installed with npm: `import` and `require` give the same
 * module, and TypeScript finds its types in both kinds of files. Needs `npm run build`.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Folder, makeFolder } from './support/folder.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)
/** Entry points that run only inside of a test of vitest, so a program cannot load them; their types are checked. */
const onlyInVitest = /^@turnpike\/testkit\/(suites\/|matchers$)/

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly require: { readonly default: string } }>>
}

let project: Folder
let entries: string[]
beforeAll(async () => {
  project = makeFolder()
  await run(process.execPath, [join(root, 'scripts/install-packed.mjs'), '--all', project.file('installed')])
  const scope = readdirSync(project.file('installed/node_modules/@turnpike'))
  entries = ['turnpike', ...scope.map((name) => `@turnpike/${name}`)].flatMap(entriesOf)
}, 300_000)
afterAll(() => project.remove())

/** Entry points of an installed package that are modules. */
function entriesOf(name: string): string[] {
  const folder = project.file('installed/node_modules', name)
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest
  return Object.entries(exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return []
    const entry = subpath.replace('.', name)
    if (!entry.includes('*')) return [entry]
    const files = readdirSync(`${folder}/${target.require.default.replace(/\*.*$/, '')}`)
    return files.filter((file) => file.endsWith('.cjs')).map((file) => entry.replace('*', file.replace('.cjs', '')))
  })
}

it('lists the entry points of all packages', () => {
  expect(entries.length).toBeGreaterThan(50)
  expect(new Set(entries.map((entry) => entry.split('/').slice(0, 2).join('/'))).size).toBeGreaterThan(11)
})

it('import and require give the same module', async () => {
  const program = `
    const entries = ${JSON.stringify(entries.filter((entry) => !onlyInVitest.test(entry)))}
    const load = async () => {
      for (const entry of entries) {
        const [required, imported] = [require(entry), await import(entry)]
        const names = Object.keys(imported).filter((name) => name !== 'default' && name !== 'module.exports')
        const others = names.filter((name) => required[name] !== imported[name])
        console.log(JSON.stringify({ entry, exports: names.length, others }))
      }
      process.exit(0)
    }
    load()`
  project.write('installed/load.cjs', program)
  const { stdout, stderr } = await run(process.execPath, ['load.cjs'], { cwd: project.file('installed') })
  expect(stderr).toBe('')
  const loaded = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { entry: string; exports: number; others: string[] })
  expect(loaded.map(({ entry }) => entry)).toEqual(entries.filter((entry) => !onlyInVitest.test(entry)))
  for (const { entry, exports, others } of loaded) expect([entry, exports > 0, others]).toEqual([entry, true, []])
})

it('has types for ES modules and for CommonJS', async () => {
  const imports = entries.map(
    (entry, i) => `import type * as entry${i} from '${entry}'\nexport type Entry${i} = keyof typeof entry${i}`,
  )
  const uses = `
import { createGateway, defineApi, KeyRejected, type Gateway, type GatewayOptions } from 'turnpike'
import { makeClient } from 'turnpike/client'

const options: GatewayOptions = { definitions: [defineApi({ id: 'a', target: 'http://127.0.0.1:3000/', orgId: 'acme' })] }
export const gateway: Promise<Gateway> = createGateway(options)
export const client = makeClient({ url: 'http://127.0.0.1:8080', secret: 'secret' })
export const isRejected = (cause: unknown): boolean => cause instanceof KeyRejected
// @ts-expect-error: createGateway returns a promise
export const wrong: number = createGateway(options)
`
  const files = ['program.mts', 'program.cts']
  for (const file of files) project.write(`installed/${file}`, `${imports.join('\n')}\n${uses}`)
  expect(await compile({ skipLibCheck: true }, files)).toBe('')
}, 120_000)

it('checks its own types where nothing is skipped', async () => {
  for (const file of ['strict.mts', 'strict.cts']) {
    project.write(
      `installed/${file}`,
      "import { createGateway } from 'turnpike'\nexport const gateway = createGateway()\n",
    )
  }
  // Types of Node are those of the project, as in every program for Node.
  const options = { skipLibCheck: false, types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }
  expect(await compile(options, ['strict.mts', 'strict.cts'])).toBe('')
}, 120_000)

/** Checks files of the project; returns what the compiler reports. */
async function compile(options: object, files: readonly string[]): Promise<string> {
  const always = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, types: [] }
  project.write('installed/tsconfig.json', { compilerOptions: { ...always, ...options }, files })
  const tsc = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'], {
    cwd: project.file('installed'),
  })
  return (await tsc.catch((failed: { stdout: string }) => failed)).stdout
}
