/** From an empty folder to a rejected request and its explanation, with the commands that the built command prints. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Command, finished, runCommand } from './support/process.ts'

function emptyFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnpike-first-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const petStore = `openapi: 3.0.3
info: { title: Pet Store, version: '1.0' }
servers: [{ url: http://127.0.0.1:1/v1 }]
paths:
  /pets:
    get:
      parameters: [{ name: limit, in: query, required: true, schema: { type: integer, minimum: 3 } }]
      responses:
        '200':
          description: pets
          content: { application/json: { example: [{ id: 1, name: Tom }] } }
  /pets/{id}:
    delete:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '204': { description: deleted } }
`

/** Starts with these arguments and waits for the banner. */
async function start(folder: string, ...args: string[]): Promise<Command> {
  const command = runCommand(folder, ['start', ...args])
  onTestFinished(async () => {
    command.child.kill('SIGKILL')
    await command.ended
  })
  await expect.poll(() => command.text(), { timeout: 30_000 }).toContain('Try it:')
  return command
}

/** The commands that the banner prints after "Try it:", by a word of their description. */
function tour(text: string, word: string): string {
  const lines = text.slice(text.indexOf('Try it:')).split('\n')
  const at = lines.findIndex((line) => line.startsWith('  # ') && line.includes(word))
  return (lines[at + 1] ?? '').trim()
}

/** Runs a command line as a user would. Resolves with what it prints, also if it fails. */
function shell(folder: string, command: string): Promise<string> {
  return new Promise((resolve) =>
    execFile('sh', ['-c', command], { cwd: folder }, (_failed, out, err) => resolve(out + err)),
  )
}

async function rejectAndExplain(folder: string): Promise<{ loop: string; explanation: string; log: string }> {
  const gateway = await start(folder, '--port', '0')
  const loop = await shell(folder, tour(gateway.text(), 'a 429'))
  const explanation = await shell(folder, tour(gateway.text(), 'why it was rejected'))
  await expect.poll(() => gateway.text()).toMatch(/ 429 GET /)
  return { loop, explanation, log: gateway.text() }
}

it('init and start lead from an empty folder to a 429 and its explanation', { timeout: 60_000 }, async () => {
  const folder = emptyFolder()
  const init = await finished(folder, ['init'])
  expect(init).toMatchObject({ code: 0, err: '' })
  expect(readdirSync(folder).sort()).toEqual(['apps', 'gateway.json', 'policies', 'seed.json'])
  const { loop, explanation, log } = await rejectAndExplain(folder)
  expect(loop.trim()).toBe('200 200 200 200 200 429')
  expect(log).toMatch(/ 429 GET \/hello\/world .*key-limits: Rate Limit Exceeded/)
  expect(explanation).toMatch(/key-limits .* rejects: 429 Rate Limit Exceeded/)
  expect(explanation).toMatch(/0 of 5 in 60 s left/)
})

it('the same with an own OpenAPI document, whose server is not reachable', { timeout: 60_000 }, async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'pets.yaml'), petStore)
  const init = await finished(folder, ['init', '--openapi', 'pets.yaml'])
  expect(init).toMatchObject({ code: 0, err: '' })
  expect(init.out).toContain('server http://127.0.0.1:1/v1 is not reachable: ECONNREFUSED')
  expect(init.out).toContain('1 of 2 operations respond with examples of the document, the others with an empty body')
  const { loop, explanation } = await rejectAndExplain(folder)
  expect(loop.trim()).toBe('200 200 200 200 200 429')
  expect(explanation).toMatch(/key-limits .* rejects: 429 Rate Limit Exceeded/)
})

it('what init writes passes check, and only the user can read the secrets', { timeout: 60_000 }, async () => {
  const folder = emptyFolder()
  const init = await finished(folder, ['init', 'gw', '--json'])
  const { files, next } = JSON.parse(init.out) as { files: string[]; next: string[] }
  expect(files).toEqual(['gateway.json', 'apps/hello.json', 'policies/starter.json', 'seed.json'])
  expect(next).toHaveLength(3)
  expect(await finished(folder, ['check', 'gw'])).toMatchObject({ code: 0, err: '' })
  const modes = ['gateway.json', 'seed.json'].map((name) => statSync(join(folder, 'gw', name)).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600])
  const config = JSON.parse(readFileSync(join(folder, 'gw', 'gateway.json'), 'utf8'))
  expect(config).toMatchObject({ hash_keys: true, hash_key_function: 'sha256', listen_address: '127.0.0.1' })
  expect(config.secret).toHaveLength(43)
  expect(config.dashboard.listen_port).not.toBe(0)
  expect(config.dashboard.listen_port).not.toBe(config.listen_port)
  for (const name of files) {
    const { $schema } = JSON.parse(readFileSync(join(folder, 'gw', name), 'utf8'))
    expect(JSON.parse(readFileSync(new URL($schema), 'utf8'))).toHaveProperty('title')
  }
})

it.each([
  ['an empty folder', []],
  ['an OpenAPI document', ['--openapi', 'pets.yaml']],
])(
  'two commands lead from %s to a 429 and its explanation, before the first start',
  { timeout: 60_000 },
  async (_, args) => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'pets.yaml'), petStore)
    const { next } = JSON.parse((await finished(folder, ['init', '--json', ...args])).out) as { next: string[] }
    const files = readdirSync(folder)
    const explanation = await shell(folder, next[2] ?? '')
    expect(explanation).toContain('requests: 5 × 200, 1 × 429')
    expect(explanation).toMatch(/key-limits .* rejects: 429 Rate Limit Exceeded/)
    expect(explanation).toMatch(/why: policy "starter" .* sets the rate of 5 requests in 60 s; retry in/)
    expect(readdirSync(folder)).toEqual(files)
  },
)

it('a folder or a document takes the place of TURNPIKE_CONF', { timeout: 60_000 }, async () => {
  const folder = emptyFolder()
  await finished(folder, ['init', 'gw'])
  const environment = { TURNPIKE_CONF: 'none.json' }
  expect(await finished(folder, ['check', 'gw'], { environment })).toMatchObject({ code: 0, err: '' })
  expect(await finished(folder, ['check'], { environment })).toMatchObject({ code: 2 })
})

it('init changes no file that exists, and rejects wrong arguments', { timeout: 60_000 }, async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'seed.json'), 'mine')
  const rejected = await finished(folder, ['init'])
  expect(rejected).toMatchObject({ code: 1, out: '' })
  expect(rejected.err).toContain('nothing was written, because these files exist: seed.json')
  expect(await finished(folder, ['init', 'seed.json'])).toMatchObject({ code: 2 })
  expect(await finished(folder, ['init', 'x', '--mock'])).toMatchObject({ code: 2 })
  expect(await finished(folder, ['init', 'x', '--openapi', 'none.yaml'])).toMatchObject({ code: 2 })
  expect(await finished(folder, ['init', 'x', '--openapi', 'seed.json'])).toMatchObject({ code: 1 })
  expect(readdirSync(folder)).toEqual(['seed.json'])
  expect(readFileSync(join(folder, 'seed.json'), 'utf8')).toBe('mine')
})

it('start serves an OpenAPI document without any file, with its examples', { timeout: 60_000 }, async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'pets.yaml'), petStore)
  const gateway = await start(folder, 'pets.yaml', '--port', '0')
  const call = tour(gateway.text(), 'an operation of the document')
  expect(await shell(folder, call)).toContain('[{"id":1,"name":"Tom"}]')
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(call)?.[0] ?? ''
  expect((await fetch(`${url}/pets/7`, { method: 'DELETE' })).status).toBe(204)
  expect((await fetch(`${url}/pets?limit=x`)).status).toBe(422)
  expect((await fetch(`${url}/elsewhere`)).status).toBe(404)
  await expect.poll(() => gateway.text()).toMatch(/ 422 GET \/pets .*validate-request: .*invalid integer/)
  expect(readdirSync(folder)).toEqual(['pets.yaml'])
})

it('start sends requests to a server of the document that is reachable', { timeout: 60_000 }, async () => {
  const folder = emptyFolder()
  const upstream = createServer((request, response) => response.end(`upstream ${request.url}`)).listen(0, '127.0.0.1')
  onTestFinished(() => void upstream.close())
  await expect.poll(() => upstream.address()).not.toBeNull()
  const { port } = upstream.address() as { port: number }
  const servers = `servers: [{ url: http://127.0.0.1:1/v1 }, { url: http://127.0.0.1:${port}/v2 }]`
  writeFileSync(join(folder, 'pets.yaml'), petStore.replace(/servers: .*/, servers))
  const gateway = await start(folder, 'pets.yaml', '--port', '0')
  expect(gateway.text()).toContain(`requests go to http://127.0.0.1:${port}/v2`)
  expect(await shell(folder, tour(gateway.text(), 'an operation'))).toContain('upstream /v2/pets?limit=3')
})

it.each([
  ['--conf', ['pets.yaml', '--conf', 'gateway.json'], 2, /--conf does not go with a document/],
  ['a missing document', ['none.yaml'], 2, /none\.yaml: does not exist/],
  ['an invalid document in Swagger', ['old.json'], 1, /old\.json: info: Invalid type/],
  ['a configuration', ['conf.json'], 1, /is a configuration, not an OpenAPI document; name it with --conf/],
  ['broken YAML', ['broken.yaml'], 1, /broken\.yaml: line 2, column 9: /],
  ['a mistyped command', ['chek'], 2, /no command or OpenAPI document "chek" \(did you mean "check"\?\)/],
])('start rejects %s', async (_name, args, code, message) => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'pets.yaml'), petStore)
  writeFileSync(join(folder, 'old.json'), '{"swagger":"2.0"}')
  writeFileSync(join(folder, 'conf.json'), '{"listen_port":8080}')
  writeFileSync(join(folder, 'broken.yaml'), 'openapi: 3.0.3\npaths: [')
  const ended = await finished(folder, args)
  expect(ended.code).toBe(code)
  expect(ended.err).toMatch(message)
})
