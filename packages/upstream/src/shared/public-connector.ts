/**
 * Connections to public addresses only, for URLs that definitions name. The check is part of the connection: it applies to
 * the addresses that DNS returned for this connection, so that a name cannot lead elsewhere after the check.
 */
import { lookup } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { isPublicAddress } from '@turnpike/core/lib'
import { buildConnector } from 'undici'

type Connector = buildConnector.connector

/** Makes a connector of undici with the options of `buildConnector`. */
export function publicConnector(options: buildConnector.BuildOptions): Connector {
  const connect = buildConnector({ ...options, lookup: publicLookup } as buildConnector.BuildOptions)
  return (connectOptions, callback) => {
    // Addresses are not looked up.
    const host = connectOptions.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) === 0 || isPublicAddress(host)) return connect(connectOptions, callback)
    ;(callback as (error: Error, socket: Socket | null) => void)(privateAddress(host), null)
  }
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    const hidden = addresses?.find(({ address }) => !isPublicAddress(address))
    if (error !== null || first === undefined) callback(error ?? new Error(`${hostname} has no address`), [])
    else if (hidden !== undefined) callback(privateAddress(hostname), [])
    else if (options.all === true) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}

function privateAddress(host: string): Error {
  return new Error(`${host} is not a public address, and private_urls is "forbid"`)
}
