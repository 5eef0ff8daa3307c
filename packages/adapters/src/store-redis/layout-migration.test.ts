/** The commands of docs/redis.md#cluster that move sessions from the recorded to the tagged layout. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Session, sessionShape } from '@turnpike/core/ports'
import { redisCli } from '@turnpike/testkit/redis-server'
import { expect, it, onTestFinished } from 'vitest'
import { describeWithRedis } from './testing/with-redis.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/redis.md'), 'utf8')
const commands = /^ {3}```sh\n(.*?)^ {3}```/ms.exec(page)?.[1] ?? ''
const session = (alias: string): Session => ({ ...sessionShape.zero(), alias })

describeWithRedis('the move to the tagged layout', (fixture) => {
  /** Runs the commands of the page, with a `redis-cli` that connects to the server of the test. */
  const runCommands = () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-move-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = process.env['PATH']
    const script = `#!/bin/sh\nPATH='${path}'\nexec ${redisCli} -p ${fixture.server.port} "$@"\n`
    writeFileSync(join(folder, 'redis-cli'), script)
    chmodSync(join(folder, 'redis-cli'), 0o755)
    const env = { PATH: `${folder}:${path}` }
    return spawnSync('sh', ['-c', commands], { env, encoding: 'utf8', timeout: 30_000 })
  }

  it('keeps sessions of keys and organisations, with their lifetimes', async () => {
    expect(commands).toContain('redis-cli COPY')
    const { store, redis } = fixture
    await store.sessions.put('plain', session('a'))
    await store.sessions.put('with spaces and $(signs)', session('b'), 3_600_000)
    await store.sessions.put('a{b}', session('c'))
    await store.organisations.put('acme', session('o'))
    await redis.set('quota-plain', '3')

    expect(runCommands()).toMatchObject({ status: 0, stderr: '' })
    const moved = await fixture.another({ layout: 'tagged' })
    expect((await moved.sessions.get('plain'))?.session.alias).toBe('a')
    expect((await moved.sessions.get('with spaces and $(signs)'))?.session.alias).toBe('b')
    expect((await moved.organisations.get('acme'))?.session.alias).toBe('o')
    expect(await redis.pttl('apikey-{with spaces and $(signs)}')).toBeGreaterThan(3_500_000)
    // Such a name needs an encoding, and the page says that the commands leave it out.
    expect(await moved.sessions.get('a{b}')).toBeUndefined()
    expect((await store.sessions.get('a{b}'))?.session.alias).toBe('c')
    expect(await redis.exists('quota-{plain}')).toBe(0)
  })

  it('can be repeated', async () => {
    await fixture.store.sessions.put('plain', session('a'))
    runCommands()
    runCommands()
    expect((await fixture.redis.keys('apikey-*')).sort()).toEqual(['apikey-plain', 'apikey-{plain}'])
  })
})
