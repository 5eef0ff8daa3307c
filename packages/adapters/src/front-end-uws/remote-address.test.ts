import { describe, expect, it } from 'vitest'
import { addressText } from './remote-address.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))

describe('addressText', () => {
  it.each([
    ['7f000001', '127.0.0.1'],
    ['00000000000000000000ffff7f000001', '127.0.0.1'],
    ['00000000000000000000000000000001', '::1'],
    ['00000000000000000000000000000000', '::'],
    ['20010db8000000000000000000000001', '2001:db8::1'],
    ['20010db8000000010000000000000001', '2001:db8:0:1::1'],
    ['20010db8000100020003000400050006', '2001:db8:1:2:3:4:5:6'],
    ['20010db8000000020003000400050006', '2001:db8:0:2:3:4:5:6'],
    ['fe800000000000000000000000000000', 'fe80::'],
    ['', ''],
  ])('%s is %s', (hex, text) => {
    expect(addressText(bytes(hex))).toBe(text)
  })
})
