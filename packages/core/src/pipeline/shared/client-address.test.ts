import { describe, expect, it } from 'vitest'
import type { GatewayRequest } from '../../http/messages.ts'
import {
  formatIpAddress,
  type IpAddress,
  isWithin,
  makeAddressSet,
  parseIpAddress,
  parseIpRange,
} from '../../lib/ip-address.ts'
import { clientAddressOfRequest, guessAddressOf } from './client-address.ts'

const addressOf = (headers: string[], xffDepth = 0, trusted?: string[]) =>
  clientAddressOfRequest({ headers, remoteAddress: '127.0.0.1' } as unknown as GatewayRequest, {
    xffDepth,
    ...(trusted === undefined ? {} : { trustsPeer: makeAddressSet(trusted) }),
  })

describe("the client's address", () => {
  it('is X-Real-IP, or else X-Forwarded-For, or else the peer', () => {
    expect(addressOf(['x-forwarded-for', '10.1.1.1', 'x-real-ip', '10.5.5.5'])).toBe('10.5.5.5')
    expect(addressOf(['x-forwarded-for', '10.1.1.1, 10.2.2.2'])).toBe('10.1.1.1')
    expect(addressOf([])).toBe('127.0.0.1')
  })

  it('ignores invalid addresses', () => {
    expect(addressOf(['x-real-ip', 'me', 'x-forwarded-for', '10.1.1.1'])).toBe('10.1.1.1')
    expect(addressOf(['x-forwarded-for', 'unknown, 10.1.1.1'])).toBe('127.0.0.1')
  })

  it('can have a port', () => {
    expect(addressOf(['x-forwarded-for', '1.2.3.4:567, 10.0.0.1'])).toBe('1.2.3.4')
    expect(addressOf(['x-forwarded-for', '[2001:db8::1]:567'])).toBe('2001:db8::1')
    expect(addressOf(['x-forwarded-for', '[2001:DB8::1]'])).toBe('2001:db8::1')
    expect(addressOf(['x-real-ip', '1.2.3.4:567'])).toBe('1.2.3.4')
    expect(addressOf(['x-forwarded-for', '9.9.9.9, 1.2.3.4:567'], 1)).toBe('1.2.3.4')
    for (const entry of ['1.2.3.4:', '1.2.3.4:x', '[1.2.3.4', '2001:db8::1:567:x', '[]:1', '1.2.3:4']) {
      expect(addressOf(['x-forwarded-for', entry])).toBe('127.0.0.1')
    }
  })

  it('is the entry at the configured depth from the right, and missing beyond the end', () => {
    const list = ['x-forwarded-for', '1.1.1.1, 2.2.2.2', 'x-forwarded-for', '3.3.3.3']
    expect(addressOf(list, 1)).toBe('3.3.3.3')
    expect(addressOf(list, 3)).toBe('1.1.1.1')
    expect(addressOf(list, 4)).toBe('')
  })

  it('is not X-Real-IP with a depth', () => {
    const headers = ['x-real-ip', '10.5.5.5', 'x-forwarded-for', '10.5.5.5, 10.1.1.1']
    expect(addressOf(headers, 1)).toBe('10.1.1.1')
    expect(addressOf(['x-real-ip', '10.5.5.5'], 1)).toBe('127.0.0.1')
  })

  it('comes from headers of trusted proxies only', () => {
    const headers = ['x-real-ip', '10.5.5.5', 'x-forwarded-for', '10.1.1.1']
    expect(addressOf(headers, 0, ['10.0.0.0/8', '::1'])).toBe('127.0.0.1')
    expect(addressOf(headers, 1, ['10.0.0.0/8'])).toBe('127.0.0.1')
    expect(addressOf(headers, 0, ['10.0.0.1', '127.0.0.0/8'])).toBe('10.5.5.5')
    expect(addressOf(headers, 1, ['127.0.0.1'])).toBe('10.1.1.1')
    expect(addressOf(headers, 0, ['not an address'])).toBe('127.0.0.1')
  })

  it('has a canonical notation', () => {
    expect(addressOf(['x-real-ip', '2001:DB8:0:0:0:0:0:1'])).toBe('2001:db8::1')
    expect(addressOf(['x-real-ip', '::ffff:10.0.0.1'])).toBe('10.0.0.1')
  })
})

describe('the address whose wrong secrets are counted', () => {
  const guessedFrom = (headers: string[], trusted?: string[], xffDepth = 0) =>
    guessAddressOf({ headers, remoteAddress: '10.0.0.1' } as unknown as GatewayRequest, {
      xffDepth,
      ...(trusted === undefined ? {} : { trustsPeer: makeAddressSet(trusted) }),
    })
  const proxies = ['10.0.0.0/24', '127.0.0.0/8']

  it('is the peer unless headers of the peer are trusted', () => {
    const headers = ['x-forwarded-for', '1.1.1.1', 'x-real-ip', '2.2.2.2']
    expect(guessedFrom(headers)).toBe('10.0.0.1')
    expect(guessedFrom(headers, ['10.0.1.0/24'])).toBe('10.0.0.1')
  })

  it('is the last forwarded entry that is not a trusted proxy, so that clients cannot choose it', () => {
    expect(guessedFrom(['x-forwarded-for', '127.0.0.1, 6.6.6.6, 192.0.2.1, 10.0.0.2'], proxies)).toBe('192.0.2.1')
    const lines = ['x-forwarded-for', '6.6.6.6', 'x-forwarded-for', '192.0.2.1']
    expect(guessedFrom(lines, proxies)).toBe('192.0.2.1')
    expect(guessedFrom(['x-forwarded-for', '6.6.6.6, unknown, 10.0.0.2'], proxies)).toBe('10.0.0.1')
    expect(guessedFrom(['x-forwarded-for', '127.0.0.1, 10.0.0.2'], proxies)).toBe('10.0.0.1')
  })

  it('is X-Real-IP only if a trusted peer sent no forwarded entries', () => {
    expect(guessedFrom(['x-real-ip', '192.0.2.1'], proxies)).toBe('192.0.2.1')
    expect(guessedFrom(['x-real-ip', 'me'], proxies)).toBe('10.0.0.1')
    expect(guessedFrom(['x-real-ip', '6.6.6.6', 'x-forwarded-for', '192.0.2.1'], proxies)).toBe('192.0.2.1')
  })

  it('is the entry at the depth from the right, or the peer', () => {
    expect(guessedFrom(['x-forwarded-for', '6.6.6.6, 192.0.2.1'], undefined, 1)).toBe('192.0.2.1')
    expect(guessedFrom(['x-forwarded-for', '192.0.2.1'], undefined, 2)).toBe('10.0.0.1')
  })
})

describe('IP addresses', () => {
  it.each([
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    ':',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '::1::',
    'g::1',
    '::1.2.3.4.5',
    '10.1',
    '010.1.1.1',
    '0x7f000001',
    '::ffff:010.1.1.1',
    'fe80::1%eth0',
    '',
  ])('does not accept %s', (text) => {
    expect(parseIpAddress(text)).toBeUndefined()
  })

  it('distinguishes mapped IPv4 addresses from others with the same end', () => {
    expect(formatIpAddress(parseIpAddress('::ffff:10.0.0.1') as IpAddress)).toBe('10.0.0.1')
    expect(formatIpAddress(parseIpAddress('::10.0.0.1') as IpAddress)).toBe('::a00:1')
    expect(formatIpAddress(parseIpAddress('64:ff9b::10.0.0.1') as IpAddress)).toBe('64:ff9b::a00:1')
  })

  it.each(['::', '::1', '1::', 'fe80::1:2', '1:2:3:4:5:6:7:8', '64:ff9b::a00:1', '255.255.255.255'])(
    'formats %s unchanged',
    (text) => {
      expect(formatIpAddress(parseIpAddress(text) as IpAddress)).toBe(text)
    },
  )

  it('are within a range by its leading bits', () => {
    const within = (address: string, range: string) => {
      const parsed = parseIpRange(range)
      return parsed !== undefined && isWithin(parseIpAddress(address) as IpAddress, parsed)
    }
    expect(within('10.0.0.255', '10.0.0.0/24')).toBe(true)
    expect(within('10.0.1.0', '10.0.0.0/24')).toBe(false)
    expect(within('10.0.0.129', '10.0.0.128/25')).toBe(true)
    expect(within('9.9.9.9', '0.0.0.0/0')).toBe(true)
    expect(within('2001:db8:ffff::', '2001:db8::/33')).toBe(false)
    expect(parseIpRange('10.0.0.0/33')).toBeUndefined()
    expect(parseIpRange('::/129')).toBeUndefined()
    expect(parseIpRange('10.0.0.0/')).toBeUndefined()
  })
})
