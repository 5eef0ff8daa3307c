export { type ExitCode, type Io, processIo } from './io.ts'
export { main } from './main.ts'
