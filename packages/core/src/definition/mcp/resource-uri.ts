/**
 * URIs of MCP resources. Rules decide on the resource that an MCP server will read, so URIs that servers read in several
 * ways are rejected, and the other URIs are compared in one form. Source: docs/reference/mcp-proxies.md#resource-uris.
 */
import { decodeStrictly, hasBrokenEscape } from '../../lib/text/percent.ts'

export type ResourceUri =
  | { readonly canonical: string; readonly problem: undefined }
  | { readonly canonical?: undefined; readonly problem: string }

/** Schemes whose URLs parsers of browsers read in a way of their own, with their default TCP ports. */
const webPorts: Readonly<Record<string, string>> = { http: '80', https: '443', ws: '80', wss: '443', ftp: '21' }

/** Characters up to the space, and those that have no visible form: parsers remove or replace some of them. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^\s|\s$/u
/** A name without a scheme, which no parser resolves to another resource. */
const plainName = /^(?!\.\.?$)[A-Za-z0-9._~-]+$/
const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/

/**
 * Returns the form of a URI that rules are compared with: scheme and host in lower case, escapes decoded, without the
 * default port and without the host `localhost` of a file. `problem`: why the URI has more than one reading.
 */
export function readResourceUri(uri: string): ResourceUri {
  if (plainName.test(uri)) return { canonical: uri, problem: undefined }
  const [start] = scheme.exec(uri) ?? []
  const problem = start === undefined ? 'it has no scheme' : textProblem(uri.slice(start.length))
  if (start === undefined || problem !== undefined) return { problem: problem ?? '' }
  const name = start.slice(0, -1).toLowerCase()
  const rest = uri.slice(start.length)
  const [authority] = /^\/\/[^/?#]*/.exec(rest) ?? []
  const path = rest.slice(authority?.length ?? 0)
  const read = readAuthority(name, authority?.slice(2), path)
  if (read.problem !== undefined) return read
  return pathProblem(path) ?? { canonical: `${name}:${read.canonical}${decodeData(path)}`, problem: undefined }
}

function textProblem(rest: string): string | undefined {
  if (rest.includes('\\') || /%5c/i.test(rest)) return 'it contains a backslash'
  if (hasBrokenEscape(rest)) return 'it contains a percent sign without two hexadecimal digits'
  if (/%25[0-9a-f]{2}/i.test(rest)) return 'it contains an escaped escape'
  const decoded = decodeStrictly(rest)
  if (decoded === undefined) return 'its escapes are not UTF-8'
  if (invisible.test(rest) || invisible.test(decoded)) return 'it contains invisible characters or outer spaces'
  const segments = decoded.split(/[/?#]/)
  return segments.some((segment) => /^\.\.?(?:;|$)/.test(segment)) ? 'it contains dot segments' : undefined
}

function pathProblem(rest: string): { readonly problem: string } | undefined {
  const [path = ''] = rest.split(/[?#]/)
  if (path.includes('//')) return { problem: 'its path contains empty segments' }
  return /%2f/i.test(path) ? { problem: 'its path contains an escaped slash' } : undefined
}

/** `authority` is `undefined` if the URI has none. The canonical form contains the slashes. */
function readAuthority(name: string, authority: string | undefined, path: string): ResourceUri {
  if (name === 'file') return readFileHost(authority, path)
  const isWeb = Object.hasOwn(webPorts, name)
  if (authority === undefined) {
    return isWeb ? { problem: `its scheme ${name} needs //` } : { canonical: '', problem: undefined }
  }
  const at = authority.lastIndexOf('@')
  const user = authority.slice(0, at + 1)
  const [host = '', port = ''] = splitPort(authority.slice(at + 1).toLowerCase())
  // Parsers map non-ASCII hosts, decode escapes, and look for the last or the first `@`.
  if (/[^a-z0-9._~[\]:{}+*-]/.test(host) || user.slice(0, -1).includes('@')) return { problem: 'its host is ambiguous' }
  if (!isWeb) return { canonical: `//${user}${host}${port === '' ? '' : `:${port}`}`, problem: undefined }
  if (user !== '' || isForeignHost(host) || path.includes('#')) return { problem: 'its host is ambiguous' }
  const ownPort = port === '' || port === webPorts[name] ? '' : `:${port}`
  return { canonical: `//${host.replace(/\.$/, '')}${ownPort}${/^\//.test(path) ? '' : '/'}`, problem: undefined }
}

/** Some servers ignore the host of a file, others read it as part of the path. A query and a fragment as well. */
function readFileHost(authority: string | undefined, path: string): ResourceUri {
  if (!['', 'localhost', undefined].includes(authority?.toLowerCase())) {
    return { problem: 'a file has no host except localhost' }
  }
  if (!path.startsWith('/') || /[?#]/.test(path)) return { problem: 'a file has a path from the root only' }
  return { canonical: '//', problem: undefined }
}

/** The port is without leading zeros. */
function splitPort(host: string): readonly [host: string, port: string] {
  const colon = host.lastIndexOf(':')
  const [name, port] = colon === -1 ? [host, ''] : [host.slice(0, colon), host.slice(colon + 1)]
  const isPort = /^[0-9]*$/.test(port) && (!name.includes(':') || name.endsWith(']'))
  return isPort ? [name, port.replace(/^0+(?=[0-9])/, '')] : [host, '']
}

/**
 * Hosts of web URLs consist of labels that are not empty, or are an IPv6 address. Addresses in other notations are
 * rejected: `0x7f.1` is 127.0.0.1 for some parsers.
 */
function isForeignHost(host: string): boolean {
  if (host.startsWith('[')) return !/^\[[0-9a-f:]+\]$/.test(host) || /[[:]0(?:[0-9a-f]|:0[:\]])/.test(host)
  const labels = host.replace(/\.$/, '').split('.')
  if (!labels.every((label) => /^[a-z0-9_-]+$/.test(label))) return true
  const isNumber = /^(?:0x[0-9a-f]*|[0-9]+)$/.test(labels.at(-1) ?? '')
  return isNumber && !/^(?:(?:0|[1-9][0-9]{0,2})(?:\.|$)){4}$/.test(host)
}

/** Decodes all escapes except those of characters that would change the structure or begin an escape. */
function decodeData(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    run
      .split(/(%(?:25|2f|3f|23))/i)
      .map((part, i) => (i % 2 === 1 ? part.toUpperCase() : (decodeStrictly(part) ?? part)))
      .join(''),
  )
}

/** The names by which rules find a resource: as it is written, and in its canonical form. */
export function resourceNames(uri: string): readonly string[] {
  const { canonical } = readResourceUri(uri)
  return canonical === undefined || canonical === uri ? [uri] : [uri, canonical]
}

/** A pattern for URIs, with scheme and host in lower case where they are written out. */
export function foldPatternHost(pattern: string): string {
  return pattern.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[A-Za-z0-9.-]|\\[.-])*/, (start) => start.toLowerCase())
}
