/**
 * A copy of the memory of a QuickJS instance, so that each call begins with the state after the sources were read. To
 * restore the copy takes less time than to evaluate the sources again, and it leaves no trace of the call before.
 *
 * Everything that QuickJS knows is in the WebAssembly memory: heap, allocator and globals. The only other state is the
 * stack pointer, which has the same value between two calls. The stack itself is left out of the copy: 5 MiB of which
 * nothing is in use between two calls.
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

  /** Must run between two calls. Values of the call before become invalid, and the caller must not dispose them. */
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
/** Static variables that are still zero may precede the stack; the stack never grows down to here. */
const marginBytes = 64 * 1024

/**
 * Finds the stack of an instance that has read no source yet: the longest range of empty pages that is followed by used ones. Pages at its upper
 * end are in use already, so they count as heap and are copied. If the layout of a build is different, the range is
 * shorter or empty, and more is copied.
 */
export function findStack(memory: WasmMemory): StackRange {
  let longest: StackRange = { from: 0, to: 0 }
  const words = new BigUint64Array(memory.buffer)
  const wordsPerPage = pageBytes / words.BYTES_PER_ELEMENT
  let start: number | undefined
  for (let page = 0; page * pageBytes < memory.buffer.byteLength; page++) {
    const isEmpty = words.subarray(page * wordsPerPage, (page + 1) * wordsPerPage).every((word) => word === 0n)
    if (isEmpty) start ??= page * pageBytes
    else if (start !== undefined) {
      if (page * pageBytes - start > longest.to - longest.from) longest = { from: start, to: page * pageBytes }
      start = undefined
    }
  }
  return longest
}

/** The end of the heap in use: the allocator keeps a record behind the last block, so the last word in use is not zero. */
function endOfUse(memory: WasmMemory): number {
  const words = new BigUint64Array(memory.buffer)
  let at = words.length
  while (at > 0 && words[at - 1] === 0n) at--
  return at * words.BYTES_PER_ELEMENT
}

function copy(memory: WasmMemory, from: number, to: number): Region {
  return { from, bytes: new Uint8Array(memory.buffer).slice(from, to) }
}
