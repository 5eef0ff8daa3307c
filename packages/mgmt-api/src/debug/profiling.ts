/** Profiles of the process at /debug/pprof/, without a key. Source: docs/reference/inspection.md#profiling. */
import { plain, type Reply, unknownPath } from '../http/reply.ts'
import type { Management, Profiler } from '../management.ts'

export const profilingRoot = '/debug/pprof/'

const defaultSeconds = 30
const maxSeconds = 300
/** Profiles need no key, so the calls that wait are limited. */
const maxPending = 4

type Profiling = (path: string, query: URLSearchParams) => Promise<Reply | undefined>

/** Returns `undefined` if profiling is off. The function returns `undefined` for paths that are no profiling paths. */
export function makeProfiling({ profiler }: Management): Profiling | undefined {
  if (profiler === undefined) return undefined
  let pending = 0
  return async (path, query) => {
    if (!path.startsWith(profilingRoot)) return undefined
    if (pending >= maxPending) return plain(503, 'too many profiles are being taken\n')
    pending++
    try {
      return await respond(path, query, profiler)
    } finally {
      pending--
    }
  }
}

async function respond(path: string, query: URLSearchParams, profiler: Profiler): Promise<Reply> {
  switch (path.slice(profilingRoot.length)) {
    case '':
      return plain(200, indexPage, 'text/html; charset=utf-8')
    case 'heap':
      return attachment('turnpike.heapprofile', await profiler.heap())
    case 'profile':
      return attachment('turnpike.cpuprofile', await profiler.cpu(secondsOf(query.get('seconds'))))
    default:
      return unknownPath
  }
}

function secondsOf(text: string | null): number {
  const seconds = Number(text ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, maxSeconds) : defaultSeconds
}

function attachment(name: string, body: string): Reply {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
    'x-content-type-options': 'nosniff',
  }
  return { status: 200, headers, body }
}

const indexPage = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Profiles</title></head>
<body>
<h1>Profiles</h1>
<p>Open the files in the developer tools of Chromium or in Visual Studio Code.</p>
<ul>
<li><a href="heap">heap</a>: sampled allocations that are still in use</li>
<li><a href="profile?seconds=30">profile</a>: CPU time, 30 seconds by default</li>
</ul>
</body>
</html>
`
