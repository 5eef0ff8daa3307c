/** The session that a script receives, and the data that it returns for it. */
import type { Session } from '../../ports/session.ts'
import type { ScriptKeys } from '../../session/registry/script-keys.ts'
import type { RequestContext } from '../contract/request-context.ts'

/** The argument of a script that does not get the session. */
export const noSession = '{}'

/** The session as the management API shows it, after this request was counted; `null` without a key. */
export async function sessionArgument({ key }: RequestContext, keys: ScriptKeys): Promise<string> {
  return key === undefined ? 'null' : JSON.stringify(await keys.show(key))
}

/** Replaces the data of the key if the script changed them. Nothing is stored in a dry run. */
export async function storeData(
  { key, trace }: RequestContext,
  keys: ScriptKeys,
  given: string,
  returned: Session['metaData'],
): Promise<void> {
  if (key === undefined || trace?.dry === true) return
  const before = (JSON.parse(given) as { meta_data?: unknown }).meta_data ?? {}
  const after = returned ?? {}
  if (JSON.stringify(before) === JSON.stringify(after)) return
  await keys.changeData(key.storedName, Object.keys(after).length === 0 ? null : after)
}
