import { readShape } from '@turnpike/core/lib'
import { describe, expect, it } from 'vitest'
import { checkPorts } from './check-ports-whitelist.ts'
import { configShape } from './config-shape.ts'
import { loadConfig } from './load-config.ts'
import { portRulesOf } from './port-rules.ts'

const read = (document: object) => readShape(configShape, document).value
const notesOf = (document: object) =>
  checkPorts(read(document)).map(({ severity, path, reason }) => `${severity} ${path.join('.')}: ${reason}`)

describe('the list of ports for APIs', () => {
  it('says nothing where it allows what it says', () => {
    expect(notesOf({})).toEqual([])
    expect(notesOf({ ports_whitelist: { HTTP: { ranges: [{ from: 1, to: 65_535 }], ports: [80] }, tls: {} } })).toEqual(
      [],
    )
  })

  it('reports what allows less than it seems to', () => {
    const ports_whitelist = {
      htp: { ports: [9000] },
      https: { ranges: [{ from: 9010, to: 9000 }, { from: 9000 }], ports: [443, 0, 65_536] },
    }
    expect(notesOf({ ports_whitelist })).toEqual([
      'warning ports_whitelist.htp: is not a protocol',
      'warning ports_whitelist.https.ranges.0: holds no port: 9010 is above 9000',
      'warning ports_whitelist.https.ranges.1: 9000 to 0 goes beyond the ports',
      'warning ports_whitelist.https.ports.1: 0 is not a port',
      'warning ports_whitelist.https.ports.2: 65536 is not a port',
    ])
    expect(notesOf({ ports_whitelist: { http: {} }, disable_ports_whitelist: true })).toEqual([
      'warning ports_whitelist: has no effect, since disable_ports_whitelist is on',
    ])
  })

  it('is empty if it is missing, and not a list if it is disabled', () => {
    expect(portRulesOf(read({})).whitelist).toEqual(new Map())
    expect(portRulesOf(read({ disable_ports_whitelist: true })).whitelist).toBeUndefined()
  })

  it('comes from the environment as JSON text', () => {
    const { config, usable } = loadConfig({
      document: {},
      environment: { SVC_GW_PORTWHITELIST: '{"http":{"ports":[9000]}}', SVC_GW_CONTROLAPIPORT: '9001' },
      cwd: '/',
    })
    expect(usable).toBe(true)
    expect(portRulesOf(config)).toEqual({
      own: 8080,
      control: 9001,
      secure: false,
      whitelist: new Map([['http', { ranges: [], ports: [9000] }]]),
    })
  })
})
