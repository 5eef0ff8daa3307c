/**
 * examples/ci/gateway.yml: the commands of the workflow run in the sample project with the packed packages. They pass as
 * it is, and fail for a pull request that breaks a definition or a limit.
 */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Folder, makeFolder } from '../support/folder.ts'
import { freePort } from '../support/process.ts'

interface Step {
  readonly name?: string
  readonly if?: string
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, { readonly env: Record<string, string>; readonly steps: readonly Step[] }>>
}

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const example = join(root, 'examples/ci')
const workflow = parse(readFileSync(join(example, 'gateway.yml'), 'utf8')) as Workflow
const { env, steps } = workflow.jobs['gateway']!
const run = promisify(execFile)

/** The TCP ports of the workflow, of the gateway and of the upstream, and free ones in their place; shorter budgets. */
const replaced = new Map([
  ['--seconds 30', '--seconds 2'],
  ['--seconds 120', '--seconds 20'],
])
const forTest = (text: string) => [...replaced].reduce((changed, [old, one]) => changed.replaceAll(old, one), text)

let project: Folder
beforeAll(async () => {
  project = makeFolder()
  for (const port of ['8080', '3000']) replaced.set(port, String(await freePort()))
  await run(process.execPath, [join(root, 'scripts/install-packed.mjs'), '--all', project.file('sample')])
}, 300_000)
afterAll(() => project.remove())

/** Runs the commands of all steps until one fails. What `npm ci` would install is installed. */
async function runSteps(): Promise<{ step: string; code: number; text: string }> {
  for (const { name = '', run: command } of steps) {
    if (command === undefined || command === 'npm ci') continue
    const { PATH, HOME } = process.env
    const result = await run('bash', ['-eo', 'pipefail', '-c', forTest(command)], {
      cwd: project.file('sample'),
      // A shorter period than that of the sample, so that the test is quick.
      env: { PATH, HOME, CI: 'true', ...env, LIMIT: '5/1s' },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
      ({ code, stdout, stderr }) => ({ code, text: stdout + stderr }),
    )
    if (result.code !== 0) return { step: name, ...result }
  }
  return { step: '', code: 0, text: '' }
}

function resetSample(): void {
  for (const name of ['gateway.json', 'apps', 'policies']) {
    cpSync(join(example, name), project.file('sample', name), { recursive: true })
  }
  const changeFile = (name: string, change: (text: string) => string) =>
    project.write(`sample/${name}`, change(readFileSync(join(example, name), 'utf8')))
  changeFile('apps/orders.json', forTest)
  changeFile('policies/bronze.json', (text) => text.replace('"per": 10', '"per": 1'))
}

it('runs on pull requests with the rights to read, and to upload findings', () => {
  expect(Object.keys(workflow.on)).toEqual(['pull_request'])
  expect(workflow.permissions).toEqual({ contents: 'read', 'security-events': 'write' })
  expect(
    steps.flatMap(({ run: command = '' }) => [...command.matchAll(/npx turnpike (\w+)/g)].map(([, name]) => name)),
  ).toEqual(['check', 'verify', 'start', 'judge'])
})

it('has steps of one kind each, with scripts that bash can read and actions of one version', async () => {
  for (const { name, uses, run: script } of steps) {
    expect([name, uses === undefined]).toEqual([name, script !== undefined])
    if (uses !== undefined) expect(uses).toMatch(/^[\w-]+(\/[\w-]+)+@v\d+$/)
    if (script !== undefined) await run('bash', ['-n', '-c', script])
  }
})

it('uploads SARIF and all reports, also if a step failed', () => {
  const uploads = steps.filter(({ uses = '' }) => uses.includes('upload'))
  expect(uploads).toMatchObject([
    { uses: 'github/codeql-action/upload-sarif@v3', if: 'always()', with: { sarif_file: 'reports/sarif' } },
    { uses: 'actions/upload-artifact@v4', if: 'always()', with: { path: 'reports' } },
  ])
})

it('installs the packages that the sample project names', () => {
  const manifest = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'))
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
    expect(existsSync(project.file('sample/node_modules', name))).toBe(true)
  }
})

it('passes for the sample project, and leaves the reports', async () => {
  resetSample()
  expect(await runSteps()).toEqual({ step: '', code: 0, text: '' })
  const report = (name: string) => readFileSync(project.file('sample/reports', name), 'utf8')
  expect(report('verify.html')).toContain('bronze')
  for (const name of ['check', 'verify']) {
    expect(JSON.parse(report(`sarif/${name}.sarif`)).runs[0].results).toEqual([])
    expect(report(`${name}.xml`)).toContain('failures="0"')
  }
  expect(report('judge.txt')).toMatch(/^tried: calm, .*\n0 findings, \d+ requests/m)
}, 240_000)

it('fails for a broken definition, with file and line', async () => {
  resetSample()
  project.write('sample/apps/orders.json', '{\n  "name": "Orders",\n  "api_id": \n}')
  const { step, code, text } = await runSteps()
  expect([step, code]).toEqual(['Check definitions, policies and the configuration', 1])
  expect(text).toMatch(/apps\/orders\.json:4:\d+ +error/)
})

it('fails for a policy of an API that does not exist', async () => {
  resetSample()
  const policy = JSON.parse(readFileSync(join(example, 'policies/bronze.json'), 'utf8'))
  project.write('sample/policies/bronze.json', {
    ...policy,
    access_rights: { ordres: { api_id: 'ordres', versions: ['Default'] } },
  })
  const { step, code, text } = await runSteps()
  expect([step, code]).toEqual(['Check definitions, policies and the configuration', 1])
  expect(text).toContain('ordres')
})
