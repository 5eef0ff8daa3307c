/**
 * Compose files: which folders of the host a container of the original gateway sees, and with which variables it starts.
 * Nothing is started, and services other than the gateway are only named.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { isJson, type Json, listOf, objectOf, textOf } from '@turnpike/core/lib'
import { readFiles } from './read-files.ts'

export interface Mount {
  /** Path in the container. */
  readonly container: string
  /** File or folder of the host. */
  readonly host: string
}

export interface GatewayService {
  /** The Compose file. */
  readonly file: string
  readonly name: string
  readonly mounts: readonly Mount[]
  readonly variables: Readonly<Record<string, string>>
  /** Path of the configuration in the container, from `--conf`. */
  readonly conf: string | undefined
  /** The other services, with the ports that they publish: TCP port in the container to that of the host. */
  readonly others: ReadonlyMap<string, ReadonlyMap<number, number>>
}

type Variables = Readonly<Record<string, string>>

/** Names of Compose files, which may have a part in the middle, such as `docker-compose.local.yml`. */
export const composeFileName = /^(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$/

/** Returns the gateway service of a Compose file; `undefined` if there is none. `problem`: the file cannot be read. */
export function readComposeFile(file: string): GatewayService | undefined | { readonly problem: string } {
  const { values, found } = readFiles([file])
  if (found.leftOut[0] !== undefined) return { problem: found.leftOut[0].reason }
  const value = values[0]?.value
  if (!isJson(value)) return undefined
  const variables = { PWD: dirname(file), ...variablesOfFile(join(dirname(file), '.env')) }
  const services = Object.entries(objectOf(substituted(value['services'], variables)))
  const gateway = services.find(([, service]) => isGateway(objectOf(service)))
  if (gateway === undefined) return undefined
  const [name, service] = [gateway[0], objectOf(gateway[1])]
  const others = services
    .filter(([other]) => other !== name)
    .map(([other, its]) => [other, portsOf(objectOf(its))] as const)
  return {
    ...{ file, name, others: new Map(others) },
    mounts: listOf(service['volumes']).flatMap((volume) => mountOf(volume, dirname(file)) ?? []),
    variables: environmentOf(service, dirname(file), variables),
    conf: /--conf[= ](\S+)/.exec(`${wordsOf(service['entrypoint'])} ${wordsOf(service['command'])}`)?.[1],
  }
}

/** The image of the gateway, a mount of its files, or one of its variables. The dashboard, the pump and others have images of their own. */
function isGateway(service: Json): boolean {
  if (/tyk-(?:gateway|hybrid)|(?:^|\/)tyk(?:[:@]|$)/.test(textOf(service['image']))) return true
  if (JSON.stringify(service['environment'] ?? {}).includes('"TYK_GW_')) return true
  return listOf(service['volumes']).some((volume) => {
    const text = isJson(volume) ? textOf(volume['target']) : textOf(volume)
    return /\/opt\/tyk-gateway\b/.test(text)
  })
}

function wordsOf(command: unknown): string {
  return typeof command === 'string' ? command : listOf(command).map(String).join(' ')
}

/** Mounts of folders and files; named volumes have no folder. */
function mountOf(volume: unknown, folder: string): Mount | undefined {
  const [source, target] = isJson(volume)
    ? [textOf(volume['source']), textOf(volume['target'])]
    : textOf(volume).split(':')
  if (source === undefined || target === undefined || !/^[./~]/.test(source)) return undefined
  const host = source.startsWith('~') || isAbsolute(source) ? source : projectPath(folder, source)
  return { container: target.replace(/(?<!\/)\/+$/, ''), host: host.replace(/(?<!\/)\/+$/, '') }
}

/** With `--project-directory` paths begin at a folder above that of the file. */
function projectPath(folder: string, source: string): string {
  const candidates = ['.', '..', '../..', '../../..'].map((above) => join(folder, above, source))
  return candidates.find((path) => existsSync(path)) ?? join(folder, source)
}

/** Variables of `env_file`, then of `environment`, which win. */
function environmentOf(service: Json, folder: string, given: Variables): Variables {
  const files = typeof service['env_file'] === 'string' ? [service['env_file']] : listOf(service['env_file'])
  const names = files
    .map((entry) => (isJson(entry) ? textOf(entry['path']) : textOf(entry)))
    .filter((name) => name !== '')
  const variables = Object.assign({}, ...names.map((name) => variablesOfFile(join(folder, name))))
  const { environment } = service
  const pairs = isJson(environment)
    ? Object.entries(environment).map(([name, value]) => [name, value === null ? undefined : String(value)] as const)
    : listOf(environment).map((entry) => (/=/.test(String(entry)) ? pairOf(String(entry)) : ([String(entry)] as const)))
  // A name without a value has that of the shell, or of `.env`.
  const own = pairs.flatMap(([name, value = given[name]]) => (value === undefined ? [] : [[name, value] as const]))
  return { ...variables, ...Object.fromEntries(own) }
}

function pairOf(line: string): readonly [string, string] {
  const at = line.indexOf('=')
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)]
}

/** A file of lines `NAME=value`; empty if it does not exist. */
function variablesOfFile(file: string): Variables {
  if (!existsSync(file)) return {}
  const lines = readFileSync(file, 'utf8').split(/\r?\n/)
  const pairs = lines
    .filter((line) => /^\s*(?:export\s+)?\w+=/.test(line))
    .map((line) => pairOf(line.trim().replace(/^export\s+/, '')))
  return Object.fromEntries(pairs.map(([name, value]) => [name, valueOfLine(value)]))
}

/** The text in quotes, or the text before a comment. */
function valueOfLine(value: string): string {
  const [quote = ''] = value
  const end = quote === '"' || quote === "'" ? value.indexOf(quote, 1) : -1
  return end > 0 ? value.slice(1, end) : value.replace(/(?<!\s)\s+#.*$/, '')
}

/** Replaces `${NAME}`, `${NAME:-default}` and `$NAME` in all texts; `$$` is a dollar sign. */
function substituted(value: unknown, variables: Variables): unknown {
  if (Array.isArray(value)) return value.map((entry) => substituted(entry, variables))
  if (isJson(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, substituted(member, variables)]))
  }
  if (typeof value !== 'string' || !value.includes('$')) return value
  return value.replace(
    /\$(?:\$|\{(\w+)(?:(:?)([-?+])([^}]*))?\}|(\w+))/g,
    (whole, braced?: string, colon?: string, operator?: string, text = '', plain?: string) => {
      if (whole === '$$') return '$'
      const given = variables[braced ?? plain ?? '']
      // With a colon an empty value counts as missing. The text after a question mark is an error message.
      const isMissing = given === undefined || (colon === ':' && given === '')
      if (operator === '+') return isMissing ? '' : text
      return isMissing && operator === '-' ? text : (given ?? '')
    },
  )
}

/** TCP ports that a service publishes, by the port in the container. */
function portsOf(service: Json): ReadonlyMap<number, number> {
  const ports = new Map<number, number>()
  for (const entry of listOf(service['ports'])) {
    const [host, container] = isJson(entry)
      ? [Number(entry['published']), Number(entry['target'])]
      : (String(entry).split('/')[0]?.split(':').slice(-2).map(Number) ?? [])
    if (host !== undefined && container !== undefined && host > 0) ports.set(container, host)
  }
  return ports
}
