/** The command line of main.ts. */
import { parseArgs } from 'node:util'
import { checkGateway, type LimitedGatewayOptions } from './gateway-options.ts'
import type { GatewayLimit } from './key-limiter.ts'
import { keyLimiters, type LimiterKind } from './key-limiters.ts'
import { type HeaderStyle, headerStyles } from './rate-headers.ts'
import { type Fault, type FaultName, faults } from './seeded-bugs.ts'

export const usage = `Usage: node main.js [--fault NAME] [--limit COUNT/PERIOD] [options]

Starts an HTTP gateway with a limit per key on 127.0.0.1, correct or with one seeded bug.

  --fault NAME        the seeded bug (default: none); --list prints the names
  --limit COUNT/TIME  requests per time of each key, for example 10/2s, 100/1m or 5/500ms (default 10/2s)
  --burst N           size of a bucket or of its queue (default: COUNT of --limit)
  --kind KIND         ${Object.keys(keyLimiters).join(', ')}
                      (default: the kind in which the bug was found, otherwise window-from-first)
  --quota COUNT/TIME  quota of each key
  --quota-status N    status of requests that the quota rejects (default 429)
  --headers LIST      comma-separated: ${headerStyles.join(', ')}
                      (default x-ratelimit,retry-after; an empty list sends none)
  --key-header NAME   header with the key (default Authorization, with or without "Bearer")
  --keys LIST         keys that are accepted, comma-separated (default: any)
  --methods LIST      methods of the API, comma-separated (default GET,HEAD,POST)
  --port N            TCP port (default: a free one)
  --list              lists the seeded bugs
  --help              prints this text

Prints "listening on URL" when it is ready. Exit codes: 0 fine, 1 the TCP port is taken, 2 wrong use.`

export type CommandLine =
  | { readonly print: string }
  | { readonly problem: string }
  | { readonly options: LimitedGatewayOptions }

const names = 'fault limit burst kind quota quota-status headers key-header keys methods port'.split(' ')
const options = {
  ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  list: { type: 'boolean' as const },
  help: { type: 'boolean' as const },
}

/** Reads the arguments after the program name. */
export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const values = parseArgs({ args: [...args], options, allowPositionals: false }).values as Record<string, string>
    if (values['help']) return { print: usage }
    if (values['list']) return { print: listFaults() }
    const read = optionsOf(values)
    checkGateway(read, 'wrong option')
    return { options: read }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

function optionsOf(values: Readonly<Record<string, string | undefined>>): LimitedGatewayOptions {
  const fault = values['fault'] as FaultName | undefined
  const burst = wholeNumber('--burst', values['burst'])
  const limit = values['limit'] ?? (values['quota'] === undefined ? '10/2s' : undefined)
  return {
    fault,
    kind: values['kind'] as LimiterKind | undefined,
    rate: limit === undefined ? undefined : { ...parseLimit('--limit', limit), burst },
    quota: values['quota'] === undefined ? undefined : parseLimit('--quota', values['quota']),
    quotaStatus: wholeNumber('--quota-status', values['quota-status']),
    headers: list(values['headers'] ?? 'x-ratelimit,retry-after') as HeaderStyle[],
    keyHeader: values['key-header'],
    keys: values['keys'] === undefined ? undefined : list(values['keys']),
    methods: values['methods'] === undefined ? undefined : list(values['methods']),
    port: wholeNumber('--port', values['port']),
  }
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Parses a limit such as `10/2s`, `100/1m` or `5/500ms`; the unit is seconds by default. Throws if it is not one. */
export function parseLimit(option: string, text: string): GatewayLimit {
  const [, count, period, unit = 's'] = /^(\d+)\/(\d+(?:\.\d+)?)?(ms|s|m|h)?$/.exec(text) ?? []
  if (count === undefined || (period === undefined && !text.endsWith(unit))) {
    throw new TypeError(`${option} ${text} is not a limit; write it as COUNT/TIME, for example 10/2s`)
  }
  return { count: Number(count), periodMs: Math.round(Number(period ?? 1) * (unitsMs[unit] as number)) }
}

function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw new TypeError(`${option} ${text} is not a whole number`)
  return Number(text)
}

function list(text: string): string[] {
  return text.split(',').flatMap((one) => one.trim() || [])
}

function listFaults(): string {
  const rows = Object.entries(faults) as [string, Fault][]
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, { effect }]) => `${name.padEnd(width)}  ${effect}`).join('\n')
}
