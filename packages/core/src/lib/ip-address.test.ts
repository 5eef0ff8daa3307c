import { expect, it } from 'vitest'
import { isPublicAddress } from './ip-address.ts'

it.each(['8.8.8.8', '::ffff:8.8.8.8', '2606:4700:4700::1111', '172.32.0.1', '192.169.0.1'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

it.each([
  ...[
    '127.0.0.1',
    '127.9.9.9',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
  ],
  ...[
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
  ],
  ...['64:ff9b::a00:1', '2002:7f00:1::', '', 'localhost', '127.1', '0x7f.0.0.1'],
])('%j is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})
