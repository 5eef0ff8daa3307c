import { md5 } from '@noble/hashes/legacy.js'
import { describe, expect, it } from 'vitest'
import { utf8Bytes } from '../lib/text/utf8.ts'
import {
  bodyLine,
  clientLine,
  compatibleKeyParts,
  headerLines,
  loopedLine,
  requestLine,
  versionLine,
} from './cache-key.ts'

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const hashOf = (cacheKey: string) => hex(md5(utf8Bytes(compatibleKeyParts(cacheKey).text)))
const client = clientLine('127.0.0.1')

describe('cache keys', () => {
  it('contain the text that the Redis layout hashes', () => {
    const get = (path: string, query = '') => hashOf(requestLine('GET', path, query) + client)
    expect(get('/c1/x', 'a=1&header=X-Up:yes')).toBe('2573345138209441d74a650b10a9cd4e')
    expect(get('/c1/hand')).toBe('504005b42fe9d6104b08c038732a811d')
    expect(get('/c1/a%20b', 'x=%41&y=z')).toBe('2272ca3e22d39ae7649fb0c515b55f78')
    expect(hashOf(requestLine('HEAD', '/c1/x', '') + client)).toBe('5f9b8b346753717da83a08cf62f4663b')
  })

  it('contain headers and bodies as the Redis layout does', () => {
    const wanted = ['X-A', 'X-B'].map((written) => ({ written, lower: written.toLowerCase() }))
    const headers = headerLines(['x-a', '1'], wanted)
    expect(hashOf(requestLine('GET', '/c1/x', '') + headers + client)).toBe('04125577ca66c72a0fffe30fa55288ce')
    const body = bodyLine(utf8Bytes('hello'))
    expect(hashOf(requestLine('POST', '/c1/x', '') + body + client)).toBe('f5341cd364f585584c2fcb3ca71e8a8b')
  })

  it('contain the client, with any characters in its key name', () => {
    for (const name of ['127.0.0.1', 'org1key', 'a\n@b', '']) {
      expect(compatibleKeyParts(requestLine('GET', '/x', '') + clientLine(name)).client).toBe(name)
    }
  })

  it('distinguish headers that have the same text in the Redis layout', () => {
    const wanted = ['X-A', 'X-B'].map((written) => ({ written, lower: written.toLowerCase() }))
    const one = headerLines(['x-a', '1X-B-2'], wanted)
    const other = headerLines(['x-a', '1', 'x-b', '2X-B-'], wanted)
    expect(compatibleKeyParts(`GET-/${one}${client}`).text).toBe(compatibleKeyParts(`GET-/${other}${client}`).text)
    expect(one).not.toBe(other)
  })

  it('distinguish versions, looped requests and requests of clients', () => {
    const line = requestLine('GET', '/x', '')
    const names = ['', versionLine('v1'), versionLine('v2'), loopedLine, loopedLine + versionLine('v1')]
    const texts = names.map((part) => compatibleKeyParts(line + part + client).text)
    expect(new Set(texts).size).toBe(names.length)
  })
})
