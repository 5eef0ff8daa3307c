/**
 * A copy of the memory of a QuickJS instance, taken after the sources were evaluated. Restoring it before the next call
 * removes all changes of the previous call, in less time than evaluating the sources again.
 *
 * All state of QuickJS is in the WebAssembly memory (heap, allocator and globals), except the stack pointer, which has the
 * same value between two calls. The copy omits the stack: 5 MiB that are not in use between two calls.
 */
/** The part of `WebAssembly.Memory` that is used here. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
}

interface Region {
  readonly from: number
  readonly bytes: Uint8Array
}

export class MemorySnapshot {
  private readonly regions: readonly Region[]
  private readonly memory: WasmMemory

  /** `stack`: the range that `findStack` returned for this instance. */
  constructor(memory: WasmMemory, stack: StackRange) {
    this.memory = memory
    const from = Math.min(stack.from + marginBytes, stack.to)
    this.regions = [copy(memory, 0, from), copy(memory, stack.to, Math.max(stack.to, endOfUse(memory)))]
  }

  /** Call it between two calls only. Handles of the previous call become invalid; the caller must not dispose them. */
  restore(): void {
    const bytes = new Uint8Array(this.memory.buffer)
    for (const region of this.regions) bytes.set(region.bytes, region.from)
  }
}

export interface StackRange {
  readonly from: number
  readonly to: number
}

const pageBytes = 4096
const emptyPage = Buffer.alloc(pageBytes)
/** Bytes at the lower end of the range that are copied: they can be static variables that were zero when it was found. */
const marginBytes = 64 * 1024

/**
 * Finds the stack of an instance that has evaluated no source yet: the longest range of zero pages with a used page after
 * it. The used pages at the upper end of the stack are outside the range, so they are copied. If a build has another
 * layout, the range is shorter or empty, and more is copied.
 */
export function findStack(memory: WasmMemory): StackRange {
  let longest: StackRange = { from: 0, to: 0 }
  const bytes = Buffer.from(memory.buffer)
  let start: number | undefined
  for (let from = 0; from < bytes.length; from += pageBytes) {
    if (isEmptyPage(bytes, from)) start ??= from
    else if (start !== undefined) {
      if (from - start > longest.to - longest.from) longest = { from: start, to: from }
      start = undefined
    }
  }
  return longest
}

/** Returns the end of the last page in use. */
function endOfUse(memory: WasmMemory): number {
  const bytes = Buffer.from(memory.buffer)
  let end = bytes.length
  while (end > 0 && isEmptyPage(bytes, end - pageBytes)) end -= pageBytes
  return end
}

/** Compares by native code, because a thread that has just started has no fast code of its own for 16 MiB. */
function isEmptyPage(bytes: Buffer, from: number): boolean {
  return emptyPage.compare(bytes, from, from + pageBytes) === 0
}

function copy(memory: WasmMemory, from: number, to: number): Region {
  return { from, bytes: new Uint8Array(memory.buffer).slice(from, to) }
}
