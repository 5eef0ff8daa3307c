/** `turnpike keys create`. */
import type { Session } from '../../client/index.ts'
import { type ExitCode, exitCodes, type Io } from '../../terminal/io.ts'
import { print, type Target, withGateway } from './call-gateway.ts'
import { prepareSession } from './prepare-session.ts'
import { type SessionOptions, sessionFields } from './session-options.ts'

export async function createKeyCommand(id: string | undefined, options: SessionOptions, io: Io): Promise<ExitCode> {
  const given = sessionFields(options, io)
  if (typeof given === 'string') {
    io.err(given)
    return exitCodes.wrongUse
  }
  return withGateway(options, io, async (target) => {
    const named = id === undefined || (given.alias ?? '') !== '' ? given : { ...given, alias: id }
    const session = await prepareSession(target, named, { id, isNew: true, options, io })
    if (typeof session === 'number') return session
    if (id !== undefined && (await exists(target, id, session))) {
      io.err(`key "${id}" exists already (change it with: turnpike keys update ${id})`)
      return exitCodes.found
    }
    return create(target, id, session, options, io)
  })
}

async function create(
  target: Target,
  id: string | undefined,
  session: Session,
  options: SessionOptions,
  io: Io,
): Promise<ExitCode> {
  const { keys } = target.client
  const response = await (id === undefined
    ? keys.createKey({ body: session })
    : keys.addCustomKey({ name: id, body: session }))
  if (!response.ok && opensNothing(session)) {
    io.err('the key opens no API (add --policy ID or --api ID)')
    return exitCodes.found
  }
  const made = target.unwrap(response)
  // A basic user logs in with its name, and its response has no full name.
  return made === undefined ? exitCodes.found : print(made, made.key || (id ?? ''), options, io)
}

async function exists({ client }: Target, id: string, { org_id }: Session): Promise<boolean> {
  const found = await client.keys.getKey({ name: id, ...(org_id === undefined ? {} : { org_id }) })
  return found.ok
}

/** Neither policies nor access rights. Master keys are such keys, where the gateway allows them. */
function opensNothing({ apply_policies, apply_policy_id, access_rights }: Session): boolean {
  const hasPolicy = (apply_policies ?? []).length > 0 || (apply_policy_id ?? '') !== ''
  return !hasPolicy && Object.keys(access_rights ?? {}).length === 0
}
