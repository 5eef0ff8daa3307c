/** Suggests a fix for a mistyped command. `main.ts` loads this file on demand, because most commands do not need core. */
import { nearestName } from '@turnpike/core/lib'

export function suggestCommand(word: string, commands: readonly string[]): string {
  const near = nearestName(word, commands)
  return near === undefined ? 'turnpike --help lists the commands' : `did you mean "${near}"?`
}
