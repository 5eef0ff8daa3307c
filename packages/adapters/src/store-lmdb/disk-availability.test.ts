import { StoreUnavailableError } from '@turnpike/core/ports'
import { makeVirtualClock } from '@turnpike/testkit'
import { expect, test } from 'vitest'
import { DiskAvailability, DiskError } from './disk-availability.ts'

function makeDisk() {
  const clock = makeVirtualClock()
  const lines: string[] = []
  const add = (message: string) => void lines.push(message)
  const log = { debug: add, info: add, warn: add, error: add }
  let probes = 0
  const state = { isFull: false }
  const probe = async () => {
    probes += 1
    if (state.isFull) throw new DiskError('no space left on device')
  }
  const disk = new DiskAvailability({ folder: '/data', clock, log, probe })
  const write = () =>
    disk.write(async () => {
      if (state.isFull) throw new DiskError('no space left on device')
      return 'written'
    })
  return { clock, disk, lines, state, write, probes: () => probes }
}

test('a failed write starts one outage; a probe ends it', async () => {
  const { clock, disk, lines, state, write, probes } = makeDisk()
  expect(await write()).toBe('written')
  state.isFull = true
  for (let i = 0; i < 3; i++) await expect(write()).rejects.toThrow(StoreUnavailableError)
  expect(disk.health()).toEqual({ ok: false, reason: 'cannot write to disk: no space left on device' })
  await clock.run(3000)
  expect(probes()).toBe(3)
  state.isFull = false
  await expect(write()).rejects.toThrow('cannot write to disk: no space left on device')
  await clock.run(1000)
  expect(await write()).toBe('written')
  expect(disk.health()).toEqual({ ok: true })
  expect([disk.outages, disk.rejected]).toEqual([1, 4])
  expect(lines).toEqual([
    'the data folder is not writable; writes are rejected, reads continue',
    'the data folder is writable again',
  ])
})

test('an error of the write itself is not an outage', async () => {
  const { disk } = makeDisk()
  const bug = () => Promise.reject(new TypeError('a bug'))
  await expect(disk.write(bug)).rejects.toThrow(TypeError)
  expect(disk.health()).toEqual({ ok: true })
})

test('a closed store probes no more', async () => {
  const { clock, disk, state, write, probes } = makeDisk()
  state.isFull = true
  await expect(write()).rejects.toThrow(StoreUnavailableError)
  disk.close()
  await clock.run(5000)
  expect(probes()).toBe(0)
  expect(disk.health()).toEqual({ ok: false, reason: 'the store is closed' })
})
