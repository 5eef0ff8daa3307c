/**
 * The soak in small, on the built gateway: large bodies both ways, slow readers, upstreams and clients that go away in
 * the middle. What it looks at is in benchmarks/src/soak/; `npm run soak` runs all of it.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const soak = fileURLToPath(new URL('../../../benchmarks/dist/soak/main.js', import.meta.url))

it.each(['uws', 'node'])('memory and sockets of the %s front end are as before', { timeout: 180_000 }, async (name) => {
  const child = spawn(process.execPath, [soak, '--small', '--front-end', name], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGTERM'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(said).toMatch(/[1-9]\d* passed, 0 failed\n/)
  expect(code).toBe(0)
})
