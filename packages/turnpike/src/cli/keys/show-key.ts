/** `turnpike keys show` and `delete`. */
import { type ExitCode, exitCodes, type Io } from '../../terminal/io.ts'
import { lookupOf, type NamedKeyOptions, print, withGateway } from './call-gateway.ts'

export function showKeyCommand(key: string, options: NamedKeyOptions, io: Io): Promise<ExitCode> {
  return withGateway(options, io, async ({ client, unwrap }) => {
    const session = unwrap(await client.keys.getKey({ name: key, ...lookupOf(options) }))
    return session === undefined ? exitCodes.found : print(session, JSON.stringify(session, null, 2), options, io)
  })
}

export function deleteKeyCommand(key: string, options: NamedKeyOptions, io: Io): Promise<ExitCode> {
  return withGateway(options, io, async ({ client, unwrap }) => {
    const deleted = unwrap(await client.keys.deleteKey({ name: key, ...lookupOf(options) }))
    return deleted === undefined ? exitCodes.found : print(deleted, 'deleted', options, io)
  })
}
