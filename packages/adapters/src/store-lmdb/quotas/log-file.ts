/**
 * One file of a log, of frames: length and checksum of a blob, and the blob. What a crash or a full disk has cut off is
 * known by the one or the other, and nothing behind it counts.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { syncFolder } from '../../durable-file/durable-file.ts'

/** Two numbers of 32 bits, big-endian. */
const headBytes = 8

export interface LogFileRead {
  /** Bytes of the frames that were told. */
  readonly end: number
  /** There is nothing else in it. */
  readonly isWhole: boolean
}

/** Tells the blobs of a file in order, up to the first that is not whole; each stands during the call alone. */
export function readLogFile(path: string, tell: (blob: Uint8Array) => void): LogFileRead {
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
      // An empty blob is never written: zeros are what some file systems leave after a crash.
      if (length === 0 || next > size) break
      if (length > room.length) room = Buffer.allocUnsafe(length)
      readSync(file, room, 0, length, end + headBytes)
      const blob = room.subarray(0, length)
      if (crc32(blob) !== head.readUInt32BE(4)) break
      tell(blob)
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

  /** Opens a file to be written on from `end`; at 0 it is made anew, and stays when the machine crashes. */
  static async open(path: string, end = 0): Promise<LogFile> {
    const file = await open(path, end === 0 ? 'w' : 'r+')
    try {
      if (end === 0) await syncFolder(dirname(path))
      return new LogFile(file, end)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /**
   * Resolves with their bytes when the disk has the blobs. Rejects when it could not take them all; what is written next
   * takes their place. One call at a time.
   */
  async append(blobs: readonly Uint8Array[]): Promise<number> {
    const parts = blobs.flatMap((blob) => [headOf(blob), blob])
    const bytes = parts.reduce((sum, part) => sum + part.length, 0)
    try {
      await this.write(parts, bytes)
      await this.file.datasync()
    } catch (error) {
      // What was written of them must not be read behind what takes their place.
      await this.file.truncate(this.end).catch(() => {})
      throw error
    }
    this.end += bytes
    return bytes
  }

  /** What was cut short is gone on with, so that the reason is told, such as a disk that is full. */
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
