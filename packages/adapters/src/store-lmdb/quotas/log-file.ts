/**
 * One file of a log. It contains frames: length and checksum of a blob, then the blob. A frame that a crash or a full
 * disk truncated has a wrong length or checksum; it and everything after it is ignored.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { syncFolder } from '../../durable-file/durable-file.ts'

/** Length and checksum, 32 bits each, big-endian. */
const headBytes = 8

export interface LogFileRead {
  /** Length of the valid frames in bytes. */
  readonly end: number
  /** True if the file contains only valid frames. */
  readonly isWhole: boolean
}

/** Calls `onBlob` with each blob in order, up to the first invalid frame. The blob is valid only during the call. */
export function readLogFile(path: string, onBlob: (blob: Uint8Array) => void): LogFileRead {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const head = Buffer.allocUnsafe(headBytes)
    let room = Buffer.allocUnsafe(2 ** 17)
    let end = 0
    while (end + headBytes < size) {
      readSync(file, head, 0, headBytes, end)
      const length = head.readUInt32BE(0)
      const next = end + headBytes + length
      // Empty blobs are never written: some file systems leave zeros after a crash.
      if (length === 0 || next > size) break
      if (length > room.length) room = Buffer.allocUnsafe(length)
      readSync(file, room, 0, length, end + headBytes)
      const blob = room.subarray(0, length)
      if (crc32(blob) !== head.readUInt32BE(4)) break
      onBlob(blob)
      end = next
    }
    return { end, isWhole: end === size }
  } finally {
    closeSync(file)
  }
}

export class LogFile {
  private readonly file: FileHandle
  private end: number

  private constructor(file: FileHandle, end: number) {
    this.file = file
    this.end = end
  }

  /** Opens a file for appending at `end`. With 0 it creates the file durably. */
  static async open(path: string, end = 0): Promise<LogFile> {
    const file = await open(path, end === 0 ? 'w' : 'r+', 0o600)
    try {
      if (end === 0) await syncFolder(dirname(path))
      return new LogFile(file, end)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /**
   * Appends blobs and resolves with the number of bytes when they are on disk. Rejects if they could not all be written;
   * the next call then overwrites them. Calls must not overlap.
   */
  async append(blobs: readonly Uint8Array[]): Promise<number> {
    const parts = blobs.flatMap((blob) => [headOf(blob), blob])
    const bytes = parts.reduce((sum, part) => sum + part.length, 0)
    try {
      await this.write(parts, bytes)
      await this.file.datasync()
    } catch (error) {
      // The written part must not be read after the blobs that replace it.
      await this.file.truncate(this.end).catch(() => {})
      throw error
    }
    this.end += bytes
    return bytes
  }

  /** Continues partial writes, so that the next write fails with the reason, such as a full disk. */
  private async write(parts: readonly Uint8Array[], bytes: number): Promise<void> {
    let { bytesWritten: done } = await this.file.writev(parts, this.end)
    const all = done < bytes ? Buffer.concat(parts) : undefined
    while (all !== undefined && done < bytes) {
      done += (await this.file.write(all, done, bytes - done, this.end + done)).bytesWritten
    }
  }

  close(): Promise<void> {
    return this.file.close()
  }
}

function headOf(blob: Uint8Array): Uint8Array {
  const head = Buffer.allocUnsafe(headBytes)
  head.writeUInt32BE(blob.length, 0)
  head.writeUInt32BE(crc32(blob), 4)
  return head
}
