// Scripts of definitions in a whole gateway: folders, responses, reloads, and what happens if they cannot run.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Upstream } from '@turnpike/core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGateway } from './create-gateway.ts'
import type { Gateway } from './gateway.ts'

const upstream: Upstream = {
  connect: () => ({
    send: async ({ path, headers }) => ({
      kind: 'response',
      status: 200,
      headers: [],
      body: new TextEncoder().encode(`${path} ${headers[headers.indexOf('x-by') + 1]}`),
      bodyLength: undefined,
    }),
    release() {},
  }),
  close: () => Promise.resolve(),
}

let folder = ''
const open: Gateway[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-scripts-'))
})
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close(0)
  rmSync(folder, { recursive: true, force: true })
})

function file(path: string, content: string): string {
  const whole = join(folder, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, content)
  return whole
}

async function serve(fields: object, config: object = {}): Promise<(path?: string) => Promise<[number, string]>> {
  const definition = {
    api_id: 'a',
    name: 'a',
    org_id: 'o',
    active: true,
    use_keyless: true,
    proxy: { listen_path: '/a/', target_url: 'http://upstream.test/', strip_listen_path: true },
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    ...fields,
  }
  const gateway = await createGateway({
    config: { enable_jsvm: true, middleware_path: join(folder, 'middleware'), ...config },
    definitions: () => [definition] as never,
    upstream,
    log: 'silent',
  })
  open.push(gateway)
  return async (path = '/a/x') => {
    const response = await gateway.inject(path)
    return [response.status, response.text()]
  }
}

const tag = (name: string) =>
  `var ${name} = new SvcJS.SvcMiddleware.NewMiddleware({})
   ${name}.NewProcessRequest(function (request) { request.SetHeaders['X-By'] = '${name}'; return ${name}.ReturnData(request, {}) })
   ${name}.NewProcessResponse(function (response) { response.Body += ' seen'; return ${name}.ReturnResponse(response) })`

describe('scripts of a definition', () => {
  it('come from the folder of the API', async () => {
    file('middleware/a/pre/early.js', tag('early'))
    const ask = await serve({ custom_middleware: { driver: 'otto' } })
    expect(await ask()).toEqual([200, '/x early'])
  })

  it('run after authentication and on responses', async () => {
    const path = file('all.js', tag('all'))
    const entry = [{ name: 'all', path }]
    const ask = await serve({ custom_middleware: { driver: 'otto', post_key_auth: entry, response: entry } })
    expect(await ask()).toEqual([200, '/x all seen'])
  })

  it('need a bundle that can be loaded', async () => {
    const ask = await serve({ custom_middleware_bundle: 'b.zip' }, { enable_bundle_downloader: true })
    expect((await ask())[0]).toBe(404)
  })

  it('follow a change of their file at a reload', async () => {
    const path = file('changing.js', tag('changing'))
    const ask = await serve({ custom_middleware: { driver: 'otto', pre: [{ name: 'changing', path }] } })
    expect(await ask()).toEqual([200, '/x changing'])
    file('changing.js', tag('changing').replace("'changing'", "'changed'"))
    await open[0]?.reload()
    expect(await ask()).toEqual([200, '/x changed'])
  })
})

describe('a scripted endpoint', () => {
  const endpoints = (source: string, names: readonly string[]) => {
    const path = file('endpoints.js', source)
    const virtual = names.map((name) => ({
      path: `/${name}`,
      method: 'GET',
      response_function_name: name,
      function_source_type: 'file',
      function_source_uri: path,
    }))
    const version = { name: 'Default', use_extended_paths: true, extended_paths: { virtual } }
    return serve({ version_data: { not_versioned: true, versions: { Default: version } } })
  }

  it('loops with a redirect to svc://, within the limit of loops', async () => {
    const ask = await endpoints(
      `function away() { return SvcJsResponse({ Code: 302, Headers: { Location: 'svc://self/target' } }) }
       function again() { return SvcJsResponse({ Code: 302, Headers: { Location: 'tyk://self/again' } }) }
       function target() { return SvcJsResponse({ Code: 200, Body: 'reached' }) }`,
      ['away', 'again', 'target'],
    )
    expect(await ask('/a/away')).toEqual([200, 'reached'])
    expect(await ask('/a/again')).toEqual([500, expect.stringContaining('Loop level too deep')])
  })

  it('fails without a status, and with headers that would split the response', async () => {
    const ask = await endpoints(
      `function bare() { return SvcJsResponse({ Body: 'x' }) }
       function split() { return SvcJsResponse({ Code: 200, Headers: { 'X-A': 'b\\r\\nX-C: d' } }) }`,
      ['bare', 'split'],
    )
    const failed: [number, unknown] = [500, expect.stringContaining('Error during virtual endpoint execution')]
    expect([await ask('/a/bare'), await ask('/a/split')]).toEqual([failed, failed])
  })
})

describe('an API whose scripts cannot run rejects its requests', () => {
  const rejected: [number, unknown] = [500, expect.stringContaining('Middleware error')]

  it.each(['python', 'lua', 'grpc', 'goplugin'])('driver %s', async (driver) => {
    const ask = await serve({ custom_middleware: { driver, post: [{ name: 'x', path: 'x.py' }] } })
    expect(await ask()).toEqual(rejected)
  })

  it('response scripts with another driver', async () => {
    const ask = await serve({ custom_middleware: { driver: 'python', response: [{ name: 'x', path: 'x.py' }] } })
    expect(await ask()).toEqual(rejected)
  })

  it('a bundle that the gateway does not load', async () => {
    const ask = await serve({ custom_middleware_bundle: 'b.zip' })
    expect(await ask()).toEqual(rejected)
  })

  it('while scripts are off', async () => {
    const path = file('off.js', tag('off'))
    const ask = await serve(
      { custom_middleware: { driver: 'otto', pre: [{ name: 'off', path }] } },
      { enable_jsvm: false },
    )
    expect(await ask()).toEqual(rejected)
  })
})

describe('a script that cannot run', () => {
  const working = (name: string) => `${tag(name)}
    function ${name}Endpoint() { return SvcJsResponse({ Code: 200, Body: 'made' }) }`
  const middleware = (stage: string, name: string, path: string, driver: string | undefined) => {
    if (stage === 'virtual') {
      const source = { function_source_type: 'file', function_source_uri: path }
      const virtual = [{ path: '/x', method: 'GET', response_function_name: `${name}Endpoint`, ...source }]
      const version = { name: 'Default', use_extended_paths: true, extended_paths: { virtual } }
      return { version_data: { not_versioned: true, versions: { Default: version } } }
    }
    const own = driver === undefined ? {} : { driver }
    if (stage !== 'auth_check') return { custom_middleware: { ...own, [stage]: [{ name, path }] } }
    return {
      use_keyless: false,
      custom_plugin_auth_enabled: true,
      custom_middleware: { ...own, auth_check: { name, path } },
    }
  }
  const stages = ['pre', 'post_key_auth', 'post', 'response', 'auth_check', 'virtual']
  const reasons: Readonly<
    Record<string, { source?: string; name?: string; driver?: string | undefined; config?: object }>
  > = {
    'no driver': { driver: undefined },
    'a driver of another language': { driver: 'python' },
    'scripts switched off': { config: { enable_jsvm: false } },
    'a file that does not exist': {},
    'a syntax error': { source: 'var guard = (' },
    'an error at load': { source: 'throw new Error("no")' },
    'another name': { source: working('other') },
    'no function': { source: 'var guard = 7, guardEndpoint = 7' },
  }
  const cases = stages.flatMap((stage) => Object.keys(reasons).map((reason) => [stage, reason] as const))
  // Endpoints need no driver.
  const closing = cases.filter(([stage, reason]) => stage !== 'virtual' || !reason.includes('driver'))

  it.each(closing)('closes what it guards: %s with %s', async (stage, reason) => {
    const { source, config, ...given } = reasons[reason] ?? {}
    const driver = 'driver' in given ? given.driver : 'otto'
    const needsFile = source !== undefined || config !== undefined || 'driver' in given
    const path = needsFile ? file('guard.js', source ?? working('guard')) : join(folder, 'missing.js')
    const ask = await serve(middleware(stage, 'guard', path, driver), config)
    const [status, text] = await ask()
    expect(status).toBe(500)
    expect(text).not.toContain('undefined')
  })
})
