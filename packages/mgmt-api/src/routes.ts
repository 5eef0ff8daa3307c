/**
 * The one table of everything the management API answers below a management key. Where two paths fit a call, the
 * upper one wins; so fixed names stand above `{name}`.
 */
import { changePolicies } from './keys/change-policies.ts'
import { createKey } from './keys/create-key.ts'
import { deleteKey } from './keys/delete-key.ts'
import { getKey } from './keys/get-key.ts'
import { listKeys } from './keys/list-keys.ts'
import { previewKey } from './keys/preview-key.ts'
import { putCustomKey, putRandomKey } from './keys/put-key.ts'
import { replaceKey } from './keys/replace-key.ts'
import type { Operation } from './operation.ts'

export const operations: readonly Operation[] = [
  createKey,
  previewKey,
  changePolicies,
  listKeys,
  putRandomKey,
  getKey,
  putCustomKey,
  replaceKey,
  deleteKey,
]
