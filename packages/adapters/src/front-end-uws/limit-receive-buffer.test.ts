import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { openSockets } from './limit-receive-buffer.ts'

it.skipIf(process.platform !== 'linux')(
  'lists a listening socket while it is open (not run: only on Linux)',
  async () => {
    const before = openSockets()
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const opened = openSockets().filter((descriptor) => !before.includes(descriptor))
    expect(opened).toHaveLength(1)
    await new Promise((resolve) => server.close(resolve))
    expect(openSockets()).not.toContain(opened[0])
  },
)
