/** The management API of a running gateway, seen from the command line. */
import { vendorForms } from '@turnpike/core'
import { hasErrors, tellFinding } from '../config/finding.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { loadConfig } from '../config/load-config.ts'
import type { Io } from './io.ts'

export interface GatewayTarget {
  readonly url: string
  readonly secret: string
  /** Name of the header that carries the management key. */
  readonly secretHeader: string
  /** First segment of management paths. */
  readonly vendor: string
}

export interface TargetOptions {
  readonly conf?: string
  readonly url?: string
  readonly secret?: string
}

/** Longest wait for an answer of the management API, ms. */
const answerWithinMs = 30_000

/** The gateway that the options and the configuration mean; the configuration's faults, when it cannot be used. */
export function findTarget(
  options: TargetOptions,
  io: Io,
): { target: GatewayTarget; loaded: LoadedConfig } | { faults: string[] } {
  const loaded = loadConfig({ file: options.conf, environment: io.environment, cwd: io.cwd, readOnly: true })
  if (hasErrors(loaded.findings)) {
    return { faults: loaded.findings.filter((finding) => finding.severity === 'error').map(tellFinding) }
  }
  const { config } = loaded
  const vendor = vendorForms(config.vendor)
  const target = {
    url: (options.url ?? urlOf(loaded)).replace(/\/+$/, ''),
    secret: options.secret ?? config.secret,
    secretHeader: `X-${vendor.title}-Authorization`,
    vendor: vendor.lower,
  }
  return { target, loaded }
}

function urlOf({ config }: LoadedConfig): string {
  const { listenAddress: address } = config
  const host = address === '' || address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  const port = config.controlApiPort > 0 ? config.controlApiPort : config.listenPort
  const scheme = config.httpServerOptions.useSsl ? 'https' : 'http'
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

export type ManagementAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  /** Nobody answered. */
  | { readonly kind: 'away'; readonly reason: string }

/** Calls a path below `/svc`. */
export async function callManagement(
  target: GatewayTarget,
  method: string,
  path: string,
  body?: unknown,
): Promise<ManagementAnswer> {
  try {
    const response = await fetch(`${target.url}/${target.vendor}${path}`, {
      method,
      headers: {
        [target.secretHeader]: target.secret,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const text = await response.text()
    return { kind: 'answer', status: response.status, body: parseOrText(text) }
  } catch (cause) {
    return { kind: 'away', reason: `no gateway answers at ${target.url}: ${reasonOf(cause)}` }
  }
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error && cause.cause.message !== '' ? cause.cause.message : cause.message
}
