import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { networkTypeName, rejectNetworkFileSystem } from './network-file-system.ts'

it('names network file systems by the number that statfs gives', () => {
  expect([0x6969, 0xff534d42, -11317950, 0xef53, 0x01021994].map(networkTypeName)).toEqual([
    'nfs',
    'cifs',
    'cifs',
    undefined,
    undefined,
  ])
})

it('accepts the disk of this machine', () => {
  expect(() => rejectNetworkFileSystem(tmpdir())).not.toThrow()
})
