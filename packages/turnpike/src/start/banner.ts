/** The text that `turnpike start` prints when the gateway is ready: addresses, APIs and commands to try. */
import { relative } from 'node:path'
import type { ApiDefinition } from '@turnpike/core/definition'
import { vendorForms } from '@turnpike/core/lib'
import { usualConfigFile } from '../config/find-config-file.ts'
import { sampleSecret } from '../config/keys/server-keys.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { GatewayAddress } from '../gateway/gateway.ts'
import type { OpenedGateway } from '../gateway/open-gateway.ts'
import { columns } from '../terminal/columns.ts'
import { commandName, quoted } from '../terminal/command-name.ts'
import type { Io } from '../terminal/io.ts'
import { version } from '../version.ts'
import { describeApi } from './describe-api.ts'
import type { EchoServer } from './echo.ts'
import { count } from './reload-lines.ts'
import { type Seed, tourLines } from './seed.ts'
import type { ServedDocument } from './start-document.ts'

export interface BannerInput {
  readonly opened: OpenedGateway
  readonly address: GatewayAddress
  readonly loaded: LoadedConfig
  readonly seed: Seed | undefined
  readonly echo: EchoServer | undefined
  /** A link that signs in to the dashboard once. */
  readonly signInUrl: string | undefined
  readonly io: Io
  readonly served: ServedDocument | undefined
}

/** The number of APIs that the banner lists at most. */
const maxShownApis = 40

export function bannerLines({ opened, address, loaded, seed, echo, signInUrl, io, served }: BannerInput): string[] {
  const { config } = loaded
  const { title, lower, upper } = vendorForms(config.vendor)
  const ownSecret = isPublicSecret(config.secret) ? config.secret : 'the configured secret'
  const isRandom = config.secret === served?.config['secret']
  const secret = isRandom ? `a random secret (${upper}_GW_SECRET sets a known one)` : ownSecret
  const rows = [
    ['management', `header X-${title}-Authorization: ${secret}`],
    ...(address.controlUrl === address.url ? [] : [['management at', address.controlUrl]]),
    ...(config.docs.enabled ? [['documentation', `${address.controlUrl}/${lower}/docs`]] : []),
    ...(address.dashboardUrl === undefined ? [] : [['dashboard', address.dashboardUrl]]),
    ...(signInUrl === undefined ? [] : [['sign in', `${signInUrl} (works once, for 10 minutes)`]]),
    ...(echo === undefined ? [] : [['echo upstream', echo.url]]),
  ]
  const tour = tourLines(seed, {
    url: address.url,
    secret: isPublicSecret(config.secret) ? config.secret : 'YOUR-SECRET',
    command: commandName(io, io.cwd),
    target: targetOptions(loaded, address, io.cwd),
  })
  return [
    `Turnpike ${version} listens on ${address.url} (${address.frontEnd}), ${opened.storeDescription}`,
    '',
    ...apiLines(opened.gateway.apis()),
    '',
    ...columns(rows).map((row) => `  ${row}`),
    '',
    ...(tour.length > 0 ? ['Try it:', ...tour, ''] : []),
  ]
}

/** Management keys that samples in public repositories use. Every other one is never printed. */
function isPublicSecret(secret: string): boolean {
  return secret === sampleSecret || secret === 'local-development-key'
}

/** Returns the options by which another command finds this gateway: none if the configuration alone leads to it. */
function targetOptions({ file, configuredPort }: LoadedConfig, { controlUrl }: GatewayAddress, cwd: string): string {
  const conf = file === undefined || file === usualConfigFile(cwd) ? '' : ` --conf ${quoted(relative(cwd, file))}`
  return Number(new URL(controlUrl).port) === configuredPort ? conf : `${conf} --url ${controlUrl}`
}

function apiLines(apis: readonly ApiDefinition[]): string[] {
  if (apis.length === 0) return ['  no API yet: put a definition into the folder of app_path']
  const described = apis
    .map(describeApi)
    .sort((a, b) => a.listenPath.localeCompare(b.listenPath))
    .slice(0, maxShownApis)
  const rows = described.map(({ name, listenPath, target, access, notes }) => [
    name,
    listenPath,
    `-> ${target}`,
    [access, ...notes].join('; '),
  ])
  const rest = apis.length - described.length
  return [...columns(rows).map((row) => `  ${row}`), ...(rest > 0 ? [`  and ${count(rest, 'more API')}`] : [])]
}
