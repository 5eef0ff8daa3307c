import { type FileHandle, open } from 'node:fs/promises'

/** What all files have that are opened by `node:fs/promises`, to be spied on. */
export async function fileHandles(): Promise<FileHandle> {
  const handle = await open(import.meta.filename)
  await handle.close()
  return Object.getPrototypeOf(handle)
}
