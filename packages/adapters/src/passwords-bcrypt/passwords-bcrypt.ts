/** Password hashes with bcryptjs, which needs no native build and yields to the event loop between rounds. */
import type { Passwords } from '@turnpike/core'
import bcrypt from 'bcryptjs'

/** The cost factor of existing gateways, see docs/reference/key-management.md#basic-users. */
const cost = 10

export const bcryptPasswords: Passwords = {
  hash: (password) => bcrypt.hash(password, cost),
  matches: (password, hash) => bcrypt.compare(password, hash).catch(() => false),
}
