/** Files that the user names. */
import { readFileSync } from 'node:fs'
import { JudgeInputError } from './gateway-to-judge.ts'

/** Returns the text of a file. Throws a `JudgeInputError` with the name `shown` if it cannot be read. */
export function readInputFile(file: string, shown = file): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new JudgeInputError(`${shown} cannot be read: ${(cause as Error).message}`)
  }
}
