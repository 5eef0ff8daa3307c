/** Program of a worker thread that computes password hashes. */
import { parentPort } from 'node:worker_threads'
import bcrypt from 'bcryptjs'

/** `hash` absent: hash the password with this cost. Present: compare it with the hash. */
export interface PasswordTask {
  readonly password: string
  readonly hash?: string
  readonly cost: number
}

/** The hash, or whether the password matches. A thread has one task at a time. */
export type PasswordResult = string | boolean

parentPort?.on('message', ({ password, hash, cost }: PasswordTask) => {
  const result: PasswordResult = hash === undefined ? bcrypt.hashSync(password, cost) : matches(password, hash)
  parentPort?.postMessage(result)
})

function matches(password: string, hash: string): boolean {
  try {
    // bcrypt reads 72 bytes, so any other end of a longer password would match too.
    return bcrypt.compareSync(password, hash) && !bcrypt.truncates(password)
  } catch {
    return false
  }
}
