/** `turnpike keys list`: names of keys with their aliases, policies and APIs. */
import type { Client, Session } from '../../client/index.ts'
import { columns } from '../../terminal/columns.ts'
import { type ExitCode, exitCodes, type Io } from '../../terminal/io.ts'
import { type KeyOptions, print, withGateway } from './call-gateway.ts'

export interface ListOptions extends KeyOptions {
  readonly filter?: string
  readonly namesOnly?: boolean
}

/** Sessions that are read at the same time. */
const concurrency = 32

export async function listKeysCommand(options: ListOptions, io: Io): Promise<ExitCode> {
  return withGateway(options, io, async (target) => {
    const { filter } = options
    // The gateway compares the beginning of its names; aliases are compared here.
    const query = filter === undefined || options.namesOnly !== true ? {} : { filter }
    const listed = target.unwrap(await target.client.keys.listKeys(query))
    if (listed === undefined) return exitCodes.found
    const { keys } = listed
    if (options.namesOnly === true) return print(listed, keys.join('\n'), options, io)
    const read = await readSessions(target.client, keys)
    const isShown = ([name, { alias = '' }]: [string, Session]) =>
      filter === undefined || name.startsWith(filter) || alias.startsWith(filter)
    const sessions = new Map([...read.sessions].filter(isShown))
    const rows = [...sessions].map(([name, session]) => [name, session.alias ?? '', opensText(session)])
    const details = [...sessions].map(([key, session]) => ({ key, ...summaryOf(session) }))
    return print({ keys: details.map(({ key }) => key), details }, columns(rows).join('\n'), options, io)
  })
}

/**
 * Reads the session of each name. Keys that were removed since the list was read are left out. `isHashed`: the names are
 * hashes of keys.
 */
export async function readSessions(
  client: Client,
  names: readonly string[],
): Promise<{ readonly sessions: ReadonlyMap<string, Session>; readonly isHashed: boolean }> {
  const sessions = new Map<string, Session | undefined>(names.map((name) => [name, undefined]))
  const first = names[0]
  if (first === undefined) return { sessions: new Map(), isHashed: false }
  // Only a gateway that hashes keys finds them by their stored names; others reject the parameter.
  const isHashed = (await client.keys.getKey({ name: first, hashed: 'true' })).status !== 400
  const waiting = [...names]
  const readNext = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const response = await client.keys.getKey(isHashed ? { name, hashed: 'true' } : { name })
      if (response.ok) sessions.set(name, response.value)
      else if (response.status !== 404) throw new Error(`key ${name}: ${response.message}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, readNext))
  const found = [...sessions].flatMap(([name, session]): [string, Session][] => (session ? [[name, session]] : []))
  return { sessions: new Map(found), isHashed }
}

function summaryOf({ alias = '', org_id = '', apply_policies, access_rights }: Session) {
  return { alias, org_id, apply_policies: apply_policies ?? [], apis: Object.keys(access_rights ?? {}) }
}

function opensText(session: Session): string {
  const { apply_policies, apis } = summaryOf(session)
  if (apply_policies.length > 0)
    return `${apply_policies.length === 1 ? 'policy' : 'policies'} ${apply_policies.join(', ')}`
  return apis.length === 0 ? 'all APIs' : `${apis.length === 1 ? 'API' : 'APIs'} ${apis.join(', ')}`
}
