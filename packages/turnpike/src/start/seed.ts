/**
 * The seed file (configuration key `seed`): keys and organisations that a local gateway should always have, and
 * commands to try. Existing keys are not changed, so a restart does not reset counters.
 */
import { readFileSync } from 'node:fs'
import {
  findUnsupported,
  parseJson,
  strictProblemOf,
  unknownFields,
  unsupportedInSessions,
} from '@turnpike/core/definition'
import { anything, list, map, type Of, object, printJsonPath, readShape, text } from '@turnpike/core/lib'
import { sessionShape } from '@turnpike/core/ports'
import { fromSession } from '../gateway/convert-documents.ts'
import type { SessionDocument } from '../gateway/document-types.ts'
import { type Gateway, KeyRejected } from '../gateway/gateway.ts'

export const seedShape = object({
  organisations: map(anything),
  keys: map(anything),
  tour: list(object({ says: text, command: text })),
})

export type Seed = Of<typeof seedShape>

/** Reads a seed file. The problem names file, position and reason. */
export function readSeed(file: string): { readonly seed: Seed } | { readonly problem: string } {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (cause) {
    return { problem: `the seed file cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` }
  }
  const parsed = parseJson(content)
  if (parsed.problem !== undefined) {
    return { problem: `${file}:${parsed.problem.line}:${parsed.problem.column}: ${parsed.problem.message}` }
  }
  const { value, problems } = readShape(seedShape, parsed.value)
  const wrong = problems[0]
  return wrong === undefined ? { seed: value } : { problem: `${file}: ${printJsonPath(wrong.path)} ${wrong.message}` }
}

/**
 * Creates missing organisations and keys. Returns problems with those that could not be created. Fields without effect
 * are left out; with `strict` they are a problem.
 */
export async function seedKeys(
  seed: Seed,
  gateway: Pick<Gateway, 'keys' | 'organisations'>,
  { strict }: { readonly strict: boolean },
): Promise<string[]> {
  const problems: string[] = []
  const readable = (what: string, given: unknown): SessionDocument | undefined => {
    const read = readSession(given, strict)
    if ('session' in read) return read.session
    problems.push(`${what} of the seed file: ${read.problem}`)
    return undefined
  }
  for (const [orgId, given] of Object.entries(seed.organisations ?? {})) {
    const session = readable(`organisation ${orgId}`, given)
    if (session === undefined || (await gateway.organisations.get(orgId)) !== undefined) continue
    await gateway.organisations.put(orgId, session)
  }
  for (const [id, given] of Object.entries(seed.keys ?? {})) {
    const session = readable(`key ${id}`, given)
    if (session === undefined) continue
    const lookup = session.org_id === undefined ? {} : { orgId: session.org_id }
    if ((await gateway.keys.get(id, lookup)) !== undefined) continue
    try {
      await gateway.keys.create(session, { id })
    } catch (cause) {
      if (!(cause instanceof KeyRejected)) throw cause
      problems.push(`key ${id} of the seed file: ${cause.message}`)
    }
  }
  return problems
}

/** The known fields of a session, or why it cannot be used. */
function readSession(
  given: unknown,
  strict: boolean,
): { readonly session: SessionDocument } | { readonly problem: string } {
  const { value, problems } = readShape(sessionShape, given)
  const wrong = problems.find(({ kind }) => kind === 'type')
  if (wrong !== undefined) return { problem: `${printJsonPath(wrong.path)} ${wrong.message}`.trim() }
  const ineffective = [...unknownFields(problems), ...findUnsupported(unsupportedInSessions, value)]
  const rejected = strict ? strictProblemOf(ineffective) : undefined
  if (rejected !== undefined) return { problem: `${printJsonPath(rejected.path)} ${rejected.message}` }
  return { session: fromSession(value) }
}

/** What the commands of a tour refer to. */
export interface TourValues {
  readonly url: string
  readonly secret: string
  /** How the user calls `turnpike`, such as `npx turnpike`. */
  readonly command: string
  /** Options by which `turnpike explain` and `turnpike keys` find this gateway, with a space before each. */
  readonly target: string
}

/** Returns the commands of the tour with the values of this gateway. */
export function tourLines(seed: Seed | undefined, { url, secret, command: turnpike, target }: TourValues): string[] {
  const values: Readonly<Record<string, string>> = { url, secret, turnpike, target }
  const fill = (command: string) => command.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
  return (seed?.tour ?? []).flatMap(({ says, command }) => [`  # ${says}`, `  ${fill(command)}`])
}
