/** Program of a worker thread that computes password hashes. */
import { parentPort } from 'node:worker_threads'
import bcrypt from 'bcryptjs'

/** `hash` absent: hash the password with this cost. Present: compare it with the hash. */
export interface PasswordTask {
  readonly id: number
  readonly password: string
  readonly hash?: string
  readonly cost: number
}

export interface PasswordResult {
  readonly id: number
  readonly result: string | boolean
}

parentPort?.on('message', ({ id, password, hash, cost }: PasswordTask) => {
  const reply = (result: string | boolean) => parentPort?.postMessage({ id, result } satisfies PasswordResult)
  if (hash === undefined) reply(bcrypt.hashSync(password, cost))
  else reply(matches(password, hash))
})

function matches(password: string, hash: string): boolean {
  try {
    return bcrypt.compareSync(password, hash)
  } catch {
    return false
  }
}
