/** Passwords port on bcryptjs: no native build, and it gives the event loop a turn between its rounds. */
import type { Passwords } from '@turnpike/core'
import bcrypt from 'bcryptjs'

/** As recorded (spec/sessions-and-limits.md 2.9). */
const cost = 10

export const bcryptPasswords: Passwords = {
  hash: (password) => bcrypt.hash(password, cost),
  matches: (password, hash) => bcrypt.compare(password, hash).catch(() => false),
}
