/** Collects what the banner of `turnpike start` shows. */
import { relative } from 'node:path'
import { vendorForms } from '@turnpike/core'
import { commandName, quoted } from '../cli/command-name.ts'
import type { Io } from '../cli/io.ts'
import { usualConfigFile } from '../config/find-config-file.ts'
import { sampleSecret } from '../config/keys/server-keys.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { GatewayAddress } from '../gateway/gateway.ts'
import type { OpenedGateway } from '../gateway/open-gateway.ts'
import { bannerLines } from './banner.ts'
import type { EchoServer } from './echo.ts'
import { type Seed, tourLines } from './seed.ts'
import type { ServedDocument } from './start-document.ts'

/** Management keys that samples in public repositories use. Every other one is never printed. */
function isPublicSecret(secret: string): boolean {
  return secret === sampleSecret || secret === 'local-development-key'
}

export interface BannerInput {
  readonly opened: OpenedGateway
  readonly address: GatewayAddress
  readonly loaded: LoadedConfig
  readonly seed: Seed | undefined
  readonly echo: EchoServer | undefined
  readonly signInUrl: string | undefined
  readonly io: Io
  readonly served: ServedDocument | undefined
}

/** Returns the lines of the banner. */
export function bannerOf({ opened, address, loaded, seed, echo, signInUrl, io, served }: BannerInput): string[] {
  const { config } = loaded
  const vendor = vendorForms(config.vendor)
  return bannerLines({
    address,
    apis: opened.gateway.apis(),
    store: opened.storeDescription,
    secretHeader: `X-${vendor.title}-Authorization`,
    docsUrl: config.docs.enabled ? `${address.controlUrl}/${vendor.lower}/docs` : undefined,
    echoUrl: echo?.url,
    signInUrl,
    shownSecret:
      config.secret === served?.config['secret']
        ? `a random secret (${vendor.upper}_GW_SECRET sets a known one)`
        : isPublicSecret(config.secret)
          ? config.secret
          : undefined,
    tour:
      seed === undefined
        ? []
        : tourLines(seed, {
            url: address.url,
            secret: isPublicSecret(config.secret) ? config.secret : 'YOUR-SECRET',
            command: commandName(io, io.cwd),
            target: targetOptions(loaded, address, io.cwd),
          }),
  })
}

/** Returns the options by which another command finds this gateway: none if the configuration alone leads to it. */
function targetOptions({ file, configuredPort }: LoadedConfig, { controlUrl }: GatewayAddress, cwd: string): string {
  const conf = file === undefined || file === usualConfigFile(cwd) ? '' : ` --conf ${quoted(relative(cwd, file))}`
  return Number(new URL(controlUrl).port) === configuredPort ? conf : `${conf} --url ${controlUrl}`
}
