/** The files of a new gateway: configuration, an API, a policy and a key. */
import { join } from 'node:path'
import type { ConvertedApi } from '../import/convert-openapi.ts'
import { sampleRequest } from '../import/sample-request.ts'
import { keyPlaceOf } from '../import/with-key-security.ts'
import { quoted } from '../terminal/command-name.ts'
import { apiFiles } from './api-files.ts'
import { schemaReference } from './schema-reference.ts'

export interface ProjectFile {
  /** Path in the folder of the gateway. */
  readonly name: string
  readonly text: string
  /** One line about the content. */
  readonly about: string
  /** Only the user may read the file. */
  readonly isSecret: boolean
}

export interface StarterSecrets {
  /** The management key. */
  readonly secret: string
  readonly adminSecret: string
  /** The key of the first caller. */
  readonly key: string
}

export interface StarterProject {
  readonly files: readonly ProjectFile[]
  /** Commands to try, with `{{url}}`, `{{turnpike}}` and `{{target}}` in place of what only the start knows. */
  readonly tour: { readonly reject: string; readonly explain: string }
}

/** The organisation of the API, the policy and the key. */
export const starterOrg = 'local'
const [rate, per] = [5, 60]

/** Returns the files for a folder. `api` is the API of an OpenAPI document; without it the API is an echo. */
export function starterProject(folder: string, secrets: StarterSecrets, api?: ConvertedApi): StarterProject {
  const { id, name, listenPath } = api ?? { id: 'hello', name: 'Hello', listenPath: '/hello/' }
  const request = api === undefined ? { method: 'GET', path: '/world' } : sampleRequest(api.document)
  const place = api === undefined ? { in: 'header', name: 'Authorization' } : keyPlaceOf(api.document)
  const call = callOf(`${listenPath.replace(/(?<!\/)\/+$/, '')}${request.path}`, place, secrets.key)
  const tour = {
    once: `curl -i${call.option} ${quotedUrl(call.path)}`,
    reject: `for i in ${[1, 2, 3, 4, 5, 6].join(' ')}; do curl -s -o /dev/null -w '%{http_code} '${call.option} ${quotedUrl(call.path)}; done; echo`,
    explain: `{{turnpike}} explain GET ${quoted(call.path)}${call.option} --until-rejected{{target}}`,
  }
  const files = [
    {
      name: 'gateway.json',
      text: print('gateway', folder, configuration(secrets)),
      about: 'configuration, with a random management key (secret)',
      isSecret: true,
    },
    ...(api === undefined ? [helloFile(folder)] : projectFilesOf(api, join(folder, 'apps'))),
    {
      name: 'policies/starter.json',
      text: print('policies', join(folder, 'policies'), policy(id, name)),
      about: `policy: ${rate} requests in ${per} seconds`,
      isSecret: false,
    },
    {
      name: 'seed.json',
      text: print('seed', folder, seed(secrets.key, tour)),
      about: 'a key with that policy, created at the start',
      isSecret: true,
    },
  ]
  return { files, tour }
}

function configuration({ secret, adminSecret }: StarterSecrets): object {
  return {
    profile: 'modern',
    listen_address: '127.0.0.1',
    listen_port: 8080,
    secret,
    app_path: 'apps',
    policies: { policy_source: 'file', policy_path: 'policies' },
    data_path: '.turnpike',
    seed: 'seed.json',
    hash_keys: true,
    hash_key_function: 'sha256',
    enable_hashed_keys_listing: true,
    docs: { enabled: true },
    dashboard: {
      enabled: true,
      // A port of its own, so that pages of upstreams are of another origin.
      listen_port: 3000,
      home_path: '/dashboard',
      admin_secret: adminSecret,
      organisations: [{ id: starterOrg, owner_name: 'Local' }],
    },
    echo: { enabled: true, listen_port: 0 },
  }
}

function helloFile(folder: string): ProjectFile {
  const definition = {
    name: 'Hello',
    api_id: 'hello',
    org_id: starterOrg,
    active: true,
    use_standard_auth: true,
    auth: { auth_header_name: 'Authorization' },
    strip_auth_data: true,
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: '/hello/', target_url: 'echo://hello/', strip_listen_path: true },
  }
  return {
    name: 'apps/hello.json',
    text: print('classic-api', join(folder, 'apps'), definition),
    about: 'API /hello/, which requires a key; its upstream is the built-in echo',
    isSecret: false,
  }
}

function projectFilesOf(api: ConvertedApi, folder: string): ProjectFile[] {
  const { listenPath, target } = api
  return apiFiles(api, folder).map(({ name, text }, i) => ({
    name: `apps/${name}`,
    text,
    about: i === 0 ? `API ${listenPath}, which requires a key; its upstream is ${target}` : 'its OpenAPI document',
    isSecret: false,
  }))
}

function policy(apiId: string, apiName: string): object {
  return {
    id: 'starter',
    name: 'Starter',
    org_id: starterOrg,
    rate,
    per,
    quota_max: -1,
    access_rights: { [apiId]: { api_id: apiId, api_name: apiName, versions: ['Default'] } },
  }
}

function seed(key: string, { once, reject, explain }: { once: string; reject: string; explain: string }): object {
  return {
    keys: { [key]: { org_id: starterOrg, alias: 'Starter key', apply_policies: ['starter'] } },
    tour: [
      { says: 'a 200: with the key of seed.json', command: once },
      { says: `a 429: the policy "starter" allows ${rate} requests in ${per} seconds`, command: reject },
      { says: 'why it was rejected: what each stage decided', command: explain },
    ],
  }
}

/** Adds the key to a request: an option of curl and `explain`, or a query parameter. */
function callOf(path: string, place: { in: string; name: string }, key: string): { path: string; option: string } {
  if (place.in === 'query') {
    return { path: `${path}${path.includes('?') ? '&' : '?'}${encodeURIComponent(place.name)}=${key}`, option: '' }
  }
  const line = place.in === 'cookie' ? `Cookie: ${place.name}=${key}` : `${place.name}: ${key}`
  return { path, option: ` -H ${quoted(line)}` }
}

function quotedUrl(path: string): string {
  return quoted(path) === path ? `{{url}}${path}` : `'{{url}}${path.replaceAll("'", '%27')}'`
}

function print(schema: Parameters<typeof schemaReference>[0], folder: string, content: object): string {
  return `${JSON.stringify({ $schema: schemaReference(schema, folder), ...content }, null, 2)}\n`
}
