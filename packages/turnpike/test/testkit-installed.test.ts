/**
 * The testkit and the judge, packed and installed into an empty project: a plain Node program uses them on a limiter and
 * on a server that are not Turnpike, and the samples of their READMEs compile and run. Needs `npm run build`.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Folder, makeFolder } from './support/folder.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const execute = promisify(execFile)

let project: Folder
beforeAll(async () => {
  project = makeFolder()
  const packages = ['testkit', 'judge'].flatMap((name) => ['--package', name])
  await execute(process.execPath, [join(root, 'scripts/install-packed.mjs'), ...packages, project.file('installed')])
}, 240_000)
afterAll(() => project.remove())

async function runProgram(name: string, text: string): Promise<string> {
  project.write(`installed/${name}`, text)
  const { stdout, stderr } = await execute(process.execPath, [name], { cwd: project.file('installed') })
  expect(stderr).toBe('')
  return stdout
}

it('brings neither a gateway to run nor a test runner', () => {
  for (const name of ['turnpike', '@turnpike/adapters', 'vitest', 'lmdb', 'ioredis'])
    expect([name, existsSync(project.file('installed/node_modules', name))]).toEqual([name, false])
})

it('finds the mistakes of a limiter and of a plain server, from plain Node', async () => {
  const printed = await runProgram(
    'program.mjs',
    `
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { judgeGateway } from '@turnpike/judge'
import { checkProperty, compatibleRate, rollingLogProperty } from '@turnpike/testkit'

// One request more than the limit: it forgets the request at the beginning of the window.
const makeLog = (rate, ms) => {
  const seen = new Map()
  return (key, at) => {
    const times = (seen.get(key) ?? []).filter((time) => time > at - ms)
    const allowed = times.length <= rate
    seen.set(key, allowed ? [...times, at] : times)
    return allowed
  }
}
const { traits } = compatibleRate('rolling')
const subject = {
  name: 'my log',
  traits: { ...traits, counted: 'admitted' },
  make({ rate, per }) {
    const admits = makeLog(Math.floor(rate), Math.floor(per) * 1000)
    return { take: (key, at) => ({ allowed: admits(key, at), remaining: 0, resetAt: at }) }
  },
}
const report = await checkProperty(rollingLogProperty, subject, { requests: 10_000, seed: 1 })
console.log(report.holds, report.reason)

const counters = new Map()
const server = createServer(async (request, response) => {
  const key = request.headers['x-key']
  const old = counters.get(key)
  const window = old !== undefined && Date.now() < old.endsAt ? old : { used: 0, endsAt: Date.now() + 1000 }
  const { used } = window
  await wait(5)
  if (used < 3) counters.set(key, { used: used + 1, endsAt: window.endsAt })
  response.writeHead(used < 3 ? 200 : 429).end()
})
server.listen(0, '127.0.0.1', async () => {
  const url = \`http://127.0.0.1:\${server.address().port}/\`
  const judgement = await judgeGateway({ url, limit: '3/1s', key: { header: 'X-Key' }, seconds: 12, seed: 1 })
  console.log(judgement.holds, judgement.findings.some(({ attack, seen }) => attack === 'crowd' && seen === 3))
  server.close()
  server.closeAllConnections()
})
`,
  )
  expect(printed.split('\n')).toEqual([
    expect.stringMatching(/^false request \d+ is admitted, with \d+ of \d+ counted before it$/),
    'false true',
    '',
  ])
}, 60_000)

/** What each sample takes from the program around it. */
const around: readonly { readonly uses: RegExp; readonly before: string }[] = [
  {
    uses: /startEchoUpstream/,
    before: `import { upstreamSuite as suite } from '@turnpike/testkit/suites/upstream-suite'
declare const startEchoUpstream: Parameters<typeof suite>[1]['startEcho']`,
  },
  { uses: /makeKey\(/, before: 'const makeKey = (index: number) => String(index)' },
  {
    uses: /makeMyStore\(/,
    before: "import { makeMemoryStore as makeMyStore } from '@turnpike/core'",
  },
  {
    uses: /makeMyUpstream\(/,
    before: `import type { Upstream } from '@turnpike/core/ports'
declare const makeMyUpstream: () => Upstream`,
  },
  {
    uses: /gateway\.handle\(|gateway\.explain\(/,
    before: `import type { GatewayRequest, GatewayResponse } from '@turnpike/core'
declare const gateway: { handle(r: GatewayRequest): Promise<GatewayResponse>; explain(r: unknown): Promise<unknown> }`,
  },
  {
    uses: /toAdmitAtMost/,
    before: `import { compatibleRate, rollingLogProperty } from '@turnpike/testkit'
import { expect } from 'vitest'
const [requests, request, subject] = [[{ at: 0, status: 200 }], {}, compatibleRate('rolling')]`,
  },
  {
    uses: /storeSuite\(/,
    before: `import { makeMemoryStore } from '@turnpike/core'
import { makeVirtualClock } from '@turnpike/testkit'
const clock = makeVirtualClock()
const store = makeMemoryStore({ clock })`,
  },
]

const samples = ['testkit', 'judge'].flatMap((name) => {
  const text = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8')
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, sample = ''], i) => {
    const before = around.filter(({ uses }) => uses.test(sample)).map((one) => one.before)
    return { file: `readme-${name}-${i}`, sample: [...before, sample].join('\n') }
  })
})

it('the samples of the READMEs compile', async () => {
  // The types of matchers and suites are those of vitest, which a project with tests has.
  symlinkSync(join(root, 'node_modules/vitest'), project.file('installed/node_modules/vitest'))
  const files = samples.map(({ file, sample }) => {
    project.write(`installed/${file}.mts`, sample)
    return `${file}.mts`
  })
  expect(files.length).toBeGreaterThan(8)
  const options = { module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom'], strict: true, outDir: 'compiled' }
  const nodeTypes = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }
  const compilerOptions = { ...options, ...nodeTypes, skipLibCheck: true }
  project.write('installed/tsconfig.json', { compilerOptions, files })
  const tsc = execute(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'], {
    cwd: project.file('installed'),
  })
  expect((await tsc.catch((failed: { stdout: string }) => failed)).stdout).toBe('')
}, 60_000)

it('the samples that need no test runner run', async () => {
  const server = createServer((_, response) => response.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const runnable = samples.filter(({ sample }) => !/vitest|suites\/|declare const|virtual-redis/.test(sample))
  expect(runnable.length).toBeGreaterThan(4)
  try {
    const runOne = async ({ file }: { readonly file: string }) => {
      const text = readFileSync(project.file('installed/compiled', `${file}.mjs`), 'utf8')
      // The server has no limit, and the samples run for long.
      const short = text
        .replaceAll('http://127.0.0.1:8080', url)
        .replace('seconds: 60', 'seconds: 2')
        .replace("limit: '10/60s', key", "limit: '10/60s', seconds: 2, key")
        .replace('throw new Error(judgement.text)', 'console.log(judgement.text)')
        .replace('requests: 100_000', 'requests: 2000')
        .replace('requests: 1000 }', 'requests: 10, cases: 1 }')
      await runProgram(`${file}.mjs`, short)
    }
    await Promise.all(runnable.map(runOne))
  } finally {
    server.close()
  }
}, 120_000)
