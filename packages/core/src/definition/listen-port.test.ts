import { describe, expect, it } from 'vitest'
import { anyPort, type PortRules } from '../http/listen-address.ts'
import { readShape } from '../lib/shape/shape.ts'
import { classicShape } from './classic.ts'
import { findPortProblem, listensOn } from './listen-port.ts'

const rules: PortRules = {
  own: 8080,
  control: 9090,
  secure: false,
  whitelist: new Map([
    ['http', { ranges: [{ from: 9000, to: 9010 }], ports: [9100] }],
    ['tcp', { ranges: [], ports: [5000] }],
  ]),
}
const read = (fields: object) => readShape(classicShape, fields).value
const problem = (fields: object, given: Partial<PortRules> = {}) =>
  findPortProblem(read(fields), { ...rules, ...given })?.message

describe('where an API listens', () => {
  it('is the gateway’s port, if it names no port or that one', () => {
    expect(listensOn(read({}), rules)).toEqual({ port: 0, protocol: 'http' })
    expect(listensOn(read({ listen_port: 8080 }), rules).port).toBe(0)
    expect(listensOn(read({ listen_port: 9001 }), rules)).toEqual({ port: 9001, protocol: 'http' })
  })

  it('is no port for an internal API', () => {
    expect(listensOn(read({ listen_port: 9001, internal: true }), rules).port).toBe(0)
    expect(problem({ listen_port: 1, internal: true })).toBeUndefined()
  })

  it('uses the protocol of the gateway if the definition has none', () => {
    expect(listensOn(read({ listen_port: 9001 }), { ...rules, secure: true }).protocol).toBe('https')
    expect(listensOn(read({ listen_port: 9001, protocol: 'http' }), { ...rules, secure: true }).protocol).toBe('http')
    expect(listensOn(read({ listen_port: 9001, protocol: ' H2C ' }), rules).protocol).toBe('h2c')
  })
})

describe('a port', () => {
  it.each([
    [{ listen_port: 9000 }],
    [{ listen_port: 9010, protocol: 'http' }],
    [{ listen_port: 9100 }],
    [{ listen_port: 5000, protocol: 'tcp' }],
    [{ listen_port: 9090 }],
    [{ listen_port: 8080 }],
    [{}],
  ])('is allowed by the list of its protocol, or is the gateway’s: %j', (fields) => {
    expect(problem(fields)).toBeUndefined()
  })

  it.each([
    [{ listen_port: 8999 }, 'http'],
    [{ listen_port: 9011 }, 'http'],
    [{ listen_port: 9001, protocol: 'https' }, 'https'],
    [{ listen_port: 9001, protocol: 'h2c' }, 'h2c'],
    [{ listen_port: 9001, protocol: 'tcp' }, 'tcp'],
    [{ listen_port: 5000 }, 'http'],
  ])('is rejected if the list of its protocol does not contain it: %j', (fields, protocol) => {
    expect(problem(fields)).toContain(`does not allow for ${protocol}; add it to ports_whitelist.${protocol}`)
  })

  it('is always allowed without a list', () => {
    expect(problem({ listen_port: 1 }, { whitelist: undefined })).toBeUndefined()
    expect(findPortProblem(read({ listen_port: 1, protocol: 'tls' }), anyPort)).toBeUndefined()
  })

  it.each([-1, 65_536])('is rejected if it is out of range: %d', (port) => {
    expect(problem({ listen_port: port }, { whitelist: undefined })).toContain('is not a TCP port')
  })

  it('of the management API is shared only with its protocol', () => {
    expect(problem({ listen_port: 9090, protocol: 'tcp' })).toContain('is the port of the management API')
    expect(problem({ listen_port: 9090 }, { secure: true })).toBeUndefined()
  })
})

describe('a protocol', () => {
  it('that forwards bytes needs a port of its own and is never served as HTTP', () => {
    expect(problem({ protocol: 'tcp' })).toContain('needs a port of its own')
    expect(problem({ protocol: 'TLS', listen_port: 8080 })).toContain('cannot forward bytes')
  })

  it('that is unknown opens no port', () => {
    expect(problem({ protocol: 'ftp', listen_port: 9001 })).toContain('use http, https, h2c, tcp, tls')
    expect(problem({ protocol: 'ftp' })).toBeUndefined()
  })
})
