/** `turnpike keys show` and `delete`. */
import { type ExitCode, exitCodes, type Io } from '../../terminal/io.ts'
import { type NamedKeyOptions, print, withGateway } from './call-gateway.ts'
import { findKey } from './find-key.ts'

export function showKeyCommand(key: string, options: NamedKeyOptions, io: Io): Promise<ExitCode> {
  return withGateway(options, io, async (target) => {
    const found = await findKey(target, key, options, io.err)
    if (found === undefined) return exitCodes.found
    return print(found.session, JSON.stringify(found.session, null, 2), options, io)
  })
}

export function deleteKeyCommand(key: string, options: NamedKeyOptions, io: Io): Promise<ExitCode> {
  return withGateway(options, io, async (target) => {
    const found = await findKey(target, key, options, io.err)
    if (found === undefined) return exitCodes.found
    const deleted = target.unwrap(await target.client.keys.deleteKey(found.address))
    return deleted === undefined ? exitCodes.found : print(deleted, 'deleted', options, io)
  })
}
