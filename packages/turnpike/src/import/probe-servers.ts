/** Finds out whether the servers of an OpenAPI document are reachable, by one connection to each. */
import { connect } from 'node:net'
import { type Json, listOf, memberOf, textOf } from '@turnpike/core/lib'

export interface ProbedServer {
  readonly url: string
  readonly reachable: boolean
  /** Why it is not reachable. */
  readonly reason?: string
}

const timeoutMs = 1000
/** Documents with more servers list regions or test systems; the first ones decide. */
const maxServers = 5

/** Connects to each absolute server of the document at the same time. Sends no request. */
export function probeServers(document: Json): Promise<ProbedServer[]> {
  return Promise.all(serverUrls(document).slice(0, maxServers).map(probe))
}

/** The absolute URLs of `servers`, with variables replaced by their defaults. */
function serverUrls(document: Json): string[] {
  return listOf(document['servers']).flatMap((server) => {
    const url = textOf(memberOf(server, 'url')).replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
      const value = memberOf(server, 'variables', name, 'default')
      return value === undefined ? whole : String(value)
    })
    return /^https?:\/\//i.test(url) && URL.canParse(url) ? [url] : []
  })
}

function probe(url: string): Promise<ProbedServer> {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({ host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) })
    const end = (result: ProbedServer) => {
      socket.destroy()
      clearTimeout(timer)
      resolve(result)
    }
    // The timeout of a socket does not cover the lookup of the name.
    const timer = setTimeout(
      () => end({ url, reachable: false, reason: `no connection in ${timeoutMs} ms` }),
      timeoutMs,
    )
    socket.once('connect', () => end({ url, reachable: true }))
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end({ url, reachable: false, reason: error.code ?? error.message }),
    )
  })
}
