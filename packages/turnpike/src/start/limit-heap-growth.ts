/**
 * V8 lets the heap grow to four times its live objects before it collects them, on machines with 16 GB or more. A gateway
 * with a million keys in use then keeps up to 800 MiB of garbage (docs/decisions/0006-a-million-keys.md). With
 * `--heap-growing-percent=100` it collects when the heap has doubled. Only for the process of `turnpike start`: in another
 * program the heap belongs to that program.
 */
import { setFlagsFromString } from 'node:v8'

const flag = '--heap-growing-percent=100'

/**
 * `nodeFlags`: the options of this Node process. A `--heap-growing-percent` among them stays in force. Returns the flag
 * that was set.
 */
export function limitHeapGrowth(nodeFlags: readonly string[]): string | undefined {
  if (nodeFlags.some((text) => /^--heap[-_]growing[-_]percent\b/.test(text))) return undefined
  setFlagsFromString(flag)
  return flag
}
