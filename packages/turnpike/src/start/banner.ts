/** The text that `turnpike start` prints when the gateway is ready: addresses, APIs and commands to try. */
import type { ApiDefinition } from '@turnpike/core'
import { columns } from '../cli/columns.ts'
import type { GatewayAddress } from '../gateway/gateway.ts'
import { version } from '../version.ts'
import { describeApi } from './describe-api.ts'
import { count } from './reload-lines.ts'

export interface BannerFacts {
  readonly address: GatewayAddress
  readonly apis: readonly ApiDefinition[]
  /** Where keys and counters are stored, as text. */
  readonly store: string
  readonly secretHeader: string
  readonly docsUrl: string | undefined
  readonly echoUrl: string | undefined
  /** The management key, if it is one that everybody knows: see `start-command.ts`. */
  readonly shownSecret: string | undefined
  /** A link that signs in to the dashboard once. */
  readonly signInUrl: string | undefined
  readonly tour: readonly string[]
}

/** The number of APIs that the banner lists at most. */
const maxShownApis = 40

export function bannerLines(facts: BannerFacts): string[] {
  const { address, apis } = facts
  const lines = [`Turnpike ${version} listens on ${address.url} (${address.frontEnd}), ${facts.store}`, '']
  lines.push(...apiLines(apis), '')
  const rows = [
    [
      'management',
      facts.shownSecret === undefined
        ? `header ${facts.secretHeader}: the configured secret`
        : `header ${facts.secretHeader}: ${facts.shownSecret}`,
    ],
    ...(address.controlUrl === address.url ? [] : [['management at', address.controlUrl]]),
    ...(facts.docsUrl === undefined ? [] : [['documentation', facts.docsUrl]]),
    ...(address.dashboardUrl === undefined ? [] : [['dashboard', address.dashboardUrl]]),
    ...(facts.signInUrl === undefined ? [] : [['sign in', `${facts.signInUrl} (works once, for 10 minutes)`]]),
    ...(facts.echoUrl === undefined ? [] : [['echo upstream', facts.echoUrl]]),
  ]
  lines.push(...columns(rows).map((row) => `  ${row}`), '')
  if (facts.tour.length > 0) lines.push('Try it:', ...facts.tour, '')
  return lines
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
