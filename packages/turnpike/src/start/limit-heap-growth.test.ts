import { spawnSync } from 'node:child_process'
import { setFlagsFromString } from 'node:v8'
import { afterAll, expect, test } from 'vitest'
import { limitHeapGrowth } from './limit-heap-growth.ts'

// The default of V8.
afterAll(() => setFlagsFromString('--heap-growing-percent=0'))

test('sets a flag that V8 knows', () => {
  const flag = limitHeapGrowth(['--enable-source-maps'])
  expect(flag).toBe('--heap-growing-percent=100')
  const run = spawnSync(process.execPath, [flag ?? '', '-e', ''], { encoding: 'utf8' })
  expect(run).toMatchObject({ status: 0, stderr: '' })
})

test.each(['--heap-growing-percent=300', '--heap_growing_percent=300'])(
  'the option %s of Node stays in force',
  (option) => {
    expect(limitHeapGrowth(['--enable-source-maps', option])).toBeUndefined()
  },
)
