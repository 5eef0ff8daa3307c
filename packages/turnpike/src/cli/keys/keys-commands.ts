/** The commands of `turnpike keys`; one file of the bundle, because each file costs time at every start. */
export { createKeyCommand } from './create-key.ts'
export { importKeysCommand } from './import-keys.ts'
export { listKeysCommand } from './list-keys.ts'
export { resetKeyCommand } from './reset-key.ts'
export { deleteKeyCommand, showKeyCommand } from './show-key.ts'
export { updateKeyCommand } from './update-key.ts'
