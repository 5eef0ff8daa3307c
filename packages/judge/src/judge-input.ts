/** What users give to the command, and the error for what is wrong with it. */
import { readFileSync } from 'node:fs'

/** A gateway cannot be judged as described: what is wrong, where, and how to fix it. */
export class JudgeInputError extends TypeError {
  override readonly name = 'JudgeInputError'
}

/** Returns the text of a file. Throws a `JudgeInputError` with the name `shown` if it cannot be read. */
export function readInputFile(file: string, shown = file): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new JudgeInputError(`${shown} cannot be read: ${(cause as Error).message}`)
  }
}
