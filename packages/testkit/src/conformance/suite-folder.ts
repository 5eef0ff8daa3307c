/** Writes the files of a recorded suite into a temporary folder, from which a gateway is started. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from './free-ports.ts'
import { suiteSecret } from './http-call.ts'
import { fill, type Values } from './placeholders.ts'
import type { Suite } from './recorded-suite.ts'

export interface SuiteFolder {
  readonly folder: string
  /** The path of the configuration file. */
  readonly conf: string
  /** The TCP port of the configuration, which was free. */
  readonly port: number
  readonly values: Values
  remove(): Promise<void>
}

/** Writes the folder. `upstream` is the URL of the echo upstream; `config` overrides keys of the suite's configuration. */
export async function writeSuiteFolder(
  suite: Suite,
  upstream: string,
  config: Record<string, unknown> = {},
): Promise<SuiteFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-conformance-'))
  const port = await freePort()
  const values: Values = { upstream, secret: suiteSecret, port, unique: `${port}${folder.slice(-6)}` }
  const conf = await writeFiles(folder, suite, values, config)
  return { folder, conf, port, values, remove: () => rm(folder, { recursive: true, force: true }) }
}

async function writeFiles(folder: string, suite: Suite, values: Values, more: Record<string, unknown>) {
  const write = async (path: string, content: unknown) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  await mkdir(join(folder, 'apps'))
  await mkdir(join(folder, 'middleware'))
  for (const api of fill(suite.apis ?? [], values)) await write(`apps/${String(api['api_id'])}.json`, api)
  for (const [path, content] of Object.entries(fill(suite.files ?? {}, values))) await write(path, content)
  await write('policies/policies.json', fill(suite.policies ?? {}, values))
  const config = {
    listen_address: '127.0.0.1',
    listen_port: values['port'],
    secret: suiteSecret,
    app_path: join(folder, 'apps'),
    middleware_path: join(folder, 'middleware'),
    policies: { policy_source: 'file', policy_record_name: join(folder, 'policies', 'policies.json') },
    enable_analytics: false,
    allow_master_keys: false,
    hash_keys: false,
    enforce_org_quotas: true,
    ...fill(suite.config ?? {}, values),
    ...more,
  }
  await write('gateway.json', config)
  return join(folder, 'gateway.json')
}
