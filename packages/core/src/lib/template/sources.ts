/** Time and randomness, which functions such as `now` and `uuidv4` need. */
import { TemplateError } from './template-problem.ts'

export interface Sources {
  /** Current time in ms since 1970. */
  now(): number
  /** 32 hexadecimal digits of a random UUID of version 4. */
  uuid(): string
}

/** Without them, templates that need them fail. */
export const noSources: Sources = {
  now() {
    throw new TemplateError('the time is not available here')
  },
  uuid() {
    throw new TemplateError('random values are not available here')
  },
}

/** The sources of a gateway. Without `ids` there are no random values. */
export function templateSources(
  clock: { readonly now: () => number },
  ids: { readonly uuid: () => string } | undefined,
): Sources {
  return { now: () => clock.now(), uuid: ids === undefined ? noSources.uuid : () => ids.uuid() }
}

/** The digits of a UUID that are not random: the version, and the one that contains the variant. */
const fixedDigits = [12, 16]

/** Random bytes. A UUID gives 15 of them. */
export function randomBytes(count: number, { uuid }: Sources): Uint8Array {
  const bytes = new Uint8Array(count)
  let at = 0
  while (at < count) {
    const digits = Array.from(uuid()).filter((_, i) => !fixedDigits.includes(i))
    for (let i = 0; i + 1 < digits.length && at < count; i += 2) {
      bytes[at++] = Number.parseInt(`${digits[i]}${digits[i + 1]}`, 16)
    }
  }
  return bytes
}

/** A random number from 0 to `below` - 1. `below` is at most 2^63, so that the 16 spare bits keep it even. */
export function randomBelow(below: bigint, sources: Sources): bigint {
  const value = randomBytes(10, sources).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return value % below
}
