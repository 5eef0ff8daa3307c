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

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
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

let project: Folder
beforeAll(async () => {
  project = makeFolder()
  await run(process.execPath, [join(root, 'scripts/install-packed.mjs'), '--all', project.file('sample')])
}, 300_000)
afterAll(() => project.remove())

/** Runs the commands of all steps until one fails. What `npm ci` would install is installed. */
async function runSteps(): Promise<{ step: string; code: number; text: string }> {
  for (const { name = '', run: command } of steps) {
    if (command === undefined || command === 'npm ci') continue
    const { PATH, HOME } = process.env
    const result = await run('bash', ['-eo', 'pipefail', '-c', command], {
      cwd: project.file('sample'),
      env: { PATH, HOME, CI: 'true', ...env },
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
}

it('runs on pull requests with the rights to read', () => {
  expect(Object.keys(workflow.on)).toEqual(['pull_request'])
  expect(workflow.permissions).toEqual({ contents: 'read' })
  expect(steps.flatMap(({ run: command = '' }) => command.match(/turnpike (\w+)/)?.[1] ?? [])).toEqual([
    'check',
    'verify',
  ])
})

it('installs the packages that the sample project names', () => {
  const manifest = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'))
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
    expect(existsSync(project.file('sample/node_modules', name))).toBe(true)
  }
})

it('passes for the sample project, and leaves a report', async () => {
  resetSample()
  expect(await runSteps()).toEqual({ step: '', code: 0, text: '' })
  expect(readFileSync(project.file('sample/verify.html'), 'utf8')).toContain('bronze')
}, 120_000)

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
