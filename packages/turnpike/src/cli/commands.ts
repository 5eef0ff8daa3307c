/**
 * The commands other than `start`, as one file of the bundle. What several entries of the bundle share becomes files of its
 * own, and each file costs time at every start (docs/decisions/0008-start.md).
 */
export { checkCommand } from './check-command.ts'
export { explainCommand } from './explain-command.ts'
export { importCommand } from './import-command.ts'
export { initCommand } from './init-command.ts'
export { createKeyCommand } from './keys/create-key.ts'
export { importKeysCommand } from './keys/import-keys.ts'
export { listKeysCommand } from './keys/list-keys.ts'
export { resetKeyCommand } from './keys/reset-key.ts'
export { deleteKeyCommand, showKeyCommand } from './keys/show-key.ts'
export { updateKeyCommand } from './keys/update-key.ts'
export { suggestCommand } from './suggest-command.ts'
