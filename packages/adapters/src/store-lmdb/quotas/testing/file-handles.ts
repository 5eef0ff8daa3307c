import { type FileHandle, open } from 'node:fs/promises'

/** Returns the prototype of the file handles of `node:fs/promises`, for spies. */
export async function fileHandles(): Promise<FileHandle> {
  const handle = await open(import.meta.filename)
  await handle.close()
  return Object.getPrototypeOf(handle)
}
