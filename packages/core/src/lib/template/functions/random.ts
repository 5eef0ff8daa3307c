/** Random texts and numbers, and UUIDs. */
import { encodeBase64 } from '../../text/base64.ts'
import { dashedUuid } from '../../text/dashed-uuid.ts'
import type { Budget } from '../budget.ts'
import { type FunctionTable, fixed, textOf, wholeOf } from '../function-table.ts'
import { randomBelow, randomBytes, type Sources } from '../sources.ts'
import { TemplateError } from '../template-problem.ts'

const digits = '0123456789'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('')

/** Work of one random byte. */
const byteCost = 16

/** Reads a length, and charges it before anything is created. */
function lengthOf(value: unknown, budget: Budget): number {
  const length = Number(wholeOf(value))
  if (length < 0) throw new TemplateError(`a length cannot be negative: ${length}`)
  budget.spend(length * byteCost)
  return length
}

/** A text of random characters. Bytes that would favour the first characters are skipped. */
function randomText(length: number, characters: string, sources: Sources): string {
  const limit = 256 - (256 % characters.length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length, sources)) {
      if (byte < limit) text += characters.charAt(byte % characters.length)
    }
  }
  return text
}

const randomOf = (characters: string) =>
  fixed(1, ([length], budget, sources) => randomText(lengthOf(length, budget), characters, sources))

/** The largest number is excluded, as the documentation of the library says. */
function randInt(from: bigint, to: bigint, sources: Sources): bigint {
  if (from >= to) throw new TemplateError(`randInt needs a range: ${from} is not less than ${to}`)
  return from + randomBelow(to - from, sources)
}

function shuffle(text: string, budget: Budget, sources: Sources): string {
  const characters = Array.from(text)
  budget.spend(characters.length * byteCost * 10)
  for (let i = characters.length - 1; i > 0; i--) {
    const other = Number(randomBelow(BigInt(i + 1), sources))
    const moved = characters[i] as string
    characters[i] = characters[other] as string
    characters[other] = moved
  }
  return characters.join('')
}

export const randomFunctions: FunctionTable = {
  randAlphaNum: randomOf(digits + letters),
  randAlpha: randomOf(letters),
  randNumeric: randomOf(digits),
  randAscii: randomOf(ascii),
  randBytes: fixed(1, ([length], budget, sources) => encodeBase64(randomBytes(lengthOf(length, budget), sources))),
  randInt: fixed(2, ([from, to], _, sources) => randInt(wholeOf(from), wholeOf(to), sources)),
  shuffle: fixed(1, ([text], budget, sources) => shuffle(textOf(text, budget), budget, sources)),
  uuidv4: fixed(0, (_args, _budget, { uuid }) => dashedUuid(uuid())),
}
