import { parseDefinition } from '@turnpike/core/definition'
import { readShape } from '@turnpike/core/lib'
import { describe, expect, it } from 'vitest'
import { configShape } from '../config/config-shape.ts'
import { formatFinding } from '../config/finding.ts'
import { portRulesOf } from '../config/port-rules.ts'
import { checkApiPorts } from './check-api-ports.ts'
import { checkDefinitions } from './check-definitions.ts'

const api = (id: string, more: object) => ({
  file: `apps/${id}.json`,
  problem: undefined,
  text: JSON.stringify({
    name: id,
    api_id: id,
    use_keyless: true,
    active: true,
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: '/x/', target_url: 'http://up.test' },
    ...more,
  }),
})

async function check(config: object, ...files: ReturnType<typeof api>[]): Promise<string[]> {
  const loaded = readShape(configShape, { disable_ports_whitelist: true, ...config }).value
  const { apis, findings } = await checkDefinitions(files, {
    ports: portRulesOf(loaded),
    readTemplate: () => undefined,
  })
  return [...findings, ...checkApiPorts(apis, loaded)].map((one) => formatFinding(one).replace(/json:\d+:\d+/, 'json'))
}

const tcp = { protocol: 'tcp', proxy: { target_url: 'tcp://db.test:5432' } }

describe('checking ports of APIs', () => {
  it('finds no clash of one listen path on several ports', async () => {
    const files = [api('a', {}), api('b', { listen_port: 9001 }), api('c', { listen_port: 9002 })]
    expect(await check({}, ...files)).toEqual([])
    expect(await check({ listen_port: 9001 }, ...files)).toHaveLength(2)
  })

  it('reports two protocols on one port, and two APIs where bytes pass as they are', async () => {
    const proxy = { listen_path: '/b/', target_url: 'http://up.test' }
    const files = [api('a', { listen_port: 9001 }), api('b', { listen_port: 9001, protocol: 'h2c', proxy })]
    expect(await check({}, ...files)).toEqual([
      'apps/b.json  error  listen_port: is 9001, but a.json speaks http there; choose another [shared-port]',
    ])
    const streams = [api('c', { ...tcp, listen_port: 5001 }), api('d', { ...tcp, listen_port: 5001 })]
    expect(await check({}, ...streams)).toEqual([
      'apps/d.json  error  listen_port: is 5001, but c.json accepts every connection to it; choose another [shared-port]',
    ])
  })

  it('reports ports that the gateway opens for something else', async () => {
    const config = {
      dashboard: { enabled: true, listen_port: 3000 },
      metrics: { enabled: true, listen_port: 3001 },
      echo: { enabled: true, listen_port: 3002 },
    }
    const files = [3000, 3001, 3002].map((port) => api(`on-${port}`, { listen_port: port }))
    expect((await check(config, ...files)).map((line) => line.replace(/.*opens for /, ''))).toEqual([
      'dashboard.listen_port (choose another) [port-of-gateway]',
      'metrics.listen_port (choose another) [port-of-gateway]',
      'echo.listen_port (choose another) [port-of-gateway]',
    ])
    expect(await check({}, ...files)).toEqual([])
  })

  it('reports TLS without a certificate', async () => {
    const file = api('a', { listen_port: 9001, protocol: 'https' })
    expect(await check({}, file)).toEqual([
      'apps/a.json  error  protocol: is "https", but the gateway has no certificate for it (name one in http_server_options.certificates) [port-without-certificate]',
    ])
    expect(await check({ http_server_options: { ssl_certificates: ['a.pem'] } }, file)).toEqual([])
  })

  it('says no more than that of a definition that cannot be loaded', async () => {
    const { definition } = parseDefinition(api('a', { protocol: 'tcp' }).text, 'a.json', '', { secret: () => '' })
    expect(definition).toBeUndefined()
    expect((await check({}, api('a', { protocol: 'tcp' }))).every((line) => line.includes('tcp'))).toBe(true)
  })
})
