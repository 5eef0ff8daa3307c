/** A folder of a gateway under test: configuration, definitions, policies. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const managementKey = 'management-key-of-the-test'

export interface Folder {
  readonly path: string
  file(...names: string[]): string
  /** Text as it is, everything else as JSON. */
  write(name: string, content: unknown): void
  remove(): void
}

/** An empty folder with a configuration that listens on a port of the system's choice. */
export function makeFolder(config: object = {}): Folder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'turnpike-e2e-')))
  const file = (...names: string[]) => join(path, ...names)
  const write = (name: string, content: unknown) => {
    mkdirSync(dirname(file(name)), { recursive: true })
    writeFileSync(file(name), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  mkdirSync(file('apps'))
  mkdirSync(file('policies'))
  write('gateway.json', gatewayConfig(config))
  return { path, file, write, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export function gatewayConfig(config: object = {}): object {
  return {
    listen_address: '127.0.0.1',
    listen_port: 0,
    secret: managementKey,
    policies: { policy_source: 'file', policy_path: 'policies' },
    hash_keys: true,
    hash_key_function: 'sha256',
    enable_hashed_keys_listing: true,
    ...config,
  }
}

/** A classic definition without a key; `change` adds fields and replaces them. */
export function openApi(id: string, target: string, change: object = {}): object {
  return {
    name: id,
    api_id: id,
    org_id: 'acme',
    active: true,
    use_keyless: true,
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: `/${id}/`, target_url: target, strip_listen_path: true },
    ...change,
  }
}

/** One that wants a key in `Authorization`. */
export function keyedApi(id: string, target: string, change: object = {}): object {
  return openApi(id, target, {
    use_keyless: false,
    use_standard_auth: true,
    auth: { auth_header_name: 'Authorization' },
    ...change,
  })
}

/** A session that opens the APIs. */
export function sessionFor(...ids: string[]): { readonly [field: string]: unknown } {
  return {
    org_id: 'acme',
    rate: 1000,
    per: 1,
    quota_max: -1,
    access_rights: Object.fromEntries(ids.map((id) => [id, { api_id: id, versions: ['Default'] }])),
  }
}
