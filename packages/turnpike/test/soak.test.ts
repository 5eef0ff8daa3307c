/**
 * The soak in small, on the built gateway: large bodies both ways, slow readers, upstreams and clients that go away in
 * the middle, a quarter of an hour at virtual speed, and load while the upstream and Redis are killed. What it looks at is in benchmarks/src/soak/; `npm run soak` runs all of it.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { frontEnds } from './support/front-ends.ts'

const soak = fileURLToPath(new URL('../../../benchmarks/dist/soak/main.js', import.meta.url))

it.each([
  ...frontEnds.map((frontEnd) => `--only bodies,breaks,readers --front-end ${frontEnd}`),
  '--only virtual --hours 0.25',
  `--only faults --front-end ${frontEnds[0]} --minutes 0.3`,
])('memory, handles, sockets and responses stay as they are: %s', { timeout: 240_000 }, async (options) => {
  const words = ['--expose-gc', soak, '--small', ...options.split(' ')]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGTERM'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(said).toMatch(/[1-9]\d* passed, 0 failed\n/)
  expect(code).toBe(0)
})
