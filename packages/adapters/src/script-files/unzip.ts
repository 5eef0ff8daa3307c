/** Unpacks a ZIP file in memory, within limits: the archive comes from another server. */
import { unzipSync } from 'fflate'

const maxFiles = 1000
const maxBytes = 32 * 1024 * 1024

/** Bytes by name, without folders. Throws if the archive is not valid or too large. */
export function unzip(archive: Uint8Array): ReadonlyMap<string, Uint8Array> {
  let files = 0
  let bytes = 0
  const entries = unzipSync(archive, {
    filter({ name, originalSize }) {
      files++
      bytes += originalSize
      if (files > maxFiles || bytes > maxBytes)
        throw new Error(`it has more than ${maxFiles} files or ${maxBytes} bytes`)
      return !name.endsWith('/')
    },
  })
  return new Map(Object.entries(entries))
}
