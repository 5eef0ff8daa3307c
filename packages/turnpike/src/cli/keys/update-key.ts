/** `turnpike keys update`: changes the named fields of a key and keeps the rest and the counters. */
import type { Session } from '../../client/index.ts'
import { type ExitCode, exitCodes, type Io } from '../../terminal/io.ts'
import { type NamedKeyOptions, print, withGateway } from './call-gateway.ts'
import { findKey } from './find-key.ts'
import { prepareSession } from './prepare-session.ts'
import { type SessionOptions, sessionFields } from './session-options.ts'

export async function updateKeyCommand(
  key: string,
  options: SessionOptions & NamedKeyOptions,
  io: Io,
): Promise<ExitCode> {
  // `--org` finds the key; it does not move it.
  const { org: _, ...changing } = options
  const changes = sessionFields(changing, io)
  if (typeof changes === 'string' || (Object.keys(changes).length === 0 && options.api.length === 0)) {
    io.err(
      typeof changes === 'string'
        ? changes
        : 'nothing to change (name --alias, --policy, --api, --rate, --quota, --expires or --session)',
    )
    return exitCodes.wrongUse
  }
  return withGateway(options, io, async (target) => {
    const found = await findKey(target, key, options, io.err)
    if (found === undefined) return exitCodes.found
    const { session: stored, address } = found
    const session = await prepareSession(target, merge(stored, changes), { id: undefined, isNew: false, options, io })
    if (typeof session === 'number') return session
    const { org_id: _org, ...named } = address
    const written = target.unwrap(await target.client.keys.updateKey({ ...named, suppress_reset: '1', body: session }))
    return written === undefined ? exitCodes.found : print(written, 'updated; its counters are kept', options, io)
  })
}

/** New policies replace the rights that the old policies gave. */
function merge(stored: Session, changes: Session): Session {
  if (changes.apply_policies === undefined) return { ...stored, ...changes }
  const { access_rights: _, apply_policy_id: __, ...rest } = stored
  const hadPolicies = (stored.apply_policies ?? []).length > 0 || (stored.apply_policy_id ?? '') !== ''
  const own = hadPolicies || stored.access_rights === undefined ? {} : { access_rights: stored.access_rights }
  return { ...rest, ...own, ...changes }
}
